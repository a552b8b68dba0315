//! One exchange, and what it leaves behind.
//!
//! Only what the person said is evidence. The persona's own words are read to know what was merely
//! said back to it, and what a short answer answers; they are never learnt.

use jiff::civil::Date;

use crate::cue::Cue;
use crate::draft::{Draft, Setting};
use crate::lexicon::{Hit, Lexicon};
use crate::likeness::{echoes, repeats};
use crate::number::without_payment;
use crate::sentence::Sentence;
use crate::special::{SpecialCategory, special_category};
use crate::statement::{Statement, statements};
use crate::turn::Turn;
use crate::word::Word;
use crate::worth::{ENOUGH, worth};

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

/// What an exchange leaves behind, in the order it was said.
#[must_use]
pub fn form(exchange: &Exchange<'_>) -> Vec<Formed> {
    let said = without_payment(exchange.said);
    let Some(turn) = Turn::read(&said, exchange.language) else { return Vec::new() };
    let confidence =
        turn.sentences.iter().flat_map(|sentence| &sentence.hits).find(|hit| hit.cue == Cue::Confidential);
    let mut forming = Forming {
        exchange,
        lexicon: turn.lexicon,
        language: turn.language,
        confidence: confidence.map(|hit| Hit { cue: hit.cue, words: 0..0 }),
        formed: Vec::new(),
        before: Before::Nothing,
        lead: None,
    };
    if !forming.answer(&turn) {
        for sentence in &turn.sentences {
            forming.read(sentence);
        }
    }
    heaviest(forming.formed)
}

/// What became of the sentence before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// It only said that something is coming.
    Announced,
    Kept,
    /// It was kept, and spoke of kin without a name.
    KeptUnnamed,
    Refused,
}

/// A sentence that was not kept, but without which the next one may not be understood.
struct Lead {
    text: String,
    /// Whether it speaks of someone or something of the speaker's own.
    is_own: bool,
}

/// What is added to the worth of a sentence when the one before announced it, or named what it is about.
const PREPARED: f64 = 0.5;

struct Forming<'a> {
    exchange: &'a Exchange<'a>,
    lexicon: &'static Lexicon,
    language: &'static str,
    /// What is asked to stay in confidence is, whichever sentence says so.
    confidence: Option<Hit>,
    formed: Vec<Formed>,
    before: Before,
    lead: Option<Lead>,
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
            self.lead = None;
            return;
        }
        if told.is_empty() {
            self.before = Before::Nothing;
        }
        let next = lead(sentence, &told);
        for mut statement in told {
            statement.hits.splice(0..0, self.confidence.clone());
            self.before = self.take(&statement);
            self.lead = None;
        }
        self.lead = next.filter(|_| self.before == Before::Nothing);
    }

    /// What becomes of a statement: a detail of the one before, a memory of its own, or nothing.
    fn take(&mut self, statement: &Statement<'_>) -> Before {
        let is_kept = worth(statement) + self.prepared(statement) >= ENOUGH && !self.is_known(statement);
        let setting = self.setting();
        let goes_on = statement.goes_on() && !statement.is_asked_for;
        let was_kept = matches!(self.before, Before::Kept | Before::KeptUnnamed);
        if goes_on && self.before == Before::Refused {
            return Before::Refused;
        }
        if goes_on && was_kept && (is_kept || is_plain(statement)) {
            self.with_last(|draft| draft.goes_on(statement, setting));
            return self.before;
        }
        let names_them = self.before == Before::KeptUnnamed && statement.begins_with_name();
        if names_them && (is_kept || statement.is_dated()) {
            self.with_last(|draft| draft.joined_by(statement, setting));
            return Before::Kept;
        }
        if statement.has(&[Cue::Announce]) && !statement.is_asked_for {
            return Before::Announced;
        }
        if !is_kept {
            return Before::Nothing;
        }
        self.keep(statement);
        if speaks_of_unnamed_kin(statement) { Before::KeptUnnamed } else { Before::Kept }
    }

    fn keep(&mut self, statement: &Statement<'_>) {
        let mut draft = Draft::of(statement, self.frame(), self.setting());
        if let Some(lead) = self.lead.as_ref().filter(|_| statement.goes_on()) {
            draft.led_by(&lead.text, self.frame());
        }
        self.formed.push(Formed::Remember(draft));
    }

    fn with_last(&mut self, change: impl FnOnce(&mut Draft)) {
        if let Some(Formed::Remember(draft)) = self.formed.last_mut() {
            change(draft);
        }
    }

    /// What the sentence before adds to the worth of a statement.
    fn prepared(&self, statement: &Statement<'_>) -> f64 {
        let is_led = statement.goes_on() && self.lead.as_ref().is_some_and(|lead| lead.is_own);
        if is_led || self.before == Before::Announced { PREPARED } else { 0.0 }
    }

    /// A short answer means what was asked: `Peanuts` after "any allergies?" is refused like the whole sentence.
    fn answer(&mut self, turn: &Turn<'_>) -> bool {
        if let Some(category) = turn.answers_special(self.exchange.before) {
            self.formed.push(Formed::Refused(category));
            return true;
        }
        let (Some(answer), Some(asked)) = (turn.sentences.first(), turn.answered(self.exchange.before))
        else {
            return false;
        };
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
        let mut draft = Draft::of(&statement, self.frame(), self.setting());
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

    const fn setting(&self) -> Setting {
        Setting { today: self.exchange.today, language: self.language }
    }

    fn frame(&self) -> &'static str {
        self.lexicon.frame(match self.exchange.speaker {
            Speaker::Owner => "owner",
            Speaker::Guest => "guest",
        })
    }
}

/// The sentence as it may lead the next one: something told, or a question about something of one's own.
fn lead(sentence: &Sentence<'_>, told: &[Statement<'_>]) -> Option<Lead> {
    let has = |sought: &[Cue]| sentence.hits.iter().any(|hit| sought.contains(&hit.cue));
    let is_own = has(&[Cue::Myself]) && has(&[Cue::Fact, Cue::Kin]);
    let is_told = told.last().is_some_and(is_plain) && !sentence.is_question;
    let is_safe =
        !has(&[Cue::Hypothetical, Cue::Payment]) && !sentence.is_withheld(&(0..sentence.words.len()));
    let can_lead = is_safe && (is_told || (sentence.is_question && is_own));
    can_lead.then(|| Lead { text: sentence.text.to_owned(), is_own })
}

/// Whether a statement speaks of kin and leaves open who that is.
fn speaks_of_unnamed_kin(statement: &Statement<'_>) -> bool {
    let is_name = |word: &Word| word.is_capital && word.folded.len() > 1;
    statement.has(&[Cue::Kin])
        && statement.has(&[Cue::Myself])
        && !statement.words.iter().skip(1).any(is_name)
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
