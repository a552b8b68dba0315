//! `POST /personas` and `POST /setup/persona`: a persona comes to be.

use domain::{
    Event, EventKind, MemoryType, PersonaDocument, PersonaName, Seed, Strength, Text, TimelineEntry,
    TimelineId, Timestamp,
};
use store::{
    Batch, Change, Conflict, Deployment, DocumentName, EventDraft, Expect, NewPersona, PersonaEntry,
    StoreError,
};
use wire::persona::{CreatePersona, PersonaAnswer, SetUpPersona};
use wire::{Code, Problem};

use crate::adopt::capitalised;
use crate::call::{Call, PersonaKey};
use crate::face::NewFace;
use crate::failure::told;
use crate::show_persona::portray;
use crate::{Engine, template};

/// How often another number is tried when a name is taken.
const NAMES_TRIED: u32 = 1000;

impl Engine {
    /// Makes a persona from a few facts: a folder, a signed document, and a first event, its birth.
    pub async fn create_persona(&self, call: &Call, asked: CreatePersona) -> Result<PersonaAnswer, Problem> {
        self.check_tenant(call, &asked.tenant_id).await?;
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.tenant_request(&call.caller.tenant, ticket.tag()).await.map_err(told)?;
            if let Some(id) = ticket.resource(before)? {
                return self.persona_again(call, &id).await;
            }
        }
        let slug = slug(&asked.seed);
        for number in 1..=NAMES_TRIED {
            let name = numbered(&slug, number)?;
            let mut document = self.new_document(&call.caller.tenant, &name, asked.template, call.now)?;
            document.identity.display_name = format!("{} {}", asked.seed.first_name, asked.seed.last_name);
            document.identity.seed = Some(asked.seed.clone());
            let described = asked.seed.summary();
            match self.register(call, &document, None, &described).await {
                Err(StoreError::Conflict(Conflict::NameTaken { .. })) => {}
                Err(error) => return Err(told(error)),
                Ok(entry) => {
                    self.be_born(call, &entry, &asked.seed).await?;
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

    /// Makes a persona's folder from templates. A taken name writes nothing.
    pub async fn set_up_persona(&self, call: &Call, asked: SetUpPersona) -> Result<PersonaAnswer, Problem> {
        let mut document = self.new_document(&call.caller.tenant, &asked.name, asked.template, call.now)?;
        document.identity.display_name =
            asked.display_name.unwrap_or_else(|| capitalised(asked.name.as_str()));
        let face = NewFace { emoji: asked.emoji.clone(), greeting: asked.greeting, picture: asked.picture };
        face.write(&mut document)?;
        let described = asked.description.unwrap_or_default();
        let entry = self.register(call, &document, asked.emoji.as_deref(), &described).await.map_err(told)?;
        self.persona_again(call, &entry.id.to_string()).await
    }

    async fn register(
        &self,
        call: &Call,
        document: &PersonaDocument,
        emoji: Option<&str>,
        described: &str,
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
        documents.extend(template::documents(&identity.display_name, emoji, described));
        let event = |kind| EventDraft::new(kind, call.caller.actor.clone()).about(entry.id);
        let events = vec![event(EventKind::PersonaCreated), event(EventKind::PersonaSigned)];
        self.store.create_persona(NewPersona { entry: entry.clone(), documents, events }).await?;
        Ok(entry)
    }

    /// The first event of every life made from facts.
    async fn be_born(&self, call: &Call, persona: &PersonaEntry, seed: &Seed) -> Result<(), Problem> {
        let id = TimelineId(self.new_uuid(call.now)?);
        let place = (persona.tenant.clone(), persona.id);
        let born = TimelineEntry::new(id, place, 1, birth(seed, call.now), call.now);
        let event = EventDraft::new(EventKind::TimelineAppended, call.caller.actor.clone()).about(id);
        let batch = Batch::at(call.now)
            .expecting(Expect::TimelineHead(0))
            .with(Change::AppendEntry(Box::new(born)))
            .saying(event);
        self.commit(&persona.scope(), batch).await.map_err(told)?;
        Ok(())
    }

    /// The persona that a request made, rendered again.
    pub async fn persona_again(&self, call: &Call, id: &str) -> Result<PersonaAnswer, Problem> {
        let key: PersonaKey = id.parse().map_err(|error| crate::failure::nothing_named(&error))?;
        let found = self.find(call, &key).await.map_err(|problem| gone(problem, id))?;
        Ok(PersonaAnswer { persona: portray(&found) })
    }
}

/// What was made by an answered request and is no longer there.
pub(crate) fn gone(problem: Problem, id: &str) -> Problem {
    let missing = [Code::PersonaNotFound, Code::MemoryNotFound, Code::TimelineEntryNotFound];
    if missing.contains(&problem.code) {
        return Problem::new(
            Code::ResourceGone,
            format!("{id} was made by this request before, and is gone since"),
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

/// The name of the folder: what is left of the person's name in the small alphabet of paths.
fn slug(seed: &Seed) -> String {
    let full = format!("{}-{}", seed.first_name, seed.last_name);
    let plain = unicode_normalization::UnicodeNormalization::nfd(full.as_str());
    let lower = plain.flat_map(char::to_lowercase).filter(|letter| !is_mark(*letter));
    let mapped: String = lower.map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = mapped.split('-').filter(|part| !part.is_empty()).collect();
    let joined: String = parts.join("-").chars().take(26).collect();
    match joined.trim_end_matches('-') {
        "" => "persona".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        name => name.to_owned(),
    }
}

fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}

fn numbered(slug: &str, number: u32) -> Result<PersonaName, Problem> {
    let name = if number == 1 { slug.to_owned() } else { format!("{slug}-{number}") };
    name.parse().map_err(|error: domain::InvalidId| Problem::new(Code::ValidationFailed, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(first: &str, last: &str, age: u8) -> Seed {
        Seed {
            first_name: first.into(),
            last_name: last.into(),
            age,
            location: "Cluj".into(),
            base_occupation: "concierge".into(),
        }
    }

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
            let made = slug(&seed(first, last, 1));
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
