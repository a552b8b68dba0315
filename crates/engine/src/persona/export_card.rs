//! `GET /v1/personas/{p}/card`: a persona as a character card.
//!
//! A persona made from a card returns it, with later changes. Only what its author wrote is exported: nothing
//! from conversations.

use std::collections::HashSet;

use domain::{Atom, MemoryId, PrivacyClass, Trust};
use formats::card::Card;
use formats::charx;
use serde_json::{Value, json};
use store::{DocumentName, Documents, Records, Scope};
use vault::encoding::base64_standard;
use wire::card::{CardFile, CardFormat, ExportCard};
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::import_card::{GREETING, identity_file, protocols_file, read_kept, soul_file};
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// The property of a memory with the lorebook entry it came from.
const LOREBOOK: &str = "x-lorebook";

impl Engine {
    /// The persona as a character card file.
    #[boxed]
    pub async fn export_card(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: ExportCard,
    ) -> Result<CardFile, Problem> {
        let persona = self.find(call, key).await?;
        let card = self.current_card(&persona).await?;
        let (ending, bytes) = match asked.format {
            CardFormat::Png => ("png", card.to_png()),
            CardFormat::Json => ("json", Ok(serde_json::to_vec_pretty(&card.to_json()).unwrap_or_default())),
            CardFormat::Charx => ("charx", charx::write(&card)),
        };
        let bytes = bytes.map_err(|broken| Problem::new(Code::Internal, format!("the card: {broken}")))?;
        Ok(CardFile { file_name: format!("{}.{ending}", persona.entry.name), file: base64_standard(&bytes) })
    }

    async fn current_card(&self, persona: &PersonaContext) -> Result<Card, Problem> {
        let scope = persona.entry.scope();
        let kept = self.plain_file(&scope, DocumentName::Card).await?;
        let mut card = kept.as_deref().and_then(read_kept).unwrap_or_else(new_card);
        // Later changes replace the texts of the card.
        let written = [
            (DocumentName::Identity, "description", identity_file(&card)),
            (DocumentName::Soul, "personality", soul_file(&card)),
            (DocumentName::Protocols, "system_prompt", protocols_file(&card)),
        ];
        let identity = &persona.loaded.document.identity;
        for (document, field, before) in written {
            let now = self.plain_file(&scope, document).await?.unwrap_or_default();
            if now.trim() != before.trim() {
                set(&mut card, field, now.trim().into());
            }
        }
        if card.name() != Some(&identity.display_name) {
            set(&mut card, "name", identity.display_name.as_str().into());
        }
        let greeting = persona.loaded.document.extensions.get(GREETING);
        if card.text("first_mes").is_none()
            && let Some(greeting) = greeting
        {
            set(&mut card, "first_mes", greeting.clone());
        }
        let memories = self.authored_memories(persona).await?;
        put_lorebook(&mut card, &memories);
        Ok(card)
    }

    async fn plain_file(&self, scope: &Scope, name: DocumentName) -> Result<Option<String>, Problem> {
        let read = self.store.read(scope, name).await?;
        Ok(read.map(|document| document.content.as_str().to_owned()))
    }

    /// Memories written by the persona's author that are about nobody.
    async fn authored_memories(&self, persona: &PersonaContext) -> Result<Vec<Atom>, Problem> {
        let (open, _) = self.view(persona).await?;
        let ids: Vec<MemoryId> = open
            .cards()
            .values()
            .filter(|card| card.is_active && !card.is_pii())
            .map(|card| card.id)
            .collect();
        let stored = self.store.atoms(&persona.entry.scope(), &ids).await?;
        let is_authored = |atom: &Atom| {
            atom.privacy_class == PrivacyClass::NonPii
                && (atom.trust == Trust::Operator || atom.extensions.get(LOREBOOK).is_some())
        };
        Ok(stored.into_iter().map(|stored| stored.atom).filter(is_authored).collect())
    }
}

/// The card of a persona that was not made from one.
fn new_card() -> Card {
    let data = json!({
        "name": "", "description": "", "personality": "", "scenario": "", "first_mes": "", "mes_example": "",
        "creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": [],
        "tags": [], "creator": "", "character_version": "", "extensions": {}, "group_only_greetings": [],
    });
    let json = json!({ "spec": "chara_card_v3", "spec_version": "3.0", "data": data });
    Card { json, picture: None, assets: std::collections::BTreeMap::new() }
}

/// Sets a text of the character, and the old copy of it at the root if there is one.
fn set(card: &mut Card, field: &str, value: Value) {
    let is_nested = card.json.get("data").is_some_and(Value::is_object);
    if let Some(root) = card.json.as_object_mut()
        && (!is_nested || root.contains_key(field))
    {
        root.insert(field.to_owned(), value.clone());
    }
    if let Some(data) = card.json.get_mut("data").and_then(Value::as_object_mut) {
        data.insert(field.to_owned(), value);
    }
}

/// Disabled entries stay; of the others, those whose memory still exists; entries added by an operator
/// follow.
fn put_lorebook(card: &mut Card, memories: &[Atom]) {
    let content = |entry: &Value| entry.get("content").and_then(Value::as_str).map(str::to_owned);
    let remembered: HashSet<String> =
        memories.iter().filter_map(|atom| atom.extensions.get(LOREBOOK).and_then(content)).collect();
    let added: Vec<&Atom> = memories.iter().filter(|atom| atom.extensions.get(LOREBOOK).is_none()).collect();
    let known = card.data().get("character_book").cloned().filter(Value::is_object);
    let mut book = known.unwrap_or_else(|| json!({ "extensions": {} }));
    let before = book.get("entries").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_off = |entry: &Value| entry.get("enabled").and_then(Value::as_bool) == Some(false);
    let stays = |entry: &Value| is_off(entry) || content(entry).is_none_or(|text| remembered.contains(&text));
    let mut entries: Vec<Value> = before.iter().filter(|entry| stays(entry)).cloned().collect();
    entries.extend(added.iter().enumerate().map(|(number, atom)| entry_of(before.len() + number, atom)));
    if entries.is_empty() && before.is_empty() {
        return;
    }
    if let Some(book) = book.as_object_mut() {
        book.insert("entries".to_owned(), Value::Array(entries));
    }
    set(card, "character_book", book);
}

fn entry_of(number: usize, atom: &Atom) -> Value {
    let cues: Vec<&str> = atom.cues.iter().chain(&atom.tags).map(domain::Text::as_str).collect();
    let details = atom.details.iter().map(|detail| detail.content.as_str());
    let content: Vec<&str> = std::iter::once(atom.gist.as_str()).chain(details).collect();
    json!({
        "keys": cues, "content": content.join(" "), "extensions": {}, "enabled": true,
        "insertion_order": number, "use_regex": false, "constant": cues.is_empty(),
    })
}
