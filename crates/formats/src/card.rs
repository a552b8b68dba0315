//! Character cards: V1, V2 and V3, in a picture, as JSON, or in a CHARX archive.
//!
//! The card is kept as it came. What stands at the root beside `data` is an old copy, and `data` wins over it.

use std::collections::BTreeMap;
use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::{Value, json};

use crate::archive::Limits;
use crate::png::Png;
use crate::record::Record;
use crate::{Broken, charx, world_info};

const NO_CARD: &str = "choose the file that was downloaded as a character card";
/// What begins the keyword of an asset in a picture.
const ASSET: &str = "chara-ext-asset_:";

/// A card with everything that came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The JSON, whole.
    pub json: Value,
    /// The picture it came in, or with, without the card in it.
    pub picture: Option<Vec<u8>>,
    /// Other files, by the path the card knows them by.
    pub assets: BTreeMap<String, Vec<u8>>,
}

impl Card {
    /// Reads a card from a file's bytes, whichever of the three it is.
    pub fn read(bytes: &[u8], limits: Limits) -> Result<Self, Broken> {
        if Png::is_png(bytes) {
            return of_picture(bytes);
        }
        if bytes.starts_with(b"PK") {
            return charx::read(Cursor::new(bytes), limits);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if !text.trim_ascii_start().starts_with(b"{") {
            return Err(Broken::at(
                "the file",
                "it is neither a PNG picture, JSON nor a CHARX archive",
                NO_CARD,
            ));
        }
        Self::of_json(text, None)
    }

    /// A card from its JSON.
    pub(crate) fn of_json(text: &[u8], picture: Option<Vec<u8>>) -> Result<Self, Broken> {
        let json: Value = serde_json::from_slice(text).map_err(|error| Broken::json(&error))?;
        let card = Self { json, picture, assets: BTreeMap::new() };
        if card.name().is_none() {
            return Err(Broken::at("the card", "it has no `name`", NO_CARD));
        }
        Ok(card)
    }

    /// The part of the JSON that describes the character.
    #[must_use]
    pub fn data(&self) -> &Value {
        self.json.get("data").filter(|data| data.is_object()).unwrap_or(&self.json)
    }

    /// A text of the character, if there is one that isn't empty.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.data().get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// What the character is called.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.text("name")
    }

    /// Which version of the format it says it is; a card without `spec` is a V1.
    #[must_use]
    pub fn version(&self) -> &str {
        match self.json.get("spec").and_then(Value::as_str) {
            None => "1.0",
            Some(_) => self.json.get("spec_version").and_then(Value::as_str).unwrap_or("2.0"),
        }
    }

    /// Whether its version is later than any that was known when this was written.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.version().parse::<f64>().is_ok_and(|version| version > 3.0)
    }

    /// The lorebook's entries.
    #[must_use]
    pub fn lorebook(&self) -> Vec<Record> {
        world_info::book_records(self.data().get("character_book"))
    }

    /// The card in its picture: V3 for programs that know it, V2 for the others.
    pub fn to_png(&self) -> Result<Vec<u8>, Broken> {
        let picture = match &self.picture {
            Some(bytes) => Png::read(bytes)?,
            None => Png::blank()?,
        };
        let encoded = |json: &Value| STANDARD.encode(json.to_string());
        let mut png = picture
            .without_texts(is_cards)
            .with_text("chara", &encoded(&self.as_version("2.0")))
            .with_text("ccv3", &encoded(&self.as_version("3.0")));
        for (path, bytes) in &self.assets {
            png = png.with_text(&format!("{ASSET}{path}"), &STANDARD.encode(bytes));
        }
        Ok(png.to_bytes())
    }

    /// The card as JSON of the version it came in, or V3 if that was a V1.
    #[must_use]
    pub fn to_json(&self) -> Value {
        if self.json.get("spec").is_some() { self.json.clone() } else { self.as_version("3.0") }
    }

    fn as_version(&self, version: &str) -> Value {
        let spec = if version == "2.0" { "chara_card_v2" } else { "chara_card_v3" };
        let mut json = match self.json.get("spec") {
            Some(_) => self.json.clone(),
            None => json!({ "data": self.json }),
        };
        if let Some(card) = json.as_object_mut() {
            card.insert("spec".to_owned(), spec.into());
            card.insert("spec_version".to_owned(), version.into());
        }
        if let Some(data) = json.get_mut("data").and_then(Value::as_object_mut)
            && version == "3.0"
        {
            data.entry("group_only_greetings").or_insert_with(|| json!([]));
        }
        json
    }
}

fn is_cards(keyword: &str) -> bool {
    keyword.eq_ignore_ascii_case("chara")
        || keyword.eq_ignore_ascii_case("ccv3")
        || keyword.starts_with(ASSET)
}

/// V3 is preferred; keywords are compared without regard to case, as other programs do.
fn of_picture(bytes: &[u8]) -> Result<Card, Broken> {
    let png = Png::read(bytes)?;
    let texts = png.texts(is_cards)?;
    let named = |wanted: &str| texts.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(wanted));
    let Some((keyword, text)) = named("ccv3").or_else(|| named("chara")) else {
        return Err(Broken::at("the picture", "there is no character card in it", NO_CARD));
    };
    let json = decoded(text).ok_or_else(|| {
        Broken::at(format!("`{keyword}` in the picture"), "it is not base64", "download the card again")
    })?;
    let mut card = Card::of_json(&json, Some(png.without_texts(is_cards).to_bytes()))?;
    for (keyword, text) in &texts {
        if let (Some(path), Some(asset)) = (keyword.strip_prefix(ASSET), decoded(text)) {
            card.assets.insert(path.to_owned(), asset);
        }
    }
    Ok(card)
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let text: String = text.split_whitespace().collect();
    STANDARD.decode(&text).or_else(|_| STANDARD_NO_PAD.decode(text.trim_end_matches('='))).ok()
}
