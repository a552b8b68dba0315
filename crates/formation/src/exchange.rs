//! One exchange, and what it leaves behind.
//!
//! Only what the person said is evidence. The persona's own words are read to know what was merely
//! said back to it, and what a short answer answers; they are never learnt.

use jiff::civil::Date;

use crate::cue::Cue;
use crate::draft::Draft;
use crate::language::language;
use crate::lexicon::{Hit, Lexicon};
use crate::likeness::{echoes, repeats};
use crate::number::without_payment;
use crate::sentence::{Sentence, sentences};
use crate::special::{SpecialCategory, special_category};
use crate::statement::{Statement, hands_over, statements};
use crate::word::words;
use crate::worth::is_worth_keeping;

/// One turn of a person, with what formation must know besides.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// What the person said.
    pub said: &'a str,
    /// What the persona had said just before.
    pub before: Option<&'a str>,
    /// The persona's language; a turn in another of the known ones is read in its own.
    pub language: &'a str,
    /// The day of the turn in the persona's time zone, so that "tomorrow" can be kept as a date.
    pub today: Date,
    /// Who speaks.
    pub speaker: Speaker,
    /// The gists the persona had in its prompt: what it was reminded of it does not learn again.
    pub reminded: &'a [&'a str],
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
    /// It told of a special category, and nothing of it is kept.
    Refused(SpecialCategory),
}

/// A turn leaves no more memories than these; the weightiest stay.
const MOST_DRAFTS: usize = 8;
/// An answer is short: longer turns speak for themselves.
const LONGEST_ANSWER: usize = 8;

/// What an exchange leaves behind, in the order it was said.
#[must_use]
pub fn form(exchange: &Exchange<'_>) -> Vec<Formed> {
    let said = without_payment(exchange.said);
    let language = language(&words(&said), exchange.language);
    let Some(lexicon) = Lexicon::of(language) else { return Vec::new() };
    let turn: Vec<Sentence<'_>> =
        sentences(&said).into_iter().map(|sentence| Sentence::read(sentence, lexicon)).collect();
    if turn.iter().any(is_not_meant) {
        return Vec::new();
    }
    let confidence = turn.iter().flat_map(|sentence| &sentence.hits).find(|hit| hit.cue == Cue::Confidential);
    let mut forming = Forming {
        exchange,
        lexicon,
        language,
        confidence: confidence.map(|hit| Hit { cue: hit.cue, words: 0..0 }),
        formed: Vec::new(),
        before: Before::Nothing,
    };
    if !forming.answer(&turn) {
        for sentence in turn.iter().take_while(|sentence| !is_others(sentence)) {
            forming.read(sentence);
        }
    }
    heaviest(forming.formed)
}

/// Jokes, attempts to steer the persona, and what is asked not to be kept spoil their whole turn.
fn is_not_meant(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| matches!(hit.cue, Cue::Joke | Cue::Injection | Cue::Forget))
}

/// A story, or a text handed over to be worked on: what follows is not told of oneself.
fn is_others(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| hit.cue == Cue::Fiction) || hands_over(sentence)
}

/// What became of the sentence before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Kept,
    Refused,
}

struct Forming<'a> {
    exchange: &'a Exchange<'a>,
    lexicon: &'static Lexicon,
    language: &'static str,
    /// What is asked to stay in confidence is, whichever sentence says so.
    confidence: Option<Hit>,
    formed: Vec<Formed>,
    before: Before,
}

impl Forming<'_> {
    fn read(&mut self, sentence: &Sentence<'_>) {
        let told = statements(sentence);
        if let Some(category) = special_category(sentence) {
            if !sentence.is_question
                || sentence.hits.iter().any(|hit| matches!(hit.cue, Cue::Myself | Cue::Kin))
            {
                self.formed.push(Formed::Refused(category));
            }
            self.before = Before::Refused;
            return;
        }
        if told.is_empty() {
            self.before = Before::Nothing;
        }
        for mut statement in told {
            statement.hits.splice(0..0, self.confidence.clone());
            self.before = self.take(&statement);
        }
    }

    fn take(&mut self, statement: &Statement<'_>) -> Before {
        let is_kept = is_worth_keeping(statement) && !self.is_known(statement);
        match (self.before, statement.goes_on() && !statement.is_asked_for) {
            (Before::Refused, true) => Before::Refused,
            (Before::Kept, true) if is_kept || is_plain(statement) => {
                if let Some(Formed::Remember(draft)) = self.formed.last_mut() {
                    draft.goes_on(statement, self.exchange.today);
                }
                Before::Kept
            }
            _ if is_kept => {
                let draft = Draft::of(statement, self.frame(), self.exchange.today);
                self.formed.push(Formed::Remember(draft));
                Before::Kept
            }
            _ => Before::Nothing,
        }
    }

    /// A short answer means what was asked: `Peanuts` after "any allergies?" is refused like the whole sentence.
    fn answer(&mut self, turn: &[Sentence<'_>]) -> bool {
        let ([answer], Some(before)) = (turn, self.exchange.before) else { return false };
        let asked = sentences(before).last().map(|last| Sentence::read(last, self.lexicon));
        let Some(asked) = asked.filter(|asked| asked.is_question && !answer.is_question) else {
            return false;
        };
        if answer.words.len() > LONGEST_ANSWER {
            return false;
        }
        if let Some(category) = special_category(&asked) {
            self.formed.push(Formed::Refused(category));
            return true;
        }
        let is_asked = asked.hits.iter().any(|hit| hit.cue == Cue::Asks);
        let says_little = |at: usize| {
            answer.hits.iter().any(|hit| {
                matches!(hit.cue, Cue::SmallTalk | Cue::Filler | Cue::Thanks | Cue::Function)
                    && hit.words.contains(&at)
            })
        };
        if !is_asked || special_category(answer).is_some() || (0..answer.words.len()).all(says_little) {
            return false;
        }
        let Some(statement) = statements(answer).into_iter().next() else { return false };
        let mut draft = Draft::of(&statement, self.frame(), self.exchange.today);
        draft.add(asked.text, 0.9);
        draft.privacy_class = domain::PrivacyClass::GuestPii;
        self.formed.push(Formed::Remember(draft));
        true
    }

    /// Whether the statement only gives back what the persona said or was reminded of.
    fn is_known(&self, statement: &Statement<'_>) -> bool {
        let is_own = self.exchange.before.is_some_and(|before| echoes(statement.text, before, self.language));
        let is_reminded =
            self.exchange.reminded.iter().any(|gist| repeats(statement.text, gist, self.language));
        is_own || is_reminded
    }

    fn frame(&self) -> &'static str {
        self.lexicon.frame(match self.exchange.speaker {
            Speaker::Owner => "owner",
            Speaker::Guest => "guest",
        })
    }
}

/// Whether a statement that is not worth keeping by itself may stand beside one that is.
fn is_plain(statement: &Statement<'_>) -> bool {
    let spoilt = [
        Cue::Hypothetical,
        Cue::Fiction,
        Cue::Payment,
        Cue::Filler,
        Cue::SmallTalk,
        Cue::Thanks,
        Cue::Weather,
    ];
    statement.content() >= 2 && !statement.has(&spoilt)
}

fn heaviest(mut formed: Vec<Formed>) -> Vec<Formed> {
    let weight = |formed: &Formed| match formed {
        Formed::Remember(draft) => draft.salience.get(),
        Formed::Refused(_) => 2.0,
    };
    let mut weights: Vec<f64> = formed.iter().map(weight).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let least = weights.get(MOST_DRAFTS - 1).copied().unwrap_or(0.0);
    formed.retain(|formed| weight(formed) >= least);
    formed.truncate(MOST_DRAFTS);
    formed
}
