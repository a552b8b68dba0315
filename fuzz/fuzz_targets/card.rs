//! Any bytes can be read as a card; one that was read goes out and comes back.
#![no_main]

use formats::archive::Limits;
use formats::card::Card;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(card) = Card::read(bytes, Limits::SMALL) else { return };
    let _ = card.lorebook();
    if let Ok(png) = card.to_png() {
        assert_eq!(Card::read(&png, Limits::SMALL).unwrap().name(), card.name());
    }
});
