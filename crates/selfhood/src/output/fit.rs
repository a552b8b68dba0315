//! Fits a list into the terminal: ids are complete or cut to an unambiguous prefix, times lose their seconds,
//! constant columns are left out, and the sentence gets the remaining width or a line of its own.

/// The space between two columns.
const GAP: usize = 2;
/// The least width of a sentence beside the other columns.
const LEAST_TEXT: usize = 28;
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
    /// This column is printed below each row.
    Below(usize),
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
        let widest = widths.iter().copied().enumerate().skip(1).max_by_key(|(_, own)| *own);
        let Some((place, own)) = widest else { return Layout::Whole };
        if total - own + LEAST_TEXT.min(own) <= width { Layout::Wrapped(place) } else { Layout::Below(place) }
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
    fn a_sentence_is_wrapped_or_stands_below_its_row() {
        let sentence = "The sauna opens at seven in the morning and closes at ten in the evening.";
        let row = ["mem:9e52fd76df01", "moderate", "semantic", sentence];
        let columns = ["id", "vividness", "kind", "gist"];
        assert!(matches!(cells(&columns, &row).fit(80), Layout::Wrapped(3)));
        assert!(matches!(cells(&columns, &row).fit(50), Layout::Below(3)));
        assert_eq!(wrapped("The sauna opens at seven", 10), ["The sauna", "opens at", "seven"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbr", "eaka", "ble"]);
    }
}
