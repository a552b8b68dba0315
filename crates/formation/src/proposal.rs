//! What a model proposes to remember of an exchange, held to the same laws as what the rules find.
//!
//! A model reads only what may be kept: sentences that tell of a special category, and what is said in
//! jest, to steer the persona or in a story, are not shown to it. What it answers is judged again, since
//! a model may invent, or give a thing another name: nothing enters that was not said, nothing is less
//! private than the rules find it, and what the person asked to be remembered is, whatever it thinks.

use domain::{Kind, PrivacyClass, Salience, Text, Valence};
use serde::Deserialize;

use crate::cue::Cue;
use crate::draft::{Draft, Setting};
use crate::exchange::{Exchange, Formed, form};
use crate::language::language;
use crate::lexicon::Lexicon;
use crate::likeness::{Known, Likeness, echoes, is_told_by, likeness, repeats};
use crate::number::without_payment;
use crate::sentence::Sentence;
use crate::special::{SpecialCategory, special_category};
use crate::statement::Statement;
use crate::turn::Turn;
use crate::word::words;

/// A memory as a model proposes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    kind: Kind,
    gist: Text,
    #[serde(default)]
    details: Vec<Text>,
    salience: Salience,
    #[serde(default)]
    emotional_valence: Valence,
    privacy_class: PrivacyClass,
    #[serde(default)]
    tags: Vec<Text>,
}

/// A model's answer is no list of memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// What of an exchange a model may be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// What the person said, without the sentences that may not be kept.
    pub said: String,
    /// What the persona had said just before, without what it may not keep either.
    pub before: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    memories: Vec<Proposal>,
}

/// No more proposals than these are taken from one answer.
const MOST: usize = 8;
/// No more tags than these, and no longer ones.
const MOST_TAGS: usize = 8;
const LONGEST_TAG: usize = 32;

/// The proposals in a model's answer, which is one JSON object; a fence around it does no harm.
pub fn proposals(answer: &str) -> Result<Vec<Proposal>, Malformed> {
    let answer = answer.trim();
    let unfenced = answer
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .map(|inside| inside.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    let answer: Answer = serde_json::from_str(unfenced.unwrap_or(answer)).map_err(|_| Malformed)?;
    Ok(answer.memories.into_iter().take(MOST).collect())
}

/// What of `exchange` a model may be asked about; nothing where nothing may or need be kept.
#[must_use]
pub fn readable(exchange: &Exchange<'_>) -> Option<Readable> {
    let said = without_payment(exchange.said);
    let turn = Turn::read(&said, exchange.language)?;
    let meant = turn.harmless().into_iter().filter(|sentence| !is_courtesy(sentence));
    let said: Vec<&str> = meant.map(|sentence| sentence.text).collect();
    if said.is_empty() || turn.answers_special(exchange.before).is_some() {
        return None;
    }
    let harmless = |before: &str| {
        let before = without_payment(before);
        let before = Turn::read(&before, exchange.language)?;
        let told: Vec<&str> = before.harmless().into_iter().map(|sentence| sentence.text).collect();
        (!told.is_empty()).then(|| told.join(" "))
    };
    Some(Readable { said: said.join(" "), before: exchange.before.and_then(harmless) })
}

/// What an exchange leaves behind when a model proposed `proposals`.
#[must_use]
pub fn judged(exchange: &Exchange<'_>, proposals: &[Proposal]) -> Vec<Formed> {
    let Some(readable) = readable(exchange) else { return form(exchange) };
    let judge = Judge::new(exchange, &readable);
    let mut formed: Vec<Formed> = proposals.iter().filter_map(|proposal| judge.judge(proposal)).collect();
    for ruled in form(exchange) {
        let is_law = match &ruled {
            Formed::Refused(_) => true,
            Formed::Remember(draft) => draft.is_asked_for && !judge.is_among(&formed, draft),
        };
        formed.extend(is_law.then_some(ruled));
    }
    formed
}

struct Judge<'a> {
    exchange: &'a Exchange<'a>,
    language: &'static str,
    /// Everything a proposal may rest on.
    evidence: String,
    said: &'a str,
}

impl<'a> Judge<'a> {
    fn new(exchange: &'a Exchange<'a>, readable: &'a Readable) -> Self {
        let said = readable.said.as_str();
        let known = readable.before.iter().map(String::as_str).chain(exchange.reminded.iter().copied());
        let evidence = [said].into_iter().chain(known).collect::<Vec<_>>().join(". ");
        Self { exchange, language: language(&words(said), exchange.language), evidence, said }
    }

    /// What becomes of a proposal: nothing if it was not said, is known, or tries to steer.
    fn judge(&self, proposal: &Proposal) -> Option<Formed> {
        let told = [&[proposal.gist.clone()][..], &proposal.details].concat();
        let told: Vec<&str> = told.iter().map(Text::as_str).collect();
        let whole = told.join(". ");
        if let Some(category) = self.special(proposal, &whole) {
            return Some(Formed::Refused(category));
        }
        let gist = proposal.gist.as_str();
        let is_known = self.exchange.before.is_some_and(|before| echoes(gist, before, self.language))
            || self.exchange.reminded.iter().any(|known| repeats(gist, known, self.language));
        let is_said = is_told_by(gist, self.said, &self.evidence, self.language);
        let is_payment = without_payment(&whole) != whole;
        if gist.trim().is_empty() || is_known || !is_said || is_payment || self.steers(&whole) {
            return None;
        }
        Some(Formed::Remember(self.drafted(proposal)?))
    }

    /// A proposal is read in the language of the talk and in its own: it may have been translated.
    fn read<T>(&self, text: &str, look: impl Fn(&Sentence<'_>) -> Option<T>) -> Option<T> {
        let own = language(&words(text), self.language);
        let lists = [self.language, own].into_iter().filter_map(Lexicon::of);
        lists.into_iter().find_map(|lexicon| look(&Sentence::read(text, lexicon)))
    }

    fn special(&self, proposal: &Proposal, whole: &str) -> Option<SpecialCategory> {
        match proposal.privacy_class {
            PrivacyClass::SensitivePii => Some(SpecialCategory::Unnamed),
            PrivacyClass::NonPii
            | PrivacyClass::Aggregate
            | PrivacyClass::CommercialConfidential
            | PrivacyClass::StaffPii
            | PrivacyClass::GuestPii => self.read(whole, special_category),
        }
    }

    fn steers(&self, whole: &str) -> bool {
        let is_steering =
            |sentence: &Sentence<'_>| sentence.hits.iter().any(|hit| hit.cue == Cue::Injection).then_some(());
        self.read(whole, is_steering).is_some()
    }

    fn drafted(&self, proposal: &Proposal) -> Option<Draft> {
        let lexicon = Lexicon::of(self.language)?;
        let sentence = Sentence::read(proposal.gist.as_str(), lexicon);
        let statement = Statement::whole(&sentence)?;
        let setting = Setting { today: self.exchange.today, language: self.language };
        let mut draft = Draft::of(&statement, "", setting);
        draft.kind = proposal.kind;
        draft.salience = Salience::clamped(proposal.salience.get().clamp(LIGHTEST, HEAVIEST));
        draft.valence = proposal.emotional_valence;
        draft.privacy_class = draft.privacy_class.max(strict(proposal.privacy_class));
        for detail in proposal.details.iter().filter(|detail| self.is_evident(detail)) {
            draft.add(detail.as_str(), FRESH);
        }
        for tag in
            proposal.tags.iter().filter(|tag| (1..=LONGEST_TAG).contains(&tag.length())).take(MOST_TAGS)
        {
            let tag = Text::new(tag.as_str().to_lowercase());
            if !draft.tags.contains(&tag) {
                draft.tags.push(tag);
            }
        }
        Some(draft)
    }

    fn is_evident(&self, detail: &Text) -> bool {
        is_told_by(detail.as_str(), self.said, &self.evidence, self.language)
    }

    fn is_among(&self, formed: &[Formed], draft: &Draft) -> bool {
        formed.iter().any(|formed| match formed {
            Formed::Refused(_) => false,
            Formed::Remember(other) => {
                let known = Known { gist: other.gist.as_str(), details: &[] };
                likeness(&known, draft, self.language) != Likeness::Different
            }
        })
    }
}

/// A model's weights are kept within those of the rules, so that neither drowns the other.
const LIGHTEST: f64 = 0.3;
const HEAVIEST: f64 = 0.95;
/// How bright a proposed detail is.
const FRESH: f64 = 0.8;

/// One person's talk is nobody's average; in doubt it identifies them.
fn strict(class: PrivacyClass) -> PrivacyClass {
    match class {
        PrivacyClass::Aggregate => PrivacyClass::GuestPii,
        PrivacyClass::NonPii
        | PrivacyClass::CommercialConfidential
        | PrivacyClass::StaffPii
        | PrivacyClass::GuestPii
        | PrivacyClass::SensitivePii => class,
    }
}

/// Whether nothing but greetings, thanks and fillers stands in a sentence.
fn is_courtesy(sentence: &Sentence<'_>) -> bool {
    let polite = |at: usize| {
        sentence.hits.iter().any(|hit| {
            matches!(hit.cue, Cue::SmallTalk | Cue::Thanks | Cue::Link | Cue::Filler | Cue::Function)
                && hit.words.contains(&at)
        })
    };
    (0..sentence.words.len()).all(polite)
}
