//! Broken files: every one says where it is broken and the way out, and none of its words.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage fails loudly"
)]

use std::io::Cursor;

use formats::archive::{Archive, ArchiveWriter, Limits};
use formats::card::Card;
use formats::png::Png;
use formats::{Broken, Format, Record, Source};

const SECRET: &str = "Zanzibar";

/// Files that are whole, one for each format; everything broken is made from them.
fn whole(format: Format) -> String {
    let text = match format {
        Format::ChatGpt => {
            r#"[{"id":"c","title":"S","current_node":"a","mapping":{"a":{"parent":null,"children":[],"message":{"id":"a","author":{"role":"user"},"content":{"content_type":"text","parts":["S"]}}}}}]"#
        }
        Format::Claude => {
            r#"[{"uuid":"u","name":"S","chat_messages":[{"uuid":"m","sender":"human","text":"S","content":[{"type":"text","text":"S"}]}]}]"#
        }
        Format::ClaudeMemories => {
            r#"[{"conversations_memory":"S lives here.","project_memories":{"p":"S again."}}]"#
        }
        Format::OpenWebUi => {
            r#"[{"id":"c","title":"S","chat":{"history":{"currentId":"1","messages":{"1":{"id":"1","parentId":null,"role":"user","content":"S"}}}}}]"#
        }
        Format::SillyTavern => {
            "{\"user_name\":\"S\",\"character_name\":\"S\"}\n{\"is_user\":true,\"mes\":\"S\"}\n"
        }
        Format::TavernVariant => r#"{"data_visible":[["S","S"]]}"#,
        Format::WorldInfo => r#"{"entries":{"0":{"key":["S"],"content":"S"}}}"#,
        Format::Letta => {
            r#"{"agents":[{"name":"S","messages":[{"role":"user","content":"S"}]}],"blocks":[{"label":"human","value":"S"}]}"#
        }
        Format::Mem0 => r#"{"results":[{"memory":"S","created_at":"2025-01-01"}]}"#,
        Format::Reference => r#"{"type":"entity","name":"S","entityType":"person","observations":["S"]}"#,
        Format::DayLogs => "# 2026-04-22\n\n**User:** S\n",
        Format::Markdown => "---\ntitle: S\n---\n\n- S\n",
        Format::Csv => "text,date\n\"S\",2025-01-01\n",
        Format::Lines => r#"{"gist":"S"}"#,
        Format::PersonaDocument => r#"{"identity":{},"memoryPolicy":{},"memory":[{"gist":"S"}]}"#,
    };
    text.replace('S', SECRET)
}

/// Makes a broken file of a whole one.
type Break = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// Forty ways to break a file.
fn ways() -> Vec<Break> {
    let mut ways: Vec<Break> = Vec::new();
    for part in 1..20 {
        ways.push(Box::new(move |bytes| bytes[..bytes.len() * part / 20].to_vec()));
    }
    for (from, to) in
        [("\"", "'"), (":", ""), (",", ";"), ("{", "["), ("}", "]"), ("[", "{"), ("]", "}"), ("\"S\"", "7")]
    {
        let from = from.replace('S', SECRET);
        ways.push(Box::new(move |bytes| String::from_utf8_lossy(bytes).replace(&from, to).into_bytes()));
    }
    for value in ["null", "7", "\"x\"", "[]", "{}", "[null]", "[[]]", "true", "", "\u{feff}"] {
        ways.push(Box::new(move |_| value.as_bytes().to_vec()));
    }
    ways.push(Box::new(|bytes| [bytes, &[0xff, 0xfe, 0x00]].concat()));
    ways.push(Box::new(|_| "[".repeat(100_000).into_bytes()));
    ways.push(Box::new(|bytes| bytes.iter().map(|byte| byte ^ 0x20).collect()));
    ways
}

/// Whether a file holds nothing at all, which is no mistake: a table may have no row below its heading.
fn is_empty(format: Format, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let is_heading = format == Format::Csv && text.trim().lines().count() == 1;
    is_heading || ["", "[]", "\u{feff}"].contains(&text.trim())
}

#[test]
fn forty_broken_files_of_every_format_are_refused_with_a_place_and_none_of_their_words() {
    let ways = ways();
    assert!(ways.len() >= 40);
    for format in Format::ALL {
        for (number, way) in ways.iter().enumerate() {
            let bytes = way(whole(*format).as_bytes());
            let source = Source { name: "2026-04-22.md", ..Source::default() };
            let (mut said, mut others) = (Vec::new(), 0);
            let read = format.reader()(&mut bytes.as_slice(), &source, &mut |record| {
                if let Record::Refused(refused) = record {
                    assert!(!refused.place.is_empty() && !refused.way_out.is_empty());
                    said.push(format!("{}: {}; {}", refused.place, refused.what, refused.way_out));
                } else {
                    others += 1;
                }
                Ok(())
            });
            if let Err(broken) = read {
                let Broken::Malformed { place, way_out, .. } = &broken else {
                    panic!("{format:?} {number}: {broken}")
                };
                assert!(!place.is_empty() && !way_out.is_empty());
                said.push(broken.to_string());
            }
            let is_silent = said.is_empty() && others == 0;
            assert!(!is_silent || is_empty(*format, &bytes), "{format:?}, way {number} says nothing");
            for words in said {
                let plain = words.replace(SECRET.to_lowercase().as_str(), SECRET);
                assert!(!plain.contains(SECRET), "{format:?}, way {number}: {words}");
            }
        }
    }
}

#[test]
fn a_whole_file_of_every_format_is_not_refused() {
    for format in Format::ALL {
        let source = Source { name: "2026-04-22.md", ..Source::default() };
        let mut taken = 0;
        format.reader()(&mut whole(*format).as_bytes(), &source, &mut |record| {
            taken += usize::from(!matches!(record, Record::Refused(_) | Record::Skipped(_)));
            Ok(())
        })
        .unwrap();
        assert!(taken > 0, "{format:?}");
    }
}

fn archive(name: &str, content: &[u8]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new()));
    writer.add(name, &mut &*content).unwrap();
    writer.finish().unwrap().into_inner()
}

#[test]
fn hostile_archives_are_refused() {
    let open = |bytes: Vec<u8>, limits| {
        Archive::open(Cursor::new(bytes), limits).err().map(|broken| broken.to_string())
    };
    for name in ["/etc/passwd", "../../x", "a/../../x", "C:\\x", "a\\..\\x", "\\\\host\\x"] {
        let said = open(archive(name, b"x"), Limits::LARGE).unwrap_or_else(|| panic!("{name} was let in"));
        assert!(said.starts_with("entry 1: "), "{name}: {said}");
    }
    let link = {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("link", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap().into_inner()
    };
    assert!(open(link, Limits::LARGE).unwrap().contains("link"));
    let bomb = archive("conversations.json", &vec![b' '; 64 << 20]);
    assert!(open(bomb.clone(), Limits::LARGE).unwrap().contains("100 times its size"), "a bomb");
    assert!(
        open(archive("a", &[7; 100]), Limits { bytes: 99, ..Limits::LARGE }).unwrap().contains("99 bytes")
    );
    let many = {
        let mut writer = ArchiveWriter::new(Cursor::new(Vec::new()));
        for n in 0..11 {
            writer.add(&format!("{n}"), &mut &b"x"[..]).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    assert!(open(many, Limits { entries: 10, ..Limits::LARGE }).unwrap().contains("11 entries"));
    for damaged in [&b"PK\x03\x04"[..], b"PK", b"", &archive("a", b"x")[..20]] {
        assert!(open(damaged.to_vec(), Limits::LARGE).unwrap().contains("zip archive"));
    }
    // An archive that lies about its sizes is stopped while it unpacks.
    let lying: Vec<u8> = {
        let size = u32::try_from(64 << 20_u32).unwrap().to_le_bytes();
        let small = 1000_u32.to_le_bytes();
        bomb.windows(4).enumerate().filter(|(_, bytes)| *bytes == size).map(|(at, _)| at).fold(
            bomb.clone(),
            |mut bytes, at| {
                bytes[at..at + 4].copy_from_slice(&small);
                bytes
            },
        )
    };
    if let Ok(mut opened) = Archive::open(Cursor::new(lying), Limits::LARGE) {
        assert!(opened.bytes("conversations.json").is_err());
    }
}

#[test]
fn an_archive_has_the_same_bytes_each_time() {
    assert_eq!(archive("a.json", b"{}"), archive("a.json", b"{}"));
    let mut read = Archive::open(Cursor::new(archive("a/b.json", b"{}")), Limits::SMALL).unwrap();
    assert_eq!(
        (read.names(), read.bytes("a/b.json").unwrap()),
        (vec!["a/b.json".to_owned()], b"{}".to_vec())
    );
}

#[test]
fn broken_cards_say_what_is_wrong() {
    let card =
        Card::read(br#"{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"A"}}"#, Limits::SMALL)
            .unwrap();
    let png = card.to_png().unwrap();
    let mut flipped = png.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let no_card = Png::blank().unwrap().to_bytes();
    let not_base64 = Png::blank().unwrap().with_text("chara", "***").to_bytes();
    for (bytes, expected) in [
        (png[..png.len() - 20].to_vec(), "ends too early"),
        (flipped, "checksum"),
        (no_card, "no character card"),
        (not_base64, "not base64"),
        (b"{}".to_vec(), "no `name`"),
        (b"{".to_vec(), "ends too early"),
        (b"hello".to_vec(), "neither"),
        (archive("other.json", b"{}"), "no card.json"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "ends too early"),
    ] {
        let said = Card::read(&bytes, Limits::SMALL).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn what_is_json_and_something_else_is_not_called_broken_json() {
    for (text, expected) in [
        ("7", "line 1, column 1: a list or an object was expected here; check that"),
        ("[1,", "line 1, column 3: the file ends too early; export it again"),
        ("nope", "line 1, column 2: this is not JSON; export it again"),
    ] {
        let source = Source { name: "memories.json", ..Source::default() };
        let read = Format::Mem0.reader()(&mut text.as_bytes(), &source, &mut |_| Ok(()));
        let said = read.unwrap_err().to_string();
        assert!(said.starts_with(expected), "{said}");
    }
}
