//! The lines of a text, each within a bound, with their numbers.

use std::io::{BufRead, Read};

use crate::Broken;
use crate::elements::skip_mark;

/// The longest line that is read: a memory or a turn, with whatever a program writes beside it.
const LONGEST: u64 = 16 << 20;

/// Hands over every line with its number from 1, without its end. Bytes that are no UTF-8 are replaced.
pub(crate) fn each_line(
    source: &mut dyn BufRead,
    mut take: impl FnMut(usize, &str) -> Result<(), Broken>,
) -> Result<(), Broken> {
    skip_mark(source)?;
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = (&mut *source).take(LONGEST + 1).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            break;
        }
        if read as u64 > LONGEST {
            let what = format!("the line has more than {LONGEST} bytes");
            return Err(Broken::at(format!("line {number}"), what, "split it into several"));
        }
        let line = String::from_utf8_lossy(&bytes);
        take(number, line.trim_end_matches(['\n', '\r']))?;
    }
    Ok(())
}
