//! What whole conversations leave behind, held to the notes a careful host would have made.
//!
//! The `development` conversations were before the eyes of those who trained the models; of the `blind` ones only totals
//! are printed. A note counts as made if one memory of its turn holds all the words without which it would be worthless.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that can't read its conversations fails loudly"
)]

use std::collections::BTreeMap;
use std::fmt;

use encoders::Encoders;
use formation::{Author, Draft, Exchange, Formed, Line, Replaces, form};
use jiff::civil::Date;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Conversation {
    language: String,
    speaker: String,
    turns: Vec<Turn>,
    facts: Vec<Fact>,
    #[serde(default)]
    not_to_keep: Vec<NotToKeep>,
}

#[derive(Deserialize)]
struct Turn {
    at: String,
    user: String,
    reply: String,
}

#[derive(Deserialize)]
struct Fact {
    turn: usize,
    by: String,
    gist: String,
    values: Vec<Value>,
    kind: String,
    class: String,
    date: Option<String>,
    replaces: Option<usize>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    One(String),
    Any(Vec<String>),
}

#[derive(Deserialize)]
struct NotToKeep {
    turn: usize,
    words: Vec<String>,
}

/// Counts over conversations.
#[derive(Default)]
struct Score {
    drafts: u32,
    drafts_matched: u32,
    promises: u32,
    promises_matched: u32,
    facts: u32,
    facts_matched: u32,
    dates_given: u32,
    dates_right: u32,
    dates_missing: u32,
    classes: u32,
    classes_right: u32,
    kinds_right: u32,
    special_kept: u32,
    changes: u32,
    changes_right: u32,
    wrongly_replacing: u32,
    /// What went wrong; printed for development conversations only.
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, conversation: &Conversation, encoders: &Encoders) {
        let mut earlier: Vec<Line<'_>> = Vec::new();
        for (place, turn) in conversation.turns.iter().enumerate() {
            let today: Date = turn.at[..10].parse().unwrap();
            let formed = form(&Exchange {
                before: place.checked_sub(1).map(|before| conversation.turns[before].reply.as_str()),
                earlier: &earlier,
                reply: Some(&turn.reply),
                name: Some(&conversation.speaker),
                encoders: Some(encoders),
                ..Exchange::new(&turn.user, &conversation.language, today)
            });
            self.judge(conversation, place + 1, &formed);
            earlier.push(Line { author: Author::Speaker, text: &turn.user });
            earlier.push(Line { author: Author::Persona, text: &turn.reply });
        }
    }

    fn judge(&mut self, conversation: &Conversation, turn: usize, formed: &[Formed]) {
        let drafts: Vec<&Draft> = formed
            .iter()
            .filter_map(|formed| match formed {
                Formed::Remember(draft) => Some(draft),
                Formed::Refused { .. } => None,
            })
            .collect();
        let facts: Vec<&Fact> = conversation.facts.iter().filter(|fact| fact.turn == turn).collect();
        for draft in &drafts {
            let is_matched = facts.iter().any(|fact| fact.is_in(draft));
            if draft.author == Author::Persona {
                self.promises += 1;
                self.promises_matched += u32::from(is_matched);
            }
            self.drafts += 1;
            self.drafts_matched += u32::from(is_matched);
            self.miss(!is_matched, || format!("{turn} too much: {}", draft.gist.as_str()));
            let is_change = facts.iter().any(|fact| fact.is_in(draft) && fact.replaces.is_some());
            let is_wrong = draft.replaces != Replaces::Nothing && !is_change;
            self.wrongly_replacing += u32::from(is_wrong);
            self.miss(is_wrong, || format!("{turn} replaces nothing: {}", draft.gist.as_str()));
        }
        for forbidden in conversation.not_to_keep.iter().filter(|one| one.turn == turn) {
            let kept =
                drafts.iter().filter(|draft| forbidden.words.iter().any(|word| has_word(&text(draft), word)));
            let kept = u32::try_from(kept.count()).unwrap();
            self.special_kept += kept;
            self.miss(kept > 0, || format!("{turn} SPECIAL KEPT: {:?}", forbidden.words));
        }
        for fact in facts.iter().filter(|fact| fact.class != "sensitive-pii") {
            self.judge_fact(fact, &drafts);
        }
    }

    fn judge_fact(&mut self, fact: &Fact, drafts: &[&Draft]) {
        let found = drafts.iter().find(|draft| fact.is_in(draft));
        self.facts += u32::from(!fact.optional);
        self.facts_matched += u32::from(!fact.optional && found.is_some());
        self.miss(found.is_none() && !fact.optional, || format!("{} missed: {}", fact.turn, fact.gist));
        let Some(draft) = found else { return };
        let date = draft.event_date.map(|date| date.to_string());
        self.dates_missing += u32::from(fact.date.is_some() && date.is_none());
        if fact.date.is_some() && date.is_some() {
            self.dates_given += 1;
            self.dates_right += u32::from(fact.date == date);
        }
        self.miss(fact.date.is_some() && fact.date != date, || {
            format!("{} date {date:?}: {}", fact.turn, fact.gist)
        });
        self.classes += 1;
        self.classes_right += u32::from(draft.privacy_class.as_str() == fact.class);
        self.miss(draft.privacy_class.as_str() != fact.class, || {
            format!("{} class {}: {}", fact.turn, draft.privacy_class.as_str(), draft.gist.as_str())
        });
        self.kinds_right += u32::from(serde_json::to_value(draft.kind).unwrap() == fact.kind.as_str());
        if fact.replaces.is_some() {
            self.changes += 1;
            self.changes_right += u32::from(draft.replaces != Replaces::Nothing);
            self.miss(draft.replaces == Replaces::Nothing, || {
                format!("{} replaces not: {}", fact.turn, draft.gist.as_str())
            });
        }
    }

    fn miss(&mut self, is_missed: bool, how: impl FnOnce() -> String) {
        if is_missed {
            self.wrong.push(how());
        }
    }

    fn precision(&self) -> f64 {
        share(self.drafts_matched, self.drafts)
    }

    fn recall(&self) -> f64 {
        share(self.facts_matched, self.facts)
    }
}

impl Fact {
    fn is_in(&self, draft: &Draft) -> bool {
        let author = if self.by == "persona" { Author::Persona } else { Author::Speaker };
        let text = text(draft);
        let stands = |value: &Value| match value {
            Value::One(word) => text.contains(&word.to_lowercase()),
            Value::Any(words) => words.iter().any(|word| text.contains(&word.to_lowercase())),
        };
        draft.author == author && self.values.iter().all(stands)
    }
}

fn text(draft: &Draft) -> String {
    let details = draft.details.iter().map(|(detail, _)| detail.as_str());
    [draft.gist.as_str()].into_iter().chain(details).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a word begins with `word`.
fn has_word(text: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    text.match_indices(&word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "precision {:.3} ({} memories; of {} by the persona {}), recall {:.3} ({} notes), dates right {}/{} and {} missing, \
             class right {:.3}, kind right {:.3}, special categories kept {}, changes found {}/{} and {} wrong",
            self.precision(),
            self.drafts,
            self.promises,
            self.promises_matched,
            self.recall(),
            self.facts,
            self.dates_right,
            self.dates_given,
            self.dates_missing,
            share(self.classes_right, self.classes),
            share(self.kinds_right, self.classes),
            self.special_kept,
            self.changes_right,
            self.changes,
            self.wrongly_replacing,
        )
    }
}

/// The scores of all conversations whose file begins with `name`, in total.
fn measured(name: &str, prints_wrong: bool) -> Score {
    let encoders = Encoders::built_in().unwrap();
    let folder = format!("{}/tests/conversations", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name));
    files.sort();
    let mut total = Score::default();
    let mut by_language: BTreeMap<String, Score> = BTreeMap::new();
    for file in files {
        let conversation: Conversation =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        total.add(&conversation, &encoders);
        by_language.entry(conversation.language.clone()).or_default().add(&conversation, &encoders);
    }
    for (language, score) in &by_language {
        println!("{name} {language}: {score}");
        if prints_wrong {
            println!("{:#?}", score.wrong);
        }
    }
    println!("{name} in total: {total}");
    total
}

#[test]
fn development_conversations_leave_what_a_careful_host_would_note() {
    let score = measured("development", true);
    assert!(score.facts > 100);
    assert!(score.precision() >= 0.91 && score.recall() >= 0.72, "{score}");
    assert!(share(score.dates_right, score.dates_given) >= 0.92, "{score}");
    assert!(share(score.classes_right, score.classes) >= 0.98, "{score}");
    assert_eq!(score.special_kept, 0, "{score}");
    assert!(share(score.changes_right, score.changes) >= 0.85 && score.wrongly_replacing <= 41, "{score}");
}

/// One special category that neither lists nor models know is still kept of these; none may be.
#[test]
fn conversations_of_somebody_who_has_not_seen_the_rules_leave_it_too() {
    let score = measured("blind", false);
    assert!(score.precision() >= 0.82 && score.recall() >= 0.71, "{score}");
    assert!(share(score.dates_right, score.dates_given) >= 0.87, "{score}");
    assert!(share(score.classes_right, score.classes) >= 0.98, "{score}");
    assert!(score.special_kept <= 1, "{score}");
    assert!(share(score.changes_right, score.changes) >= 0.74 && score.wrongly_replacing <= 26, "{score}");
}
