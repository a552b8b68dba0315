//! Sends the lines of an import to the engine, and collects the results.

use std::collections::BTreeMap;

use formats::{Broken, Conversation, Format, Record};
use serde_json::{Value, json};
use uuid::Uuid;
use wire::fields::fields;
use wire::transfer::ImportAnswer;
use wire::verb;
use wire::{Code, Problem};

use crate::clock;
use crate::command::CommandContext;
use crate::home_client::{HomeClient, InFlight};
use crate::output::Table;
use crate::report;
use crate::request::Request;

/// How many lines, and about how many bytes, go into one request.
const LINES: usize = 2500;
const BYTES: usize = 4 << 20;
/// How many turns, and about how many bytes, go into one line.
const TURNS: usize = 200;
const TURN_BYTES: usize = 1 << 20;
/// How many further requests are in flight: while one is committed, another is read and a third indexed.
const UNANSWERED: usize = 2;
/// The place of a problem that is not at one place of a file.
const WHOLE_FILE: &str = "the file";
/// How many skipped files are named.
const NAMED: usize = 3;

/// How lines are imported.
pub(crate) struct Terms<'t> {
    pub(crate) persona: &'t str,
    pub(crate) subject: Option<&'t str>,
    pub(crate) dry_run: bool,
    pub(crate) moving: bool,
    pub(crate) allow_out_of_order: bool,
}

/// Lines that are collected and sent.
pub(crate) struct Sending<'s> {
    terms: Terms<'s>,
    import_id: String,
    sent: InFlight<'s, Vec<String>, verb::Import>,
    lines: Vec<Value>,
    places: Vec<String>,
    bytes: usize,
    file: String,
    format: Format,
    counted: BTreeMap<&'static str, usize>,
    total: Total,
}

/// The result of an import.
#[derive(Default)]
pub(crate) struct Total {
    pub(crate) answer: ImportAnswer,
    pub(crate) refused: Vec<Refused>,
    skipped: BTreeMap<&'static str, usize>,
    files: BTreeMap<&'static str, usize>,
    is_preview: bool,
    subject: Option<String>,
}

/// Something that was not imported.
pub(crate) struct Refused {
    pub(crate) place: String,
    pub(crate) code: String,
    pub(crate) detail: String,
}

impl<'s> Sending<'s> {
    pub(crate) fn new(client: &'s HomeClient, terms: Terms<'s>) -> Result<Self, Problem> {
        let total = Total {
            is_preview: terms.dry_run,
            subject: terms.subject.map(str::to_owned),
            ..Total::default()
        };
        Ok(Self {
            terms,
            import_id: new_import_id()?,
            sent: client.concurrently(),
            lines: Vec::new(),
            places: Vec::new(),
            bytes: 0,
            file: String::new(),
            format: Format::Lines,
            counted: BTreeMap::new(),
            total,
        })
    }

    /// The following records belong to this file; the standard input has no name.
    pub(crate) fn begin_file(&mut self, name: &str, format: Format) {
        self.file = if name.is_empty() { String::new() } else { format!("{name}: ") };
        self.format = format;
        self.counted.clear();
        *self.total.files.entry(format.what()).or_default() += 1;
    }

    /// Adds one record, and sends the batch when it is large enough.
    pub(crate) fn take(&mut self, record: Record) -> Result<(), Problem> {
        match record {
            Record::Line(number, value) => {
                let what = if self.format == Format::PersonaDocument { "memory" } else { "line" };
                let place = format!("{}{what} {number}", self.file);
                self.push(value, place)
            }
            Record::Note(note) => {
                let place = self.place("note");
                self.push(note.to_line(self.format.as_str()), place)
            }
            Record::Conversation(conversation) => {
                let place = self.place("conversation");
                parts(conversation)
                    .into_iter()
                    .try_for_each(|part| self.push(part.to_line(self.format.as_str()), place.clone()))
            }
            Record::Skipped(skipped) => {
                *self.total.skipped.entry(skipped.why.as_str()).or_default() += 1;
                Ok(())
            }
            Record::Refused(refused) => {
                let place = self.within_file(&refused.place);
                let detail = format!("{}; {}", refused.what, refused.way_out);
                self.refuse(place, Code::MalformedJson, detail);
                Ok(())
            }
        }
    }

    /// Records that the rest of a file can't be read.
    pub(crate) fn refuse_rest(&mut self, broken: &Broken) {
        let (place, what) = match broken {
            Broken::Malformed { place, what, way_out } => (place.as_str(), format!("{what}; {way_out}")),
            Broken::Unreadable(_) | Broken::Stopped => (WHOLE_FILE, broken.to_string()),
        };
        let detail = format!("{what}; what came before it is imported");
        self.refuse(self.within_file(place), Code::MalformedJson, detail);
    }

    /// A place with the name of the file it is in.
    fn within_file(&self, place: &str) -> String {
        match (self.file.trim_end_matches(": "), place) {
            ("", place) => place.to_owned(),
            (file, WHOLE_FILE) => file.to_owned(),
            (file, place) => format!("{file}: {place}"),
        }
    }

    /// Sends the rest and waits for all answers.
    pub(crate) fn finish(mut self) -> Result<Total, Problem> {
        self.send()?;
        self.receive(0)?;
        Ok(self.total)
    }

    fn place(&mut self, what: &'static str) -> String {
        let count = self.counted.entry(what).or_default();
        *count += 1;
        format!("{}{what} {count}", self.file)
    }

    fn push(&mut self, line: Value, place: String) -> Result<(), Problem> {
        self.bytes += weight(&line);
        self.lines.push(line);
        self.places.push(place);
        if self.lines.len() >= LINES || self.bytes >= BYTES { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Problem> {
        if self.lines.is_empty() {
            return Ok(());
        }
        // Timeline events and parts of conversations must be sent in order; memories need not.
        let is_ordered = |line: &Value| line.get("eventLabel").is_some() || line.get("turns").is_some();
        self.receive(if self.lines.iter().any(is_ordered) { 0 } else { UNANSWERED })?;
        let body = fields!(wire::transfer::Import {
            lines: Some(std::mem::take(&mut self.lines)),
            dry_run: Some(self.terms.dry_run),
            import_id: Some(self.import_id.as_str()),
            subject: self.terms.subject,
            moving: self.terms.moving.then_some(true),
            allow_out_of_order: self.terms.allow_out_of_order.then_some(true),
        });
        self.bytes = 0;
        let request = Request::<verb::Import>::to(&[self.terms.persona])?.with_body(body);
        self.sent.send(std::mem::take(&mut self.places), request)
    }

    fn receive(&mut self, most: usize) -> Result<(), Problem> {
        while let Some((places, answer)) = self.sent.answer(most)? {
            self.total.add(&places, answer);
        }
        Ok(())
    }

    fn refuse(&mut self, place: String, code: Code, detail: String) {
        self.total.refused.push(Refused { place, code: code.to_string(), detail });
    }
}

impl Total {
    fn add(&mut self, places: &[String], answer: ImportAnswer) {
        let total = &mut self.answer;
        total.memories += answer.memories;
        total.events += answer.events;
        total.conversations += answer.conversations;
        total.turns += answer.turns;
        total.duplicates += answer.duplicates;
        total.rewritten += answer.rewritten;
        total.undated += answer.undated;
        total.past_retention += answer.past_retention;
        total.import_id = answer.import_id.or(total.import_id);
        for (class, count) in answer.classes {
            *total.classes.entry(class).or_default() += count;
        }
        self.refused.extend(answer.refused.into_iter().map(|refused| Refused {
            place: places.get(refused.line).cloned().unwrap_or_default(),
            code: refused.code,
            detail: refused.detail,
        }));
    }

    /// Prints what was refused, and a summary.
    pub(crate) fn print(&self, context: &CommandContext<'_>, left_out: &[String]) -> Result<(), Problem> {
        let mut table = Table::new(["place", "code", "detail"]);
        for it in &self.refused {
            table.push([it.place.as_str().into(), it.code.as_str().into(), it.detail.as_str().into()]);
        }
        context.output.one(&self.record(), &table, || table.aligned())?;
        self.say(left_out);
        Ok(())
    }

    /// Prints a summary.
    pub(crate) fn say(&self, left_out: &[String]) {
        for line in self.words(left_out) {
            report::note(line);
        }
    }

    fn record(&self) -> Value {
        let mut record = serde_json::to_value(&self.answer).unwrap_or_default();
        let refused: Vec<Value> = self
            .refused
            .iter()
            .map(|it| json!({ "place": it.place, "code": it.code, "detail": it.detail }))
            .collect();
        if let Some(record) = record.as_object_mut() {
            record.insert("refused".to_owned(), refused.into());
            record.insert("skipped".to_owned(), json!(self.skipped));
        }
        record
    }

    fn words(&self, left_out: &[String]) -> Vec<String> {
        let answer = &self.answer;
        let classes: Vec<String> =
            answer.classes.iter().map(|(class, count)| format!("{count} {}", class.as_str())).collect();
        let classes = if classes.is_empty() { String::new() } else { format!(" ({})", classes.join(", ")) };
        let talk = match answer.conversations {
            0 => String::new(),
            count => format!(", {count} conversations with {} turns", answer.turns),
        };
        let mut words = vec![format!(
            "{} {} memories{classes}, {} events{talk}; {} were there already, {} refused{}",
            if self.is_preview { "would import" } else { "imported" },
            answer.memories,
            answer.events,
            answer.duplicates,
            self.refused.len(),
            if self.is_preview { "; nothing was changed" } else { "" },
        )];
        let is_about_people =
            answer.conversations > 0 || self.files.keys().any(|what| !what.contains("selfhood export"));
        if is_about_people && answer.memories + answer.turns > 0 {
            let whose = match &self.subject {
                Some(name) => format!("`{name}`"),
                None => "the owner; --subject names another person".to_owned(),
            };
            words.push(format!("memories and turns without a person belong to {whose}"));
        }
        let counts = [
            (
                answer.rewritten,
                "memories came from another deployment; this deployment was written into them",
            ),
            (answer.undated, "memories and turns have no known date"),
            (answer.past_retention, "turns are past their retention, and were left out"),
        ];
        words.extend(
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
        );
        words.extend(self.skipped.iter().map(|(why, count)| format!("left out {count}: {why}")));
        if !left_out.is_empty() {
            let named: Vec<&str> = left_out.iter().take(NAMED).map(String::as_str).collect();
            let more = if left_out.len() > NAMED { ", …" } else { "" };
            words.push(format!(
                "{} files have no known format, or belong to a persona ({}{more})",
                left_out.len(),
                named.join(", ")
            ));
        }
        if let Some(id) = answer.import_id {
            words.push(format!("undo it with `selfhood import --undo {id}`"));
        }
        words
    }
}

/// A conversation in parts that fit into a request.
fn parts(conversation: Conversation) -> Vec<Conversation> {
    let Conversation { id, title, turns } = conversation;
    let mut parts = Vec::new();
    let (mut part, mut bytes) = (Vec::new(), 0);
    for turn in turns {
        bytes += turn.text.len();
        part.push(turn);
        if part.len() >= TURNS || bytes >= TURN_BYTES {
            parts.push(Conversation {
                id: id.clone(),
                title: title.clone(),
                turns: std::mem::take(&mut part),
            });
            bytes = 0;
        }
    }
    if !part.is_empty() {
        parts.push(Conversation { id, title, turns: part });
    }
    parts
}

/// The approximate size of a line in bytes.
fn weight(line: &Value) -> usize {
    match line {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 2,
        Value::Object(properties) => {
            properties.iter().map(|(name, value)| name.len() + weight(value) + 4).sum()
        }
    }
}

/// An id that contains the time of the import.
fn new_import_id() -> Result<String, Problem> {
    let chance: [u8; 10] = vault::randomness::random_bytes(&clock::chance())
        .map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no random bytes: {error}")))?;
    let millis = u64::try_from(clock::now().as_millis()).unwrap_or(0);
    let id: Uuid = uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid();
    Ok(id.to_string())
}
