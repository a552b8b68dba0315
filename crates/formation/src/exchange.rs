//! One exchange, and what it leaves behind.
//!
//! What the person said is evidence of the person. The persona's own words are read to know what was merely said
//! back to it, what a short answer answers, and what it has done or promised.

use domain::{PrivacyClass, Text};
use encoders::Encoders;
use jiff::civil::Date;

use crate::context::Context;
use crate::cue::Cue;
use crate::draft::{Draft, LONGEST_DETAIL, Replaces, Setting, clipped};
use crate::judgement::{Judgement, Place};
use crate::lexicon::Hit;
use crate::number::without_payment;
use crate::passage::{Part, Passage, parts};
use crate::proposal::Refusal;
use crate::reply::promises;
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::similarity::{echoes, repeats};
use crate::special::{SpecialCategory, special_category_of};
use crate::spoken_month::spoken_month;
use crate::statement::Statement;
use crate::turn::Turn;
use crate::worth::ENOUGH;

/// One turn of a person, with what formation must know besides.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// What the person said.
    pub said: &'a str,
    /// What the persona had said just before.
    pub before: Option<&'a str>,
    /// The turns of the conversation before this one, oldest first, for "she", "it" and "there".
    pub earlier: &'a [Line<'a>],
    /// What the persona answered, if it has: its promises are remembered too.
    pub reply: Option<&'a str>,
    /// The name the speaker goes by, if it is known.
    pub name: Option<&'a str>,
    /// The persona's language; a turn in another of the known ones is read in its own.
    pub language: &'a str,
    /// The day of the turn in the persona's time zone, so that "tomorrow" can be kept as a date.
    pub today: Date,
    /// Who speaks.
    pub speaker: Speaker,
    /// The gists the persona had in its prompt: what it was reminded of it does not learn again.
    pub reminded: &'a [&'a str],
    /// Whether the speaker consented to health and the other special categories being kept, and the policy permits it.
    pub may_keep_sensitive: bool,
    /// The sentence encoders; without them the word lists alone decide what is worth keeping.
    pub encoders: Option<&'a Encoders>,
}

impl<'a> Exchange<'a> {
    /// What a guest said on a day, with nothing known besides.
    #[must_use]
    pub const fn new(said: &'a str, language: &'a str, today: Date) -> Self {
        Self {
            said,
            before: None,
            earlier: &[],
            reply: None,
            name: None,
            language,
            today,
            speaker: Speaker::Guest,
            reminded: &[],
            may_keep_sensitive: false,
            encoders: None,
        }
    }
}

impl Exchange<'_> {
    /// Whether other turns came before it.
    const fn place(&self) -> Place {
        if self.earlier.is_empty() && self.before.is_none() { Place::Alone } else { Place::InTalk }
    }
}

/// One turn of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Whose turn it is.
    pub author: Author,
    /// Its words.
    pub text: &'a str,
}

/// Whose words a memory rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Author {
    /// The person who talks with the persona.
    #[default]
    Speaker,
    /// The persona itself.
    Persona,
}

/// Who speaks with the persona.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The tenant's own person.
    Owner,
    /// Anyone else.
    Guest,
}

/// What a statement comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Formed {
    /// It is worth keeping.
    Remember(Draft),
    /// It is about a special category, and nothing of it is kept.
    Refused {
        /// Which category.
        category: SpecialCategory,
        /// The words that are not kept.
        words: Text,
    },
    /// It is not meant as said of the speaker, for this reason, and nothing of it is kept.
    Dropped(Refusal),
}

/// A turn leaves no more memories than these; the weightiest stay.
const MOST_DRAFTS: usize = 8;

/// How surely a phrase of correction changes something, where no model reads it.
const LISTED_CHANGE: f32 = 1.0;
/// How clear a detail is that was said beside a memory.
const BESIDE: f64 = 0.5;
/// The models read no more passages of a turn than these, since each takes milliseconds; the word lists decide on the rest.
const MOST_JUDGED: usize = 12;
/// The most words of a short sentence.
const SHORT: usize = 7;

/// What an exchange leaves behind, in the order it was said.
#[must_use]
pub fn form(exchange: &Exchange<'_>) -> Vec<Formed> {
    let said = without_payment(exchange.said);
    let Some(turn) = Turn::read(&said, exchange.language) else { return Vec::new() };
    let mut forming = Forming::new(exchange, &turn);
    for part in asked_parts(&turn, exchange) {
        forming.take(&part);
    }
    forming.attach_rest();
    forming.drop_unmeant();
    let refused: Vec<Text> = forming.formed.iter().filter_map(Formed::refused).cloned().collect();
    let promised = promises(exchange, turn.language, &refused);
    heaviest(forming.formed.into_iter().chain(promised.into_iter().map(Formed::Remember)).collect())
}

impl Formed {
    /// The words that are not kept.
    fn refused(&self) -> Option<&Text> {
        match self {
            Self::Remember(_) | Self::Dropped(_) => None,
            Self::Refused { words, .. } => Some(words),
        }
    }
}

/// The parts of a turn, the first of them with the question it answers.
pub(crate) fn asked_parts<'a>(turn: &'a Turn<'a>, exchange: &Exchange<'a>) -> Vec<Part<'a>> {
    let categories = if exchange.may_keep_sensitive {
        vec![None; turn.sentences.len()]
    } else {
        turn.sensitivity(exchange.encoders).listed(&turn.sentences)
    };
    let mut parts = parts(&turn.sentences, &categories);
    let answered = turn.answers_special(exchange.before).filter(|_| !exchange.may_keep_sensitive);
    match (answered, parts.first_mut(), turn.sentences.first()) {
        (Some(category), Some(first), Some(sentence)) => *first = Part::Special { category, sentence },
        (_, Some(Part::Passage(first)), _) => {
            first.asked = turn.question_answered(exchange.before).filter(|_| !first.asks);
        }
        (_, Some(Part::Special { .. }) | None, _) => {}
    }
    parts
}

pub(crate) struct Forming<'a> {
    exchange: &'a Exchange<'a>,
    turn: &'a Turn<'a>,
    context: Context<'a>,
    sensitivity: Sensitivity<'a>,
    /// What is asked to stay in confidence is, whichever sentence says so.
    confidence: Option<Hit>,
    formed: Vec<Formed>,
    /// How many passages were judged.
    judged: usize,
    /// Passages that are not worth a memory of their own, with how many memories were formed before them.
    rest: Vec<(usize, String)>,
}

impl<'a> Forming<'a> {
    pub(crate) fn new(exchange: &'a Exchange<'a>, turn: &'a Turn<'a>) -> Self {
        let mut hits = turn.sentences.iter().flat_map(|sentence| &sentence.hits);
        let confidence = hits.find(|hit| hit.cue == Cue::Confidential);
        let sensitivity = turn.sensitivity(exchange.encoders);
        Self {
            exchange,
            turn,
            context: Context::new(exchange, sensitivity),
            sensitivity,
            confidence: confidence.map(|hit| Hit { cue: hit.cue, words: 0..0 }),
            formed: Vec::new(),
            judged: 0,
            rest: Vec::new(),
        }
    }

    fn take(&mut self, part: &Part<'_>) {
        match part {
            Part::Special { category, sentence } => self.refuse(*category, sentence.text),
            Part::Passage(passage) => self.note(passage),
        }
    }

    fn refuse(&mut self, category: SpecialCategory, words: &str) {
        self.formed.push(Formed::Refused { category, words: Text::new(words) });
    }

    /// Whether the models think that a passage is worth a note. Within a conversation a short sentence about the speaker
    /// counts too if it would in a first message: the turns from which the other head learnt are longer, and "My cat is
    /// called Bruno." is worth as much there.
    fn is_noted(&self, passage: &Passage<'_>, judgement: &Judgement) -> bool {
        let is_short = || passage.text().split_whitespace().count() <= SHORT;
        judgement.is_worth_noting(self.exchange.place())
            || (passage.is_of_speaker() && is_short() && judgement.is_worth_noting(Place::Alone))
    }

    fn judgement(&mut self, passage: &Passage<'_>) -> Option<Judgement> {
        self.judged += 1;
        let judge = |encoders| Judgement::of(&passage.features(self.turn.language, encoders));
        self.exchange.encoders.filter(|_| self.judged <= MOST_JUDGED).map(judge)
    }

    fn is_worth(&self, passage: &Passage<'_>, judgement: Option<&Judgement>) -> bool {
        match judgement {
            // The models are unsure of a sentence that is only as long as "I live in York."
            Some(judgement) => {
                self.is_noted(passage, judgement) || passage.opens_with_fact() || passage.gives_address()
            }
            None => passage.listed_worth() >= ENOUGH && !passage.asks,
        }
    }

    fn note(&mut self, passage: &Passage<'_>) {
        let judgement = self.judgement(passage);
        let is_worth = self.is_worth(passage, judgement.as_ref());
        // A person who consented to having such things kept means it, however short the sentence.
        let is_worth = is_worth
            || (self.exchange.may_keep_sensitive
                && !passage.asks
                && special_category_of(&passage.text(), self.turn.language).is_some());
        let is_meant = !passage.has(&[Cue::Payment]) && passage.content() > 0;
        if !is_meant || self.is_known(passage) {
            return;
        }
        let is_noted = is_worth || passage.is_asked_for() || self.answers_personal_question(passage);
        let is_refusable = judgement.is_some() && !self.exchange.may_keep_sensitive;
        if is_noted && is_refusable && self.sensitivity.passage_tells_special(passage) {
            self.refuse(SpecialCategory::Unnamed, &passage.text());
            return;
        }
        if !is_noted {
            let is_particular = judgement.is_some() && !passage.asks && passage.content() > 1;
            self.rest.extend(is_particular.then(|| (self.formed.len(), passage.text())));
            return;
        }
        if let Some(draft) = self.drafted(passage, judgement.as_ref()) {
            self.formed.push(Formed::Remember(draft));
        }
    }

    /// Names why sentences were dropped that steer the persona, and those of others that would have been noted.
    fn drop_unmeant(&mut self) {
        for (reason, sentence) in &self.turn.dropped {
            let dropped = Formed::Dropped(*reason);
            if !self.formed.contains(&dropped) && (*reason == Refusal::Steering || self.is_notable(sentence))
            {
                self.formed.push(dropped);
            }
        }
    }

    /// Whether a sentence would be noted if it were meant.
    fn is_notable(&mut self, sentence: &Sentence<'_>) -> bool {
        let Some(whole) = Statement::whole(sentence) else { return false };
        let passage = Passage { statements: vec![whole], asked: None, asks: sentence.is_question };
        let judgement = self.judgement(&passage);
        self.is_worth(&passage, judgement.as_ref()) || passage.is_asked_for()
    }

    /// Whether the persona asked for a personal fact: a name, a home, a favourite.
    fn answers_personal_question(&self, passage: &Passage<'_>) -> bool {
        let asked = passage.asked.map(|asked| Sentence::read(asked, self.turn.lexicon));
        asked.is_some_and(|asked| asked.hits.iter().any(|hit| hit.cue == Cue::Asks))
    }

    /// What was said beside a memory becomes a detail of it: "12 o'clock. bring the dog".
    fn attach_rest(&mut self) {
        for (place, text) in std::mem::take(&mut self.rest) {
            let text = clipped(&text, LONGEST_DETAIL);
            let is_memory = |at: &usize| matches!(self.formed.get(*at), Some(Formed::Remember(_)));
            let Some(at) = place.checked_sub(1).into_iter().chain([place]).find(is_memory) else { continue };
            let may_be_kept = self.exchange.may_keep_sensitive || !self.sensitivity.tells_special(&text);
            if let Some(Formed::Remember(draft)) = self.formed.get_mut(at).filter(|_| may_be_kept) {
                draft.add(&text, BESIDE);
            }
        }
    }

    /// The memory that a passage makes; `None` if it is unclear who it is about.
    pub(crate) fn drafted(&self, passage: &Passage<'_>, judgement: Option<&Judgement>) -> Option<Draft> {
        let mut draft = self.stated(passage)?;
        if let Some(judgement) = judgement {
            draft.kind = judgement.kind();
            draft.privacy_class = self.class(passage, judgement);
            draft.replaces = Replaces::Perhaps(judgement.change());
        } else if passage.has(&[Cue::Correction]) {
            draft.replaces = Replaces::Perhaps(LISTED_CHANGE);
        }
        if self.exchange.may_keep_sensitive && self.is_special(passage) {
            draft.privacy_class = PrivacyClass::SensitivePii;
        }
        self.context.complete(passage, &mut draft).then_some(draft)
    }

    /// The memory as the statements of a passage make it, by the word lists alone.
    pub(crate) fn stated(&self, passage: &Passage<'_>) -> Option<Draft> {
        let language = self.turn.language;
        let spoken_month = spoken_month(self.exchange, &[], language);
        let setting = Setting { today: self.exchange.today, language, spoken_month };
        let mut statements = passage.statements.iter();
        let mut draft = Draft::of(statements.next()?, &self.speaker(), setting);
        for statement in statements {
            draft.joined_by(statement, setting);
        }
        Some(draft)
    }

    fn is_special(&self, passage: &Passage<'_>) -> bool {
        let is_listed = passage
            .statements
            .iter()
            .any(|statement| statement.hits.iter().any(|hit| hit.cue.special().is_some()));
        let is_answer = self.turn.answers_special(self.exchange.before).is_some();
        is_listed || is_answer || self.sensitivity.passage_tells_special(passage)
    }

    /// What people say about themselves or those close to them is theirs, unless they ask for confidence.
    fn class(&self, passage: &Passage<'_>, judgement: &Judgement) -> PrivacyClass {
        let is_own = passage.is_of_speaker() && self.confidence.is_none();
        let class = if is_own { PrivacyClass::GuestPii } else { judgement.class() };
        // "Our grocery budget" is no business secret: one word of trade does not make one.
        let terms: usize = passage.statements.iter().map(|statement| statement.count(Cue::Commercial)).sum();
        let is_household = passage.has(&[Cue::Myself]) && terms < 2 && self.confidence.is_none();
        if class == PrivacyClass::CommercialConfidential && is_household {
            PrivacyClass::GuestPii
        } else {
            class
        }
    }

    /// Whether a passage only gives back what the persona said or was reminded of. What people say of themselves is
    /// compared with their own memories later: "I prefer a quiet room" is news, whatever is known of guests in general.
    fn is_known(&self, passage: &Passage<'_>) -> bool {
        let (text, language) = (passage.text(), self.turn.language);
        let is_echo = self.exchange.before.is_some_and(|before| echoes(&text, before, language));
        let mut reminded = self.exchange.reminded.iter().filter(|_| !passage.is_of_speaker());
        is_echo || reminded.any(|gist| repeats(&text, gist, language))
    }

    /// The name the speaker goes by, or what they are to the persona.
    fn speaker(&self) -> String {
        let role = match self.exchange.speaker {
            Speaker::Owner => "name owner",
            Speaker::Guest => "name guest",
        };
        self.exchange.name.map_or_else(|| self.turn.lexicon.frame(role).to_owned(), str::to_owned)
    }
}

/// Whether one of `hits` tells of the speaker or of those close to them.
pub(crate) fn is_of_speaker(hits: &[Hit]) -> bool {
    hits.iter().any(|hit| matches!(hit.cue, Cue::Singular | Cue::Kin | Cue::Preference))
}

fn heaviest(mut formed: Vec<Formed>) -> Vec<Formed> {
    let weight = |formed: &Formed| match formed {
        Formed::Remember(draft) => draft.salience.get(),
        Formed::Refused { .. } | Formed::Dropped(_) => 2.0,
    };
    let mut weights: Vec<f64> = formed.iter().map(weight).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let least = weights.get(MOST_DRAFTS - 1).copied().unwrap_or(0.0);
    // What is refused is named whatever its number.
    let mut kept = 0;
    formed.retain(|formed| {
        let is_refused = formed.refused().is_some();
        kept += usize::from(!is_refused);
        is_refused || (weight(formed) >= least && kept <= MOST_DRAFTS)
    });
    formed
}
