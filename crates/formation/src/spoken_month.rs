//! The month that the talk is about: "the 17th", after plans for March, is hardly this month's.

use jiff::civil::Date;
use recall::date_in_talk;

use crate::cue::Cue;
use crate::exchange::Exchange;
use crate::lexicon::{Hit, Lexicon};
use crate::word::words;

/// How many turns back a month may have been named.
const FARTHEST: usize = 6;

/// The month of the latest date with a name of a month in it, in the turns before and in `said`.
pub(crate) fn spoken_month(exchange: &Exchange<'_>, said: &[&str], language: &str) -> Option<i8> {
    let lexicon = Lexicon::of(language)?;
    let earlier = exchange.earlier.iter().rev().take(FARTHEST).map(|line| line.text);
    let mut lines = said.iter().rev().copied().chain(earlier);
    lines.find_map(|line| month_of(line, lexicon, language, exchange.today))
}

fn month_of(line: &str, lexicon: &Lexicon, language: &str, today: Date) -> Option<i8> {
    let is_month = |hit: &Hit| matches!(hit.cue, Cue::Month(_));
    let is_named = lexicon.hits(&words(line)).iter().any(is_month);
    let date = date_in_talk(line, language, today).filter(|_| is_named)?;
    Some(date.first_day().month())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::exchange::{Author, Line};

    #[test]
    fn the_latest_month_that_was_named_is_spoken_of() {
        let line = |text| Line { author: Author::Speaker, text };
        let earlier = [line("We come in May."), line("The part comes on 18 March."), line("You may laugh.")];
        let exchange = Exchange { earlier: &earlier, ..Exchange::new("Ok.", "en", date(2026, 2, 9)) };
        assert_eq!(spoken_month(&exchange, &[], "en"), Some(3));
        assert_eq!(spoken_month(&exchange, &["And the hall is free in June."], "en"), Some(6));
        assert_eq!(spoken_month(&Exchange { earlier: &[], ..exchange }, &[], "en"), None);
    }
}
