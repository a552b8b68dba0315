//! Days that talk names from where it stands: "tomorrow", "next Friday", "in two weeks".
//!
//! A memory is read long after, when "tomorrow" means another day; so the day itself is kept beside it.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::statement::Statement;
use crate::word::Word;

/// A statement names no more days than these.
const MOST: usize = 3;

/// What a statement says of days, each with the date meant: `next Friday = 2026-11-20`.
pub(crate) fn days(statement: &Statement<'_>, today: Date) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = statement.run.start;
    while at < statement.run.end && found.len() < MOST {
        let reading = Reading { statement, today, at };
        match reading.day() {
            Some((length, meant)) => {
                found.extend(reading.words(length).map(|words| format!("{words} = {meant}")));
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// A statement, read from one of its words on.
struct Reading<'a> {
    statement: &'a Statement<'a>,
    today: Date,
    at: usize,
}

impl Reading<'_> {
    /// How many words name a day here, and the day.
    fn day(&self) -> Option<(usize, String)> {
        self.plain().or_else(|| self.weekday()).or_else(|| self.distance()).or_else(|| self.period())
    }

    fn plain(&self) -> Option<(usize, String)> {
        if self.is_morning() {
            return None;
        }
        let (length, days) =
            [(Cue::Overmorrow, 2), (Cue::Tomorrow, 1), (Cue::Yesterday, -1), (Cue::Today, 0)]
                .into_iter()
                .find_map(|(cue, days)| Some((self.covers(0, cue)?, days)))?;
        Some((length, self.today.checked_add(days.days()).ok()?.to_string()))
    }

    /// "Mañana" and "Morgen" are also the morning: `las seis de la mañana`, `am Morgen`.
    fn is_morning(&self) -> bool {
        let before =
            self.at.checked_sub(self.statement.run.start + 1).and_then(|at| self.statement.words.get(at));
        before.is_some_and(|word| ["la", "am", "heute", "jeden", "guten"].contains(&word.folded.as_str()))
            && self.covers(0, Cue::Tomorrow).is_some()
    }

    fn weekday(&self) -> Option<(usize, String)> {
        let lead = self
            .covers(0, Cue::Next)
            .map(|length| (length, 1))
            .or(self.covers(0, Cue::Last).map(|length| (length, -1)));
        let (skip, before) = lead.unwrap_or((0, 0));
        let (length, day) = self.hits(skip).find_map(|hit| Some((hit.words.len(), hit.cue.weekday()?)))?;
        let end = skip + length;
        let (more, behind) = match (self.covers(end, Cue::Next), self.covers(end, Cue::Last)) {
            (Some(length), _) => (length, 1),
            (None, Some(length)) => (length, -1),
            (None, None) => (0, 0),
        };
        let direction = if before != 0 { before } else { behind };
        if direction == 0 && self.statement.has(&[Cue::Standing, Cue::Tip]) {
            return None;
        }
        let is_past = direction < 0
            || (direction == 0 && self.statement.has(&[Cue::Event]) && !self.statement.has(&[Cue::Plan]));
        let weekday = Weekday::from_monday_one_offset(day).ok()?;
        let meant = self.today.nth_weekday(if is_past { -1 } else { 1 }, weekday).ok()?;
        Some((end + more, meant.to_string()))
    }

    fn distance(&self) -> Option<(usize, String)> {
        let ahead = self.covers(0, Cue::In);
        let ago = self.covers(0, Cue::Ago);
        let skip = ahead.or(ago).unwrap_or(0);
        let (counted, count) = self.count(skip)?;
        let (length, cue) = [Cue::Days, Cue::Weeks, Cue::Months, Cue::Years]
            .into_iter()
            .find_map(|cue| Some((self.covers(skip + counted, cue)?, cue)))?;
        let end = skip + counted + length;
        let behind = self.covers(end, Cue::Ago);
        let sign = match (ahead, ago.or(behind)) {
            (_, Some(_)) => -1,
            (Some(_), None) => 1,
            (None, None) => return None,
        };
        let count = i64::from(count) * sign;
        let span = if cue == Cue::Weeks {
            count.weeks()
        } else if cue == Cue::Months {
            count.months()
        } else if cue == Cue::Years {
            count.years()
        } else {
            count.days()
        };
        let meant = self.today.checked_add(span).ok()?;
        let written = if cue == Cue::Years { meant.year().to_string() } else { meant.to_string() };
        Some((end + behind.unwrap_or(0), written))
    }

    /// Next or last month or year, by name.
    fn period(&self) -> Option<(usize, String)> {
        let lead = self
            .covers(0, Cue::Next)
            .map(|length| (length, 1))
            .or(self.covers(0, Cue::Last).map(|length| (length, -1)));
        let (skip, before) = lead.unwrap_or((0, 0));
        let (length, cue) =
            [Cue::Months, Cue::Years].into_iter().find_map(|cue| Some((self.covers(skip, cue)?, cue)))?;
        let end = skip + length;
        let (more, direction) = match (before, self.covers(end, Cue::Next), self.covers(end, Cue::Last)) {
            (0, Some(length), _) => (length, 1),
            (0, None, Some(length)) => (length, -1),
            (0, None, None) => return None,
            (before, _, _) => (0, before),
        };
        let meant = if cue == Cue::Months {
            self.today.checked_add(direction.months()).ok()?.strftime("%Y-%m").to_string()
        } else {
            self.today.checked_add(direction.years()).ok()?.strftime("%Y").to_string()
        };
        Some((end + more, meant))
    }

    fn count(&self, skip: usize) -> Option<(usize, i8)> {
        let word = self.word(skip)?;
        if let Ok(count) = word.folded.parse::<i8>() {
            return Some((1, count));
        }
        self.hits(skip).find_map(|hit| Some((hit.words.len(), hit.cue.counted()?)))
    }

    /// How many words a phrase of this cue covers, `skip` words from here.
    fn covers(&self, skip: usize, cue: Cue) -> Option<usize> {
        self.hits(skip).filter(|hit| hit.cue == cue).map(|hit| hit.words.len()).max()
    }

    fn hits(&self, skip: usize) -> impl Iterator<Item = &Hit> {
        let start = self.at + skip;
        let from = self.statement.hits.partition_point(|hit| hit.words.start < start);
        self.statement.hits.iter().skip(from).take_while(move |hit| hit.words.start == start)
    }

    fn word(&self, skip: usize) -> Option<&Word> {
        self.statement.words.get(self.at + skip - self.statement.run.start)
    }

    fn words(&self, length: usize) -> Option<&str> {
        let start = self.statement.words.first()?.range.start;
        let (first, last) = (self.word(0)?, self.word(length - 1)?);
        self.statement.text.get(first.range.start - start..last.range.end - start)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::lexicon::Lexicon;
    use crate::sentence::Sentence;
    use crate::statement::statements;

    #[test]
    fn a_day_named_from_today_gets_its_date() {
        for (language, said, expected) in [
            ("en", "We fly home next Friday.", vec!["next Friday = 2026-11-20"]),
            ("en", "I arrive the day after tomorrow.", vec!["day after tomorrow = 2026-11-17"]),
            ("en", "I moved here two weeks ago.", vec!["two weeks ago = 2026-11-01"]),
            (
                "en",
                "I start in 10 days, not tomorrow.",
                vec!["in 10 days = 2026-11-25", "tomorrow = 2026-11-16"],
            ),
            ("en", "Breakfast ends at ten on Sunday, always.", vec![]),
            ("ro", "Ajungem vinerea viitoare.", vec!["vinerea viitoare = 2026-11-20"]),
            ("de", "Wir kommen nächsten Montag.", vec!["nächsten Montag = 2026-11-16"]),
            ("fr", "Je pars jeudi prochain.", vec!["jeudi prochain = 2026-11-19"]),
            ("es", "Llegamos el lunes que viene.", vec!["lunes que viene = 2026-11-16"]),
            ("es", "Me mudé hace tres meses.", vec!["hace tres meses = 2026-08-15"]),
            ("es", "El pan llega a las seis de la mañana.", vec![]),
            ("de", "Ich habe nächsten Monat Urlaub.", vec!["nächsten Monat = 2026-12"]),
        ] {
            let sentence = Sentence::read(said, Lexicon::of(language).unwrap());
            let statements = statements(&sentence);
            let found: Vec<String> =
                statements.iter().flat_map(|statement| days(statement, date(2026, 11, 15))).collect();
            assert_eq!(found, expected, "{said}");
        }
    }
}
