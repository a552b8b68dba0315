//! What the persona says about itself: from IDENTITY.md, its timeline and its document.

use std::sync::Arc;

use domain::coherence::without_references;
use domain::{MemoryType, PersonaDocument, Salience, TimelineEntry, Timestamp, Vividness};
use recall::CueEncoder;

use super::classifier::chance_of_rule;
use super::phrases::{self, Language, Phrases};
use super::question::sentences;
use super::{as_sentence, english};

/// The persona and the sources of its story.
pub(crate) struct OwnStory {
    pub(crate) persona: PersonaDocument,
    /// The text of IDENTITY.md.
    pub(crate) identity: String,
    /// The whole timeline.
    pub(crate) timeline: Arc<Vec<TimelineEntry>>,
    pub(crate) now: Timestamp,
}

/// Labels of the birth event: the one the engine writes, and those people write.
const BORN: [&str; 8] =
    ["born", "birth", "geboren", "geburt", "naissance", "nacimiento", "naștere", "nasterea"];
const MILLIS_PER_DAY: i64 = 86_400_000;
/// Events before this age belong to the childhood.
const GROWN: i64 = 14;
/// A sentence below this relevance is unrelated to the question.
const RELATED: f32 = 0.2;
/// The weight of the similarity to an example answer; the rest is the similarity to the question.
const EXAMPLE: f32 = 0.65;
/// A sentence is not said above this chance that it is a rule of conduct.
const RULE: f32 = 0.5;
/// A clause with fewer words means nothing by itself.
const CLAUSE: usize = 4;

impl OwnStory {
    pub(super) fn name(&self) -> &str {
        &self.persona.identity.display_name
    }

    /// Its age and year of birth, as far as known.
    pub(super) fn age(&self, phrases: &Phrases) -> Option<String> {
        let text = |age: i64, year: i64| {
            phrases.age.replace("{age}", &age.to_string()).replace("{year}", &year.to_string())
        };
        let year = |at: Timestamp| i64::from(at.to_jiff().to_zoned(jiff::tz::TimeZone::UTC).year());
        if let Some(born) = self.born() {
            return Some(text(years_between(born, self.now), year(born)));
        }
        let age = i64::from(self.persona.identity.seed.as_ref()?.age);
        Some(text(age, year(self.persona.identity.created_at) - age))
    }

    fn born(&self) -> Option<Timestamp> {
        let births = self.timeline.iter().filter(|entry| entry.superseded_at.is_none() && is_birth(entry));
        births.map(|entry| entry.event.event_at).next()
    }

    /// The sentence that says where it lives, or the place in its seed.
    pub(super) fn home(
        &self,
        asked: &str,
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Option<String> {
        self.sentence_like(Some(asked), &language.home, language, encoder)
            .or_else(|| self.persona.identity.seed.as_ref().map(|seed| format!("{}.", seed.location)))
    }

    /// The sentence that says what its work is, or the occupation in its seed.
    pub(super) fn work(
        &self,
        asked: &str,
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Option<String> {
        self.sentence_like(Some(asked), &language.work, language, encoder)
            .or_else(|| self.persona.identity.seed.as_ref().map(|seed| format!("{}.", seed.base_occupation)))
    }

    /// The sentence that says what it does in its free time.
    pub(super) fn pastimes(
        &self,
        asked: &str,
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Option<String> {
        self.sentence_like(Some(asked), &language.pastimes, language, encoder)
    }

    /// What it is proud of: the strongest event of pride.
    pub(super) fn pride(&self, phrases: &Phrases) -> Option<String> {
        let proud = self.mentioned_events().filter(|entry| entry.event.memory_type == MemoryType::Pride);
        let strongest =
            proud.max_by(|a, b| a.event.memory_strength.get().total_cmp(&b.event.memory_strength.get()))?;
        Some(phrases.proud.replace("{words}", &Self::event_text(strongest, phrases)))
    }

    /// An event of its childhood: the strongest, the first on ties.
    pub(super) fn childhood(&self, language: &Language, encoder: Option<&CueEncoder>) -> Option<String> {
        let born = self.born();
        let is_early = |entry: &&TimelineEntry| {
            born.is_some_and(|born| {
                entry.event.event_at > born && years_between(born, entry.event.event_at) < GROWN
            })
        };
        let early = self.mentioned_events().filter(is_early).min_by(|a, b| {
            let strength = |entry: &TimelineEntry| entry.event.memory_strength.get();
            strength(b).total_cmp(&strength(a)).then(a.event.event_at.cmp(&b.event.event_at))
        });
        let event = early.map(|entry| Self::event_text(entry, &language.phrases));
        event.or_else(|| self.sentence_like(None, &language.childhood, language, encoder))
    }

    /// The first sentences of IDENTITY.md, in the first person.
    pub(super) fn introduction(&self, language: &Language, encoder: Option<&CueEncoder>) -> String {
        let name = language.phrases.name.replace("{name}", self.name());
        let sentences: Vec<String> =
            self.sentences(language, encoder).into_iter().take(2).map(|(_, said)| said).collect();
        let names_it = sentences.first().is_some_and(|first| first.contains(self.name()));
        let name = (!names_it).then_some(name);
        let seed =
            self.persona.identity.seed.as_ref().filter(|_| sentences.is_empty()).map(domain::Seed::summary);
        name.into_iter().chain(sentences).chain(seed).collect::<Vec<_>>().join(" ")
    }

    /// Each sentence of IDENTITY.md that is a fact and not a rule of conduct: in the first person where that is
    /// certain, and the form in which the persona says it.
    pub(super) fn sentences(
        &self,
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Vec<(String, String)> {
        let text = paragraphs(&self.identity);
        let said = |sentence: &str| {
            let own = english::to_first_person(self.name(), sentence);
            // Only English can be rewritten to the first person; in other languages most authors write it so.
            let quoted = || language.phrases.written_of_me.replace("{words}", sentence);
            (own.clone().unwrap_or_else(|| sentence.to_owned()), own.unwrap_or_else(quoted))
        };
        let code = phrases::code(&self.persona.identity.language);
        let is_fact = |sentence: &&str| chance_of_rule(sentence, code, encoder) < RULE;
        sentences(&text).into_iter().filter(is_fact).map(said).collect()
    }

    /// The sentences about the persona: the clauses by which each is found, and the form in which it is said.
    fn sentence_parts(
        &self,
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Vec<(Vec<String>, String)> {
        let written = self.sentences(language, encoder).into_iter().map(|(own, said)| (parts(&own), said));
        let lived = self.mentioned_events().map(|entry| {
            let found_by = sayable(entry).iter().flat_map(|sentence| parts(sentence)).collect();
            (found_by, Self::event_text(entry, &language.phrases))
        });
        written.chain(lived).collect()
    }

    /// The sentence of IDENTITY.md or event most similar to the `examples` of an answer and to what was
    /// `asked`.
    fn sentence_like(
        &self,
        asked: Option<&str>,
        examples: &[String],
        language: &Language,
        encoder: Option<&CueEncoder>,
    ) -> Option<String> {
        let all = self.sentence_parts(language, encoder);
        let found_by: Vec<&str> = all.iter().flat_map(|(parts, _)| parts).map(String::as_str).collect();
        let code = &self.persona.identity.language;
        let relevance = |cue: &str| {
            let mut relevance = recall::sentence_relevance(cue, &found_by, code, encoder).into_iter();
            let best = |parts: &[String]| relevance.by_ref().take(parts.len()).fold(0.0_f32, f32::max);
            all.iter().map(|(parts, _)| parts.as_slice()).map(best).collect::<Vec<f32>>()
        };
        let mut scores = vec![0.0_f32; all.len()];
        for example in examples {
            scores.iter_mut().zip(relevance(example)).for_each(|(score, like)| *score = score.max(like));
        }
        if let Some(asked) = asked {
            let pairs = scores.iter_mut().zip(relevance(asked));
            pairs.for_each(|(score, like)| *score = EXAMPLE * *score + (1.0 - EXAMPLE) * like);
        }
        let best = scores.into_iter().zip(&all).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 >= RELATED).then(|| best.1.1.clone())
    }

    /// An event, as clearly as it is remembered.
    pub(super) fn event_text(entry: &TimelineEntry, phrases: &Phrases) -> String {
        let words = sayable(entry).join(" ");
        match vividness(entry) {
            Vividness::Vivid | Vividness::Moderate => as_sentence(&words),
            Vividness::Faded => phrases.faint.replace("{words}", &as_sentence(&words)),
        }
    }

    /// The events that the persona mentions unasked: no shame, no denial, and not its birth, which is covered
    /// by its age.
    pub(super) fn mentioned_events(&self) -> impl DoubleEndedIterator<Item = &TimelineEntry> {
        self.timeline.iter().filter(|entry| entry.superseded_at.is_none() && !is_birth(entry)).filter(
            |entry| match entry.event.memory_type {
                MemoryType::Normal | MemoryType::Pride | MemoryType::Revised | MemoryType::Exaggerated => {
                    true
                }
                MemoryType::Shame | MemoryType::Repressed => false,
            },
        )
    }
}

/// The sentences of an event: its facts, or its label if it has faded.
pub(super) fn sayable(entry: &TimelineEntry) -> Vec<String> {
    let text = match vividness(entry) {
        Vividness::Vivid | Vividness::Moderate => &entry.event.facts,
        Vividness::Faded => &entry.event.event_label,
    };
    let text = without_references(text.as_str());
    sentences(&text).into_iter().map(str::to_owned).collect()
}

/// A sentence and its clauses: a sentence often says more than what is asked.
pub(super) fn parts(sentence: &str) -> Vec<String> {
    let clauses = sentence.split([',', ';', ':']).map(str::trim);
    let clauses: Vec<&str> = clauses.filter(|clause| clause.split_whitespace().count() >= CLAUSE).collect();
    let whole = std::iter::once(sentence);
    whole.chain(clauses.into_iter().filter(|clause| *clause != sentence)).map(str::to_owned).collect()
}

/// The text of a Markdown file without headings and marks; each paragraph and each item of a list on a line of its own.
fn paragraphs(markdown: &str) -> String {
    let mut text = String::new();
    for line in markdown.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            text.push('\n');
            continue;
        }
        let is_item = line.starts_with(['-', '*', '>']) && !line.starts_with("**");
        text.push(if is_item { '\n' } else { ' ' });
        text.push_str(line.trim_start_matches(['-', '>', ' ']).trim_start_matches("* "));
    }
    text.replace("**", "")
}

fn vividness(entry: &TimelineEntry) -> Vividness {
    Salience::clamped(entry.event.memory_strength.get() / 100.0).into()
}

fn is_birth(entry: &TimelineEntry) -> bool {
    let label = entry.event.event_label.as_str().to_lowercase();
    label.split_whitespace().next().is_some_and(|first| BORN.contains(&first))
}

/// The whole years between two moments.
fn years_between(from: Timestamp, to: Timestamp) -> i64 {
    let days = (to.as_millis() - from.as_millis()).div_euclid(MILLIS_PER_DAY);
    // 365.2425 days a year.
    (days * 10_000).div_euclid(3_652_425)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_belong_together_and_items_of_a_list_do_not() {
        let markdown =
            "# Ada\n\nYou grew up on an island,\nand **live** in a tower.\n\n- You sing.\n* You swim.";
        let text = paragraphs(markdown);
        let all: Vec<&str> = sentences(&text);
        assert_eq!(all, ["You grew up on an island, and live in a tower.", "You sing.", "You swim."]);
    }

    #[test]
    fn whole_years_are_counted_up_to_the_birthday() {
        let day = |text: &str| text.parse::<Timestamp>().unwrap();
        for (from, to, expected) in [
            ("1990-02-27T12:00:00Z", "2026-11-17T12:00:00Z", 36),
            ("1990-02-27T12:00:00Z", "2026-02-20T12:00:00Z", 35),
            ("2020-01-01T00:00:00Z", "2020-06-01T00:00:00Z", 0),
        ] {
            assert_eq!(years_between(day(from), day(to)), expected, "{from} {to}");
        }
    }
}
