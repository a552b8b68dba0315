//! Mid and long digests without a model: the most informative sentences, verbatim, grouped by topic.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use domain::{Digest, TurnId};
use formation::{Theme, highlights};
use jiff::civil::Date;
use recall::words::{Lexicon, Term};
use store::{Speaker, Turn};

use super::by_hand::ByHand;
use super::keep::StoredDigest;
use super::new_digest::NewDigest;
use super::sources::Sources;
use super::talk::Talk;

const WEEKS: &str = "# What the last weeks came to";
const FOR_GOOD: &str = "# What I know for good";
const EXTRACTED: &str =
    "(Extracted without a language model: what I was told, word for word, chosen by how much it tells.)";
/// The text between the day of a line and the quote.
const SAID: &str = " they told me: ";
/// The weight of a line written by people or by a model.
const BY_HAND: f64 = 4.0;
/// The share of common words at which two sentences are the same.
const SAME: f64 = 0.6;

/// A sentence that may be included.
struct Candidate {
    line: String,
    day: Option<Date>,
    theme: Theme,
    score: f64,
    terms: BTreeSet<Term>,
    turns: BTreeSet<TurnId>,
}

/// The input of a digest without a model.
pub(super) struct Extract<'a> {
    pub(super) talk: &'a Talk<'a>,
    pub(super) digest: Digest,
    pub(super) today: Date,
    /// Its greatest length in characters.
    pub(super) room: usize,
    /// What people wrote into it, which is included first.
    pub(super) by_hand: ByHand,
}

impl Extract<'_> {
    /// The new mid digest: from the previous one, and from what was said since.
    pub(super) fn mid(mut self, old: &StoredDigest, turns: &[Turn], by_hand: &ByHand) -> NewDigest {
        self.by_hand = self.by_hand.with_tables_of(by_hand);
        let mut candidates = self.lines_of(old.text(), &old.sources);
        for said in by_hand.sentences().filter(|said| !self.by_hand.prose.contains(*said)) {
            let line = format!("- {}", recall::on_one_line(said));
            candidates.push(Candidate {
                score: f64::INFINITY,
                ..self.candidate(line, Theme::Projects, BY_HAND, BTreeSet::new())
            });
        }
        for turn in turns.iter().filter(|turn| turn.speaker == Speaker::Subject) {
            let day = self.talk.day(turn.at);
            for telling in highlights(turn.text.as_str(), self.language()) {
                let line = format!("- {day}{SAID}{}", recall::on_one_line(&telling.text));
                let turns = BTreeSet::from([turn.id]);
                candidates.push(self.candidate(line, telling.theme, telling.weight, turns));
            }
        }
        let through = turns.last().map(|turn| turn.at).or(old.sources.through);
        self.made(candidates, Sources { through, ..Sources::default() })
    }

    /// The new long digest: from the previous one, and from the mid digest.
    pub(super) fn long(mut self, old: &StoredDigest, mid: &StoredDigest) -> NewDigest {
        let by_hand = ByHand::of(mid.text(), &mid.sources);
        self.by_hand = self.by_hand.with_tables_of(&by_hand);
        let mut candidates = self.lines_of(old.text(), &old.sources);
        let lasts = |candidate: &Candidate| candidate.theme != Theme::OpenEnds;
        candidates.extend(self.lines_of(mid.text(), &mid.sources).into_iter().filter(lasts));
        for said in by_hand.sentences().filter(|said| !self.by_hand.prose.contains(*said)) {
            let line = format!("- {}", recall::on_one_line(said));
            candidates.push(self.candidate(line, Theme::Projects, BY_HAND, BTreeSet::new()));
        }
        self.made(candidates, Sources { through: mid.sources.through, ..Sources::default() })
    }

    /// The lines of an existing digest.
    fn lines_of(&self, document: &str, sources: &Sources) -> Vec<Candidate> {
        let mut theme = Theme::Projects;
        let mut candidates = Vec::new();
        for line in document.lines() {
            if let Some(named) = line.strip_prefix("## ").and_then(theme_of) {
                theme = named;
            } else if line.starts_with("- ") {
                let said = line.split_once(SAID).map(|(_, said)| said);
                let found = said.and_then(|said| highlights(said, self.language()).into_iter().next());
                let weight = found.map_or(BY_HAND, |telling| telling.weight);
                let turns = sources.of(line);
                if turns.is_empty() && self.by_hand.prose.lines().any(|by_hand| by_hand == line) {
                    continue;
                }
                let mut candidate = self.candidate(line.to_owned(), theme, weight, turns);
                if candidate.turns.is_empty() {
                    // A line without source turns was written by a person.
                    candidate.score = f64::INFINITY;
                }
                candidates.push(candidate);
            }
        }
        candidates
    }

    fn candidate(&self, line: String, theme: Theme, weight: f64, turns: BTreeSet<TurnId>) -> Candidate {
        let day = line.strip_prefix("- ").and_then(|rest| rest.get(..10)).and_then(|day| day.parse().ok());
        let age = day.and_then(|day: Date| self.today.since(day).ok()).map_or(0, |since| since.get_days());
        let half_life = match self.digest {
            Digest::Short | Digest::Mid => 45.0,
            Digest::Long => 730.0,
        };
        let score = weight * (-f64::from(age.max(0)) / half_life).exp2();
        let said = line.split_once(SAID).map_or(line.as_str(), |(_, said)| said);
        let terms = Lexicon::new(self.language()).terms(said).into_iter().collect();
        Candidate { line, day, theme, score, terms, turns }
    }

    /// The best candidates that fit, without repetitions.
    fn made(&self, mut candidates: Vec<Candidate>, mut sources: Sources) -> NewDigest {
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.line.cmp(&b.line)));
        let mut room = self.room.saturating_sub(self.heading().len() + 5 * 20 + self.by_hand.length());
        let mut chosen: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let length = candidate.line.chars().count() + 1;
            match chosen.iter_mut().find(|known| is_same(known, &candidate)) {
                // Of two that say the same, the newer is more likely still true.
                Some(known) if candidate.day > known.day => {
                    let score = known.score;
                    *known = Candidate { score, ..candidate };
                }
                None if length <= room || candidate.score.is_infinite() => {
                    room = room.saturating_sub(length);
                    chosen.push(candidate);
                }
                Some(_) | None => {}
            }
        }
        for candidate in &chosen {
            sources.add(&candidate.line, candidate.turns.iter().copied());
        }
        NewDigest { text: self.written(chosen), sources, model: None }
    }

    fn written(&self, mut chosen: Vec<Candidate>) -> String {
        chosen.sort_by(|a, b| a.day.cmp(&b.day).then_with(|| a.line.cmp(&b.line)));
        let mut text = self.heading();
        if !self.by_hand.prose.is_empty() {
            let _ = write!(text, "\n{}\n", self.by_hand.prose);
        }
        for theme in Theme::ALL {
            let lines: Vec<&str> =
                chosen.iter().filter(|it| it.theme == theme).map(|it| it.line.as_str()).collect();
            if !lines.is_empty() {
                let _ = write!(text, "\n## {}\n\n{}\n", title(theme), lines.join("\n"));
            }
        }
        text
    }

    fn heading(&self) -> String {
        let title = match self.digest {
            Digest::Short | Digest::Mid => WEEKS,
            Digest::Long => FOR_GOOD,
        };
        format!("{title}\n\n{EXTRACTED}\n")
    }

    fn language(&self) -> &str {
        &self.talk.persona.loaded.document.identity.language
    }
}

#[expect(clippy::cast_precision_loss, reason = "a sentence has far fewer words than 2^52")]
fn is_same(one: &Candidate, other: &Candidate) -> bool {
    let shared = one.terms.intersection(&other.terms).count() as f64;
    let least = one.terms.len().min(other.terms.len()) as f64;
    one.line == other.line || (least >= 3.0 && shared / least >= SAME)
}

/// Whether a line is one of the headings of an extract.
pub(super) fn is_own_heading(line: &str) -> bool {
    let line = line.trim_end();
    [WEEKS, FOR_GOOD, EXTRACTED].contains(&line)
        || line.strip_prefix("## ").is_some_and(|named| theme_of(named).is_some())
}

const fn title(theme: Theme) -> &'static str {
    match theme {
        Theme::People => "People",
        Theme::Decisions => "Decisions",
        Theme::Projects => "Projects",
        Theme::Preferences => "Preferences",
        Theme::OpenEnds => "Open ends",
    }
}

fn theme_of(named: &str) -> Option<Theme> {
    Theme::ALL.into_iter().find(|theme| title(*theme) == named.trim())
}
