//! Gathers the input of the built-in voice: what is recalled, what was said before, and what will be stored.

use domain::creation::permits_sensitive;
use domain::{MemoryId, Text};
use jiff::tz::TimeZone;
use llm::{FinishReason, Message};
use recall::Recollection;
use store::{Records, StoredAtom};
use wire::Problem;

use super::{EndReason, Pieces, Reply, ReplyInProgress, ReplyPiece, send};
use crate::cpu_pool::Cancellation;
use crate::learning::form::TurnInSession;
use crate::talk::converse::{exchange, offline, record};

/// With fewer words a conversation has hardly any function words to tell its language by.
const FEW_WORDS: usize = 8;

impl ReplyInProgress {
    /// The reply of the built-in voice.
    pub(super) async fn speak_from_memory(&mut self, pieces: &Pieces) -> Result<Reply, EndReason> {
        let is_first = self.request.messages.len() <= 1;
        let answer = match offline::consent::words(self.consent, self.spoken_language()) {
            Some(words) => words.to_owned(),
            None => self.answer_from_memory().await?,
        };
        for word in answer.split_inclusive(' ') {
            self.say(word, pieces).await?;
        }
        self.say_rest(pieces).await?;
        if is_first {
            let persona = &self.prepared.persona;
            let (language, state) = (self.spoken_language(), persona.loaded.memory());
            let notice = offline::notice(language, state, &persona.entry.name);
            send(pieces, ReplyPiece::Words(Text::new(format!("\n\n{notice}")))).await?;
            self.notice = Some(notice);
        }
        Ok(self.reply(Vec::new(), None, FinishReason::Stop))
    }

    async fn answer_from_memory(&self) -> Result<String, Problem> {
        let document = self.prepared.persona.loaded.document.clone();
        let (_, view) = self.engine.view(&self.prepared.persona).await?;
        let identity = self.identity.as_str().to_owned();
        let story =
            offline::OwnStory { persona: document, identity, timeline: view.timeline, now: self.call.now };
        let mut earlier = self.request.messages.clone();
        let last = earlier.iter().rposition(|message| matches!(message, Message::User(_)));
        earlier.truncate(last.unwrap_or(0));
        let (message, subject) = (self.utterance.message.clone(), self.prepared.listener.subject.clone());
        let voice = offline::Voice {
            story,
            language: self.spoken_language(),
            subject,
            earlier,
            encoder: self.engine.cue_encoder().cloned(),
        };
        // Encoding takes milliseconds per sentence, so it must not run on an async worker.
        let read = move |_: &Cancellation| {
            let heard = voice.read(message.as_str());
            (voice, heard)
        };
        let (voice, heard) = self.engine.run_cpu_work(&self.call, read).await?;
        let recalled = self.recollection.as_deref().map(|recalled| recalled.recollection.clone());
        let mut recalled: Vec<Recollection> = recalled.into_iter().collect();
        for cue in heard.cues() {
            let again = record::Regeneration::None;
            let (more, _) = self.engine.recollect_for(&self.call, &self.prepared, &cue.words, again).await?;
            recalled.push(more.recollection);
        }
        let atoms = self.recalled_atoms(&recalled).await?;
        let outdated = self.outdated(&atoms).await?;
        let notes = self.notes(atoms);
        let outcome = self.outcome().await?;
        let recalled = offline::Recalled { recollections: recalled, notes, outdated, outcome };
        let answer = move |_: &Cancellation| voice.answer(&heard, &recalled);
        self.engine.run_cpu_work(&self.call, answer).await
    }

    /// The language the person speaks in this conversation; the persona's own, unless theirs is clearly another.
    pub(super) fn spoken_language(&self) -> &'static str {
        let said = self.request.messages.iter().filter_map(exchange::heard);
        let said: Vec<&str> = said.chain([self.utterance.message.as_str()]).collect();
        let declared = &self.prepared.persona.loaded.document.identity.language;
        let said = said.join(" ");
        if said.split_whitespace().count() < FEW_WORDS
            && let Some(language) = offline::language_of_few(&said, declared)
        {
            return language;
        }
        // Two independent readings must agree before the persona leaves its own language.
        match ::formation::language_of(&said, declared) {
            language if language == recall::language::language_of(&said, declared) => language,
            _ => ::formation::language_of("", declared),
        }
    }

    /// What will be stored of the message, if it is on the record.
    async fn outcome(&self) -> Result<offline::Outcome, Problem> {
        let persona = &self.prepared.persona;
        let Some(recorded_turn) = &self.recorded_turn else { return Ok(offline::Outcome::default()) };
        let said = TurnInSession { session: &recorded_turn.session, turn: &recorded_turn.turn };
        let forecast = self.engine.forecast(persona, said, self.recall, self.call.now).await?;
        let is_asked_for = forecast.is_asked_for;
        if let Some(reason) = offline::NotKept::without_memory(persona.loaded.memory()) {
            let not_kept = forecast.finds_something().then_some(reason);
            return Ok(offline::Outcome { is_remembered: false, is_asked_for, not_kept, record: None });
        }
        let reason = if permits_sensitive(&persona.loaded.document) {
            offline::NotKept::ConsentMissing
        } else {
            offline::NotKept::Forbidden
        };
        Ok(offline::Outcome {
            is_remembered: forecast.remembers,
            is_asked_for,
            not_kept: forecast.refuses_sensitive.then_some(reason),
            record: forecast.refuses_sensitive.then(|| self.record_end(recorded_turn)),
        })
    }

    /// How long the record has this message.
    fn record_end(&self, recorded_turn: &record::RecordedTurn) -> offline::RecordEnd {
        let document = &self.prepared.persona.loaded.document;
        let retention = &document.memory_policy.retention_policy;
        let end = retention.record_ends(&recorded_turn.session.subject, recorded_turn.turn.at);
        let Some(end) = end else { return offline::RecordEnd::Never };
        let zone = TimeZone::get(&document.identity.timezone).unwrap_or(TimeZone::UTC);
        offline::RecordEnd::On(end.to_jiff().to_zoned(zone).date())
    }

    /// The stored records of the recalled memories.
    async fn recalled_atoms(&self, recalled: &[Recollection]) -> Result<Vec<StoredAtom>, Problem> {
        let mut ids: Vec<MemoryId> =
            recalled.iter().flat_map(|one| &one.memories).map(|memory| memory.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let scope = self.prepared.persona.entry.scope();
        self.engine.store.atoms(&scope, &ids).await.map_err(Problem::from)
    }

    /// The gists that `atoms` superseded: earlier turns of this conversation may still contain them.
    async fn outdated(&self, atoms: &[StoredAtom]) -> Result<Vec<Text>, Problem> {
        let ids: Vec<MemoryId> = atoms.iter().filter_map(|stored| stored.atom.revises).collect();
        let scope = self.prepared.persona.entry.scope();
        let replaced = self.engine.store.atoms(&scope, &ids).await?;
        Ok(replaced.into_iter().map(|stored| stored.atom.gist).collect())
    }

    /// Facts about the recalled memories besides their text.
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
