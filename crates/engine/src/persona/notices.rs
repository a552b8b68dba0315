//! Notices about a persona, the same for every door.

use domain::PersonaName;
use wire::persona::{MemoryState, Notice, NoticeCode, PersonaView};

use crate::Engine;
use crate::persona::document::LoadedDocument;
use crate::persona::registry::PersonaContext;
use crate::persona::show::portray;

impl Engine {
    /// All current notices about a persona.
    pub(crate) async fn notices(&self, persona: &PersonaContext) -> Vec<Notice> {
        let memory = of_memory(&persona.loaded, &persona.entry.name);
        memory.into_iter().chain(self.copied_notice(persona).await).collect()
    }

    /// A persona as lists show it, with its notices.
    pub(crate) async fn portrayed(&self, persona: &PersonaContext) -> PersonaView {
        let mut view = portray(persona);
        view.notices.extend(self.copied_notice(persona).await);
        view
    }

    /// Says where the database of a copied folder is, until it is removed.
    async fn copied_notice(&self, persona: &PersonaContext) -> Option<Notice> {
        persona.loaded.copied_from()?;
        let set_aside = self.home().ok()?.set_aside_in(&persona.entry).await.ok()?;
        let file = set_aside.first()?;
        let name = &persona.entry.name;
        let text = format!(
            "`{name}` was copied from another persona's folder and is a persona of its own, with an empty memory; the \
             database that came with the copy is set aside as {file}, and `selfhood doctor --fix` removes it"
        );
        Some(Notice { code: NoticeCode::Copied, text })
    }
}

/// Says that a persona's memory is off, and how to turn it on.
pub(crate) fn of_memory(loaded: &LoadedDocument, name: &PersonaName) -> Option<Notice> {
    let (code, text) = match loaded.memory() {
        MemoryState::On => return None,
        MemoryState::Paused => (
            NoticeCode::MemoryPaused,
            format!(
                "memory is paused: persona.json was edited since it was signed; `selfhood persona sign --persona {name}` resumes it"
            ),
        ),
        MemoryState::Off => (
            NoticeCode::MemoryOff,
            format!(
                "memory is off: `memoryPolicy.enabled` is false in persona.json; set it to true and run \
                 `selfhood persona sign --persona {name}` to resume it"
            ),
        ),
    };
    Some(Notice { code, text })
}
