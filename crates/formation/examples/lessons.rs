//! Reads exchanges, one JSON object a line, and writes what the models see of their passages: one JSON object a
//! line to the standard output, and the numbers as little-endian `f32` to the file given as the argument.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for training that may fail loudly"
)]

use std::io::{BufRead, Write};

use formation::{Author, Exchange, teaching::lessons};
use serde_json::{Value, json};

fn main() {
    let encoders = encoders::Encoders::built_in().unwrap();
    let mut numbers =
        std::io::BufWriter::new(std::fs::File::create(std::env::args().nth(1).unwrap()).unwrap());
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |name: &str| line.get(name).and_then(Value::as_str);
        let exchange = Exchange {
            before: text("before"),
            reply: text("reply"),
            ..Exchange::new(text("said").unwrap(), text("language").unwrap(), jiff::civil::date(2026, 1, 1))
        };
        for lesson in lessons(&exchange, &encoders) {
            let is_reply = lesson.author == Author::Persona;
            println!(
                "{}",
                json!({"id": line["id"], "reply": is_reply, "text": lesson.text, "asked": lesson.asked, "special": lesson.is_special, "clause": false})
            );
            write(&mut numbers, &lesson.features);
            for (text, features) in &lesson.clauses {
                println!("{}", json!({"id": line["id"], "reply": is_reply, "text": text, "clause": true}));
                write(&mut numbers, features);
            }
        }
    }
}

fn write(numbers: &mut impl Write, features: &[f32]) {
    for number in features {
        numbers.write_all(&number.to_le_bytes()).unwrap();
    }
}
