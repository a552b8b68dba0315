//! What must hold of archives and cards.
#![allow(dead_code, reason = "each target uses its own part")]

use std::io::Cursor;

use formats::archive::{Archive, Limits};
use formats::card::Card;

/// What unpacks stays within its bounds, and under its folder.
pub fn unpack(bytes: &[u8]) {
    let limits = Limits { bytes: 1 << 20, ..Limits::SMALL };
    let Ok(mut archive) = Archive::open(Cursor::new(bytes), limits) else { return };
    let mut all = 0;
    for name in archive.names() {
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."));
        all += archive.bytes(&name).map_or(0, |bytes| bytes.len());
    }
    assert!(all <= 1 << 20);
}

/// A card that was read is written and read again.
pub fn card(bytes: &[u8]) {
    let Ok(card) = Card::read(bytes, Limits::SMALL) else { return };
    let _ = card.lorebook();
    if let Ok(png) = card.to_png() {
        assert_eq!(Card::read(&png, Limits::SMALL).unwrap().name(), card.name());
    }
}
