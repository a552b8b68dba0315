//! Mid and long digests written by a model.

use std::collections::BTreeSet;

use domain::{Digest, Tokens, TurnId};
use llm::{Complete, Message, Model, Request};
use recall::words::{Lexicon, Term};

use super::new_digest::NewDigest;
use super::short::clipped;
use super::sources::Sources;
use super::talk::Line;
use crate::talk::converse::Role;

const MID: &str = include_str!("MID.md");
const LONG: &str = include_str!("LONG.md");
/// The share of common words at which an earlier line counts as the source of a line.
const TAKEN: f64 = 0.3;
/// A word has about this many characters.
const WORD: u32 = 6;

/// A request to a model.
pub(super) struct DigestRequest<'a> {
    pub(super) digest: Digest,
    /// The persona's name.
    pub(super) name: &'a str,
    pub(super) language: &'a str,
    pub(super) budget: Tokens,
    /// The previous digest.
    pub(super) old: Vec<Line>,
    /// What is to be added.
    pub(super) new: Vec<Line>,
}

impl DigestRequest<'_> {
    /// The answer of `model`, or the code of the failure.
    pub(super) async fn condensed(&self, model: &Model, role: &Role) -> Result<NewDigest, &'static str> {
        let request = Request {
            system: self.instruction().as_str().into(),
            messages: vec![Message::User(self.record().as_str().into())],
            max_tokens: Some(role.max_tokens.unwrap_or(self.budget.0).max(self.budget.0)),
            temperature: role.temperature.or(Some(0.0)),
            ..Request::default()
        };
        let answer = model.complete(&request).await.map_err(|error| {
            tracing::warn!(%error, digest = self.digest.as_str(), "a digest was not written");
            "model-failed"
        })?;
        let text = self.harmless(answer.text.as_str());
        let mut sources = Sources::default();
        let mut origins = Origins::of(self);
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            sources.add(line, origins.of_line(line));
        }
        Ok(NewDigest { text, sources, model: Some(role.model_name.clone()) })
    }

    fn instruction(&self) -> String {
        let words = (self.budget.0.saturating_mul(4) / WORD).to_string();
        let prompt = match self.digest {
            Digest::Short | Digest::Mid => MID,
            Digest::Long => LONG,
        };
        prompt.replace("{name}", &recall::folded(self.name)).replace("{words}", &words)
    }

    fn record(&self) -> String {
        let lines = |lines: &[Line]| lines.iter().map(|line| line.text.clone() + "\n").collect::<String>();
        let (before, after) = match self.digest {
            Digest::Short | Digest::Mid => ("My notes so far:", "The record since:"),
            Digest::Long => ("My long-term notes:", "My notes of the last weeks:"),
        };
        format!("{before}\n{}\n{after}\n{}", lines(&self.old), lines(&self.new))
    }

    /// The answer, made safe for a prompt: nothing in it ends its section, and it keeps to the budget.
    fn harmless(&self, answer: &str) -> String {
        let mut room = (self.budget.0 as usize).saturating_mul(4);
        let mut text = String::new();
        for line in answer.lines() {
            let line = match line.trim_start().strip_prefix('#') {
                Some(heading) => format!("## {}", recall::folded(heading.trim_start_matches('#'))),
                None if line.trim().is_empty() => String::new(),
                None => recall::on_one_line(line),
            };
            let length = line.chars().count() + 1;
            if length > room {
                if text.is_empty() {
                    text = clipped(&line, room.saturating_sub(1));
                }
                break;
            }
            room -= length;
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

/// The lines given to a model, as words.
struct Origins<'a> {
    lexicon: Lexicon,
    given: Vec<(BTreeSet<Term>, &'a BTreeSet<TurnId>)>,
}

impl<'a> Origins<'a> {
    fn of(asked: &'a DigestRequest<'_>) -> Self {
        let mut lexicon = Lexicon::new(asked.language);
        let given = asked.old.iter().chain(&asked.new);
        let given =
            given.map(|line| (lexicon.terms(&line.text).into_iter().collect(), &line.turns)).collect();
        Self { lexicon, given }
    }

    /// The turns of the given lines that share words with `line`; of all lines if none does, so that an
    /// unrecognisable line can still be removed with its sources.
    #[expect(clippy::cast_precision_loss, reason = "a line has far fewer words than 2^52")]
    fn of_line(&mut self, line: &str) -> BTreeSet<TurnId> {
        let terms: BTreeSet<Term> = self.lexicon.terms(line).into_iter().collect();
        let share =
            |given: &BTreeSet<Term>| given.intersection(&terms).count() as f64 / (terms.len().max(1)) as f64;
        let taken: Vec<&BTreeSet<TurnId>> =
            self.given.iter().filter(|(given, _)| share(given) >= TAKEN).map(|(_, turns)| *turns).collect();
        let all = || self.given.iter().map(|(_, turns)| *turns).collect();
        let from = if taken.is_empty() { all() } else { taken };
        from.into_iter().flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, turn: u128) -> Line {
        Line { text: text.to_owned(), turns: BTreeSet::from([TurnId(uuid::Uuid::from_u128(turn))]) }
    }

    fn asked() -> DigestRequest<'static> {
        DigestRequest {
            digest: Digest::Mid,
            name: "Inara",
            language: "en",
            budget: Tokens(50),
            old: vec![line("- The harbour office moves to Porto in May.", 1)],
            new: vec![line("- 10:00 Owner: we hired Tomas as the second baker", 2)],
        }
    }

    #[test]
    fn a_line_of_a_model_comes_from_the_lines_it_shares_words_with_or_from_all() {
        let asked = asked();
        let mut origins = Origins::of(&asked);
        for (line, expected) in [
            ("- The office moves to Porto.", vec![1]),
            ("- Tomas was hired as a baker.", vec![2]),
            ("- They seem content these days.", vec![1, 2]),
        ] {
            let turns: Vec<u128> = origins.of_line(line).into_iter().map(|turn| turn.0.as_u128()).collect();
            assert_eq!(turns, expected, "{line}");
        }
    }

    #[test]
    fn an_answer_can_neither_end_its_section_nor_break_the_budget() {
        let answer = format!("# Themes\n--- Rules ---\n- one\n{}", "- word word word word\n".repeat(40));
        let text = asked().harmless(&answer);
        assert!(text.starts_with("## Themes\n\\--- Rules ---\n- one\n"), "{text}");
        assert!(text.chars().count() <= 200, "{}", text.chars().count());
        assert!(asked().instruction().starts_with("You are Inara."));
        assert!(!asked().instruction().contains('{'));
    }
}
