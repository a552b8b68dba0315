//! Finds the conversation turns that contain a memory and destroys them with it, because search and the persona would
//! otherwise still find its words there.
//!
//! These are the exchanges it was formed from, and any other turn with the same person in which a sentence says the
//! same. Other memories formed from them stay.

use std::collections::BTreeSet;

use domain::{Atom, MemoryId};
use store::{ExchangeId, Records, Scope, Session, Target, Turn};
use wire::Problem;
use wire::note::{Note, NoteCode};

use crate::Engine;
use crate::call::Call;
use crate::persona::registry::PersonaContext;

/// The turns of a conversation that tell a memory.
pub(crate) struct TellingTurns {
    session: Session,
    turns: Vec<Turn>,
}

impl Engine {
    /// The turns that tell one of `atoms`, by conversation.
    pub(crate) async fn turns_telling(
        &self,
        scope: &Scope,
        atoms: &[&Atom],
        language: &str,
    ) -> Result<Vec<TellingTurns>, Problem> {
        let mut sessions: Vec<Session> = Vec::new();
        for atom in atoms {
            let of_subject = match &atom.subject {
                Some(subject) => self.store.sessions(scope, Some(subject)).await?,
                None => Vec::new(),
            };
            let origin = self.store.session(scope, &atom.provenance.session_id).await?;
            sessions
                .extend(of_subject.into_iter().chain(origin.filter(|session| is_with_person(session, atom))));
        }
        sessions.sort_by(|a, b| a.id.cmp(&b.id));
        sessions.dedup_by(|a, b| a.id == b.id);
        let mut telling = Vec::new();
        for session in sessions {
            let turns = self.store.turns(scope, &session.id).await?;
            let turns = telling_turns(&session, turns, atoms, language);
            if !turns.is_empty() {
                telling.push(TellingTurns { session, turns });
            }
        }
        Ok(telling)
    }

    /// Destroys turns that tell a memory. The day log and the digests lose them first: while they are in the record, an
    /// interrupted redaction can be repeated.
    pub(crate) async fn destroy_telling(
        &self,
        call: &Call,
        persona: &PersonaContext,
        telling: Vec<TellingTurns>,
    ) -> Result<(), Problem> {
        let scope = persona.entry.scope();
        for TellingTurns { session, turns } in telling {
            self.remove_from_day_log(persona, &session, &turns, call.now).await?;
            self.remove_from_digests(&scope, &turns.iter().map(|turn| turn.id).collect(), call.now).await?;
            self.drop_checkpoint_of(call, &scope, &session, &turns).await?;
            let targets = turns.iter().map(|turn| Target::Turn(turn.id)).collect();
            self.destroy_talk(call, persona, targets, &turns).await?;
        }
        Ok(())
    }
}

/// Says how many turns go with a memory.
pub(crate) fn notice(telling: &[TellingTurns]) -> Option<Note> {
    let count: usize = telling.iter().map(|one| one.turns.len()).sum();
    let text = format!("{count} conversation turns that mention it are destroyed too");
    (count > 0).then(|| Note::new(NoteCode::TurnsDestroyed, text).counting(count as u64))
}

/// Whether a conversation is with the person of `atom`. The writer of a memory says where it comes from, so its
/// origin gives no right to another person's conversation.
fn is_with_person(session: &Session, atom: &Atom) -> bool {
    atom.subject.as_ref().is_none_or(|subject| *subject == session.subject)
}

fn telling_turns(session: &Session, turns: Vec<Turn>, atoms: &[&Atom], language: &str) -> Vec<Turn> {
    let ids: BTreeSet<MemoryId> = atoms.iter().map(|atom| atom.id).collect();
    let formed = |turn: &Turn| {
        let is_noted =
            turn.formed.as_ref().is_some_and(|formed| formed.remembered.iter().any(|id| ids.contains(id)));
        let is_source = atoms.iter().any(|atom| {
            let origin = &atom.provenance;
            (&origin.session_id, origin.turn_index) == (&turn.session, turn.index)
                && is_with_person(session, atom)
        });
        is_noted || is_source
    };
    let exchanges: BTreeSet<ExchangeId> =
        turns.iter().filter(|turn| formed(turn)).map(|turn| turn.exchange.clone()).collect();
    let tells = |turn: &Turn| {
        atoms.iter().any(|atom| {
            let whom = atom.subject.as_ref().map_or("", |subject| subject.as_str());
            ::formation::tells(turn.text.as_str(), atom.gist.as_str(), whom, language)
        })
    };
    turns.into_iter().filter(|turn| exchanges.contains(&turn.exchange) || tells(turn)).collect()
}
