//! The weights that combine semantic similarity, words and circumstances into one relevance.
//!
//! Every component has a scale of its own that does not depend on the other memories, so that a relevance
//! means the same in a persona with ten memories and in one with fifty thousand. A cue without a topic
//! scales all of it down, so that salience and recency decide; `docs/recall.md` says how the weights were
//! found.

use crate::language::CueLanguage;
use crate::sentences::Part;

/// The weights of relevance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fusion {
    /// Weight of the built-in table's similarity.
    pub(crate) table: f32,
    /// Weight of `MiniLM`'s similarity, for a cue in English.
    pub(crate) minilm: f32,
    /// Weight of USE's similarity, for a cue in English.
    pub(crate) use_multilingual: f32,
    /// Weight of `MiniLM`'s similarity, for a cue in another language.
    pub(crate) minilm_elsewhere: f32,
    /// Weight of USE's similarity, for a cue in another language.
    pub(crate) use_elsewhere: f32,
    /// The share of the encoders' weights that the built-in table gets for a memory without sentence
    /// vectors.
    pub(crate) stand_in: f32,
    /// The cosine of the built-in table that counts as zero similarity when it replaces the encoders: its
    /// cosines are generally high.
    pub(crate) stand_in_unlike: f32,
    /// Weight of shared words.
    pub(crate) words: f32,
    /// The weight of words shared with a memory's cue, relative to words shared with the memory itself.
    pub(crate) cue_words: f32,
    /// The weight of a name that the memories connect with a relation in the cue ("my wife").
    pub(crate) relation: f32,
    /// The cosine of the built-in table and of USE that counts as zero similarity.
    pub(crate) unlike: f32,
    /// The same for `MiniLM`, whose cosine of any two English sentences is above zero.
    pub(crate) unlike_minilm: f32,
    /// The weight of a detail's similarity, relative to that of a gist.
    pub(crate) detail: f32,
    /// The weight of the similarity of a memory's cue, relative to that of its gist.
    pub(crate) cue: f32,
    /// The evidence that makes a memory half relevant.
    pub(crate) half: f32,
    /// The share of the previous turn's relevance that a memory borrows.
    pub(crate) previous: f32,
    /// The share of the next turn's relevance that a memory borrows.
    pub(crate) next: f32,
    /// The share of that which it also borrows from the turn beyond.
    pub(crate) farther: f32,
    /// The share of its relevance that a memory loses if it ends in a question.
    pub(crate) unsaid: f32,
    /// The bonus, in proportion to its relevance, for a statement of a named person.
    pub(crate) speaker: f32,
    /// The bonus when the cue mentions the day a memory was formed or is about.
    pub(crate) date: f32,
    /// Weight of what matters now, for a cue without a topic: as much as salience has in the score.
    pub(crate) matters: f32,
}

impl Default for Fusion {
    fn default() -> Self {
        Self {
            table: 0.048,
            minilm: 0.85,
            use_multilingual: 0.3,
            minilm_elsewhere: 0.13,
            use_elsewhere: 1.68,
            stand_in: 0.6,
            stand_in_unlike: 0.25,
            words: 0.75,
            cue_words: 0.5,
            relation: 0.3,
            unlike: 0.075,
            unlike_minilm: 0.11,
            detail: 0.64,
            cue: 1.0,
            half: 0.6,
            previous: 0.43,
            next: 0.15,
            farther: 0.5,
            unsaid: 0.3,
            speaker: 0.78,
            date: 0.5,
            matters: 0.072,
        }
    }
}

impl Fusion {
    /// The weights for sentences that are not memories, which are compared by the published encoders.
    pub(crate) fn of_sentences() -> Self {
        Self {
            table: 0.17,
            minilm: 0.7,
            use_multilingual: 0.64,
            minilm_elsewhere: 0.33,
            use_elsewhere: 2.1,
            words: 0.5,
            unlike: 0.06,
            ..Self::default()
        }
    }

    /// The weights for a cue with this specificity.
    #[must_use]
    pub(crate) fn of_cue(&self, specificity: f32, language: CueLanguage) -> Self {
        let topic = topic(specificity);
        let (minilm, use_multilingual) = match language {
            CueLanguage::English => (self.minilm, self.use_multilingual),
            CueLanguage::Other => (self.minilm_elsewhere, self.use_elsewhere),
        };
        Self {
            table: self.table * topic,
            minilm: minilm * topic,
            use_multilingual: use_multilingual * topic,
            words: self.words * topic,
            date: self.date * topic,
            matters: self.matters * openness(specificity),
            ..*self
        }
    }

    /// Whether these weights are those of a cue with a topic.
    pub(crate) fn has_topic(&self) -> bool {
        self.minilm + self.use_multilingual > 0.0
    }

    /// The evidence from semantic similarity.
    #[must_use]
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    pub(crate) fn meaning(&self, cosines: Cosines) -> f32 {
        let table = (cosines.table - self.unlike).max(0.0);
        let minilm = (cosines.minilm - self.unlike_minilm).max(0.0);
        let use_multilingual = (cosines.use_multilingual - self.unlike).max(0.0);
        let encoded = self.minilm * minilm + self.use_multilingual * use_multilingual;
        let alike = (cosines.table - self.stand_in_unlike).max(0.0);
        let stand_in = self.stand_in * (self.minilm + self.use_multilingual) * alike;
        self.table * table + if cosines.is_encoded { encoded } else { stand_in }
    }

    /// The weight of the similarity of one of a memory's texts, relative to that of its gist.
    pub(crate) const fn share_of(&self, part: Part) -> f32 {
        match part {
            Part::Gist => 1.0,
            Part::Detail(_) => self.detail,
            Part::Cue(_) => self.cue,
        }
    }

    /// Maps the total evidence to a value between 0 and 1, strictly increasing.
    #[must_use]
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    pub(crate) fn relevance(&self, evidence: f32) -> f32 {
        evidence / (evidence + self.half)
    }
}

/// A cue that is less specific than this has no topic at all.
const TOPICLESS: f32 = 0.2;
/// From this specificity on, only the topic counts.
const TOPICAL: f32 = 0.5;

/// How much the topic of a cue counts: as much as it is specific, less for a cue that hardly is, and not at
/// all for a greeting, so that its words do not decide what comes to mind.
fn topic(specificity: f32) -> f32 {
    if specificity < TOPICAL { TOPICAL * (1.0 - openness(specificity)) } else { specificity }
}

/// How much a cue leaves open what it is about.
fn openness(specificity: f32) -> f32 {
    ((TOPICAL - specificity) / (TOPICAL - TOPICLESS)).clamp(0.0, 1.0)
}

/// The similarities of a memory and a cue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cosines {
    pub(crate) table: f32,
    pub(crate) minilm: f32,
    pub(crate) use_multilingual: f32,
    /// Whether the memory has sentence vectors.
    pub(crate) is_encoded: bool,
}
