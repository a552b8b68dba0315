//! Writes the vector of every line of standard input to standard output, as `f32`.
//!
//! The first argument names the encoder (`use-recall.1`); without one it is USE-multilingual as published.

use std::io::{self, BufRead, BufWriter, Write};

use encoders::{Encoder, Encoders};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let encoder = match std::env::args().nth(1) {
        Some(name) => Encoder::from_name(&name).ok_or("no encoder has this name")?,
        None => Encoder::UseMultilingual,
    };
    let encoders = Encoders::built_in()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        for number in encoders.encode(encoder, &line?) {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}
