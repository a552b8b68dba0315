//! Reads messages, one JSON object a line with `language` and `said`, and writes what the kernel sees of each and of its
//! clauses: one JSON object a line to the standard output, and the numbers as little-endian `f32` to the file given as
//! the argument.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for training that may fail loudly"
)]

use std::fs::File;
use std::io::{BufRead, BufWriter, Write};

use formation::teaching::special_inputs;
use serde_json::{Value, json};

fn main() {
    let encoders = encoders::Encoders::built_in().unwrap();
    let mut numbers = BufWriter::new(File::create(std::env::args().nth(1).unwrap()).unwrap());
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (said, language) = (line["said"].as_str().unwrap(), line["language"].as_str().unwrap());
        for (place, (text, input)) in special_inputs(said, language, &encoders).into_iter().enumerate() {
            println!("{}", json!({ "id": line["id"], "clause": place > 0, "text": text }));
            for number in input {
                numbers.write_all(&number.to_le_bytes()).unwrap();
            }
        }
    }
}
