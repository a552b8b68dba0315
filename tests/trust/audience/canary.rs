//! Words that say whose they are, so that a foreign one is known wherever it turns up.

use std::fmt;

/// Whose words these are, and who may hear them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Canary {
    pub(super) tenant: usize,
    pub(super) person: u32,
    pub(super) kind: Kind,
}

/// Who may hear a canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Its person.
    Personal,
    /// Its person, and nobody can look it up: it was said off the record.
    OffRecord,
    /// Staff.
    Confidential,
    /// Everybody of the tenant.
    Shared,
}

impl Kind {
    const ALL: [(Self, char); 4] =
        [(Self::Personal, 'p'), (Self::OffRecord, 'o'), (Self::Confidential, 'c'), (Self::Shared, 's')];
}

/// Who looks, and from where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewer {
    pub(super) tenant: usize,
    pub(super) person: u32,
    pub(super) staff: bool,
    /// Whether the route and the key show everybody's records.
    pub(super) sees_everybody: bool,
}

impl Canary {
    /// The word itself; `serial` makes it one of its own.
    pub(super) fn word(self, serial: u64) -> String {
        format!("{self}{serial:07}z")
    }

    pub(super) fn may_reach(self, viewer: &Viewer) -> bool {
        let is_own = self.person == viewer.person;
        self.tenant == viewer.tenant
            && match self.kind {
                Kind::Shared => true,
                Kind::Confidential => viewer.staff,
                Kind::Personal => is_own || viewer.sees_everybody,
                Kind::OffRecord => is_own,
            }
    }
}

impl fmt::Display for Canary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = Kind::ALL.iter().find(|(kind, _)| *kind == self.kind).map_or('?', |(_, letter)| *letter);
        write!(f, "cnry{:03}q{:05}{letter}", self.tenant, self.person)
    }
}

/// All canaries in `text`.
pub(super) fn found(text: &str) -> Vec<Canary> {
    text.match_indices("cnry").filter_map(|(at, _)| read(text.get(at + 4..)?)).collect()
}

fn read(text: &str) -> Option<Canary> {
    let tenant = text.get(..3)?.parse().ok()?;
    let person = text.get(3..)?.strip_prefix('q')?.get(..5)?.parse().ok()?;
    let letter = text.get(9..)?.chars().next()?;
    let (kind, _) = Kind::ALL.iter().find(|(_, own)| *own == letter)?;
    Some(Canary { tenant, person, kind: *kind })
}

/// The canaries in `text` that `viewer` may not see, each once.
pub(super) fn foreign(text: &str, viewer: &Viewer) -> Vec<String> {
    let mut foreign: Vec<String> =
        found(text).into_iter().filter(|it| !it.may_reach(viewer)).map(|it| it.to_string()).collect();
    foreign.sort();
    foreign.dedup();
    foreign
}

#[test]
fn a_canary_is_read_as_it_is_written() {
    let canary = Canary { tenant: 2, person: 41, kind: Kind::OffRecord };
    let text = format!("{{\"gist\":\"my word is {}.\"}}", canary.word(7));
    assert_eq!(found(&text), [canary]);
    assert_eq!(found("cnry and cnry00 are none"), []);
}
