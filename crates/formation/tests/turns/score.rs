//! How well turns are judged: precision, recall, right classes, and what should never have been stored.

use std::fmt;

use formation::{Draft, Formed};
use serde::Deserialize;

/// One turn and what it should leave behind.
#[derive(Deserialize)]
pub(crate) struct Turn {
    id: String,
    pub(crate) language: String,
    pub(crate) said: String,
    expect: Expectation,
}

#[derive(Deserialize)]
struct Expectation {
    outcome: Outcome,
    class: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    words: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Remember,
    Nothing,
    Refused,
}

/// Counts over turns. A turn counts as found if one draft holds all but one of the expected words.
#[derive(Default)]
pub(crate) struct Score {
    turns: u32,
    expected: u32,
    stored: u32,
    found: u32,
    classed: u32,
    class_right: u32,
    kind_right: u32,
    refused: u32,
    refused_right: u32,
    nothing: u32,
    nothing_stored: u32,
    /// Drafts made of turns that had to be refused.
    pub(crate) special_stored: usize,
    /// Names of the turns judged wrongly, and how.
    pub(crate) missed: Vec<String>,
}

impl Score {
    pub(crate) fn of(turns: &[Turn], form: impl Fn(&Turn) -> Vec<Formed>) -> Self {
        let mut score = Self::default();
        for turn in turns {
            score.judge(turn, &form(turn));
        }
        score
    }

    pub(crate) fn precision(&self) -> f64 {
        share(self.found, self.stored)
    }

    pub(crate) fn recall(&self) -> f64 {
        share(self.found, self.expected)
    }

    pub(crate) fn class_accuracy(&self) -> f64 {
        share(self.class_right, self.classed)
    }

    pub(crate) fn kind_accuracy(&self) -> f64 {
        share(self.kind_right, self.found)
    }

    fn judge(&mut self, turn: &Turn, formed: &[Formed]) {
        let drafts: Vec<&Draft> = formed
            .iter()
            .filter_map(|formed| match formed {
                Formed::Remember(draft) => Some(draft),
                Formed::Refused { .. } | Formed::Dropped(_) => None,
            })
            .collect();
        let was_refused = formed.iter().any(|formed| matches!(formed, Formed::Refused { .. }));
        self.turns += 1;
        self.stored += u32::from(!drafts.is_empty());
        match turn.expect.outcome {
            Outcome::Remember => self.judge_kept(turn, &drafts),
            Outcome::Nothing => {
                self.nothing += 1;
                self.nothing_stored += u32::from(!drafts.is_empty());
                self.miss(!drafts.is_empty(), turn, "stored");
            }
            Outcome::Refused => {
                self.refused += 1;
                self.refused_right += u32::from(was_refused && drafts.is_empty());
                self.special_stored += drafts.len();
                self.miss(!was_refused || !drafts.is_empty(), turn, "not refused");
            }
        }
    }

    fn judge_kept(&mut self, turn: &Turn, drafts: &[&Draft]) {
        self.expected += 1;
        let Some(draft) = drafts.iter().find(|draft| holds(draft, &turn.expect.words)) else {
            self.miss(true, turn, if drafts.is_empty() { "not kept" } else { "words missing" });
            return;
        };
        self.found += 1;
        if let Some(class) = &turn.expect.class {
            self.classed += 1;
            self.class_right += u32::from(draft.privacy_class.as_str() == class);
            self.miss(draft.privacy_class.as_str() != class, turn, draft.privacy_class.as_str());
        }
        let kind = serde_json::to_value(draft.kind).unwrap();
        self.kind_right += u32::from(turn.expect.kind.as_deref().is_none_or(|expected| kind == expected));
    }

    fn miss(&mut self, is_missed: bool, turn: &Turn, how: &str) {
        if is_missed {
            self.missed.push(format!("{}: {how}", turn.id));
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} turns, precision {:.3}, recall {:.3}, class right {:.3}, kind right {:.3}, refused {}/{}, \
             stored for nothing {}/{}, Article 9 items stored {}",
            self.turns,
            self.precision(),
            self.recall(),
            self.class_accuracy(),
            self.kind_accuracy(),
            self.refused_right,
            self.refused,
            self.nothing_stored,
            self.nothing,
            self.special_stored
        )
    }
}

fn holds(draft: &Draft, words: &[String]) -> bool {
    let details = draft.details.iter().map(|(detail, _)| detail.as_str());
    let text = [draft.gist.as_str()].into_iter().chain(details).collect::<Vec<_>>().join(" ").to_lowercase();
    words.iter().filter(|word| !text.contains(&word.to_lowercase())).count() <= 1
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}
