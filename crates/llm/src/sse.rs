//! Server-sent events: bytes in, messages out, however the bytes are split.

use crate::error::Reason;

/// The maximum length of a message.
const LONGEST: usize = 4 * 1024 * 1024;

/// Assembles messages. Lines may end in LF, CR LF or CR; comments and unknown fields are ignored.
#[derive(Debug, Default)]
pub(crate) struct Sse {
    line: Vec<u8>,
    after_carriage_return: bool,
    data: Option<String>,
}

impl Sse {
    /// Adds bytes and returns the data of every message that is now complete.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<Vec<String>, Reason> {
        let mut complete = Vec::new();
        for byte in bytes {
            let after_carriage_return = std::mem::replace(&mut self.after_carriage_return, *byte == b'\r');
            match byte {
                b'\n' if after_carriage_return => {}
                b'\n' | b'\r' => complete.extend(self.end_line()),
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > LONGEST {
                return Err(Reason::TooLarge { limit: LONGEST, of: "bytes in one event" });
            }
        }
        Ok(complete)
    }

    /// The last message, if the stream ended without the empty line after it.
    pub(crate) fn end(&mut self) -> Option<String> {
        self.end_line().or_else(|| self.data.take())
    }

    fn end_line(&mut self) -> Option<String> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => data.extend(["\n", value]),
                None => self.data = Some(value.to_owned()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}: hello\r\ndata: {\"é\":1}\r\n\r\nevent: x\rid: 7\rdata:two\rdata:  lines\r\r\
                          : keep-alive\n\ndata\n\ndata: 火\n\n";

    #[test]
    fn messages_are_the_same_however_the_bytes_are_cut() {
        let expected = ["{\"é\":1}", "two\n lines", "", "火"];
        for size in 1..=STREAM.len() {
            let mut sse = Sse::default();
            let received: Vec<_> =
                STREAM.as_bytes().chunks(size).flat_map(|bytes| sse.take(bytes).unwrap()).collect();
            assert_eq!(received, expected, "in pieces of {size}");
            assert_eq!(sse.end(), None);
        }
    }

    #[test]
    fn the_last_message_counts_without_its_empty_line() {
        for cut in ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\r\n"] {
            let mut sse = Sse::default();
            assert!(sse.take(cut.as_bytes()).unwrap().is_empty());
            assert_eq!(sse.end().as_deref(), Some("[DONE]"), "{cut:?}");
        }
    }

    #[test]
    fn a_message_without_end_is_refused() {
        let endless = "x".repeat(LONGEST);
        let mut one_line = Sse::default();
        assert!(one_line.take(b"data: ").is_ok() && one_line.take(endless.as_bytes()).is_err());
        let mut many_lines = Sse::default();
        let line = format!("data: {}\n", "x".repeat(LONGEST / 4));
        assert!((0..5).any(|_| many_lines.take(line.as_bytes()).is_err()));
    }
}
