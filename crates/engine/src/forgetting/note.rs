//! Free words about a redaction: sealed beside the log, and refused when they name whom it is about.

use domain::identifier::{Identifier, find};
use domain::{Atom, SubjectRef, Text};
use store::{Records, Scope};
use wire::{Pointed, Problem};

use crate::Engine;
use crate::error::told;

impl Engine {
    /// Refuses a `note` that names anyone in `atom`: the words outlive the memory, so they must not.
    pub(crate) async fn check_note(
        &self,
        scope: &Scope,
        atom: &Atom,
        note: Option<&Text>,
    ) -> Result<(), Problem> {
        let Some(note) = note else { return Ok(()) };
        let people = self.store.subjects(scope).await.map_err(told)?;
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
        let detail = "names somebody the memory is about; say why without saying who".to_owned();
        Err(wire::read::invalid(vec![Pointed { pointer: "/note".to_owned(), detail }]))
    }
}

/// A reference as a whole, and what stands after its last colon: `guest:ana` is `ana` to people.
fn identifiers(reference: &SubjectRef) -> impl Iterator<Item = Identifier> {
    let whole = reference.as_str();
    let name = whole.rsplit_once(':').map(|(_, name)| name);
    std::iter::once(whole).chain(name).filter_map(|text| text.parse().ok()).collect::<Vec<_>>().into_iter()
}
