//! Any bytes become word pieces, a meaning and terms, and the meaning is a unit vector or zero.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recall::embed::embed;
use recall::words::Lexicon;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let meaning = embed(&text);
    let length = meaning.cosine(&meaning);
    assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
    for language in ["en", "de", "ar", "tr", "xx"] {
        let _ = Lexicon::new(language).terms(&text);
    }
});
