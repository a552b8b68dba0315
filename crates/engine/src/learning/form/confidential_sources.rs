//! A memory formed from a conversation that had confidential memories in its prompt may repeat them: such a
//! memory is confidential too.

use std::collections::BTreeSet;

use domain::{MemoryId, PrivacyClass};
use formation::{Author, Draft};
use store::{Records, Speaker, TurnState};
use wire::Problem;

use super::Forming;
use crate::Engine;

/// Shorter words are too common to show where a memory has them from.
const TELLING: usize = 4;

/// The distinctive words of confidential memories.
pub(super) struct ConfidentialWords(BTreeSet<String>);

impl ConfidentialWords {
    /// Makes `draft` confidential if it may repeat them: if the persona said it, or if it has one of these
    /// words that was not in what was `said`.
    pub(super) fn classify(&self, draft: &mut Draft, said: &str) {
        if self.0.is_empty() {
            return;
        }
        let said = words_of(said);
        let texts = std::iter::once(&draft.gist).chain(draft.details.iter().map(|(detail, _)| detail));
        let mut words = texts.flat_map(|text| words_of(text.as_str()));
        let takes_from_them = words.any(|word| self.0.contains(&word) && !said.contains(&word));
        if draft.author == Author::Persona || takes_from_them {
            draft.privacy_class = PrivacyClass::CommercialConfidential;
        }
    }
}

impl Engine {
    /// The distinctive words of every confidential memory that was in a prompt of this conversation.
    pub(super) async fn confidential_words(
        &self,
        forming: &Forming<'_>,
    ) -> Result<ConfidentialWords, Problem> {
        let scope = forming.persona.entry.scope();
        // Traces are written after the answer, and must be stored before they are read.
        self.flush_writes(&scope).await?;
        let turns = self.store.turns(&scope, &forming.session.id).await?;
        let replies = turns
            .iter()
            .filter(|turn| turn.speaker == Speaker::Persona && turn.state != TurnState::Superseded);
        let mut shown: BTreeSet<MemoryId> = BTreeSet::new();
        for recall in replies.filter_map(|reply| reply.recall) {
            let trace = self.store.trace(&scope, recall).await?;
            shown.extend(trace.map(|trace| trace.shown).unwrap_or_default());
        }
        let shown: Vec<MemoryId> = shown.into_iter().collect();
        let atoms = self.store.atoms(&scope, &shown).await?;
        let confidential =
            atoms.iter().filter(|stored| stored.atom.privacy_class == PrivacyClass::CommercialConfidential);
        let texts = confidential.flat_map(|stored| {
            std::iter::once(&stored.atom.gist).chain(stored.atom.details.iter().map(|detail| &detail.content))
        });
        Ok(ConfidentialWords(texts.flat_map(|text| words_of(text.as_str())).collect()))
    }
}

fn words_of(text: &str) -> BTreeSet<String> {
    let words = text::words(text).map(|(_, word)| word).filter(|word| word.chars().count() >= TELLING);
    words.map(str::to_lowercase).collect()
}
