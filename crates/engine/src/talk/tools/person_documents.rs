//! The documents of the speaker: files in the home for the owner, sealed documents of the same names for
//! everyone else.

use domain::{SubjectRef, Text, Timestamp};
use store::{Batch, Change, Document, DocumentName, Documents, Expect, Records, StoreError};
use wire::{Code, Problem};

use crate::Engine;
use crate::persona::registry::PersonaContext;

/// How often a change is retried after a concurrent edit.
const TRIES: usize = 5;
/// The longest document, in characters.
const LONGEST: usize = 200_000;

/// The documents of one person, with one persona.
pub(crate) struct PersonDocuments<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) persona: &'a PersonaContext,
    pub(crate) subject: &'a SubjectRef,
    pub(crate) now: Timestamp,
}

impl PersonDocuments<'_> {
    /// The text of a document; empty if there is none.
    pub(crate) async fn read(&self, name: DocumentName) -> Result<String, Problem> {
        Ok(self.paper(name).await?.map(|paper| paper.content.as_str().to_owned()).unwrap_or_default())
    }

    /// Changes a document, starting from its current text. A change that fails writes nothing.
    pub(crate) async fn change<T>(
        &self,
        name: DocumentName,
        change: impl Fn(&str) -> Result<(String, T), Problem>,
    ) -> Result<T, Problem> {
        for _ in 0..TRIES {
            let before = self.paper(name).await?;
            let (text, answer) = change(before.as_ref().map_or("", |paper| paper.content.as_str()))?;
            if text.chars().count() > LONGEST {
                let detail =
                    format!("{name} would have more than {LONGEST} characters; remove something first");
                return Err(Problem::new(Code::ValidationFailed, detail));
            }
            match self.write(name, before, Text::new(text)).await {
                Ok(()) => return Ok(answer),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::new(Code::Conflict, format!("{name} is being changed; try again")))
    }

    fn is_owners(&self) -> bool {
        self.subject.is_owner()
    }

    async fn paper(&self, name: DocumentName) -> Result<Option<Document>, Problem> {
        let (store, scope) = (&self.engine.store, self.persona.entry.scope());
        let read = if self.is_owners() {
            store.read(&scope, name).await
        } else {
            store.subject_document(&scope, self.subject, name).await
        };
        read.map_err(Problem::from)
    }

    async fn write(
        &self,
        name: DocumentName,
        before: Option<Document>,
        text: Text,
    ) -> Result<(), StoreError> {
        let (store, scope) = (&self.engine.store, self.persona.entry.scope());
        let hash = before.map(|paper| paper.hash);
        if self.is_owners() {
            return store.write(&scope, name, hash, text).await.map(drop);
        }
        let subject = self.subject.clone();
        let batch = Batch::at(self.now)
            .expecting(Expect::DocumentHash(subject.clone(), name, hash))
            .with(Change::PutDocument(subject, name, text));
        store.commit(&scope, batch).await.map(drop)
    }
}

/// The one of `things` that `which` means: the one it equals, else the only one that contains it.
pub(super) fn the_one<'t, T>(
    things: &'t [T],
    which: &Text,
    kind: &str,
    words: impl Fn(&T) -> Vec<String>,
) -> Result<(usize, &'t T), Problem> {
    let wanted = which.as_str().trim().to_lowercase();
    let found = |fits: &dyn Fn(&str) -> bool| -> Vec<(usize, &'t T)> {
        let any = |thing: &T| words(thing).iter().any(|own| fits(&own.to_lowercase()));
        things.iter().enumerate().filter(|(_, thing)| any(thing)).collect()
    };
    let equal = found(&|own| own == wanted);
    let fitting = if equal.is_empty() { found(&|own| own.contains(&wanted)) } else { equal };
    match fitting.as_slice() {
        [only] => Ok(*only),
        [] => {
            Err(Problem::new(Code::ValidationFailed, format!("no {kind} has these words; list them first")))
        }
        several => {
            let detail = format!("{} {kind}s have these words; give more of the one you mean", several.len());
            Err(Problem::new(Code::ValidationFailed, detail))
        }
    }
}

/// Text on one line.
pub(super) fn line(text: &Text) -> Result<String, Problem> {
    if text.trimmed().length() == 0 {
        return Err(Problem::new(Code::ValidationFailed, "the text is empty; say what to write down"));
    }
    Ok(recall::folded(text.as_str()))
}
