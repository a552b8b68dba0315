//! A persona as it was at an earlier time, or will be at a later one, built for one request and then dropped.
//!
//! That takes a while on a large persona, because every memory is read and rewound. It never shows what was
//! redacted since or is past its retention, and it writes nothing.

use domain::history::{as_of, changed_after};
use domain::{Timestamp, lifecycle};
use recall::index::{Entry, Index, meaning_of};
use store::{RecordId, Records};
use wire::Problem;

use crate::Engine;
use crate::cpu_pool::{Cancellation, CpuOwner};
use crate::memory::vectors::usable_vectors;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;

impl Engine {
    /// The memories that existed at `at`, as they were then; the timeline is the current one.
    pub(crate) async fn view_as_of(
        &self,
        persona: &PersonaContext,
        current: &View,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<View, Problem> {
        let scope = persona.entry.scope();
        let policy = &persona.loaded.document.memory_policy;
        let contacts = self.last_contacts(&scope).await?;
        let loaded = self.store.load(&scope).await?;
        let mut sentences = usable_vectors(self.store.all_vectors(&scope).await?);
        let mut atoms = Vec::new();
        for stored in loaded.atoms.into_iter().filter(|stored| stored.atom.created_at <= at) {
            let mut atom = stored.atom;
            let contact = contacts.with(atom.subject.as_ref());
            lifecycle::expire(&mut atom, policy, contact, at.max(now));
            if at < now && changed_after(&atom, at) {
                let history = self.store.rehearsals(&scope, atom.id).await?;
                atom = as_of(&atom, &history, at);
            }
            let own = sentences.remove(&RecordId::Atom(atom.id));
            let vectors = own.filter(|vectors| vectors.are_of_atom(&atom));
            atoms.push((atom, vectors));
        }
        let owner = CpuOwner { tenant: scope.tenant, persona: Some(scope.persona) };
        let language = current.snapshot.language().to_owned();
        let index = move |cancellation: &Cancellation| {
            let mut index = Index::new(&language);
            for (atom, sentences) in atoms {
                if cancellation.is_cancelled() {
                    break;
                }
                index.put([Entry { atom: &atom, meaning: meaning_of(&atom), sentences }]);
            }
            index.snapshot()
        };
        Ok(View { snapshot: self.cpu.run(owner, index).await?, ..current.clone() })
    }
}
