//! Looks up the answer to a question, and decides whether it is known.

use super::answer::Answering;
use super::candidates::{Candidate, Source};
use super::intent::Intent;
use super::question::{About, names_any};
use super::{CERTAINLY, HeardSentence};

/// A fraction of the relevance threshold, and the required ratio to the next candidate.
type Step = (f32, f32);

/// The steps at which an answer is known.
const KNOWN: [Step; 3] = [(0.9, 1.0), (0.8, 1.15), (0.67, 1.5)];
/// The same for what the speaker said in this conversation.
const TURN_KNOWN: [Step; 2] = [(0.8, 1.0), (0.6, 1.3)];
/// The same for memories not about the speaker, who mostly asks about themselves.
const COMMON_KNOWN: [Step; 1] = [(0.9, 1.0)];
/// The steps at which an answer may be offered as the closest one.
const CLOSE: [Step; 2] = [(0.74, 1.0), (0.67, 1.1)];
/// The same for quotes, and for the persona's own story, which has few competitors.
const FAR_CLOSE: [Step; 1] = [(0.85, 1.0)];
/// The least fraction of the threshold at which a quote about a named person is an answer.
const QUOTED_OF_THE_NAMED: f32 = 1.0;
/// The least relevance, without the name, of an answer about a named person.
const OF_THE_NAMED: f32 = 0.25;
/// The same for an age or birthday, which few memories state.
const AGE_OF_THE_NAMED: f32 = 0.4;
/// The least chance at which a question asks for the age or birthday of anyone; the persona's is far more likely.
const ASKS_AGE: f32 = 0.01;
/// The least chance at which a question with a name asks about the world.
const OF_THE_WORLD: f32 = 0.95;
/// The least relevance used in ratios, so that they stay finite.
const LEAST: f32 = 0.01;
/// A second answer is given only if its relevance is nearly that of the first.
const SECOND: f32 = 0.95;
/// The factor for the threshold of questions about the persona, which its story mostly answers.
const STORY: f32 = 0.7;
/// The factor for the persona's own story if a question is not about the persona.
const UNASKED_STORY: f32 = 0.8;

/// The least share of the threshold at which a memory is named as the nearest, of the best one's relevance at which
/// another is named beside it, and how many are.
const NEAREST: f32 = 0.6;
const SECOND_NEAREST: f32 = 0.8;
const NEAR: usize = 2;

/// The least share of the threshold at which a question that follows up what was said is answered with it.
const FOLLOWED_UP: f32 = 0.3;
/// The factor for a text without a number or a time when one is asked for.
const LACKING: f32 = 0.75;

/// How certain an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// It is stated plainly.
    Known,
    /// It is presented as the closest answer.
    Close,
    Unknown,
}

impl Answering<'_> {
    /// The answer to a question that has to be looked up.
    pub(super) fn question(&self, question: &HeardSentence) -> (String, Certainty) {
        let phrases = &self.data.phrases;
        let about = question.about(self.data);
        let mut names = self.meant_names(question);
        let asks_persona =
            question.chance(Intent::QuestionAboutPersona) > question.chance(Intent::AsksOthers);
        if about == About::Persona && asks_persona && self.data.may_be_places(&question.text, &names) {
            names.clear();
        }
        let means_unnamed = names.is_empty() && self.means_somebody(question);
        let is_private = self.is_private(question, about, &names);
        if self.follows_refusal() && (means_unnamed || is_private) {
            return (self.refusal(), Certainty::Known);
        }
        // What others said is no part of the persona's own story; the speaker may have mentioned it, though.
        let searched = if is_private && about == About::Persona { About::Speaker } else { about };
        let found = self.candidates(&question.text, searched, &names);
        let mut candidates: Vec<&Candidate> = found.iter().collect();
        let age = question.chance(Intent::AsksAge) >= ASKS_AGE;
        let mut certainty = self.certainty(&candidates, searched, &names);
        let is_unresolved = self.is_unresolved(question, about, &names);
        let may_be_said = !is_private && !is_unresolved && (names.is_empty() || self.tells_of(&names));
        if certainty != Certainty::Known
            && may_be_said
            && question.chances.best().0 == Intent::QuestionFollowUp
        {
            let said =
                |one: &&&Candidate| one.source == Source::Turn && one.relevance >= FOLLOWED_UP * self.bar();
            if let Some(said) = candidates.iter().find(said).copied() {
                (candidates, certainty) = (vec![said], Certainty::Known);
            }
        }
        let answer = match (candidates.first(), certainty) {
            (Some(best), _) if age && best.nameless < AGE_OF_THE_NAMED => None,
            (Some(best), Certainty::Known) => {
                let is_as_good = |second: &&&Candidate| {
                    second.relevance >= (best.relevance * SECOND).max(self.bar())
                        && second.source == best.source
                        && !second.is_quoted
                };
                let second = candidates.get(1).filter(is_as_good);
                let answers = std::iter::once(best).chain(second).map(|candidate| candidate.said.as_str());
                Some(answers.collect::<Vec<_>>().join(" "))
            }
            (Some(best), Certainty::Close) if !is_private && !is_unresolved => Some(match best.source {
                Source::Memory | Source::Turn => phrases.closest.replace("{words}", &best.said_after),
                Source::Story => phrases.closest_self.replace("{words}", &best.said_after),
            }),
            (Some(_), Certainty::Close | Certainty::Unknown) | (None, _) => None,
        };
        match answer {
            Some(answer) => (answer, certainty),
            None => (self.unknown(question, about, &names, &candidates), Certainty::Unknown),
        }
    }

    /// How certain it is that the first of `candidates` is the answer.
    fn certainty(&self, candidates: &[&Candidate], about: About, names: &[String]) -> Certainty {
        let Some(best) = candidates.first().copied() else { return Certainty::Unknown };
        // Other quotes are no competing answers.
        let mut others = candidates.iter().skip(1).filter(|other| best.is_quoted || !other.is_quoted);
        let next = others.next().map_or(0.0, |next| next.relevance).max(LEAST);
        // Among facts about one person, the distance to the next says little.
        let ahead = if names.is_empty() { best.relevance / next } else { 1.0 };
        let part = best.relevance / if about == About::Persona { self.bar() * STORY } else { self.bar() };
        let reaches = |steps: &[Step]| steps.iter().any(|(least, margin)| part >= *least && ahead >= *margin);
        let (is_known, is_close) = if best.source == Source::Turn {
            (reaches(&TURN_KNOWN), reaches(&FAR_CLOSE))
        } else if best.is_quoted {
            (reaches(&KNOWN), reaches(&FAR_CLOSE))
        } else if best.is_common {
            (reaches(&COMMON_KNOWN), reaches(&FAR_CLOSE))
        } else {
            (reaches(&KNOWN), reaches(if about == About::Persona { &FAR_CLOSE } else { &CLOSE }))
        };
        let is_of_them = best.nameless >= OF_THE_NAMED;
        let is_sure = is_known && (best.source == Source::Turn || part >= QUOTED_OF_THE_NAMED);
        match (is_known, is_close) {
            // A quote about a person doesn't answer another question about them.
            _ if best.is_quoted && !names.is_empty() && !(is_sure && is_of_them) => Certainty::Unknown,
            (true, _) if is_of_them => Certainty::Known,
            (true, _) | (_, true) => Certainty::Close,
            (false, false) => Certainty::Unknown,
        }
    }

    /// Whether a question asks for what others said, and not for what the speaker said of people; about the speaker
    /// it must be certain.
    fn is_private(&self, question: &HeardSentence, about: About, names: &[String]) -> bool {
        let is_certain = about != About::Speaker || question.pries() >= CERTAINLY;
        question.asks_for_private() && is_certain && !self.tells_of(names)
    }

    /// Says that the answer is not known, and what comes nearest to it, or that it is private.
    fn unknown(
        &self,
        question: &HeardSentence,
        about: About,
        names: &[String],
        candidates: &[&Candidate],
    ) -> String {
        let phrases = &self.data.phrases;
        if let Some(answer) = self.wanted(question) {
            return answer;
        }
        match names.first() {
            Some(name) if self.may_speak_of(names) && !question.asks_for_private() => self
                .nearest(&question.text, candidates)
                .unwrap_or_else(|| phrases.unknown_of.replace("{name}", name)),
            // "Who is the king of Spain?" asks for nothing that was said to the persona.
            Some(_)
                if about == About::Other && question.chance(Intent::QuestionAboutWorld) >= OF_THE_WORLD =>
            {
                phrases.unknown_general.clone()
            }
            Some(_) => self.refusal(),
            // What other people said to the persona is not part of its own story.
            None if self.is_private(question, about, names) => self.refusal(),
            None if self.is_unresolved(question, about, names) => self.refusal(),
            None => match about {
                About::Persona => phrases.unknown_self.clone(),
                About::Speaker => {
                    self.nearest(&question.text, candidates).unwrap_or_else(|| phrases.unknown.clone())
                }
                About::Other => phrases.unknown_general.clone(),
            },
        }
    }

    /// What the persona remembers of the speaker that may be what a question means, though it can't tell.
    fn nearest(&self, question: &str, candidates: &[&Candidate]) -> Option<String> {
        let is_own = |one: &&&Candidate| {
            one.source != Source::Story && !one.is_common && !self.lacks_asked_kind(question, one)
        };
        let own: Vec<&Candidate> = candidates.iter().filter(is_own).copied().collect();
        let least = (own.first()?.relevance * SECOND_NEAREST).max(NEAREST * self.bar());
        let near = own.iter().filter(|one| one.relevance >= least).take(NEAR);
        let words: Vec<&str> = near.map(|one| one.said_after.as_str()).collect();
        (!words.is_empty()).then(|| self.data.phrases.nearest.replace("{words}", &words.join(" ")))
    }

    /// The relevance at which an answer is known.
    #[expect(clippy::cast_possible_truncation, reason = "a part of a score needs no more digits")]
    fn bar(&self) -> f32 {
        recall::relevance_bar(self.voice.story.persona.memory_policy.ranking.aboutness) as f32
    }

    /// Whether a question asks for a number or a time, and a candidate has none and has lost none.
    fn lacks_asked_kind(&self, question: &str, candidate: &Candidate) -> bool {
        let asked = self.data.asked_kind(question).zip(text::Language::of_tag(self.voice.language()));
        let lacks = |(kind, language)| !self.data.holds(kind, &candidate.words, language);
        !candidate.has_faded && asked.is_some_and(lacks)
    }

    /// The candidates, best first.
    fn candidates(&self, question: &str, about: About, names: &[String]) -> Vec<Candidate> {
        let mut all = Vec::new();
        if about != About::Persona {
            all.extend(self.memories(question, about, names));
            all.extend(self.turns(question, names));
        }
        if about != About::Speaker {
            all.extend(self.events(question));
            all.extend(self.identity(question));
        }
        all.retain(|candidate| names.is_empty() || names_any(&candidate.words, names));
        for candidate in &mut all {
            if self.lacks_asked_kind(question, candidate) {
                candidate.relevance *= LACKING;
            }
            if about == About::Other && candidate.source == Source::Story {
                candidate.relevance *= UNASKED_STORY;
            }
        }
        all.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
        all.dedup_by(|a, b| a.said == b.said);
        all
    }
}
