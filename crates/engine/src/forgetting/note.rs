//! The free text of a redaction: sealed beside the log, and refused if it names a person of the memory.

use domain::identifier::{Identifier, find};
use domain::{Atom, SubjectRef, Text};
use store::{Records, Scope};
use wire::{Pointed, Problem};

use crate::Engine;

impl Engine {
    /// Refuses a `note` that names anyone in `atom`, because the note outlives the memory.
    pub(crate) async fn check_note(
        &self,
        scope: &Scope,
        atom: &Atom,
        note: Option<&Text>,
    ) -> Result<(), Problem> {
        let Some(note) = note else { return Ok(()) };
        let people = self.store.subjects(scope).await?;
        let named =
            |person: &SubjectRef| atom.subject.as_ref() == Some(person) || atom.mentions.contains(person);
        let known = people.iter().filter(|person| named(&person.subject));
        let references = known
            .flat_map(|person| std::iter::once(&person.subject).chain(&person.aliases))
            .chain(&atom.subject)
            .chain(&atom.mentions);
        let identifiers: Vec<Identifier> = references.flat_map(identifiers).collect();
        if find(&identifiers, note.as_str()).is_empty() {
            return Ok(());
        }
        let detail = "names a person of the memory; give a reason without names".to_owned();
        Err(wire::read::invalid(vec![Pointed { pointer: "/note".to_owned(), detail }]))
    }
}

/// A whole reference, and the part after its last colon: people say `ana` for `guest:ana`.
fn identifiers(reference: &SubjectRef) -> impl Iterator<Item = Identifier> {
    let whole = reference.as_str();
    let name = whole.rsplit_once(':').map(|(_, name)| name);
    std::iter::once(whole).chain(name).filter_map(|text| text.parse().ok()).collect::<Vec<_>>().into_iter()
}
