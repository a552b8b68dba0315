//! CHARX: a zip archive with `card.json` and the card's files.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek};

use serde_json::Value;

use crate::Broken;
use crate::archive::{Archive, ArchiveWriter, Limits};
use crate::card::Card;
use crate::png::Png;

const CARD: &str = "card.json";
/// How a card names a file beside it; the misspelling is the format's own.
const BESIDE: &str = "embeded://";

/// Reads a card and its files.
pub fn read<R: Read + Seek>(source: R, limits: Limits) -> Result<Card, Broken> {
    let mut archive = Archive::open(source, limits)?;
    let names = archive.names();
    if !names.iter().any(|name| name == CARD) {
        let way_out = "choose a CHARX file; an export of talk is imported with `selfhood import`";
        return Err(Broken::at("the archive", "there is no card.json in it", way_out));
    }
    let json = archive.bytes(CARD)?;
    let mut card = Card::of_json(&json, None)?;
    for name in names.into_iter().filter(|name| name != CARD) {
        let bytes = archive.bytes(&name)?;
        card.assets.insert(name, bytes);
    }
    card.picture = icon(&card.json, &card.assets).cloned();
    Ok(card)
}

/// Writes a card and its files.
pub fn write(card: &Card) -> Result<Vec<u8>, Broken> {
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new()));
    archive.add(CARD, &mut card.to_json().to_string().as_bytes())?;
    for (name, bytes) in &card.assets {
        archive.add(name, &mut bytes.as_slice())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The picture that stands for the character: its main icon, if that is a PNG.
fn icon<'a>(json: &Value, assets: &'a BTreeMap<String, Vec<u8>>) -> Option<&'a Vec<u8>> {
    let listed = json.pointer("/data/assets").and_then(Value::as_array)?;
    let is_icon = |asset: &&Value| asset.get("type").and_then(Value::as_str) == Some("icon");
    let is_main = |asset: &&&Value| asset.get("name").and_then(Value::as_str) == Some("main");
    let icons: Vec<&Value> = listed.iter().filter(is_icon).collect();
    let icon = icons.iter().find(is_main).or_else(|| icons.first())?;
    let path = icon.get("uri").and_then(Value::as_str)?.strip_prefix(BESIDE)?;
    assets.get(path).filter(|bytes| Png::is_png(bytes))
}
