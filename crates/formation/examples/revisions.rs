//! Reads the conversations given as arguments after the first, forms their memories, and writes each pair of a memory
//! and one formed before it: one JSON object a line to the standard output, and what the comparison sees of the pair as
//! little-endian `f32` to the file that is the first argument.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for training that may fail loudly"
)]

use std::io::{BufWriter, Write};

use encoders::Encoders;
use formation::{Author, Draft, Exchange, Formed, Line, Remembered, form, teaching::pair};
use jiff::Timestamp;
use serde_json::{Value, json};

/// A memory with when it was formed and in which turn.
struct Memory {
    draft: Draft,
    at: Timestamp,
    turn: usize,
}

fn main() {
    let encoders = Encoders::built_in().unwrap();
    let mut arguments = std::env::args().skip(1);
    let mut numbers = BufWriter::new(std::fs::File::create(arguments.next().unwrap()).unwrap());
    for path in arguments {
        let conversation: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let memories = formed(&conversation, &encoders);
        let language = conversation["language"].as_str().unwrap();
        for (place, new) in memories.iter().enumerate() {
            for old in memories[..place].iter().filter(|old| old.turn < new.turn) {
                write(new, old, (&path, language), (&encoders, &mut numbers));
            }
        }
    }
}

fn formed(conversation: &Value, encoders: &Encoders) -> Vec<Memory> {
    let turns = conversation["turns"].as_array().unwrap();
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
        let drafts = form(&exchange).into_iter().filter_map(|formed| match formed {
            Formed::Remember(draft) => Some(draft),
            Formed::Refused { .. } => None,
        });
        memories.extend(drafts.map(|draft| Memory { draft, at: at.parse().unwrap(), turn: place + 1 }));
        earlier.push(Line { author: Author::Speaker, text: user });
        earlier.push(Line { author: Author::Persona, text: reply });
    }
    memories
}

fn write(
    new: &Memory,
    old: &Memory,
    (path, language): (&str, &str),
    (encoders, numbers): (&Encoders, &mut impl Write),
) {
    let details: Vec<&str> = old.draft.details.iter().map(|(detail, _)| detail.as_str()).collect();
    let minutes = new.at.duration_since(old.at).as_secs_f64() / 60.0;
    let (kind, author) = (old.draft.kind, old.draft.author);
    let known = Remembered { gist: old.draft.gist.as_str(), details: &details, kind, author, minutes };
    let Some(features) = pair(&new.draft, &known, language, encoders) else { return };
    println!("{}", json!({ "conversation": path, "new": described(new), "old": described(old) }));
    for number in features {
        numbers.write_all(&number.to_le_bytes()).unwrap();
    }
}

fn described(memory: &Memory) -> Value {
    let details = memory.draft.details.iter().map(|(detail, _)| detail.as_str());
    let text: Vec<&str> = std::iter::once(memory.draft.gist.as_str()).chain(details).collect();
    json!({ "turn": memory.turn, "persona": memory.draft.author == Author::Persona, "text": text.join(" ") })
}
