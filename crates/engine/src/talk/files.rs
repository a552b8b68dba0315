//! `/files`: the owner's files in a persona's folder, for editors that use the API.
//!
//! A write names the hash of the version its writer has seen. Day logs are a projection of the record and
//! read-only; `persona.json`, `TASKS.json` and `CRONS.json` are validated before they are written, so that
//! the next request can read them.

use std::collections::BTreeMap;

use domain::validate::{ValidationContext, is_valid, validate};
use domain::{Text, Timestamp, Tokens};
use serde_json::Value;
use store::{Document, DocumentClass, DocumentHash, DocumentName, Documents, PersonaEntry, StoreError};
use wire::file::{FileAnswer, FileContent, FileEntry, FileList, WriteFile};
use wire::key::Speaks;
use wire::{Code, Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::talk::context::lowest_tier;
use crate::talk::tools::{check_crons, check_tasks};
use crate::{Engine, boxed};

/// The version of a file that its writer has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Not given.
    Unsaid,
    /// The file doesn't exist.
    Nothing,
    /// One of these tags.
    Tags(Vec<String>),
}

impl Engine {
    /// The files of a persona's folder, with the prompt tokens of each.
    #[boxed]
    pub async fn list_files(&self, call: &Call, key: &PersonaKey) -> Result<FileList, Problem> {
        demand_owner(call)?;
        let persona = self.entry(call, key).await?;
        let scope = persona.scope();
        let logs = self.unwritten_logs(&persona, call.now).await?;
        let mut names = self.store.list(&scope).await?;
        names.extend(logs.keys().copied());
        names.sort_by(|a, b| match (a, b) {
            (DocumentName::DayLog(first), DocumentName::DayLog(second)) => second.cmp(first),
            _ => a.cmp(b),
        });
        let mut files = Vec::with_capacity(names.len());
        for name in names {
            let rendered = logs.get(&name).cloned();
            let document = match rendered {
                None => self.store.read(&scope, name).await?,
                rendered => rendered,
            };
            if let Some(document) = document {
                files.push(entry(name, &document));
            }
        }
        let tokens = files.iter().fold(0_u32, |sum, file| sum.saturating_add(file.tokens.0));
        Ok(FileList { files, tokens: Tokens(tokens) })
    }

    /// One file.
    #[boxed]
    pub async fn read_file(&self, call: &Call, key: &PersonaKey, name: &str) -> Result<FileAnswer, Problem> {
        demand_owner(call)?;
        let name = named(name)?;
        let persona = self.entry(call, key).await?;
        let document = if self.store.is_shared() && matches!(name, DocumentName::DayLog(_)) {
            self.unwritten_logs(&persona, call.now).await?.remove(&name)
        } else {
            self.store.read(&persona.scope(), name).await?
        };
        let document = document.ok_or_else(|| no_file(&name.to_string()))?;
        Ok(FileAnswer { file: FileContent { entry: entry(name, &document), content: document.content } })
    }

    /// Day logs without a file, because several nodes share the record: rendered on request.
    async fn unwritten_logs(
        &self,
        persona: &PersonaEntry,
        now: Timestamp,
    ) -> Result<BTreeMap<DocumentName, Document>, Problem> {
        if !self.store.is_shared() {
            return Ok(BTreeMap::new());
        }
        let logs = self.rendered_day_logs(persona, now).await?;
        let document = |(day, text)| (DocumentName::DayLog(day), Document::new(Text::new(text)));
        Ok(logs.into_iter().map(document).collect())
    }

    /// Writes a file if its writer has `seen` the current version.
    #[boxed]
    pub async fn write_file(
        &self,
        call: &Call,
        key: &PersonaKey,
        name: &str,
        seen: &ExpectedVersion,
        asked: WriteFile,
    ) -> Result<FileAnswer, Problem> {
        demand_owner(call)?;
        let name = named(name)?;
        demand_writable(name)?;
        let entry = self.entry(call, key).await?;
        let scope = entry.scope();
        let before = self.store.read(&scope, name).await?;
        let hash = expected(name, seen, before.as_ref())?;
        self.check_content(&entry, call.now, name, &asked.content)?;
        match self.store.write(&scope, name, hash, asked.content.clone()).await {
            Ok(_) => {}
            Err(StoreError::Conflict(_)) => return Err(stale(name)),
            Err(error) => return Err(error.into()),
        }
        if name == DocumentName::Persona {
            self.persona_state.reload(entry.id);
        }
        let document = Document::new(asked.content);
        Ok(FileAnswer {
            file: FileContent { entry: self::entry(name, &document), content: document.content },
        })
    }

    fn check_content(
        &self,
        persona: &PersonaEntry,
        now: Timestamp,
        name: DocumentName,
        content: &Text,
    ) -> Result<(), Problem> {
        match name.class() {
            DocumentClass::Persona => self.check_document(persona, now, content),
            DocumentClass::Tasks => check_tasks(content.as_str()),
            DocumentClass::Crons => check_crons(content.as_str()),
            DocumentClass::Character
            | DocumentClass::Person
            | DocumentClass::Digest(_)
            | DocumentClass::Sealed => Ok(()),
        }
    }

    /// Refuses an invalid `persona.json`, or one of another persona.
    fn check_document(&self, persona: &PersonaEntry, now: Timestamp, content: &Text) -> Result<(), Problem> {
        let value = vault::canonical::parse_strict(content.as_str().as_bytes())
            .map_err(|error| Problem::new(Code::MalformedJson, format!("persona.json: {error}")))?;
        let problems = validate(&value, &ValidationContext { now, added_bases: &self.consent.added });
        if !is_valid(&problems) {
            return Err(wire::read::invalid(problems.into_iter().map(Pointed::from).collect()));
        }
        let own = [
            ("id", persona.id.to_string()),
            ("tenant", persona.tenant.to_string()),
            ("name", persona.name.to_string()),
        ];
        let is_changed = |(field, own): &(&str, String)| {
            value.pointer(&format!("/identity/{field}")).and_then(Value::as_str) != Some(own.as_str())
        };
        let changed = own.into_iter().filter(is_changed).map(|(field, _)| Pointed {
            pointer: format!("/identity/{field}"),
            detail: "says who the persona is and stays as it is".to_owned(),
        });
        let changed: Vec<Pointed> = changed.collect();
        if changed.is_empty() { Ok(()) } else { Err(wire::read::invalid(changed)) }
    }
}

fn demand_owner(call: &Call) -> Result<(), Problem> {
    match call.caller.speaks {
        Speaks::Owner => Ok(()),
        Speaks::Forwarded => Err(Problem::new(
            Code::Forbidden,
            "the files belong to the owner; use a key that speaks for the owner (`selfhood key new --speaks \
            owner`)",
        )),
    }
}

fn demand_writable(name: DocumentName) -> Result<(), Problem> {
    if is_writable(name) {
        return Ok(());
    }
    let detail = format!("{name} is generated from the record and read-only; edit or delete the turn itself");
    Err(Problem::new(Code::Forbidden, detail))
}

pub(crate) fn is_writable(name: DocumentName) -> bool {
    !matches!(
        name,
        DocumentName::DayLog(_) | DocumentName::Sources(_) | DocumentName::Consents | DocumentName::ApiKeys
    )
}

fn named(name: &str) -> Result<DocumentName, Problem> {
    name.parse().map_err(|_| no_file(name))
}

fn no_file(name: &str) -> Problem {
    Problem::new(Code::NotFound, format!("there is no file `{name}`; `GET /files` lists those there are"))
}

/// The precondition for the store, if the writer has seen the current version.
fn expected(
    name: DocumentName,
    seen: &ExpectedVersion,
    before: Option<&Document>,
) -> Result<Option<DocumentHash>, Problem> {
    match (seen, before) {
        (ExpectedVersion::Unsaid, _) => Err(Problem::new(
            Code::PreconditionRequired,
            format!(
                "name the version of {name} that you have read: `If-Match` with its ETag, or \
                `If-None-Match: *` if it is new"
            ),
        )),
        (ExpectedVersion::Nothing, None) => Ok(None),
        (ExpectedVersion::Tags(tags), Some(document))
            if tags.iter().any(|tag| *tag == "*" || *tag == etag(document)) =>
        {
            Ok(Some(document.hash))
        }
        (ExpectedVersion::Nothing | ExpectedVersion::Tags(_), _) => Err(stale(name)),
    }
}

fn stale(name: DocumentName) -> Problem {
    let detail = format!("{name} has changed since you read it; read it again and repeat the edit");
    Problem::new(Code::PreconditionFailed, detail)
}

fn etag(document: &Document) -> String {
    format!("\"{}\"", document.hash)
}

fn entry(name: DocumentName, document: &Document) -> FileEntry {
    FileEntry {
        name: name.to_string(),
        tokens: Tokens::of_characters(document.content.length()),
        tier: lowest_tier(name),
        writable: is_writable(name),
        etag: etag(document),
    }
}
