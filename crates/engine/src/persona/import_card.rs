//! `POST /v1/cards`: creates a persona from a character card.
//!
//! Its texts become the files people edit, its lorebook becomes the operator's memories with cues, its
//! greeting the first turn of a conversation. The card itself is stored in `CARD.json`, so that nothing is
//! lost when it is exported again.

mod files;

use domain::{PersonaDocument, Template, Text};
use formats::archive::Limits;
use formats::card::Card;
use formats::{Broken, Record};
use serde_json::{Value, json};
use store::{Conflict, DocumentName, PersonaEntry, StoreError};
use vault::encoding::{base64_standard, from_base64_standard};
use wire::card::{ImportCard, ImportedCard};
use wire::transfer::Import;
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::create::{CREATED, NAMES_TRIED, check_unbound, numbered, slug};
use crate::{Engine, boxed};

pub(crate) use files::{identity_file, protocols_file, soul_file};

/// The property of a document with the persona's greeting in a new conversation.
pub(crate) const GREETING: &str = "x-greeting";
/// The source of memories that come from a card.
const SOURCE: &str = "character-card";

impl Engine {
    /// Creates a persona from a card, or shows what would be created.
    #[boxed]
    pub async fn import_card(&self, call: &Call, asked: ImportCard) -> Result<ImportedCard, Problem> {
        check_unbound(call)?;
        let bytes = from_base64_standard(&asked.file)
            .ok_or_else(|| Problem::new(Code::ValidationFailed, "`file` is not base64"))?;
        let card = Card::read(&bytes, Limits::SMALL).map_err(|broken| unreadable(&broken))?;
        let display_name = card.name().unwrap_or_default().to_owned();
        let slug = slug(&display_name);
        let first = match &asked.name {
            Some(name) => name.clone(),
            None => numbered(&slug, 1)?,
        };
        let mut answer = described(&card, display_name, first);
        let lines = lore(&card, &mut answer);
        if asked.dry_run {
            answer.memories = lines.len();
            return Ok(answer);
        }
        for number in 1..=NAMES_TRIED {
            let name = match &asked.name {
                Some(name) => name.clone(),
                None => numbered(&slug, number)?,
            };
            let mut document =
                self.new_document(&call.caller.tenant, &name, Template::Character, call.now)?;
            document.identity.display_name.clone_from(&answer.display_name);
            if let Some(greeting) = card.text("first_mes") {
                let greeting = files::filled(greeting, &answer.display_name);
                document.extensions = document.extensions.with(GREETING, greeting);
            }
            match self.register_card(call, &document, &card).await {
                Err(StoreError::Conflict(Conflict::NameTaken { .. })) if asked.name.is_none() => {}
                Err(error) => return Err(error.into()),
                Ok(entry) => return self.with_lore(call, &entry, lines, answer).await,
            }
        }
        Err(Problem::new(Code::NameTaken, format!("`{slug}` and {NAMES_TRIED} numbered names are taken")))
    }

    async fn register_card(
        &self,
        call: &Call,
        document: &PersonaDocument,
        card: &Card,
    ) -> Result<PersonaEntry, StoreError> {
        let display_name = &document.identity.display_name;
        let mut documents = crate::persona::templates::documents(display_name, None, "");
        documents.retain(|(name, _)| {
            !matches!(name, DocumentName::Identity | DocumentName::Soul | DocumentName::Protocols)
        });
        documents.extend([
            (DocumentName::Identity, Text::new(identity_file(card))),
            (DocumentName::Soul, Text::new(soul_file(card))),
            (DocumentName::Protocols, Text::new(protocols_file(card))),
            (DocumentName::Card, kept(card)),
        ]);
        self.register(call, document, documents, &CREATED).await
    }

    async fn with_lore(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        lines: Vec<Value>,
        mut answer: ImportedCard,
    ) -> Result<ImportedCard, Problem> {
        let key = PersonaKey::Id(entry.id);
        if !lines.is_empty() {
            let taken = self.import(call, &key, Import { lines, ..Import::default() }).await?;
            answer.memories = taken.memories;
            let refused =
                taken.refused.iter().map(|line| format!("entry {}: {}", line.line + 1, line.detail));
            answer.refused.extend(refused);
        }
        answer.name = entry.name.clone();
        answer.persona = Some(self.persona_again(call, &entry.id.to_string()).await?.persona);
        Ok(answer)
    }
}

fn described(card: &Card, display_name: String, name: domain::PersonaName) -> ImportedCard {
    let newer = card.is_newer().then(|| {
        let version = card.version();
        format!("the card is of version {version}, which is newer than 3.0; what is not known of it is kept")
    });
    let text = |field| card.text(field).map(|text| Text::new(files::filled(text, &display_name)));
    ImportedCard {
        persona: None,
        description: text("description"),
        greeting: text("first_mes"),
        display_name,
        name,
        version: card.version().to_owned(),
        memories: 0,
        left_out: 0,
        refused: Vec::new(),
        assets: card.assets.len(),
        picture: card.picture.is_some(),
        warnings: newer.into_iter().collect(),
    }
}

/// The lorebook entries of a card as lines of an import.
fn lore(card: &Card, answer: &mut ImportedCard) -> Vec<Value> {
    let mut lines = Vec::new();
    for record in card.lorebook() {
        match record {
            Record::Note(mut note) => {
                note.text = files::filled(&note.text, &answer.display_name);
                lines.push(note.to_line(SOURCE));
            }
            Record::Skipped(_) => answer.left_out += 1,
            Record::Refused(refused) => answer.refused.push(format!("{}: {}", refused.place, refused.what)),
            Record::Conversation(_) | Record::Line(..) => {}
        }
    }
    lines
}

/// The card as stored in `CARD.json`.
fn kept(card: &Card) -> Text {
    let assets: serde_json::Map<String, Value> =
        card.assets.iter().map(|(path, bytes)| (path.clone(), base64_standard(bytes).into())).collect();
    let picture = card.picture.as_ref().map(|bytes| base64_standard(bytes));
    let whole = json!({ "card": card.json, "picture": picture, "assets": assets });
    Text::new(serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n")
}

/// The card stored in `CARD.json`, if it can be read.
pub(crate) fn read_kept(text: &str) -> Option<Card> {
    let whole: Value = serde_json::from_str(text).ok()?;
    let bytes = |value: &Value| value.as_str().and_then(from_base64_standard);
    let assets = whole.get("assets").and_then(Value::as_object).into_iter().flatten();
    Some(Card {
        json: whole.get("card")?.clone(),
        picture: whole.get("picture").and_then(bytes),
        assets: assets.filter_map(|(path, asset)| Some((path.clone(), bytes(asset)?))).collect(),
    })
}

fn unreadable(broken: &Broken) -> Problem {
    Problem::new(Code::ValidationFailed, format!("the card can't be read: {broken}"))
}
