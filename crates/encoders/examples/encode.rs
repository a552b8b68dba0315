//! Writes the USE-multilingual vector of every line of standard input to standard output, as `f32`.

use std::io::{self, BufRead, BufWriter, Write};

use encoders::{Encoder, Encoders};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let encoders = Encoders::built_in()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        for number in encoders.encode(Encoder::UseMultilingual, &line?) {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}
