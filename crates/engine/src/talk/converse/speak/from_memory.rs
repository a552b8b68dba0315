//! What the built-in voice answers: it is asked with what is recalled, what was said before, and what will be kept.

use std::sync::Arc;

use domain::creation::permits_sensitive;
use domain::{MemoryId, Text};
use llm::{FinishReason, Message};
use recall::Recollection;
use store::{Formation, Records, StoredAtom};
use wire::Problem;

use super::{EndReason, Pieces, Reply, ReplyInProgress, Spoken, send};
use crate::cpu_pool::Cancellation;
use crate::error::told;
use crate::talk::converse::{formation, offline, record};

impl ReplyInProgress {
    /// The built-in voice: what is known, in the persona's own words.
    pub(super) async fn speak_from_memory(&mut self, pieces: &Pieces) -> Result<Reply, EndReason> {
        let is_first = self.request.messages.len() <= 1;
        let answer = self.answer_from_memory().await?;
        for word in answer.split_inclusive(' ') {
            self.say(word, pieces).await?;
        }
        self.say_rest(pieces).await?;
        if is_first {
            let notice = offline::notice(&self.prepared.found.standing.document.identity.language);
            send(pieces, Spoken::Words(Text::new(format!("\n\n{notice}")))).await?;
            self.notice = Some(notice);
        }
        Ok(self.reply(Vec::new(), None, FinishReason::Stop))
    }

    async fn answer_from_memory(&self) -> Result<String, Problem> {
        let document = self.prepared.found.standing.document.clone();
        let (_, view) = self.engine.view(&self.prepared.found).await?;
        let identity = self.identity.as_str().to_owned();
        let story =
            offline::OwnStory { persona: document, identity, timeline: view.timeline, now: self.call.now };
        let mut earlier = self.request.messages.clone();
        let last = earlier.iter().rposition(|message| matches!(message, Message::User(_)));
        earlier.truncate(last.unwrap_or(0));
        let (message, subject) = (self.said.message.clone(), self.prepared.listener.subject.clone());
        let voice = offline::Voice {
            story,
            subject,
            earlier,
            examples: Arc::clone(&self.engine.intent_examples),
            encoder: self.engine.cue_encoder.clone(),
        };
        // Encoding sentences takes milliseconds each, and no async worker should wait for it.
        let read = move |_: &Cancellation| {
            let heard = voice.read(message.as_str());
            (voice, heard)
        };
        let (voice, heard) = self.engine.run_cpu_work(&self.call, read).await?;
        let mut recalled: Vec<Recollection> = self.recollection.as_deref().cloned().into_iter().collect();
        for cue in heard.cues() {
            let again = record::Again::First;
            let more = self.engine.recollect_for(&self.call, &self.prepared, &cue.words, again).await?;
            recalled.extend(more.map(|more| more.recollection));
        }
        let atoms = self.recalled_atoms(&recalled).await?;
        let outdated = self.outdated(&atoms).await?;
        let notes = self.notes(atoms);
        let outcome = self.outcome().await?;
        let recalled = offline::Recalled { recollections: recalled, notes, outdated, outcome };
        let answer = move |_: &Cancellation| voice.answer(&heard, &recalled);
        self.engine.run_cpu_work(&self.call, answer).await
    }

    /// What will become of what was said, as far as it is on the record.
    async fn outcome(&self) -> Result<offline::Outcome, Problem> {
        let found = &self.prepared.found;
        let (Some(begun), Formation::Pending) = (&self.begun, formation(found)) else {
            return Ok(offline::Outcome::default());
        };
        let foreseen = self.engine.foresee(found, &begun.session, &begun.turn, self.call.now).await?;
        let reason = if permits_sensitive(&found.standing.document) {
            offline::NotKept::ConsentMissing
        } else {
            offline::NotKept::Forbidden
        };
        Ok(offline::Outcome {
            is_remembered: foreseen.remembers,
            is_asked_for: foreseen.is_asked_for,
            not_kept: foreseen.refuses_sensitive.then_some(reason),
        })
    }

    /// The recalled memories as they are stored.
    async fn recalled_atoms(&self, recalled: &[Recollection]) -> Result<Vec<StoredAtom>, Problem> {
        let mut ids: Vec<MemoryId> =
            recalled.iter().flat_map(|one| &one.memories).map(|told| told.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let scope = self.prepared.found.entry.scope();
        self.engine.store.atoms(&scope, &ids).await.map_err(told)
    }

    /// The gists that `atoms` took the place of: the same words may still stand in this conversation.
    async fn outdated(&self, atoms: &[StoredAtom]) -> Result<Vec<Text>, Problem> {
        let ids: Vec<MemoryId> = atoms.iter().filter_map(|stored| stored.atom.revises).collect();
        let scope = self.prepared.found.entry.scope();
        let replaced = self.engine.store.atoms(&scope, &ids).await.map_err(told)?;
        Ok(replaced.into_iter().map(|stored| stored.atom.gist).collect())
    }

    /// What is known of the recalled memories besides their words.
    fn notes(&self, atoms: Vec<StoredAtom>) -> Vec<offline::Note> {
        let subject = &self.prepared.listener.subject;
        let note = |stored: StoredAtom| offline::Note {
            id: stored.atom.id,
            is_speakers: stored.atom.subject.is_some() && stored.atom.subject == *subject,
            said_by: stored.atom.said_by,
        };
        atoms.into_iter().map(note).collect()
    }
}
