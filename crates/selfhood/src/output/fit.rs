//! Fits a list into the terminal: ids are complete or cut to an unambiguous prefix, times lose their seconds,
//! constant columns are left out, and the sentence gets the remaining width or a line of its own.

/// The space between two columns.
const GAP: usize = 2;
/// The least width of a sentence beside the other columns.
const LEAST_TEXT: usize = 28;
/// The mark between words that are printed below a row.
const BETWEEN: &str = " · ";
/// Columns that are left out when all rows have the same value.
const SAME_FOR_ALL: [&str; 2] = ["persona", "tenant"];
/// The length of a UUID prefix that still differs between ids of the same millisecond.
const SHORT_ID: usize = 18;
const UUID: usize = 36;

/// Columns and rows of plain text.
pub(super) struct Cells {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// How the list is laid out.
pub(super) enum Layout {
    /// Every row is one line.
    Whole,
    /// This column is wrapped.
    Wrapped(usize),
    /// These columns are printed below each row.
    Below(Vec<usize>),
}

impl Cells {
    /// Makes the list narrower if necessary, and returns its layout within `width`.
    pub(super) fn fit(&mut self, width: usize) -> Layout {
        if self.total() <= width {
            return Layout::Whole;
        }
        self.shorten();
        self.drop_what_says_nothing();
        let widths = self.widths();
        let total: usize = widths.iter().map(|own| own + GAP).sum::<usize>() - GAP;
        if total <= width {
            return Layout::Whole;
        }
        let mut others: Vec<(usize, usize)> = widths.into_iter().enumerate().skip(1).collect();
        others.sort_by_key(|(place, own)| (std::cmp::Reverse(*own), *place));
        match others.first() {
            None => Layout::Whole,
            Some((place, own)) if total - own + LEAST_TEXT.min(*own) <= width => Layout::Wrapped(*place),
            Some(_) => Layout::Below(too_many(&others, total, width)),
        }
    }

    /// The cells of these columns, taken out: for each row a few short words and one sentence after another.
    pub(super) fn take_below(&mut self, places: &[usize]) -> Vec<Vec<String>> {
        let widths = self.widths();
        let is_short = |place: &usize| widths.get(*place).is_some_and(|own| *own < LEAST_TEXT);
        let taken = |row: &Vec<String>| -> Vec<String> {
            let cell = |place: &usize| row.get(*place).filter(|cell| !cell.is_empty()).cloned();
            let (short, long): (Vec<usize>, Vec<usize>) = places.iter().partition(|place| is_short(place));
            let mut lines: Vec<String> = long.iter().filter_map(cell).collect();
            let mut words: Vec<String> = short.iter().filter_map(cell).collect();
            if !words.is_empty() {
                words.extend((!lines.is_empty()).then(|| lines.remove(0)));
                lines.insert(0, words.join(BETWEEN));
            }
            lines
        };
        let below = self.rows.iter().map(taken).collect();
        for place in places.iter().rev() {
            self.columns.remove(*place);
            self.rows.iter_mut().for_each(|row| drop(row.remove(*place)));
        }
        below
    }

    fn total(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|name| length(name)).collect();
        for row in &self.rows {
            for (known, cell) in widths.iter_mut().zip(row) {
                *known = (*known).max(length(cell));
            }
        }
        widths
    }

    fn shorten(&mut self) {
        let mut beginnings: Vec<&str> =
            self.rows.iter().filter_map(|row| row.first()?.get(..SHORT_ID)).collect();
        beginnings.sort_unstable();
        let are_unique = beginnings.windows(2).all(|pair| pair.first() != pair.last());
        for row in &mut self.rows {
            for (place, cell) in row.iter_mut().enumerate() {
                if let Some(short) = short_time(cell) {
                    *cell = short;
                } else if is_uuid(cell) && (place > 0 || are_unique) {
                    cell.truncate(SHORT_ID);
                }
            }
        }
    }

    fn drop_what_says_nothing(&mut self) {
        let says_nothing = |place: usize, name: &str| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(place));
            let first = cells.next();
            let is_same = first.is_some() && cells.all(|cell| Some(cell) == first);
            let is_empty = first.is_some_and(String::is_empty);
            place > 0 && is_same && (is_empty || SAME_FOR_ALL.contains(&name))
        };
        let columns = self.columns.iter().enumerate();
        let kept: Vec<bool> = columns.map(|(place, name)| !says_nothing(place, name)).collect();
        let keep = |cells: &mut Vec<String>| {
            let mut marks = kept.iter();
            cells.retain(|_| marks.next().copied().unwrap_or(true));
        };
        keep(&mut self.columns);
        self.rows.iter_mut().for_each(keep);
    }
}

/// The places of as many of the widest columns as there is no room for, in reading order.
fn too_many(widest_first: &[(usize, usize)], total: usize, width: usize) -> Vec<usize> {
    let (mut places, mut left) = (Vec::new(), total);
    for (place, own) in widest_first {
        if left <= width {
            break;
        }
        places.push(*place);
        left -= own + GAP;
    }
    places.sort_unstable();
    places
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// `2026-11-17 07:54` for `2026-11-17T07:54:07.544Z`.
fn short_time(cell: &str) -> Option<String> {
    let (day, time) = cell.strip_suffix('Z')?.split_once('T')?;
    let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let minutes = time.get(..5).filter(|_| is_day && time.len() >= 8)?;
    Some(format!("{day} {minutes}"))
}

fn is_uuid(cell: &str) -> bool {
    cell.len() == UUID
        && cell.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// `text` in lines of at most `width`, broken between words if possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let mut letters: Vec<char> = word.chars().collect();
        while !letters.is_empty() {
            let used = lines.last().map_or(0, |line| length(line));
            let gap = usize::from(used > 0);
            if used + gap + letters.len() > width && used > 0 {
                lines.push(String::new());
                continue;
            }
            let rest = letters.split_off(letters.len().min(width.max(1)));
            if let Some(line) = lines.last_mut() {
                line.extend(std::iter::repeat_n(' ', gap));
                line.extend(letters);
            }
            letters = rest;
        }
    }
    lines
}

/// `line` in lines of at most `width`, as it is up to where it is broken.
pub(super) fn broken(line: &str, width: usize) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), line);
    while let Some((end, _)) = rest.char_indices().nth(width) {
        let (start, next) = rest.split_at(end);
        let space = if next.starts_with(' ') { Some(end) } else { start.rfind(' ') };
        let Some((head, tail)) = space.map(|at| rest.split_at(at)) else { break };
        if head.trim().is_empty() {
            break;
        }
        lines.push(head.trim_end());
        rest = tail.trim_start();
    }
    lines.push(rest);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(columns: &[&str], row: &[&str]) -> Cells {
        let own = |list: &[&str]| list.iter().map(|cell| (*cell).to_owned()).collect();
        Cells { columns: own(columns), rows: vec![own(row)] }
    }

    #[test]
    fn what_is_too_wide_loses_seconds_tails_of_ids_and_empty_columns_first() {
        let columns = ["id", "at", "note", "persona", "label"];
        let row = ["01a1e87f-bb38-7c39-9a25-bdb9de522ee3", "2026-11-17T07:54:07.544Z", "", "nora", "Born"];
        let mut narrow = cells(&columns, &row);
        assert!(matches!(narrow.fit(60), Layout::Whole));
        assert_eq!(narrow.columns, ["id", "at", "label"]);
        assert_eq!(narrow.rows, [["01a1e87f-bb38-7c39", "2026-11-17 07:54", "Born"]]);
        let mut wide = cells(&columns, &row);
        assert!(matches!(wide.fit(120), Layout::Whole));
        assert_eq!(wide.rows, [row]);
    }

    #[test]
    fn as_many_columns_as_there_is_no_room_for_are_below_the_row() {
        let sentence = "The opened keeps two rooms off the booking sites for returning guests.";
        let columns = ["id", "vividness", "class", "gist", "formed"];
        let row = ["mem:9e52fd76df01", "moderate", "commercial-confidential", sentence, "2026-10-28"];
        let mut list = cells(&columns, &row);
        let Layout::Below(places) = list.fit(50) else { panic!("it does not fit beside them") };
        assert_eq!(places, [2, 3]);
        assert_eq!(list.take_below(&places), [[format!("commercial-confidential · {sentence}")]]);
        assert_eq!(list.columns, ["id", "vividness", "formed"]);
        assert!(list.total() <= 50);
        let mut doctor =
            cells(&["check", "detail", "wayOut"], &["mirrors", sentence, "keep a copy on another disk"]);
        let Layout::Below(places) = doctor.fit(30) else { panic!("it does not fit beside them") };
        assert_eq!(doctor.take_below(&places), [[format!("keep a copy on another disk · {sentence}")]]);
    }

    #[test]
    fn a_sentence_is_wrapped_or_stands_below_its_row() {
        let sentence = "The sauna opens at seven in the morning and closes at ten in the evening.";
        let row = ["mem:9e52fd76df01", "moderate", "semantic", sentence];
        let columns = ["id", "vividness", "kind", "gist"];
        assert!(matches!(cells(&columns, &row).fit(80), Layout::Wrapped(3)));
        assert!(matches!(cells(&columns, &row).fit(50), Layout::Below(places) if places == [3]));
        assert_eq!(wrapped("The sauna opens at seven", 10), ["The sauna", "opens at", "seven"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbr", "eaka", "ble"]);
        assert_eq!(broken("██  1.00  vivid today", 16), ["██  1.00  vivid", "today"]);
        assert_eq!(broken("██  1.00", 16), ["██  1.00"]);
        assert_eq!(broken("unbreakable", 4), ["unbreakable"]);
    }
}
