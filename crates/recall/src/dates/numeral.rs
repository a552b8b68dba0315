//! Numbers, and dates written in numbers.

use jiff::civil::Date;

/// The meaning of a sequence of digits and separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// A number of one to three digits, `8` or `8th`.
    Number(i32),
    /// A number of four digits that may be a year.
    Year(i16),
    /// `2023-05-08`, `08.05.2023`, `8/5/2023`.
    Date(Date),
    /// `2023-05`, `05/2023`.
    Month { year: i16, month: i8 },
    /// `8.5.` or `8/5`: a date only after a word that marks it as one.
    DayMonth { day: i8, month: i8 },
    /// A time, a price, a day that does not exist.
    Other,
}

/// A longer text is not a date.
const LONGEST: usize = 24;
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;
const ORDINAL_ENDINGS: [&str; 9] = ["st", "nd", "rd", "th", "er", "re", "e", "º", "ª"];

/// The numeral at the beginning of `text`, which begins with a digit, and its length in bytes.
pub(super) fn numeral(text: &str) -> (Numeral, usize) {
    let run = digits_and_separators(text);
    if run.len() > LONGEST || run.contains(':') {
        return (Numeral::Other, run.len());
    }
    let mut parts = run.split(SEPARATORS);
    let (first, second, third, more) = (parts.next(), parts.next(), parts.next(), parts.next());
    let first = first.unwrap_or_default();
    match (second, third, more) {
        (None, ..) => {
            let (numeral, ending) = plain(first, text.get(first.len()..).unwrap_or_default());
            (numeral, first.len() + ending)
        }
        (Some(second), None, _) => match two_parts(first, second, run) {
            Some(numeral) => (numeral, run.len()),
            None => (plain(first, "").0, first.len()),
        },
        (Some(second), Some(third), None) => (three_parts([first, second, third], run), run.len()),
        (Some(_), Some(_), Some(_)) => (Numeral::Other, run.len()),
    }
}

const SEPARATORS: [char; 3] = ['.', '/', '-'];

/// The digits at the beginning of `text`, with single separators between them.
fn digits_and_separators(text: &str) -> &str {
    let mut end = 0;
    let mut separator_at = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => (end, separator_at) = (at + 1, None),
            b'.' | b'/' | b'-' | b':' if separator_at.is_none() => separator_at = Some(at),
            _ => break,
        }
    }
    text.get(..end).unwrap_or_default()
}

fn plain(digits: &str, after: &str) -> (Numeral, usize) {
    let letters_end = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
    let ending = after.get(..letters_end).unwrap_or_default();
    let is_ordinal = ORDINAL_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let numeral = match (digits.len(), digits.parse::<i16>()) {
        _ if !ending.is_empty() && !is_ordinal => Numeral::Other,
        (1..=3, Ok(number)) => Numeral::Number(number.into()),
        (4, Ok(year)) if YEARS.contains(&year) && !is_ordinal => Numeral::Year(year),
        _ => Numeral::Other,
    };
    (numeral, ending.len())
}

/// `None` if only the first part is a numeral, as in `3-8 May`.
fn two_parts(first: &str, second: &str, run: &str) -> Option<Numeral> {
    let with_dash = run.contains('-');
    Some(match (first.len(), second.len()) {
        (4, 2) if with_dash => month(first, second),
        (1 | 2, 4) if !with_dash => month(second, first),
        // A winter or a school year: `2023/24`.
        (4, 2) => plain(first, "").0,
        (1 | 2, 1 | 2) if !with_dash => match (first.parse(), second.parse()) {
            (Ok(day @ 1..=31), Ok(month @ 1..=12)) => Numeral::DayMonth { day, month },
            _ => Numeral::Other,
        },
        _ if with_dash => return None,
        _ => Numeral::Other,
    })
}

fn month(year: &str, month: &str) -> Numeral {
    match (year.parse(), month.parse()) {
        (Ok(year), Ok(month @ 1..=12)) if YEARS.contains(&year) => Numeral::Month { year, month },
        _ => Numeral::Other,
    }
}

fn three_parts([first, second, third]: [&str; 3], run: &str) -> Numeral {
    let separators: Vec<char> = run.chars().filter(|c| SEPARATORS.contains(c)).collect();
    let [separator, other] = separators[..] else { return Numeral::Other };
    let date = match (first.len(), second.len(), third.len()) {
        _ if separator != other => None,
        (4, 1 | 2, 1 | 2) => written(first, second, third),
        (1 | 2, 1 | 2, 4) => day_first(first, second, third, separator),
        (1 | 2, 1 | 2, 2) if separator != '-' => {
            let century = if third < "70" { "20" } else { "19" };
            day_first(first, second, &format!("{century}{third}"), separator)
        }
        _ => None,
    };
    date.map_or(Numeral::Other, Numeral::Date)
}

/// The day comes first, unless only the other order is a valid date: `5/28/2023` is American.
fn day_first(first: &str, second: &str, year: &str, separator: char) -> Option<Date> {
    let american = || (separator != '.').then(|| written(year, first, second)).flatten();
    written(year, second, first).or_else(american)
}

fn written(year: &str, month: &str, day: &str) -> Option<Date> {
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn dates_in_numbers_are_read_with_the_day_first_unless_they_are_clearly_american() {
        let may_8 = Numeral::Date(date(2023, 5, 8));
        for (text, expected) in [
            ("2023-05-08", may_8),
            ("2023-05-08T10:00", may_8),
            ("2023/05/08", may_8),
            ("08.05.2023.", may_8),
            ("8.5.23", may_8),
            ("8/5/2023", may_8),
            ("8-5-2023", may_8),
            ("5/28/2023", Numeral::Date(date(2023, 5, 28))),
            ("28.5.1997", Numeral::Date(date(1997, 5, 28))),
            ("2023-05", Numeral::Month { year: 2023, month: 5 }),
            ("05/2023", Numeral::Month { year: 2023, month: 5 }),
            ("8.5.", Numeral::DayMonth { day: 8, month: 5 }),
            ("8th", Numeral::Number(8)),
            ("1er", Numeral::Number(1)),
            ("3-8", Numeral::Number(3)),
            ("2023/24", Numeral::Year(2023)),
            ("2023", Numeral::Year(2023)),
        ] {
            assert_eq!(numeral(text).0, expected, "{text}");
        }
    }

    #[test]
    fn other_numbers_are_no_dates() {
        for text in [
            "2023-02-31",
            "12:30",
            "8pm",
            "10k",
            "1.2.3",
            "10.0.0.1",
            "5/28.2023",
            "31.31.2023",
            "12345",
            "28.5.2023.1",
            "1111111111111111111111111111.1.1",
        ] {
            assert_eq!(numeral(text).0, Numeral::Other, "{text}");
        }
    }
}
