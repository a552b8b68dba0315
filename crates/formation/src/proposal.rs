//! What a model proposes to remember of an exchange, checked by the same laws as what the rules find.
//!
//! A model reads only what may be kept: sentences about a special category, and what is said in jest, to steer
//! the persona or in a story, are not shown to it. Its answer is checked again, since a model may invent, or give a
//! thing another name: nothing enters that was not said, nothing is less private than the rules find it, no memory is
//! replaced that the model was not shown, and what the person asked to be remembered is, whatever the model thinks.

mod answer;
mod date;

use domain::{EventDate, Kind, MemoryId, PrivacyClass, Salience, Text};
use text::sentences;

use crate::cue::Cue;
use crate::draft::{Draft, Replaces, Setting};
use crate::exchange::{Author, Exchange, Formed, form, is_of_speaker};
use crate::language::language;
use crate::lexicon::Lexicon;
use crate::number::without_payment;
use crate::sentence::Sentence;
use crate::similarity::{KnownMemory, Similarity, echoes, is_supported, repeats, similarity};
use crate::special::{Listing, SpecialCategory, SpecialInput, special_category};
use crate::statement::Statement;
use crate::turn::Turn;
use crate::word::words;
use answer::{EvidenceAuthor, Supersedes};

pub use answer::{Malformed, Proposal, Proposals, proposals};

/// What of an exchange a model may be asked about. Sentences that may not be kept are left out everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadableExchange {
    /// What the person said.
    pub said: String,
    /// What the persona had said just before.
    pub before: Option<String>,
    /// The turns of the conversation before this one, oldest first.
    pub earlier: Vec<(Author, String)>,
    /// What the persona answered.
    pub reply: Option<String>,
}

/// What becomes of a proposal, or of something the rules insist on.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// What the laws made of it.
    Formed(Formed),
    /// Nothing, for this reason.
    Refused(Refusal),
}

/// Why a proposal, or a part of it, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// It can't be read.
    Malformed,
    /// It says what was not said.
    NotSaid,
    /// It tries to steer the persona.
    Steering,
    /// It tells a story, or gives back what another said or wrote.
    Quoted,
    /// It holds the number of a card or an account.
    Payment,
    /// It wants to replace a memory that was not shown; the rest of it was judged without that.
    UnknownMemory,
}

impl Refusal {
    /// The stable code clients match on.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::NotSaid => "not_said",
            Self::Steering => "steering",
            Self::Quoted => "quoted",
            Self::Payment => "payment",
            Self::UnknownMemory => "unknown_memory",
        }
    }
}

/// No more tags than these, and no longer ones.
const MOST_TAGS: usize = 8;
const LONGEST_TAG: usize = 32;
/// A model's weights are kept within those of the rules, so that neither drowns the other.
const LIGHTEST: f64 = 0.3;
const HEAVIEST: f64 = 0.95;
/// How bright a proposed detail is.
const FRESH: f64 = 0.8;

/// The language an exchange is in, as its words say it.
#[must_use]
pub fn spoken_language(exchange: &Exchange<'_>) -> &'static str {
    language(&words(exchange.said), exchange.language)
}

/// With fewer words a text is taken to be in the declared language: one word such as "me" is in several.
const TELLING_WORDS: usize = 8;

/// The language of a conversation's `text`: the `declared` one, unless its words speak clearly for another.
#[must_use]
pub fn language_of(text: &str, declared: &str) -> &'static str {
    let words = words(text);
    let stated = if words.len() < TELLING_WORDS { &[] } else { words.as_slice() };
    language(stated, declared)
}

/// What of `exchange` a model may be asked about; nothing where nothing may or need be kept.
#[must_use]
pub fn readable(exchange: &Exchange<'_>) -> Option<ReadableExchange> {
    let said = without_payment(exchange.said);
    let turn = Turn::read(&said, exchange.language)?;
    let sensitivity = turn.sensitivity(exchange.encoders);
    let answer = turn.sentences.first().filter(|_| turn.answers_special(exchange.before).is_some());
    let is_answer = |sentence: &Sentence<'_>| answer.is_some_and(|answer| std::ptr::eq(answer, sentence));
    let meant = turn
        .harmless(exchange.encoders)
        .into_iter()
        .filter(|sentence| !is_courtesy(sentence) && !is_answer(sentence));
    let said: Vec<&str> =
        meant.map(|sentence| sentence.text).filter(|text| !sensitivity.tells_special(text)).collect();
    if said.is_empty() {
        return None;
    }
    let harmless = |text: &str| {
        let text = without_payment(text);
        let read = Turn::read(&text, exchange.language)?;
        let kept: Vec<&str> =
            read.harmless(exchange.encoders).into_iter().map(|sentence| sentence.text).collect();
        (!kept.is_empty()).then(|| kept.join(" "))
    };
    let earlier = exchange.earlier.iter().filter_map(|line| Some((line.author, harmless(line.text)?)));
    Some(ReadableExchange {
        said: said.join(" "),
        before: exchange.before.and_then(harmless),
        earlier: earlier.collect(),
        reply: exchange.reply.and_then(harmless),
    })
}

/// What an exchange leaves behind when a model proposed `proposals`, of which `replaceable` may be replaced.
#[must_use]
pub fn judged(exchange: &Exchange<'_>, proposals: &Proposals, replaceable: &[MemoryId]) -> Vec<Verdict> {
    let ruled = form(exchange);
    let Some(readable) = readable(exchange) else { return ruled.into_iter().map(Verdict::Formed).collect() };
    let judge = Judge::new(exchange, &readable, replaceable);
    let mut verdicts: Vec<Verdict> =
        proposals.memories.iter().flat_map(|proposal| judge.judge(proposal)).collect();
    for ruled in ruled {
        let is_law = match &ruled {
            Formed::Refused { .. } | Formed::Dropped(_) => true,
            Formed::Remember(draft) => draft.is_asked_for && !judge.takes_over(&mut verdicts, draft),
        };
        verdicts.extend(is_law.then_some(Verdict::Formed(ruled)));
    }
    verdicts.extend(std::iter::repeat_n(Verdict::Refused(Refusal::Malformed), proposals.malformed));
    verdicts
}

struct Judge<'a> {
    exchange: &'a Exchange<'a>,
    language: &'static str,
    /// Everything a proposal may rest on.
    evidence: String,
    readable: &'a ReadableExchange,
    replaceable: &'a [MemoryId],
}

impl<'a> Judge<'a> {
    fn new(exchange: &'a Exchange<'a>, readable: &'a ReadableExchange, replaceable: &'a [MemoryId]) -> Self {
        let earlier = readable.earlier.iter().map(|(_, text)| text.as_str());
        let own = readable.before.iter().chain(&readable.reply).map(String::as_str);
        let known = exchange.reminded.iter().copied().chain(exchange.name);
        let said = readable.said.as_str();
        let evidence: Vec<&str> = [said].into_iter().chain(earlier).chain(own).chain(known).collect();
        let language = language(&words(said), exchange.language);
        Self { exchange, language, evidence: evidence.join(". "), readable, replaceable }
    }

    /// What becomes of a proposal; nothing at all if the persona knows it already.
    fn judge(&self, proposal: &Proposal) -> Vec<Verdict> {
        let texts: Vec<&str> =
            std::iter::once(&proposal.gist).chain(&proposal.details).map(Text::as_str).collect();
        let whole = texts.join(". ");
        if let Some(category) = self.special(proposal, &whole) {
            return vec![Verdict::Formed(Formed::Refused { category, words: proposal.gist.clone() })];
        }
        if self.is_known(proposal) {
            return Vec::new();
        }
        let date = proposal.date.filter(|date| self.is_said_on(*date));
        match self.refusal(proposal, &whole, date) {
            Some(refusal) => vec![Verdict::Refused(refusal)],
            None => self.kept(proposal, date),
        }
    }

    /// Whether a proposal only gives back what the persona said or was reminded of. What people say of themselves is
    /// compared with their own memories later, as it is without a model.
    fn is_known(&self, proposal: &Proposal) -> bool {
        let gist = proposal.gist.as_str();
        let mut reminded = self.exchange.reminded.iter().filter(|_| !self.is_of_speaker(proposal));
        self.exchange.before.is_some_and(|before| echoes(gist, before, self.language))
            || reminded.any(|known| repeats(gist, known, self.language))
    }

    /// Whether a proposal rests on what the speaker said of themselves, without anything the persona knew.
    fn is_of_speaker(&self, proposal: &Proposal) -> bool {
        let Some(lexicon) = Lexicon::of(self.language) else { return false };
        let sentences = sentences(&self.readable.said).into_iter();
        let own: Vec<&str> =
            sentences.filter(|text| is_of_speaker(&Sentence::read(text, lexicon).hits)).collect();
        let own = own.join(" ");
        let evidence = format!("{own}. {}", self.exchange.name.unwrap_or_default());
        proposal.whose == EvidenceAuthor::Speaker
            && is_supported(proposal.gist.as_str(), &own, &evidence, self.language)
    }

    fn refusal(&self, proposal: &Proposal, whole: &str, date: Option<EventDate>) -> Option<Refusal> {
        if without_payment(whole) != whole {
            return Some(Refusal::Payment);
        }
        if self.steers(whole) {
            return Some(Refusal::Steering);
        }
        (!self.rests_on_talk(&proposal.gist, proposal.whose, date)).then_some(Refusal::NotSaid)
    }

    /// Whether a text may be learnt from the words of whom it is said to come from.
    fn rests_on_talk(&self, text: &Text, whose: EvidenceAuthor, date: Option<EventDate>) -> bool {
        let source = match whose {
            EvidenceAuthor::Speaker => Some(&self.readable.said),
            EvidenceAuthor::Persona => self.readable.reply.as_ref(),
        };
        let dated = date.map(|date| format!("{} {date}", self.evidence));
        let evidence = dated.as_ref().unwrap_or(&self.evidence);
        source.is_some_and(|source| is_supported(text.as_str(), source, evidence, self.language))
    }

    fn kept(&self, proposal: &Proposal, date: Option<EventDate>) -> Vec<Verdict> {
        let Some(mut draft) = self.drafted(proposal, date) else { return Vec::new() };
        let (replaces, refusal) = match proposal.supersedes {
            Supersedes::Nothing => (Replaces::Nothing, None),
            Supersedes::Memory(id) if self.replaceable.contains(&id) => (Replaces::Memory(id), None),
            Supersedes::Memory(_) | Supersedes::Unreadable => {
                (Replaces::Nothing, Some(Refusal::UnknownMemory))
            }
        };
        draft.replaces = replaces;
        let kept = Verdict::Formed(Formed::Remember(draft));
        std::iter::once(kept).chain(refusal.map(Verdict::Refused)).collect()
    }

    /// A proposal is read in the language of the talk and in its own: it may have been translated.
    fn read<T>(&self, text: &str, look: impl Fn(&Sentence<'_>) -> Option<T>) -> Option<T> {
        let own = language(&words(text), self.language);
        let lists = [self.language, own].into_iter().filter_map(Lexicon::of);
        lists.into_iter().find_map(|lexicon| look(&Sentence::read(text, lexicon)))
    }

    fn special(&self, proposal: &Proposal, whole: &str) -> Option<SpecialCategory> {
        let cues = proposal.cues.iter().map(Text::as_str).collect::<Vec<_>>().join(". ");
        match proposal.privacy_class {
            PrivacyClass::SensitivePii => Some(SpecialCategory::Unnamed),
            PrivacyClass::NonPii
            | PrivacyClass::Aggregate
            | PrivacyClass::CommercialConfidential
            | PrivacyClass::StaffPii
            | PrivacyClass::GuestPii => {
                let in_cues = || self.read(&cues, special_category).and_then(|_| self.category_of(&cues));
                self.category_of(whole).or_else(in_cues)
            }
        }
    }

    /// The special category of `text`: by the kernel, or by the lists alone without encoders.
    fn category_of(&self, text: &str) -> Option<SpecialCategory> {
        let listed = self.read(text, special_category);
        let Some(encoders) = self.exchange.encoders else { return listed };
        let language = language(&words(text), self.language);
        let listing = if listed.is_some() { Listing::Found } else { Listing::Nothing };
        let is_special = SpecialInput::of(text, language, listing, encoders).is_special();
        is_special.then(|| listed.unwrap_or(SpecialCategory::Unnamed))
    }

    fn steers(&self, whole: &str) -> bool {
        let is_steering =
            |sentence: &Sentence<'_>| sentence.hits.iter().any(|hit| hit.cue == Cue::Injection).then_some(());
        self.read(whole, is_steering).is_some()
    }

    fn is_said_on(&self, date: EventDate) -> bool {
        let is_said =
            |sentence: &Sentence<'_>| date::is_said(date, sentence, self.exchange.today).then_some(());
        self.read(&self.evidence, is_said).is_some()
    }

    fn drafted(&self, proposal: &Proposal, date: Option<EventDate>) -> Option<Draft> {
        let lexicon = Lexicon::of(self.language)?;
        let sentence = Sentence::read(proposal.gist.as_str(), lexicon);
        let statement = Statement::whole(&sentence)?;
        let setting = Setting { today: self.exchange.today, language: self.language, spoken_month: None };
        let mut draft = Draft::of(&statement, "", setting);
        draft.kind = kind(proposal);
        draft.salience = Salience::clamped(proposal.salience.get().clamp(LIGHTEST, HEAVIEST));
        draft.valence = proposal.valence;
        draft.privacy_class = draft.privacy_class.max(strict(proposal.privacy_class));
        draft.author = match proposal.whose {
            EvidenceAuthor::Speaker => Author::Speaker,
            EvidenceAuthor::Persona => Author::Persona,
        };
        draft.event_date = date.or(draft.event_date);
        draft.cues.clone_from(&proposal.cues);
        for detail in proposal.details.iter().filter(|it| self.rests_on_talk(it, proposal.whose, date)) {
            draft.add(detail.as_str(), FRESH);
        }
        add_tags(&mut draft, &proposal.tags);
        Some(draft)
    }

    /// Whether one of the kept proposals says what was asked to be remembered; if so, it is asked for too.
    fn takes_over(&self, verdicts: &mut [Verdict], asked: &Draft) -> bool {
        let kept = verdicts.iter_mut().filter_map(|verdict| match verdict {
            Verdict::Formed(Formed::Remember(draft)) => Some(draft),
            Verdict::Formed(Formed::Refused { .. } | Formed::Dropped(_)) | Verdict::Refused(_) => None,
        });
        let same = |draft: &&mut Draft| {
            let known = KnownMemory { gist: draft.gist.as_str(), details: &[] };
            similarity(&known, asked, self.language) != Similarity::Different
        };
        match kept.into_iter().find(same) {
            Some(draft) => {
                draft.is_asked_for = true;
                true
            }
            None => false,
        }
    }
}

/// What the persona itself said happened, or is how something is done; it is no lasting fact about a person.
const fn kind(proposal: &Proposal) -> Kind {
    match (proposal.whose, proposal.kind) {
        (EvidenceAuthor::Persona, Kind::Semantic) => Kind::Episodic,
        (EvidenceAuthor::Speaker | EvidenceAuthor::Persona, kind) => kind,
    }
}

fn add_tags(draft: &mut Draft, tags: &[Text]) {
    for tag in tags.iter().filter(|tag| (1..=LONGEST_TAG).contains(&tag.length())).take(MOST_TAGS) {
        let tag = Text::new(tag.as_str().to_lowercase());
        if !draft.tags.contains(&tag) {
            draft.tags.push(tag);
        }
    }
}

/// One person's talk is not an average; in doubt it identifies them.
const fn strict(class: PrivacyClass) -> PrivacyClass {
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
