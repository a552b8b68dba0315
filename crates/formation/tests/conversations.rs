//! What whole conversations leave behind, held to the notes a careful host would have made.
//!
//! The models were trained on the `development` and the `unread` conversations. Of the `unread` ones, and of `blind` ones
//! that are put beside them, only totals are printed. A note counts as made if one memory of its turn holds all the words without which it would be worthless.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that can't read its conversations fails loudly"
)]

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use encoders::Encoders;
use formation::{Author, Draft, Exchange, Formed, Line, ReadMemory, RevisableMemory, Revision, form};
use jiff::Timestamp;
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

/// A memory of a conversation.
struct Memory {
    draft: Draft,
    at: Timestamp,
    /// Whether another one took its place.
    is_replaced: bool,
    /// The memory as drafts are compared with it, once one was.
    read: OnceCell<Arc<ReadMemory>>,
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
    /// Changes of which both the old and the new fact were formed, and those where the old one gave way.
    changes: u32,
    changes_right: u32,
    /// Memories that gave way to what does not change them.
    wrongly_replaced: u32,
    /// What went wrong; printed for development conversations only.
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, conversation: &Conversation, encoders: &Encoders) {
        let mut earlier: Vec<Line<'_>> = Vec::new();
        let mut memories: Vec<Memory> = Vec::new();
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
            let drafts = formed.into_iter().filter_map(|formed| match formed {
                Formed::Remember(draft) => Some(draft),
                Formed::Refused { .. } | Formed::Dropped(_) => None,
            });
            for draft in drafts {
                let at = turn.at.parse().unwrap();
                let old = replaced(&draft, at, &memories, (&conversation.language, encoders));
                self.judge_change(conversation, (place + 1, &draft), old.map(|old| &memories[old].draft));
                if let Some(old) = old {
                    memories[old].is_replaced = true;
                }
                memories.push(Memory { draft, at, is_replaced: false, read: OnceCell::new() });
            }
            earlier.push(Line { author: Author::Speaker, text: &turn.user });
            earlier.push(Line { author: Author::Persona, text: &turn.reply });
        }
        self.judge_changes(conversation, &memories);
    }

    /// Whether the memory that `draft` replaces is one that it changes.
    fn judge_change(
        &mut self,
        conversation: &Conversation,
        (turn, draft): (usize, &Draft),
        old: Option<&Draft>,
    ) {
        let Some(old) = old else { return };
        let facts = conversation.facts.iter().filter(|fact| fact.turn == turn && fact.is_in(draft));
        let mut changed = facts.filter_map(|fact| conversation.facts.get(fact.replaces? - 1));
        let is_wrong = !changed.any(|fact| fact.is_in(old));
        self.wrongly_replaced += u32::from(is_wrong);
        self.miss(is_wrong, || {
            format!("{turn} wrongly replaced: {} BY {}", old.gist.as_str(), draft.gist.as_str())
        });
    }

    /// Whether what changed gave way, where both were formed.
    fn judge_changes(&mut self, conversation: &Conversation, memories: &[Memory]) {
        for fact in &conversation.facts {
            let Some(old) = fact.replaces.map(|old| &conversation.facts[old - 1]) else { continue };
            let olds = || memories.iter().filter(|memory| old.is_in(&memory.draft));
            let is_formed = memories.iter().any(|memory| fact.is_in(&memory.draft));
            if !is_formed || olds().next().is_none() {
                continue;
            }
            let is_right = olds().any(|memory| memory.is_replaced);
            self.changes += 1;
            self.changes_right += u32::from(is_right);
            self.miss(!is_right, || format!("{} stays: {} BY {}", fact.turn, old.gist, fact.gist));
        }
    }

    fn judge(&mut self, conversation: &Conversation, turn: usize, formed: &[Formed]) {
        let drafts: Vec<&Draft> = formed
            .iter()
            .filter_map(|formed| match formed {
                Formed::Remember(draft) => Some(draft),
                Formed::Refused { .. } | Formed::Dropped(_) => None,
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
        }
        for forbidden in conversation.not_to_keep.iter().filter(|one| one.turn == turn) {
            let kept =
                drafts.iter().filter(|draft| forbidden.words.iter().any(|word| has_word(&text(draft), word)));
            let kept = u32::try_from(kept.count()).unwrap();
            self.special_kept += kept;
            self.miss(kept > 0, || format!("{turn} SPECIAL KEPT: {:?}", forbidden.words));
        }
        for fact in facts.iter().filter(|fact| fact.class != "sensitive-pii") {
            self.judge_fact(fact, &facts, &drafts);
        }
    }

    fn judge_fact(&mut self, fact: &Fact, facts: &[&Fact], drafts: &[&Draft]) {
        let found = drafts.iter().find(|draft| fact.is_in(draft));
        self.facts += u32::from(!fact.optional);
        self.facts_matched += u32::from(!fact.optional && found.is_some());
        self.miss(found.is_none() && !fact.optional, || format!("{} missed: {}", fact.turn, fact.gist));
        let Some(draft) = found else { return };
        let date = draft.event_date.map(|date| date.to_string());
        self.dates_missing += u32::from(fact.date.is_some() && date.is_none());
        // A memory of two facts has the date of one of them.
        let is_right = facts.iter().any(|other| other.date == date && other.is_in(draft));
        if fact.date.is_some() && date.is_some() {
            self.dates_given += 1;
            self.dates_right += u32::from(is_right);
        }
        self.miss(fact.date.is_some() && !is_right, || format!("{} date {date:?}: {}", fact.turn, fact.gist));
        self.classes += 1;
        self.classes_right += u32::from(draft.privacy_class.as_str() == fact.class);
        self.miss(draft.privacy_class.as_str() != fact.class, || {
            format!("{} class {}: {}", fact.turn, draft.privacy_class.as_str(), draft.gist.as_str())
        });
        self.kinds_right += u32::from(serde_json::to_value(draft.kind).unwrap() == fact.kind.as_str());
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

/// The memory that `draft` replaces.
fn replaced(
    draft: &Draft,
    now: Timestamp,
    memories: &[Memory],
    (language, encoders): (&str, &Encoders),
) -> Option<usize> {
    let revision = Revision::of(draft, language, encoders)?;
    let standing: Vec<(usize, &Memory, Vec<&str>)> = memories
        .iter()
        .enumerate()
        .filter(|(_, memory)| !memory.is_replaced && memory.at < now)
        .map(|(place, memory)| {
            (place, memory, memory.draft.details.iter().map(|(detail, _)| detail.as_str()).collect())
        })
        .collect();
    let known: Vec<(RevisableMemory<'_>, Arc<ReadMemory>)> = standing
        .iter()
        .map(|(_, memory, details)| {
            let known = RevisableMemory {
                gist: memory.draft.gist.as_str(),
                details,
                kind: memory.draft.kind,
                author: memory.draft.author,
                minutes: now.duration_since(memory.at).as_secs_f64() / 60.0,
            };
            let read = Arc::clone(memory.read.get_or_init(|| Arc::new(revision.read(&known))));
            (known, read)
        })
        .collect();
    revision.replaced(&known).map(|at| standing[at].0)
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

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.drafts += other.drafts;
        self.drafts_matched += other.drafts_matched;
        self.promises += other.promises;
        self.promises_matched += other.promises_matched;
        self.facts += other.facts;
        self.facts_matched += other.facts_matched;
        self.dates_given += other.dates_given;
        self.dates_right += other.dates_right;
        self.dates_missing += other.dates_missing;
        self.classes += other.classes;
        self.classes_right += other.classes_right;
        self.kinds_right += other.kinds_right;
        self.special_kept += other.special_kept;
        self.changes += other.changes;
        self.changes_right += other.changes_right;
        self.wrongly_replaced += other.wrongly_replaced;
        self.wrong.extend(other.wrong);
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "precision {:.3} ({} memories; of {} by the persona {}), recall {:.3} ({} notes), dates right {}/{} and {} missing, \
             class right {:.3}, kind right {:.3}, special categories kept {}, changes right {}/{} and {} wrong",
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
            self.wrongly_replaced,
        )
    }
}

/// The conversations whose file begins with `name`.
fn files(name: &str) -> Vec<std::path::PathBuf> {
    let folder = format!("{}/tests/conversations", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name));
    files.sort();
    files
}

/// The scores of all conversations whose file begins with `name`, in total.
fn measured(name: &str) -> Score {
    let encoders = Encoders::built_in().unwrap();
    let mut by_language: BTreeMap<String, Score> = BTreeMap::new();
    for file in files(name) {
        let conversation: Conversation =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        by_language.entry(conversation.language.clone()).or_default().add(&conversation, &encoders);
    }
    let mut total = Score::default();
    for (language, score) in by_language {
        println!("{name} {language}: {score}");
        total += score;
    }
    println!("{name} in total: {total}");
    total
}

#[test]
fn development_conversations_leave_what_a_careful_host_would_note() {
    let score = measured("development");
    println!("{:#?}", score.wrong);
    assert!(score.facts > 100);
    assert!(score.precision() >= 0.90 && score.recall() >= 0.73, "{score}");
    assert!(share(score.dates_right, score.dates_given) >= 0.95, "{score}");
    assert!(share(score.classes_right, score.classes) >= 0.98, "{score}");
    assert_eq!(score.special_kept, 0, "{score}");
    assert!(share(score.changes_right, score.changes) >= 0.42 && score.wrongly_replaced <= 4, "{score}");
}

/// The models were trained on them too, but no one who changed rules or models has read them.
#[test]
fn unread_conversations_leave_it_too() {
    let score = measured("unread");
    assert!(score.precision() >= 0.90 && score.recall() >= 0.82, "{score}");
    assert!(share(score.dates_right, score.dates_given) >= 0.86, "{score}");
    assert!(share(score.classes_right, score.classes) >= 0.98, "{score}");
    assert!(score.special_kept <= 1, "{score}");
    assert!(share(score.changes_right, score.changes) >= 0.26 && score.wrongly_replaced <= 4, "{score}");
}

/// Conversations that neither rules nor models were made with: what to expect of people we don't know.
#[test]
fn blind_conversations_are_measured_where_there_are_some() {
    if files("blind").is_empty() {
        println!("no blind conversations");
        return;
    }
    let score = measured("blind");
    assert!(score.precision() >= 0.78 && score.recall() >= 0.67, "{score}");
    assert!(score.special_kept <= 2, "{score}");
    // A true memory that gives way is hidden; of 30 changes at most 2 are wanted.
    assert!(score.wrongly_replaced <= 5, "{score}");
}
