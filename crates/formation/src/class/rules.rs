//! How private a statement is, by what it is about, in languages without examples.

use domain::PrivacyClass;

use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::statement::Statement;

/// The class of a statement; in doubt it is the guest's.
pub(super) fn class(statement: &Statement<'_>) -> PrivacyClass {
    let stated = Stated { statement };
    if stated.is_surely_of_business() {
        PrivacyClass::CommercialConfidential
    } else if stated.is_of_staff() {
        PrivacyClass::StaffPii
    } else if stated.is_of_business() {
        PrivacyClass::CommercialConfidential
    } else if stated.is_of_person() || !stated.is_of_the_world() {
        PrivacyClass::GuestPii
    } else {
        PrivacyClass::NonPii
    }
}

/// Whether someone speaks about their own work: "I am a receptionist".
pub(super) fn tells_own_work(statement: &Statement<'_>) -> bool {
    let roles = || statement.hits.iter().filter(|hit| matches!(hit.cue, Cue::Employee | Cue::Staff));
    let is_role =
        |fact: &Hit| roles().any(|hit| hit.words.start < fact.words.end && fact.words.start < hit.words.end);
    let opens = |fact: &Hit| fact.words.start <= statement.run.start + 1;
    let mut facts = statement.hits.iter().filter(|hit| hit.cue == Cue::Fact);
    statement.has(&[Cue::Singular]) && facts.any(|fact| opens(fact) || is_role(fact))
}

/// Whether someone close is spoken of together with the speaker, or before anyone of the house: "my mother was a
/// waitress".
pub(super) fn tells_own_kin(statement: &Statement<'_>) -> bool {
    let first = |cues: &[Cue]| {
        statement.hits.iter().filter(|hit| cues.contains(&hit.cue)).map(|hit| hit.words.start).min()
    };
    let kin = first(&[Cue::Kin]);
    let is_before = kin.zip(first(&[Cue::Employee, Cue::Staff])).is_some_and(|(kin, role)| kin < role);
    is_before || (kin.is_some() && tells(statement, Cue::Singular))
}

/// Whether the speaker stands in a statement otherwise than as its witness: "I noticed that the lamp is broken"
/// is about a lamp.
fn tells(statement: &Statement<'_>, own: Cue) -> bool {
    let witnessed = || statement.hits.iter().filter(|hit| hit.cue == Cue::Observe);
    let is_witness = |word: usize| witnessed().any(|hit| hit.words.contains(&word));
    statement.hits.iter().any(|hit| hit.cue == own && !is_witness(hit.words.start))
}

/// What a statement speaks of.
struct Stated<'a> {
    statement: &'a Statement<'a>,
}

impl Stated<'_> {
    /// The firm deals, in confidence or in figures.
    fn is_surely_of_business(&self) -> bool {
        let is_quiet = self.is_quiet() && !self.has(&[Cue::Preference]);
        let is_dealt = is_quiet && (self.is_ours() || self.trade() > 0);
        let is_reckoned = self.is_ours() && (self.has(&[Cue::Sum]) || self.statement.text.contains('%'));
        let is_traded = self.is_ours() && self.trade() > 1 && (self.has_number() || !self.is_of_staff());
        (is_dealt && (self.trade() > 0 || !self.is_of_staff()))
            || (!self.is_private() && (is_reckoned || is_traded))
    }

    /// The firm deals, and no private matter is mentioned.
    fn is_of_business(&self) -> bool {
        let is_own = self.is_of_speaker();
        let is_kept_quiet = self.is_quiet() && !is_own;
        let is_traded = self.is_ours() && self.trade() > 0 && (self.has_number() || !is_own);
        !self.is_private() && (is_kept_quiet || is_traded || (self.trade() > 2 && !is_own))
    }

    /// Someone of the house is spoken of: by what they are, by where they stand, or by what they did for the speaker.
    fn is_of_staff(&self) -> bool {
        let is_lasting = self.has(&[Cue::Fact, Cue::Preference]);
        let is_employed = self.has(&[Cue::Employee]) && !tells_own_work(self.statement);
        let is_posted =
            self.has(&[Cue::Post]) && (self.has(&[Cue::Attendant]) || self.names_someone()) && !is_lasting;
        !(self.has_kin() && tells_own_kin(self.statement))
            && (is_employed || is_posted || (self.has_served() && !is_lasting))
    }

    /// Someone named did something for the speaker that belongs to the house.
    fn has_served(&self) -> bool {
        let opening = self.statement.run.start + 2;
        let is_name = |hit: &Hit| hit.cue == Cue::Name && hit.words.start < opening;
        let is_named = self.statement.begins_with_name() || self.statement.hits.iter().any(is_name);
        let is_of_house = self.has(&[Cue::World, Cue::Property, Cue::Post, Cue::Staff]);
        is_named && self.has(&[Cue::Served]) && is_of_house && !self.has_kin()
    }

    /// The speaker, someone close or someone named is spoken of.
    fn is_of_person(&self) -> bool {
        self.is_of_speaker()
            || self.tells(Cue::Myself)
            || self.statement.begins_with_name()
            || self.has_kin()
            || self.has(&[Cue::Name, Cue::Somebody])
    }

    fn is_of_the_world(&self) -> bool {
        let of_house = [Cue::Property, Cue::Work, Cue::Tip, Cue::HowTo, Cue::Commercial, Cue::Standing];
        self.has(&of_house) || self.has(&[Cue::World])
    }

    fn is_of_speaker(&self) -> bool {
        self.tells(Cue::Singular) || self.tells(Cue::Own)
    }

    fn is_private(&self) -> bool {
        self.has_kin() || self.has(&[Cue::Preference])
    }

    fn is_quiet(&self) -> bool {
        self.has(&[Cue::Hush, Cue::Confidential])
    }

    fn is_ours(&self) -> bool {
        self.has(&[Cue::Firm])
    }

    /// How many words of trade there are.
    fn trade(&self) -> usize {
        let of_trade = |hit: &&Hit| matches!(hit.cue, Cue::Trade | Cue::Insider);
        let mut places: Vec<usize> =
            self.statement.hits.iter().filter(of_trade).map(|hit| hit.words.start).collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    /// Whether someone close is spoken of; "your colleague" is someone of the house.
    fn has_kin(&self) -> bool {
        let of_house = |kin: &Hit| {
            let employed = self.statement.hits.iter().filter(|hit| hit.cue == Cue::Employee);
            employed
                .into_iter()
                .any(|hit| hit.words.start <= kin.words.start && kin.words.end <= hit.words.end)
        };
        self.statement.hits.iter().any(|hit| hit.cue == Cue::Kin && !of_house(hit))
    }

    /// Whether a name stands in it, as far as one can tell: a listed one, or a capital no list knows.
    fn names_someone(&self) -> bool {
        let is_known =
            |at: usize| self.statement.hits.iter().any(|hit| hit.cue != Cue::Name && hit.words.contains(&at));
        let words = self.statement.words.iter().zip(self.statement.run.clone());
        let mut names = words.filter(|(word, at)| word.is_capital && word.folded.len() > 2 && !is_known(*at));
        self.has(&[Cue::Name]) || names.next().is_some()
    }

    fn has_number(&self) -> bool {
        self.statement.has_number()
    }

    fn has(&self, cues: &[Cue]) -> bool {
        self.statement.has(cues)
    }

    fn tells(&self, own: Cue) -> bool {
        tells(self.statement, own)
    }
}
