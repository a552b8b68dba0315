//! A persona as it was at an earlier time, built for one question and then let go.
//!
//! Looking back takes a while on a large persona, because every memory is read and rewound. It never
//! brings back what was redacted since, and it leaves nothing behind.

use domain::Timestamp;
use domain::history::{as_of, changed_after};
use recall::index::{Entry, Index, meaning_of};
use store::Records;
use wire::Problem;

use crate::Engine;
use crate::cpu_pool::{Cancellation, CpuOwner};
use crate::failure::told;
use crate::open::View;
use crate::personas::Found;

impl Engine {
    /// The memories that existed at `at`, as they were then; the life stays as it is told now.
    pub(crate) async fn view_as_of(&self, found: &Found, now: &View, at: Timestamp) -> Result<View, Problem> {
        let scope = found.entry.scope();
        let loaded = self.store.load(&scope).await.map_err(told)?;
        let mut atoms = Vec::new();
        for stored in loaded.atoms.into_iter().filter(|stored| stored.atom.created_at <= at) {
            let mut atom = stored.atom;
            if changed_after(&atom, at) {
                let history = self.store.rehearsals(&scope, atom.id).await.map_err(told)?;
                atom = as_of(&atom, &history, at);
            }
            atoms.push(atom);
        }
        let owner = CpuOwner { tenant: scope.tenant, persona: Some(scope.persona) };
        let language = now.snapshot.language().to_owned();
        let index = move |cancellation: &Cancellation| {
            let mut index = Index::new(&language);
            for atom in atoms.iter().take_while(|_| !cancellation.is_cancelled()) {
                index.put([Entry { atom, meaning: meaning_of(atom) }]);
            }
            index.snapshot()
        };
        Ok(View { snapshot: self.cpu.run(owner, index).await?, ..now.clone() })
    }
}
