//! `POST /v1/personas/{p}/import/read`: a file of another program as lines that `import` takes.
//!
//! Nothing is stored: the client shows what was read, lets people choose, and sends the lines back.

use std::collections::BTreeMap;
use std::io::{BufRead, Cursor, Read};

use formats::archive::{Archive, Limits};
use formats::{Broken, Conversation, Format, Record, Source, recognise, recognise_among_others};
use serde_json::Value;
use vault::encoding::from_base64_standard;
use wire::transfer::{ReadImport, ReadImportAnswer, UnreadPart};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::{Engine, boxed};

/// How many turns, and about how many bytes of them, a line holds.
const TURNS: usize = 200;
const TURN_BYTES: usize = 1 << 20;
/// The most refused parts and unknown files that are named; more would hide the rest.
const NAMED: usize = 100;
/// The first bytes of a zip archive.
const ZIP: &[u8] = b"PK\x03\x04";
/// The files that make an archive a persona of its own.
const PERSONA_FILES: [&str; 2] = ["card.json", "manifest.json"];

impl Engine {
    /// Reads a file of another program.
    #[boxed]
    pub async fn read_import(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: ReadImport,
    ) -> Result<ReadImportAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let identity = persona.loaded.document.identity.clone();
        let people = [persona.entry.tenant.to_string()];
        let read = move || {
            let bytes = from_base64_standard(&asked.file).ok_or_else(|| invalid("is not base64"))?;
            let names = [identity.name.to_string(), identity.display_name];
            let zone = identity.timezone;
            let answer = ReadImportAnswer::default();
            Reading { persona: &names, people: &people, timezone: &zone, answer }.file(&asked.name, &bytes)
        };
        let broke_off = |_| Problem::new(Code::Internal, "reading the file broke off; the log says where");
        tokio::task::spawn_blocking(read).await.map_err(broke_off)?
    }
}

struct Reading<'r> {
    persona: &'r [String],
    people: &'r [String],
    timezone: &'r str,
    answer: ReadImportAnswer,
}

impl Reading<'_> {
    fn file(mut self, name: &str, bytes: &[u8]) -> Result<ReadImportAnswer, Problem> {
        if bytes.starts_with(ZIP) {
            self.archive(bytes)?;
        } else {
            let head = bytes.get(..formats::HEAD).unwrap_or(bytes);
            let format = recognise(name, head).ok_or_else(unknown)?;
            self.read(name, format, &mut Cursor::new(bytes));
        }
        Ok(self.answer)
    }

    fn archive(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let refused = |broken: Broken| invalid(&broken.to_string());
        let mut archive = Archive::open(Cursor::new(bytes), Limits::SMALL).map_err(refused)?;
        let names = archive.names();
        if names.iter().any(|name| PERSONA_FILES.contains(&name.as_str())) {
            return Err(invalid("it makes a persona of its own; import it as a persona"));
        }
        for name in names {
            let mut head = Vec::new();
            let entry = archive.entry(&name).map_err(refused)?;
            entry
                .take(formats::HEAD as u64)
                .read_to_end(&mut head)
                .map_err(|error| invalid(&format!("{name}: {error}")))?;
            match recognise_among_others(&name, &head) {
                Some(format) => {
                    let mut entry = archive.entry(&name).map_err(refused)?;
                    self.read(&name, format, &mut entry);
                }
                None => self.answer.unknown_files.push(name),
            }
        }
        self.answer.unknown_files.truncate(NAMED);
        if self.answer.formats.is_empty() { Err(unknown()) } else { Ok(()) }
    }

    /// Reads one file. What can't be read on is refused at its place; what was read before that stays.
    fn read(&mut self, name: &str, format: Format, reader: &mut dyn BufRead) {
        let what = format.as_str().to_owned();
        if !self.answer.formats.contains(&what) {
            self.answer.formats.push(what);
        }
        let source =
            Source { name, persona: self.persona, people: self.people, timezone: Some(self.timezone) };
        let answer = &mut self.answer;
        let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut sink = |record: Record| {
            match record {
                Record::Line(_, value) => answer.lines.push(value),
                Record::Note(note) => answer.lines.push(note.to_line(format.as_str())),
                Record::Conversation(whole) => answer.lines.extend(lines(whole, format)),
                Record::Skipped(left) => *skipped.entry(left.why.as_str()).or_default() += 1,
                Record::Refused(it) => {
                    refuse(answer, format!("{name}: {}", it.place), format!("{}; {}", it.what, it.way_out));
                }
            }
            Ok(())
        };
        if let Err(broken) = format.reader()(reader, &source, &mut sink) {
            let (place, detail) = described(name, &broken);
            refuse(answer, place, detail);
        }
        for (why, count) in skipped {
            *answer.skipped.entry(why.to_owned()).or_default() += count;
        }
    }
}

fn refuse(answer: &mut ReadImportAnswer, place: String, detail: String) {
    answer.unread += 1;
    if answer.unread_parts.len() < NAMED {
        answer.unread_parts.push(UnreadPart { place, detail });
    }
}

/// Where a file can't be read on, and why.
fn described(name: &str, broken: &Broken) -> (String, String) {
    match broken {
        Broken::Malformed { place, what, way_out } => {
            (format!("{name}: {place}"), format!("{what}; {way_out}"))
        }
        Broken::Unreadable(_) | Broken::Stopped => (name.to_owned(), broken.to_string()),
    }
}

/// A conversation as lines of bounded size; parts of one have the same id.
fn lines(whole: Conversation, format: Format) -> Vec<Value> {
    let Conversation { id, title, turns } = whole;
    let (mut parts, mut part, mut bytes) = (Vec::new(), Vec::new(), 0);
    for turn in turns {
        bytes += turn.text.len();
        part.push(turn);
        if part.len() >= TURNS || bytes >= TURN_BYTES {
            parts.push(std::mem::take(&mut part));
            bytes = 0;
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    let line = |turns| Conversation { id: id.clone(), title: title.clone(), turns }.to_line(format.as_str());
    parts.into_iter().map(line).collect()
}

fn unknown() -> Problem {
    invalid("is in no format that is recognised; docs/moving.md lists what can be read")
}

fn invalid(detail: &str) -> Problem {
    let place = Pointed { pointer: "/file".to_owned(), detail: detail.to_owned() };
    Problem::new(Code::ValidationFailed, format!("/file: {detail}")).pointing_at(vec![place])
}
