//! First step of a recall: selects the memories that may reach this listener.
//!
//! The rule is [`domain::audience::may_reach`]; here it is evaluated for all rows at once, on columns of
//! numbers. All later steps, including word statistics, see only the selected rows, so that a person's
//! memories can't influence the ranking for another person.

use std::ops::Range;

use domain::{Listener, Scope, SessionId};
use serde::{Deserialize, Serialize};

use crate::index::Snapshot;
use crate::index::chunk::{Chunk, gate};

/// How many memories were excluded, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExcludedCounts {
    /// Redacted, archived, or waiting for a review of their sources.
    pub inactive: usize,
    /// They belong to another subject.
    pub other_subject: usize,
    /// They are for staff only.
    pub staff_only: usize,
    /// The policy's scope excludes them.
    pub out_of_scope: usize,
    /// Their initial salience is too low.
    pub too_light: usize,
    /// They have faded below the retrieval threshold.
    pub faded: usize,
    /// They are below the policy's minimum relevance.
    pub irrelevant: usize,
    /// They were rendered a few turns ago.
    pub resting: usize,
    /// A memory with nearly the same content was rendered.
    #[serde(default)]
    pub repeated: usize,
    /// Others ranked higher.
    pub outranked: usize,
    /// The model that read the shortlist did not select them.
    #[serde(default)]
    pub not_selected: usize,
    /// They did not fit into the token budget.
    pub over_budget: usize,
}

/// The verdict on a row, in one byte.
pub(crate) mod verdict {
    pub(crate) const CANDIDATE: u8 = 0;
    pub(crate) const INACTIVE: u8 = 1;
    pub(crate) const OTHER_SUBJECT: u8 = 2;
    pub(crate) const STAFF_ONLY: u8 = 3;
    pub(crate) const OUT_OF_SCOPE: u8 = 4;
    pub(crate) const TOO_LIGHT: u8 = 5;
}

/// A verdict for every row of a snapshot.
pub(crate) struct Candidates {
    pub(crate) verdicts: Vec<u8>,
    pub(crate) count: usize,
    pub(crate) rejected: ExcludedCounts,
}

/// The listener as numbers of one snapshot; an unknown listener has a number that no row has.
#[derive(Clone, Copy)]
struct Numbers {
    subject: u32,
    session: u32,
    /// The session whose unnamed speaker listens.
    own_session: u32,
    staff: bool,
    scope: Scope,
    /// Whether everybody's memories count as the listener's own, which they do in no sound build.
    owns_all: bool,
}

const UNKNOWN: u32 = u32::MAX;

/// Decides for every row of `snapshot` whether it may reach `listener`.
pub(crate) fn candidates(snapshot: &Snapshot, scope: Scope, listener: &Listener) -> Candidates {
    let people = snapshot.people();
    let session =
        |named: Option<&SessionId>| named.and_then(|named| people.session(named)).unwrap_or(UNKNOWN);
    let numbers = Numbers {
        subject: listener.subject.as_ref().and_then(|subject| people.subject(subject)).unwrap_or(UNKNOWN),
        session: session(listener.session.as_ref()),
        own_session: session(listener.own_session()),
        staff: listener.staff,
        scope,
        owns_all: is_broken(),
    };
    let mut verdicts = vec![verdict::CANDIDATE; snapshot.rows()];
    let mut passed = 0;
    for (base, chunk) in snapshot.chunks() {
        let verdicts = verdicts.get_mut(base..base + chunk.rows()).unwrap_or_default();
        if !chunk.has_any(gate::CLOSED) && scope == Scope::Deployment {
            passed += chunk.rows();
        } else {
            evaluate(chunk, numbers, verdicts);
            passed += how_many(verdicts, verdict::CANDIDATE);
        }
    }
    tally(verdicts, passed)
}

/// Works without branches, so that several rows are processed at once.
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
fn evaluate(chunk: &Chunk, listener: Numbers, verdicts: &mut [u8]) {
    let (any_session, any_person) = match listener.scope {
        Scope::Deployment => (true, true),
        Scope::Session => (false, true),
        Scope::User => (true, false),
    };
    let rows = chunk.gates.iter().zip(&chunk.subjects).zip(&chunk.sessions);
    for (((gates, subject), session), out) in rows.zip(verdicts) {
        let same_session = *session == listener.session;
        let of_unnamed = (*subject == 0) & (*session == listener.own_session);
        let own = listener.owns_all | of_unnamed | ((*subject != 0) & (*subject == listener.subject));
        let in_scope = (any_session | same_session) & (any_person | own);
        let has = |bit: u8| gates & bit != 0;
        let mut verdict = if has(gate::LIGHT) { verdict::TOO_LIGHT } else { verdict::CANDIDATE };
        verdict = if in_scope { verdict } else { verdict::OUT_OF_SCOPE };
        verdict = if has(gate::STAFF) & !listener.staff { verdict::STAFF_ONLY } else { verdict };
        verdict = if has(gate::BELONGS) & !own { verdict::OTHER_SUBJECT } else { verdict };
        *out = if has(gate::INACTIVE) { verdict::INACTIVE } else { verdict };
    }
}

/// Whether this run recalls everybody's memories for everybody, so that the trust harness can show that it would
/// notice. Without the `broken` feature it is a constant.
fn is_broken() -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == "recall")
}

fn how_many(verdicts: &[u8], which: u8) -> usize {
    verdicts.iter().map(|verdict| u32::from(*verdict == which)).sum::<u32>() as usize
}

fn tally(verdicts: Vec<u8>, passed: usize) -> Candidates {
    let count = |which: u8| how_many(&verdicts, which);
    let rejected = if passed == verdicts.len() {
        ExcludedCounts::default()
    } else {
        ExcludedCounts {
            inactive: count(verdict::INACTIVE),
            other_subject: count(verdict::OTHER_SUBJECT),
            staff_only: count(verdict::STAFF_ONLY),
            out_of_scope: count(verdict::OUT_OF_SCOPE),
            too_light: count(verdict::TOO_LIGHT),
            ..ExcludedCounts::default()
        }
    };
    Candidates { verdicts, count: passed, rejected }
}

impl Candidates {
    /// Every row, for callers that may see all memories.
    pub(crate) fn everything(snapshot: &Snapshot) -> Self {
        let verdicts = vec![verdict::CANDIDATE; snapshot.rows()];
        Self { count: verdicts.len(), verdicts, rejected: ExcludedCounts::default() }
    }

    pub(crate) fn all_pass(&self) -> bool {
        self.count == self.verdicts.len()
    }

    /// The verdicts on a range of rows; empty if every row of the snapshot passed.
    pub(crate) fn unless_all_pass(&self, rows: Range<usize>) -> &[u8] {
        if self.all_pass() { &[] } else { self.verdicts.get(rows).unwrap_or_default() }
    }

    /// Whether any memory of the subject with this number may be recalled.
    pub(crate) fn include_subject(&self, snapshot: &Snapshot, subject: u32) -> bool {
        snapshot.chunks().any(|(base, chunk)| {
            let verdicts = self.verdicts.get(base..base + chunk.rows()).unwrap_or_default();
            chunk
                .subjects
                .iter()
                .zip(verdicts)
                .any(|(number, verdict)| *number == subject && *verdict == verdict::CANDIDATE)
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::{Atom, AudienceRefusal, PrivacyClass, Trust, audience::may_reach, example};
    use proptest::prelude::*;

    use super::*;
    use crate::index::{Entry, Index, meaning_of};

    fn evaluated(atom: &Atom, scope: Scope, listener: &Listener) -> u8 {
        let mut index = Index::new("en");
        index.put([Entry { atom, meaning: meaning_of(atom), sentences: None }]);
        candidates(&index.snapshot(), scope, listener).verdicts[0]
    }

    proptest! {
        #[test]
        fn the_columns_judge_as_the_law_does(
            class in 0_usize..6, trust in 0_usize..4, subject in 0_usize..4, released in any::<bool>(),
            scope in 0_usize..3, listener in 0_usize..5, session in 0_usize..4, staff in any::<bool>(),
            origin in 1_usize..3,
        ) {
            const GUESSABLE: &str = "sess:bonvoy-2026-04-22";
            const UNGUESSABLE: &str = "sess:4f7b2c109d3e4a85b1c60e5f8a2d7b39";
            let people = [
                None,
                "guest:ana".parse().ok(),
                "guest:bogdan".parse().ok(),
                format!("anonymous:{UNGUESSABLE}").parse().ok(),
                format!("anonymous:{GUESSABLE}").parse().ok(),
            ];
            let sessions: [Option<SessionId>; 4] =
                [None, GUESSABLE.parse().ok(), UNGUESSABLE.parse().ok(), "sess:other".parse().ok()];
            let mut atom = example::plain_atom("The lobby smells of coffee.");
            atom.privacy_class = PrivacyClass::ALL[class];
            atom.trust = [Trust::Operator, Trust::Persona, Trust::User, Trust::Import][trust];
            atom.subject = people[subject].clone();
            atom.provenance.session_id = sessions[origin].clone().unwrap();
            atom.released_at = released.then(|| example::day(1));
            let scope = [Scope::Deployment, Scope::Session, Scope::User][scope];
            let listener = Listener { subject: people[listener].clone(), session: sessions[session].clone(), staff };
            let expected = match may_reach(&atom, scope, &listener) {
                Ok(()) => verdict::CANDIDATE,
                Err(AudienceRefusal::OtherSubject) => verdict::OTHER_SUBJECT,
                Err(AudienceRefusal::StaffOnly) => verdict::STAFF_ONLY,
                Err(AudienceRefusal::OutOfScope) => verdict::OUT_OF_SCOPE,
            };
            prop_assert_eq!(evaluated(&atom, scope, &listener), expected);
        }
    }
}
