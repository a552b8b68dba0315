//! Text encodings of bytes: hex, base64 and base58btc, parsed as strictly as they are written.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// Lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses lower-case hex of exactly `N` bytes.
#[must_use]
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |character: u8| match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    if rest.is_empty() { bytes?.try_into().ok() } else { None }
}

/// base64url without padding.
#[must_use]
pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Parses base64url without padding; `None` for anything that [`base64url`] would not have written.
#[must_use]
pub fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Standard base64 with padding, as signed notes use it.
#[must_use]
pub fn base64_standard(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Parses standard base64 with padding; `None` for any other encoding of the same bytes.
#[must_use]
pub fn from_base64_standard(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Multibase base58btc: `z` and the digits.
#[must_use]
pub(crate) fn multibase58(bytes: &[u8]) -> String {
    format!("z{}", bs58::encode(bytes).into_string())
}

/// Parses multibase base58btc.
#[must_use]
pub(crate) fn from_multibase58(text: &str) -> Option<Vec<u8>> {
    // Decoding is quadratic, so a text longer than any key or signature is refused first.
    let digits = text.strip_prefix('z').filter(|digits| digits.len() <= 128)?;
    bs58::decode(digits).into_vec().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_reads_back_and_refuses_what_it_would_not_write() {
        assert_eq!(from_hex::<3>(&hex(&[0, 171, 255])), Some([0, 171, 255]));
        for wrong in ["00abf", "00ABff", "00abfg", "00ab", "00abff00", "00abé"] {
            assert_eq!(from_hex::<3>(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn base64_with_loose_ends_is_refused() {
        assert_eq!(from_base64url("_w"), Some(vec![255]));
        for loose in ["_x", "_w==", "/w", "_w\n", "_"] {
            assert_eq!(from_base64url(loose), None, "{loose}");
        }
    }
}
