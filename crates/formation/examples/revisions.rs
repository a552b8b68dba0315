//! Reads the conversations given as arguments after the first, forms their memories, and writes each memory with all
//! that were formed before it: one JSON object a line to the standard output. The first argument is the beginning of
//! two file names: `.passages` receives what the models see of the passage of each memory, `.pairs` what the comparison
//! sees of the memory beside each earlier one, both as little-endian `f32`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for training that may fail loudly"
)]

use std::fs::File;
use std::io::{BufWriter, Write};

use encoders::Encoders;
use formation::teaching::{Comparison, PassageSelection, TrainingExample, drafts};
use formation::{Author, Exchange, Line, RevisableMemory};
use jiff::Timestamp;
use serde_json::{Value, json};

/// A memory with when it was formed and in which turn.
struct Memory {
    taught: TrainingExample,
    at: Timestamp,
    turn: usize,
}

struct Files {
    passages: BufWriter<File>,
    pairs: BufWriter<File>,
}

fn main() {
    let encoders = Encoders::built_in().unwrap();
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap();
    let file = |ending: &str| BufWriter::new(File::create(format!("{name}.{ending}")).unwrap());
    let mut files = Files { passages: file("passages"), pairs: file("pairs") };
    for path in arguments {
        let conversation: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let memories = formed(&conversation, &encoders);
        let language = conversation["language"].as_str().unwrap();
        let mut comparison = Comparison::new(language, &encoders);
        for (place, new) in memories.iter().enumerate() {
            let earlier = memories[..place].iter().filter(|old| old.turn < new.turn).collect::<Vec<_>>();
            write(new, &earlier, &path, (&mut comparison, &mut files));
        }
    }
}

fn formed(conversation: &Value, encoders: &Encoders) -> Vec<Memory> {
    let turns = conversation["turns"].as_array().unwrap();
    let which = if conversation["all"] == true { PassageSelection::All } else { PassageSelection::Noted };
    let text = |turn: &'_ Value, name: &str| turn[name].as_str().unwrap().to_owned();
    let said: Vec<(String, String, String)> =
        turns.iter().map(|turn| (text(turn, "at"), text(turn, "user"), text(turn, "reply"))).collect();
    let mut earlier: Vec<Line<'_>> = Vec::new();
    let mut memories = Vec::new();
    for (place, (at, user, reply)) in said.iter().enumerate() {
        let exchange = Exchange {
            before: place.checked_sub(1).map(|before| said[before].2.as_str()),
            earlier: &earlier,
            reply: Some(reply),
            name: conversation["speaker"].as_str(),
            encoders: Some(encoders),
            ..Exchange::new(user, conversation["language"].as_str().unwrap(), at[..10].parse().unwrap())
        };
        let taught = drafts(&exchange, encoders, which).into_iter();
        memories.extend(taught.map(|taught| Memory { taught, at: at.parse().unwrap(), turn: place + 1 }));
        earlier.push(Line { author: Author::Speaker, text: user });
        earlier.push(Line { author: Author::Persona, text: reply });
    }
    memories
}

fn write(
    new: &Memory,
    earlier: &[&Memory],
    path: &str,
    (comparison, files): (&mut Comparison<'_>, &mut Files),
) {
    let details: Vec<Vec<&str>> = earlier
        .iter()
        .map(|old| old.taught.draft.details.iter().map(|(detail, _)| detail.as_str()).collect())
        .collect();
    let known: Vec<RevisableMemory<'_>> = earlier
        .iter()
        .zip(&details)
        .map(|(old, details)| RevisableMemory {
            gist: old.taught.draft.gist.as_str(),
            details,
            kind: old.taught.draft.kind,
            author: old.taught.draft.author,
            minutes: new.at.duration_since(old.at).as_secs_f64() / 60.0,
        })
        .collect();
    let numbers = comparison.pairs(&new.taught.draft, &known);
    let described: Vec<Value> = earlier.iter().map(|old| describe(old)).collect();
    println!("{}", json!({ "conversation": path, "new": describe(new), "known": described }));
    put(&mut files.passages, &new.taught.features);
    for row in &numbers {
        put(&mut files.pairs, row);
    }
}

fn put(file: &mut BufWriter<File>, numbers: &[f32]) {
    for number in numbers {
        file.write_all(&number.to_le_bytes()).unwrap();
    }
}

fn describe(memory: &Memory) -> Value {
    let draft = &memory.taught.draft;
    let details = draft.details.iter().map(|(detail, _)| detail.as_str());
    let text: Vec<&str> = std::iter::once(draft.gist.as_str()).chain(details).collect();
    json!({ "turn": memory.turn, "persona": draft.author == Author::Persona, "text": text.join(" ") })
}
