//! The number of a day that stands alone in talk, without its month.

use super::super::token::folded;

/// The number of a day on its own: `on the 3rd`, `am 3.`, `le 3`, `el 3`, `pe 3`.
pub(super) fn day_alone(text: &str) -> Option<i8> {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    pieces.windows(2).enumerate().find_map(|(at, pair)| {
        let [lead, number] = pair else { return None };
        let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
        let ending = number.get(digits.len()..).unwrap_or_default();
        let day: i8 = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
        let is_closed = ending.ends_with([',', '.', '!', '?', ';', ')', ':']);
        let follower = pieces.get(at + 2).map(|word| folded(word));
        let is_free =
            is_closed || follower.as_deref().is_none_or(|word| FOLLOWERS.contains(&word) || is_verb(word));
        let letters = ending.trim_end_matches([',', '.', '!', '?', ';', ')', ':']);
        let is_denied =
            at > 0 && ["not", "nicht", "pas", "no", "nu"].contains(&folded(pieces.get(at - 1)?).as_str());
        let runs_on = ["to", "till", "until"].contains(&follower.as_deref().unwrap_or_default());
        let is_named = match folded(lead).as_str() {
            _ if is_denied => false,
            _ if runs_on => ["st", "nd", "rd", "th"].contains(&letters),
            "the" => ["st", "nd", "rd", "th"].contains(&letters),
            "am" | "zum" | "vom" | "den" | "dem" => ending.starts_with('.'),
            "le" | "du" | "au" | "el" | "del" | "al" | "pe" => letters.is_empty() || letters == "er",
            _ => false,
        } || (ending == "." && follower.as_deref() == Some("bis"));
        (is_named && is_free).then_some(day)
    })
}

/// "El 25 vamos", "pe 25 mergem": what "we" do is no counted thing.
fn is_verb(word: &str) -> bool {
    ["amos", "emos", "imos", "gem", "cam", "tem"].iter().any(|ending| word.ends_with(ending))
}

/// What may follow a day that stands for itself: words that are no thing to be counted, as in `el 20 por ciento`.
#[rustfmt::skip]
const FOLLOWERS: [&str; 105] = [
    "we", "i", "she", "he", "they", "on", "nous", "je", "il", "elle", "ils", "wir", "ich", "er", "sie", "noi", "eu",
    "at", "for", "and", "to", "until", "with", "in", "if", "but", "or", "um", "mit", "bis", "und", "ab", "nach", "oder", "wieder", "a",
    "pour", "avec", "et", "jusqu", "para", "con", "y", "hasta", "la", "cu", "si", "pentru", "pana", "then", "instead", "now", "because", "au", "al", "till", "jusqu’a",
    "is", "was", "not", "when", "so", "as", "of", "before", "after", "ist", "war", "is's", "hab", "habe", "haben", "bin", "sind", "hat", "fahren", "kommt", "beim", "bei", "zum",
    "jai", "j'ai", "j’ai", "ai", "est", "c'est", "cest", "chez", "mais", "me", "te", "se", "nos", "le", "lo", "mi", "voy", "tengo", "es",
    "am", "ma", "mi-am", "ne", "o", "avem",
];
