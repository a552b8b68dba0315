//! The source of an import: a file, stdin, a folder, or an archive.

use std::fs::{self, File};
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use formats::archive::{Archive, Limits};
use formats::{Broken, Format, recognise, recognise_among_others};
use wire::{Code, Problem};

use super::{head_of, unreadable};

/// A file whose format is known.
pub(super) struct DetectedFile<'s> {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) reader: Box<dyn Read + 's>,
}

/// What is read, file by file.
pub(super) struct Sources {
    place: OpenedSource,
    wanted: Option<Format>,
    names: std::vec::IntoIter<String>,
    bytes: Option<u64>,
    is_single: bool,
    /// What was named, and whether a file of a known format was found in it.
    named: String,
    is_any_known: bool,
    left_out: Vec<String>,
}

/// A stream with the bytes that were read to detect its format put back.
type Rewound = Chain<Cursor<Vec<u8>>, Box<dyn Read>>;

enum OpenedSource {
    /// One stream, with what was read of it already.
    Stream(Option<Rewound>),
    Folder(PathBuf),
    Archive(Box<Archive<BufReader<File>>>),
}

impl Sources {
    /// Opens the source. In a folder or an archive every file of a known format, or of the `wanted` one, is
    /// read.
    pub(super) fn open(file: &str, wanted: Option<Format>) -> Result<Self, Problem> {
        if file == "-" {
            return Self::of_stream(Box::new(io::stdin().lock()), "-", None, wanted);
        }
        let path = Path::new(file);
        if path.is_dir() {
            let mut names = Vec::new();
            list(path, "", &mut names).map_err(|error| unreadable(file, &error))?;
            let sizes =
                names.iter().filter_map(|name| fs::metadata(path.join(name)).ok()).map(|about| about.len());
            return Ok(Self {
                bytes: Some(sizes.sum()),
                place: OpenedSource::Folder(path.to_owned()),
                wanted,
                names: names.into_iter(),
                is_single: false,
                named: file.to_owned(),
                is_any_known: false,
                left_out: Vec::new(),
            });
        }
        let opened = File::open(path).map_err(|error| unreadable(file, &error))?;
        let bytes = opened.metadata().ok().map(|about| about.len());
        let mut reader = BufReader::new(opened);
        let is_archive = io::BufRead::fill_buf(&mut reader).is_ok_and(|head| head.starts_with(b"PK\x03\x04"));
        if !is_archive {
            return Self::of_stream(Box::new(reader), file, bytes, wanted);
        }
        let archive = Archive::open(reader, Limits::LARGE).map_err(|broken| in_file(file, &broken))?;
        if archive.names().iter().any(|name| name == "card.json" || name == "manifest.json") {
            return Err(makes_a_persona(file));
        }
        let names = archive.names().into_iter();
        Ok(Self {
            place: OpenedSource::Archive(Box::new(archive)),
            wanted,
            names,
            bytes: None,
            is_single: false,
            named: file.to_owned(),
            is_any_known: false,
            left_out: Vec::new(),
        })
    }

    fn of_stream(
        mut reader: Box<dyn Read>,
        file: &str,
        bytes: Option<u64>,
        wanted: Option<Format>,
    ) -> Result<Self, Problem> {
        let head = head_of(reader.as_mut()).map_err(|error| unreadable(file, &error))?;
        let format = wanted.or_else(|| recognise(file, &head));
        // An empty file is valid, and a file of invalid lines is still lines.
        let format =
            format.or_else(|| (head.trim_ascii().is_empty() || is_lines(file)).then_some(Format::Lines));
        if format.is_none() {
            let is_card = head.starts_with(b"\x89PNG") || is_card(&head);
            return Err(if is_card { makes_a_persona(file) } else { unknown(file) });
        }
        let place = OpenedSource::Stream(Some(Cursor::new(head).chain(reader)));
        let names = vec![file.to_owned()].into_iter();
        Ok(Self {
            place,
            wanted: format,
            names,
            bytes,
            is_single: true,
            named: file.to_owned(),
            is_any_known: true,
            left_out: Vec::new(),
        })
    }

    /// Its size in bytes, if known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// Whether it is a single file, so that a position needs no file name.
    pub(super) fn is_single(&self) -> bool {
        self.is_single
    }

    /// The files that were skipped.
    pub(super) fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }

    /// The next file of a known format. A folder or an archive without any is refused.
    pub(super) fn next_found(&mut self) -> Result<Option<DetectedFile<'_>>, Problem> {
        for name in self.names.by_ref() {
            let format = match &mut self.place {
                OpenedSource::Stream(_) => self.wanted,
                OpenedSource::Folder(folder) => {
                    let opened = File::open(folder.join(&name)).map_err(|error| unreadable(&name, &error))?;
                    let head = head_of(&mut &opened).map_err(|error| unreadable(&name, &error))?;
                    chosen(&name, &head, self.wanted)
                }
                OpenedSource::Archive(archive) => {
                    let mut entry = archive.entry(&name).map_err(|broken| in_file(&name, &broken))?;
                    let head = head_of(&mut entry).map_err(|error| unreadable(&name, &error))?;
                    chosen(&name, &head, self.wanted)
                }
            };
            let Some(format) = format else {
                self.left_out.push(name);
                continue;
            };
            let reader: Box<dyn Read + '_> = match &mut self.place {
                OpenedSource::Stream(stream) => match stream.take() {
                    Some(stream) => Box::new(stream),
                    None => Box::new(io::empty()),
                },
                OpenedSource::Folder(folder) => {
                    Box::new(File::open(folder.join(&name)).map_err(|error| unreadable(&name, &error))?)
                }
                OpenedSource::Archive(archive) => {
                    Box::new(archive.entry(&name).map_err(|broken| in_file(&name, &broken))?)
                }
            };
            self.is_any_known = true;
            return Ok(Some(DetectedFile { name, format, reader }));
        }
        if self.is_any_known { Ok(None) } else { Err(nothing_known(&self.named, self.wanted)) }
    }
}

/// The format of one file among many. A persona's own files are not notes.
fn chosen(name: &str, head: &[u8], wanted: Option<Format>) -> Option<Format> {
    let known = recognise_among_others(name, head);
    match wanted {
        None => known,
        Some(wanted) => known.filter(|format| *format == wanted),
    }
}

fn is_lines(file: &str) -> bool {
    let extension = Path::new(file).extension();
    file == "-"
        || extension
            .is_some_and(|own| own.eq_ignore_ascii_case("jsonl") || own.eq_ignore_ascii_case("ndjson"))
}

fn is_card(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.contains("\"chara_card_v") || (text.contains("\"first_mes\"") && text.contains("\"personality\""))
}

/// The files below a folder, in order. Links are not followed.
fn list(folder: &Path, below: &str, names: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder.join(below))?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (kind, name) = (entry.file_type()?, entry.file_name().to_string_lossy().into_owned());
        if name.starts_with('.') && name != ".okf" {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if kind.is_dir() {
            list(folder, &path, names)?;
        } else if kind.is_file() {
            names.push(path);
        }
    }
    Ok(())
}

fn in_file(file: &str, broken: &Broken) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{file}: {broken}"))
}

fn makes_a_persona(file: &str) -> Problem {
    let detail = format!("{file} contains a persona; use `selfhood persona import {file}`");
    Problem::new(Code::Usage, detail)
}

fn nothing_known(named: &str, wanted: Option<Format>) -> Problem {
    let detail = match wanted {
        Some(wanted) => format!("{named} holds no file that is {} (`{}`)", wanted.what(), wanted.as_str()),
        None => format!(
            "{named} holds no file in a format that is recognised; name one file and say what it is with --as"
        ),
    };
    Problem::new(Code::ValidationFailed, detail)
}

fn unknown(file: &str) -> Problem {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
    let detail = format!(
        "the format of {file} is not recognised; if it is one of these, name it with --as: {}",
        known.join(", ")
    );
    Problem::new(Code::ValidationFailed, detail)
}
