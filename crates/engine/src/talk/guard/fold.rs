//! Folds text for the tenant's rules: invisible characters are removed, and letters that look alike become
//! one.
//!
//! It is not `text::folded`, because that one compares what people wrote, and this one what was written to get
//! past a rule.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// A text, prepared for comparison. Two spellings are stored, because a letter's look-alike depends on its
/// case: the Russian `Н` looks like `H`, and its small form like no Latin letter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    /// Without case, marks and invisible characters, with single spaces, and with a space at both ends.
    plain: String,
    /// The same with each letter replaced by its look-alike.
    looks: String,
}

impl Folded {
    pub(crate) fn of(text: &str) -> Self {
        let plain = spaced(text, |c, folded| folded.extend(c.to_lowercase()));
        // A long text has few different characters, and looking one up is slow.
        let mut known: HashMap<char, String> = HashMap::new();
        let looks = spaced(text, |c, folded| {
            if c.is_ascii() {
                folded.push(c.to_ascii_lowercase());
            } else {
                folded.push_str(known.entry(c).or_insert_with(|| look_alike(c)));
            }
        });
        Self { plain, looks }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// How many letters and digits it has.
    pub(crate) fn length(&self) -> usize {
        let letters = |text: &str| text.chars().filter(|c| *c != ' ').count();
        letters(&self.plain).max(letters(&self.looks))
    }

    /// The folded text.
    pub(crate) fn words(&self) -> &str {
        self.plain.trim()
    }

    /// Whether it contains `phrase` as whole words, or what looks like it.
    pub(crate) fn says(&self, phrase: &Self) -> bool {
        self.plain.contains(phrase.plain.as_str()) || self.looks.contains(phrase.looks.as_str())
    }
}

/// Whether a character is compared: a letter or a digit.
pub(crate) fn counts(c: char) -> bool {
    !is_ignorable(c) && !is_combining_mark(c) && (c.is_alphanumeric() || enclosed(c).is_some())
}

fn spaced(text: &str, mut push: impl FnMut(char, &mut String)) -> String {
    let mut folded = String::from(" ");
    for c in text.nfkd().filter(|c| !is_ignorable(*c) && !is_combining_mark(*c)) {
        let c = enclosed(c).unwrap_or(c);
        if c.is_alphanumeric() {
            push(c, &mut folded);
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    if folded.trim().is_empty() { String::new() } else { folded }
}

/// What a letter outside ASCII looks like, in lower case. ASCII letters are left alone: Unicode's table maps `m` to
/// `rn`, and would block `modern` where `modem` is blocked.
fn look_alike(c: char) -> String {
    let mut buffer = [0; 4];
    let like = skeleton(c.encode_utf8(&mut buffer)).filter(|c| c.is_alphanumeric());
    let like: String = like.map(|c| small_capital(c).unwrap_or(c)).flat_map(char::to_lowercase).collect();
    if like.is_empty() { c.to_lowercase().collect() } else { like }
}

/// The letter of a small capital, which Unicode's table of look-alikes leaves out.
fn small_capital(c: char) -> Option<char> {
    const SMALL: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ\u{0}ʏᴢ";
    // The Cyrillic and the Greek kappa have this skeleton.
    if c == 'ĸ' {
        return Some('k');
    }
    SMALL.chars().zip('a'..='z').find(|(small, _)| *small == c).map(|(_, letter)| letter)
}

/// `text` as people see it: compatible forms are made plain, and what has no glyph is left out.
pub(crate) fn visible(text: &str) -> String {
    text.nfkc().filter(|c| !is_ignorable(*c)).collect()
}

/// The letter inside a symbol without decomposition: white on black, and regional indicators.
fn enclosed(c: char) -> Option<char> {
    let first = match c {
        '\u{1f150}'..='\u{1f169}' => 0x1f150,
        '\u{1f170}'..='\u{1f189}' => 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => 0x1f1e6,
        _ => return None,
    };
    char::from_u32(u32::from('A') + (u32::from(c) - first))
}

/// Characters without a glyph: Unicode's `Default_Ignorable_Code_Point`, controls other than white space, private use
/// and noncharacters.
fn is_ignorable(c: char) -> bool {
    let is_control = c.is_control() && !c.is_whitespace();
    let is_noncharacter = u32::from(c) & 0xfffe == 0xfffe;
    is_control
        || is_noncharacter
        || matches!(
            c,
            '\u{ad}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{fdd0}'..='\u{fdef}'
                | '\u{f0000}'..='\u{10ffff}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_another_script_are_found_in_either_case() {
        let phrase = Folded::of("Ночной Сокол");
        assert!(Folded::of("про НОЧНОЙ СОКОЛ!").says(&phrase));
        assert!(!Folded::of("ночь и сокол").says(&phrase));
    }

    #[test]
    fn only_letters_and_digits_count() {
        let counted = "p\u{2063}o\u{301} 🅚.e1".chars().filter(|c| counts(*c)).count();
        assert_eq!(counted, 5);
    }
}
