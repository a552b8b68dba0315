//! What learnt models say about a passage: linear classifiers over its [`Features`], trained by `model/formation`.

use std::sync::OnceLock;

use domain::{Kind, PrivacyClass};

use crate::features::{COUNT, Features};

static WEIGHTS: &[u8] = include_bytes!("../../../model/formation/weights.bin");

/// A question the models answer, in the order of the weights.
#[derive(Clone, Copy)]
enum Head {
    /// Would a careful host note it?
    Worth,
    /// Is it something the persona did or promised?
    Promise,
    /// Does it change something that was said before?
    Changes,
    /// Did it happen or is it planned, rather than lasting?
    Episodic,
    /// Does it say how something is done?
    Procedural,
    /// Is it about the world and about no person? The head before it found special categories, which
    /// [`SpecialInput`](crate::special::SpecialInput) does now.
    NonPii = 6,
    /// Is it about a member of staff?
    StaffPii,
    /// Is it a business secret?
    Commercial,
    /// Would a careful host note it, said within a conversation?
    WorthInTalk,
}

const HEADS: usize = 10;

/// Where a passage was said. A sentence that stands alone was said for its own sake; of a conversation most is not
/// worth a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the first message.
    Alone,
    /// After other turns.
    InTalk,
}

/// What the models say about one passage. Above 0 the answer is yes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    scores: [f32; HEADS],
}

impl Judgement {
    pub(crate) fn of(features: &Features) -> Self {
        static PARSED: OnceLock<Vec<f32>> = OnceLock::new();
        let read = || WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let weights = PARSED.get_or_init(read);
        let score = |head: usize| {
            let own = weights.get(head * COUNT..(head + 1) * COUNT).unwrap_or_default();
            own.iter().zip(&features.0).map(|(weight, number)| weight * number).sum()
        };
        Self { scores: std::array::from_fn(score) }
    }

    pub(crate) fn is_worth_noting(&self, place: Place) -> bool {
        let head = match place {
            Place::Alone => Head::Worth,
            Place::InTalk => Head::WorthInTalk,
        };
        self.score(head) > 0.0
    }

    pub(crate) fn is_promise(&self) -> bool {
        self.score(Head::Promise) > 0.0
    }

    /// How surely it changes something that was said before.
    pub(crate) fn change(&self) -> f32 {
        self.score(Head::Changes)
    }

    pub(crate) fn kind(&self) -> Kind {
        let (episodic, procedural) = (self.score(Head::Episodic), self.score(Head::Procedural));
        if procedural > 0.0 && procedural > episodic {
            Kind::Procedural
        } else if episodic > 0.0 {
            Kind::Episodic
        } else {
            Kind::Semantic
        }
    }

    /// The class of what is about other people's business or the world; anything else is the speaker's own.
    pub(crate) fn class(&self) -> PrivacyClass {
        let others = [
            (Head::Commercial, PrivacyClass::CommercialConfidential),
            (Head::StaffPii, PrivacyClass::StaffPii),
            (Head::NonPii, PrivacyClass::NonPii),
        ];
        let best = others.into_iter().max_by(|a, b| self.score(a.0).total_cmp(&self.score(b.0)));
        best.filter(|(head, _)| self.score(*head) > 0.0).map_or(PrivacyClass::GuestPii, |(_, class)| class)
    }

    fn score(&self, head: Head) -> f32 {
        self.scores.get(head as usize).copied().unwrap_or(-1.0)
    }
}
