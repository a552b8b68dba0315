//! `POST /personas` and `POST /setup/persona`: creates a persona.

use domain::{
    EntryOwner, Event, EventKind, MemoryType, PersonaDocument, PersonaName, Seed, Strength, Text,
    TimelineEntry, TimelineId, Timestamp,
};
use store::{
    Batch, Change, Conflict, Deployment, DocumentName, EventDraft, Expect, NewPersona, PersonaEntry,
    StoreError,
};
use wire::persona::{CreatePersona, PersonaAnswer, SetUpPersona};
use wire::{Code, Problem};

use crate::call::{Call, CallerBounds, PersonaKey};
use crate::persona::adopt::capitalised;
use crate::persona::face::NewFace;
use crate::persona::show::portray;
use crate::persona::templates as template;
use crate::{Engine, boxed};

/// How many numbers are tried when a name is taken.
pub(crate) const NAMES_TRIED: u32 = 1000;

/// What the log says of every new persona whose document is signed here.
pub(crate) const CREATED: [EventKind; 2] = [EventKind::PersonaCreated, EventKind::PersonaSigned];

impl Engine {
    /// Creates a persona from a few facts: a folder, a signed document, and a first event, its birth.
    #[boxed]
    pub async fn create_persona(&self, call: &Call, asked: CreatePersona) -> Result<PersonaAnswer, Problem> {
        self.check_tenant(call, &asked.tenant_id).await?;
        check_unbound(call)?;
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.tenant_request(&call.caller.tenant, ticket.tag()).await?;
            if let Some(id) = ticket.resource(before)? {
                return self.persona_again(call, &id).await;
            }
        }
        let slug = slug(&format!("{}-{}", asked.seed.first_name, asked.seed.last_name));
        for number in 1..=NAMES_TRIED {
            let name = numbered(&slug, number)?;
            let mut document = self.new_document(&call.caller.tenant, &name, asked.template, call.now)?;
            document.identity.display_name = format!("{} {}", asked.seed.first_name, asked.seed.last_name);
            document.identity.seed = Some(asked.seed.clone());
            let files = template::documents(&document.identity.display_name, None, &asked.seed.summary());
            match self.register(call, &document, files, &CREATED).await {
                Err(StoreError::Conflict(Conflict::NameTaken { .. })) => {}
                Err(error) => return Err(error.into()),
                Ok(entry) => {
                    self.append_birth(call, &entry, &asked.seed).await?;
                    if let Some(ticket) = &ticket {
                        let answered = ticket.answered(201, entry.id.to_string(), call.now);
                        self.record_request(call, answered).await?;
                    }
                    return self.persona_again(call, &entry.id.to_string()).await;
                }
            }
        }
        Err(Problem::new(Code::NameTaken, format!("`{slug}` and {NAMES_TRIED} numbered names are taken")))
    }

    /// Creates a persona's folder from templates. A taken name writes nothing.
    #[boxed]
    pub async fn set_up_persona(&self, call: &Call, asked: SetUpPersona) -> Result<PersonaAnswer, Problem> {
        check_unbound(call)?;
        let mut document = self.new_document(&call.caller.tenant, &asked.name, asked.template, call.now)?;
        document.identity.display_name =
            asked.display_name.unwrap_or_else(|| capitalised(asked.name.as_str()));
        let face = NewFace {
            emoji: asked.emoji.clone().into(),
            greeting: asked.greeting.into(),
            picture: asked.picture.into(),
        };
        face.write(&mut document)?;
        let described = asked.description.unwrap_or_default();
        let files = template::documents(&document.identity.display_name, asked.emoji.as_deref(), &described);
        let entry = self.register(call, &document, files, &CREATED).await?;
        self.persona_again(call, &entry.id.to_string()).await
    }

    /// Signs the document of a new persona, and makes its folder with these files. The log says that by these `kinds`.
    pub(crate) async fn register(
        &self,
        call: &Call,
        document: &PersonaDocument,
        files: Vec<(DocumentName, Text)>,
        kinds: &[EventKind],
    ) -> Result<PersonaEntry, StoreError> {
        let identity = &document.identity;
        let entry = PersonaEntry {
            tenant: identity.tenant.clone(),
            id: identity.id,
            name: identity.name.clone(),
            created_at: call.now,
        };
        let signed = self.signed(document, call.now).map_err(|problem| StoreError::Vault(problem.detail))?;
        let mut documents = vec![(DocumentName::Persona, signed)];
        documents.extend(files);
        let event = |kind: &EventKind| EventDraft::new(*kind, call.caller.actor.clone()).about(entry.id);
        let events = kinds.iter().map(event).collect();
        self.store.create_persona(NewPersona { entry: entry.clone(), documents, events }).await?;
        Ok(entry)
    }

    /// Appends the birth event of a persona made from facts.
    async fn append_birth(&self, call: &Call, persona: &PersonaEntry, seed: &Seed) -> Result<(), Problem> {
        let id = TimelineId(self.new_uuid(call.now)?);
        let owner = EntryOwner { tenant: persona.tenant.clone(), persona: persona.id };
        let born = TimelineEntry::new(id, owner, 1, birth(seed, call.now), call.now);
        let event = EventDraft::new(EventKind::TimelineAppended, call.caller.actor.clone()).about(id);
        let batch = Batch::at(call.now)
            .expecting(Expect::TimelineHead(0))
            .with(Change::AppendEntry(Box::new(born)))
            .with_event(event);
        self.commit(&persona.scope(), batch).await?;
        Ok(())
    }

    /// The persona created by an earlier request.
    #[boxed]
    pub async fn persona_again(&self, call: &Call, id: &str) -> Result<PersonaAnswer, Problem> {
        let key: PersonaKey = id.parse().map_err(|error| crate::error::nothing_named(&error))?;
        let persona = self.find(call, &key).await.map_err(|problem| gone(problem, id))?;
        Ok(PersonaAnswer { persona: portray(&persona) })
    }
}

/// The problem of a repeated request whose resource no longer exists.
pub(crate) fn gone(problem: Problem, id: &str) -> Problem {
    let missing = [Code::PersonaNotFound, Code::MemoryNotFound, Code::TimelineEntryNotFound];
    if missing.contains(&problem.code) {
        return Problem::new(
            Code::ResourceGone,
            format!("{id} was created by this request before, and has been deleted since"),
        );
    }
    problem
}

fn birth(seed: &Seed, now: Timestamp) -> Event {
    Event {
        event_at: years_before(now, seed.age),
        event_label: Text::new("Born"),
        facts: Text::new(format!("{} {} was born.", seed.first_name, seed.last_name)),
        feelings: Text::new("Nothing of it is remembered."),
        interpretation: Text::new("It is where the story begins."),
        emotion_tags: Vec::new(),
        memory_type: MemoryType::Normal,
        memory_strength: Strength::clamped(30.0),
        metadata: std::collections::BTreeMap::new(),
    }
}

/// The same day and time `years` earlier, by the calendar.
fn years_before(now: Timestamp, years: u8) -> Timestamp {
    let zoned = now.to_jiff().to_zoned(jiff::tz::TimeZone::UTC);
    let earlier = zoned.checked_sub(jiff::Span::new().years(i64::from(years)));
    earlier.map_or(now, |earlier| Timestamp::from_millis(earlier.timestamp().as_millisecond()))
}

/// The folder name: a `full` name reduced to the characters allowed in paths.
pub(crate) fn slug(full: &str) -> String {
    let lower = text::without_accents(full).flat_map(char::to_lowercase);
    let mapped: String = lower.map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = mapped.split('-').filter(|part| !part.is_empty()).collect();
    let joined: String = parts.join("-").chars().take(26).collect();
    match joined.trim_end_matches('-') {
        "" => "persona".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        name => name.to_owned(),
    }
}

pub(crate) fn numbered(slug: &str, number: u32) -> Result<PersonaName, Problem> {
    let name = if number == 1 { slug.to_owned() } else { format!("{slug}-{number}") };
    name.parse().map_err(|error: domain::InvalidId| Problem::new(Code::ValidationFailed, error.to_string()))
}

/// Refuses a caller who is bound to one persona or one person.
pub(crate) fn check_unbound(call: &Call) -> Result<(), Problem> {
    if call.caller.bound == CallerBounds::default() {
        return Ok(());
    }
    let detail = "this key is bound to one persona or person and can't create another persona; use an \
        unbound key";
    Err(Problem::new(Code::Forbidden, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_folder_whatever_its_letters() {
        for (first, last, expected) in [
            ("Maya", "Chen", "maya-chen"),
            ("Ștefania", "D'Angelo", "stefania-d-angelo"),
            ("李", "小龍", "persona"),
            ("3PO", "C", "_3po-c"),
            ("../..", "/etc", "etc"),
            ("Bartholomew-Maximilian", "Featherstonehaugh", "bartholomew-maximilian-fea"),
        ] {
            let made = slug(&format!("{first}-{last}"));
            assert_eq!(made, expected);
            assert!(made.parse::<PersonaName>().is_ok(), "{made}");
            assert!(numbered(&made, 1000).is_ok());
        }
    }

    #[test]
    fn a_birthday_is_found_by_the_calendar() {
        let now: Timestamp = "2024-02-29T10:00:00Z".parse().unwrap();
        assert_eq!(years_before(now, 34).to_string(), "1990-02-28T10:00:00.000Z");
        assert_eq!(years_before(now, 0), now);
    }
}
