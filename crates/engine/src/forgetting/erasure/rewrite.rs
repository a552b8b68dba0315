//! Removes the subject from other people's text: files, day logs, digests, titles and sealed documents.

use std::collections::BTreeSet;

use domain::{Text, Timestamp};
use store::{DocumentName, Documents, Records, Scope, Session, Target, TurnId};
use wire::Problem;
use wire::note::{Note, NoteCode};

use super::item::{Item, ItemKind, is_old_digest};
use super::words::SearchTerms;
use crate::Engine;
use crate::talk::day_log::without_turns;

impl Engine {
    /// Removes the subject from titles and sealed documents of others. The keys that sealed the old text are
    /// renewed through the targets.
    pub(super) async fn rewrite_records(
        &self,
        scope: &Scope,
        to_destroy: &[&Item],
        wanted: &SearchTerms,
        at: Timestamp,
    ) -> Result<Vec<Target>, Problem> {
        let mut targets = Vec::new();
        // A digest is sealed under the key of its turns, so that key is renewed when they are destroyed.
        let turns: BTreeSet<TurnId> = to_destroy.iter().filter_map(|item| turn(item)).collect();
        self.remove_from_digests(scope, &turns, at).await?;
        for item in to_destroy {
            let owner = match &item.what {
                ItemKind::Session(id) => {
                    let Some(session) = self.store.session(scope, id).await? else {
                        continue;
                    };
                    let without = |session: Session| session_without_names(&session, wanted);
                    self.update_session(scope, id, at, without).await?;
                    session.subject
                }
                ItemKind::SubjectDocument(owner, name) => {
                    let Ok(name) = name.parse() else { continue };
                    let sealed = self.sealed_documents_of(scope, owner, at);
                    sealed.rewrite(name, |text| wanted.remove_names(text)).await?;
                    owner.clone()
                }
                ItemKind::Subject { .. }
                | ItemKind::Atom(_)
                | ItemKind::Entry(_)
                | ItemKind::Turn(_)
                | ItemKind::Trace(_)
                | ItemKind::Document(_) => continue,
            };
            // An interruption may have come between writing the new text and destroying the key of the old,
            // so that key is renewed even if nothing is left to remove.
            targets.push(Target::Renew(owner));
        }
        Ok(targets)
    }

    /// Rewrites or deletes the plain files that name the subject, and returns what only a person can do.
    pub(super) async fn rewrite_files(
        &self,
        scope: &Scope,
        to_destroy: &[&Item],
        wanted: &SearchTerms,
        at: Timestamp,
    ) -> Result<Vec<Note>, Problem> {
        let files = self.files_of(scope, at);
        let mut by_hand = Vec::new();
        let turns: BTreeSet<TurnId> = to_destroy.iter().filter_map(|item| turn(item)).collect();
        if !turns.is_empty() {
            for name in self.store.list(scope).await? {
                if matches!(name, DocumentName::DayLog(_)) {
                    files.rewrite(name, |text| without_turns(text, &turns)).await?;
                }
            }
        }
        for item in to_destroy {
            let Some(name) = item.document() else { continue };
            if name == DocumentName::Persona {
                let text = "persona.json names the subject; edit it by hand and sign it with `selfhood persona sign`";
                by_hand.push(Note::new(NoteCode::DocumentNamesPerson, text));
            } else if item.is_own() || is_old_digest(&name.to_string()) {
                files.remove(name).await?;
            } else {
                files.rewrite(name, |text| wanted.remove_names(text)).await?;
            }
        }
        Ok(by_hand)
    }
}

fn turn(item: &Item) -> Option<TurnId> {
    match item.what {
        ItemKind::Turn(id) => Some(id),
        ItemKind::Subject { .. }
        | ItemKind::Atom(_)
        | ItemKind::Entry(_)
        | ItemKind::Trace(_)
        | ItemKind::Session(_)
        | ItemKind::SubjectDocument(..)
        | ItemKind::Document(_) => None,
    }
}

/// A session without the subject in its title, checkpoint and state; `None` if they don't name the subject.
fn session_without_names(session: &Session, wanted: &SearchTerms) -> Option<Session> {
    let mut remaining = session.clone();
    if let Some(title) = &mut remaining.title {
        *title = wanted.remove_names(title.as_str()).map_or_else(|| title.clone(), Text::new);
    }
    if let Some(checkpoint) = &mut remaining.checkpoint {
        let text = wanted.remove_names(checkpoint.text.as_str());
        checkpoint.text = text.map_or_else(|| checkpoint.text.clone(), Text::new);
    }
    wanted.remove_from_value(&mut remaining.state.0);
    (remaining != *session).then_some(remaining)
}
