//! What must hold of everything a reader hands over.

use formats::{Format, Record, Source};

/// Reads `bytes`, and checks every record.
pub fn read(format: Format, bytes: &[u8]) {
    let source = Source { name: "2026-04-22.md", ..Source::default() };
    let mut input = bytes;
    let _ = format.reader()(&mut input, &source, &mut |record| {
        match record {
            Record::Conversation(talk) => {
                assert!(!talk.id.is_empty() && !talk.turns.is_empty());
                assert!(talk.turns.iter().all(|turn| !turn.id.is_empty() && !turn.text.trim().is_empty()));
            }
            Record::Note(note) => {
                assert!(!note.text.trim().is_empty());
                let parts = formats::gist::split(&note.text);
                assert!(parts.gist.chars().count() <= formats::gist::GIST);
            }
            Record::Refused(refused) => assert!(!refused.place.is_empty() && !refused.what.is_empty()),
            Record::Skipped(skipped) => assert!(!skipped.place.is_empty()),
            Record::Line(..) => {}
        }
        Ok(())
    });
}
