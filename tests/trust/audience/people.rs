//! The people of one tenant, their keys, and the ids of everybody's records, for everybody to try.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::canary::{Canary, Kind};
use testkit::dice::Dice;

/// The tenant's own person.
pub(super) const OWNER: u32 = 0;
/// Somebody whose forwarded key has `admin`.
pub(super) const ADMIN: u32 = 1;
/// Somebody whose forwarded key has `staff`.
pub(super) const STAFF: u32 = 2;
/// The first and the last of the guests who are named.
pub(super) const GUESTS: std::ops::RangeInclusive<u32> = 3..=5;
/// The first number of those nobody names.
const UNNAMED: u32 = 100;

pub(super) fn is_staff(person: u32) -> bool {
    matches!(person, OWNER | STAFF)
}

/// One tenant.
pub(super) struct Town {
    pub(super) number: usize,
    pub(super) keys: Keys,
    serial: AtomicU64,
    next_unnamed: AtomicU32,
    strangers: Mutex<Vec<Speaker>>,
    pub(super) known: Mutex<KnownRecords>,
}

/// The API keys of a tenant.
pub(super) struct Keys {
    pub(super) owner: String,
    pub(super) admin: String,
    pub(super) staff: String,
    pub(super) guests: String,
}

/// Ids that turned up in answers, with the person whose they are.
#[derive(Default)]
pub(super) struct KnownRecords {
    pub(super) memories: Vec<String>,
    pub(super) recalls: Vec<String>,
    pub(super) exchanges: Vec<String>,
    pub(super) sessions: Vec<(u32, String)>,
    pub(super) turns: Vec<(u32, String, String)>,
    pub(super) jobs: Vec<(u32, String)>,
    pub(super) responses: Vec<(u32, String)>,
    pub(super) entries: Vec<String>,
}

/// Who speaks in an operation.
#[derive(Clone, Debug)]
pub(super) struct Speaker {
    pub(super) person: u32,
    /// The conversation of somebody nobody names.
    pub(super) session: Option<String>,
}

impl Speaker {
    pub(super) fn is_unnamed(&self) -> bool {
        self.person >= UNNAMED
    }
}

impl Town {
    pub(super) fn new(number: usize, keys: Keys) -> Self {
        Self {
            number,
            keys,
            serial: AtomicU64::new(0),
            next_unnamed: AtomicU32::new(UNNAMED),
            strangers: Mutex::default(),
            known: Mutex::default(),
        }
    }

    pub(super) fn name(&self) -> String {
        town_name(self.number)
    }

    /// A new word of `person`.
    pub(super) fn canary(&self, person: u32, kind: Kind) -> String {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        Canary { tenant: self.number, person, kind }.word(serial)
    }

    /// The reference a named person goes by: a canary too.
    pub(super) fn reference(&self, person: u32) -> Option<String> {
        match person {
            OWNER => Some("owner".to_owned()),
            named if named < UNNAMED => Some(format!(
                "guest:{}",
                Canary { tenant: self.number, person, kind: Kind::Personal }.word(0)
            )),
            _ => None,
        }
    }

    pub(super) fn key(&self, person: u32) -> &str {
        match person {
            OWNER => &self.keys.owner,
            ADMIN => &self.keys.admin,
            STAFF => &self.keys.staff,
            _ => &self.keys.guests,
        }
    }

    /// Somebody, seldom one whose key sees everybody's records.
    pub(super) fn anybody(&self, dice: &mut Dice) -> Speaker {
        let named = |person| Speaker { person, session: None };
        match dice.below(10) {
            0 | 1 => named(OWNER),
            2 => named(ADMIN),
            3 => named(STAFF),
            4..=6 => named(GUESTS.start() + u32::try_from(dice.below(3)).unwrap()),
            _ => self.stranger(dice),
        }
    }

    /// Somebody nobody names: one who was here before, or a new one.
    fn stranger(&self, dice: &mut Dice) -> Speaker {
        let mut strangers = self.strangers.lock().unwrap();
        if strangers.len() >= 2 && !dice.happens(12) {
            let place = dice.position(strangers.len());
            return strangers[place].clone();
        }
        let person = self.next_unnamed.fetch_add(1, Ordering::Relaxed);
        // Some clients make the id of their conversation up themselves, one that nobody guesses.
        let session = dice.happens(40).then(|| dice.uuid());
        let new = Speaker { person, session };
        if strangers.len() >= 6 {
            strangers.remove(0);
        }
        strangers.push(new.clone());
        new
    }

    /// Notes the conversation that an answer gave to somebody nobody names. The first one counts.
    pub(super) fn met(&self, person: u32, session: &str) {
        let mut strangers = self.strangers.lock().unwrap();
        if let Some(stranger) = strangers.iter_mut().find(|it| it.person == person && it.session.is_none()) {
            stranger.session = Some(session.to_owned());
        }
    }

    /// A conversation that `speaker` may try: their own, or anybody's who is named. The id of an unnamed speaker's is
    /// all there is to know that speaker by, so nobody else has it.
    pub(super) fn some_session(&self, speaker: &Speaker, dice: &mut Dice) -> String {
        let known = self.known.lock().unwrap();
        let fair: Vec<&(u32, String)> = known
            .sessions
            .iter()
            .filter(|(person, _)| *person < UNNAMED || *person == speaker.person)
            .collect();
        // One that nobody may begin without a name, or two strangers would meet in it.
        let none = || "none".to_owned();
        if fair.is_empty() { none() } else { fair[dice.position(fair.len())].1.clone() }
    }
}

pub(super) fn town_name(number: usize) -> String {
    format!("town{number}")
}
