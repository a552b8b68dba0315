//! Any bytes can be opened as an archive; what unpacks stays within its bounds.
#![no_main]

use std::io::Cursor;

use formats::archive::{Archive, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { bytes: 1 << 20, ..Limits::SMALL };
    let Ok(mut archive) = Archive::open(Cursor::new(bytes), limits) else { return };
    let mut all = 0;
    for name in archive.names() {
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."));
        all += archive.bytes(&name).map_or(0, |bytes| bytes.len());
    }
    assert!(all <= 1 << 20);
});
