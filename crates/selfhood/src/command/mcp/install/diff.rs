//! The difference between two texts, for people.

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;
/// The largest comparison that is made line by line; settings of clients are far smaller where they change.
const MOST: usize = 4_000_000;

/// One line of both texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// The lines in which `old` and `new` differ, with a few lines around them.
pub(super) fn diff(name: &str, old: &str, new: &str) -> String {
    let lines = compared(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let is_near = |place: usize| {
        let (from, to) = (place.saturating_sub(AROUND), place + AROUND);
        lines.iter().take(to + 1).skip(from).any(|line| !matches!(line, Line::Same(_)))
    };
    let mut shown = vec![format!("--- {name}"), format!("+++ {name}")];
    let mut last = None;
    for (place, line) in lines.iter().enumerate().filter(|(place, _)| is_near(*place)) {
        if last.is_some_and(|last| last + 1 < place) {
            shown.push("@@".to_owned());
        }
        last = Some(place);
        shown.push(match line {
            Line::Same(text) => format!(" {text}"),
            Line::Old(text) => format!("-{text}"),
            Line::New(text) => format!("+{text}"),
        });
    }
    shown.join("\n")
}

/// Both texts as one: what they share, and what only one of them has.
fn compared<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let middle = |lines: &[&'t str]| -> Vec<&'t str> {
        lines.iter().copied().take(lines.len() - tail).skip(head).collect()
    };
    let mut lines: Vec<Line<'t>> = old.iter().copied().take(head).map(Line::Same).collect();
    lines.extend(aligned(&middle(old), &middle(new)));
    lines.extend(old.iter().copied().skip(old.len() - tail).map(Line::Same));
    lines
}

/// The lines of both, with as many shared ones as possible.
fn aligned<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    if old.len().saturating_mul(new.len()) > MOST {
        let (old, new) = (old.iter().copied(), new.iter().copied());
        return old.map(Line::Old).chain(new.map(Line::New)).collect();
    }
    let shared = shared_after(old, new);
    let most = |i: usize, j: usize| shared.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    loop {
        match (old.get(i), new.get(j)) {
            (Some(own), Some(other)) if own == other => {
                lines.push(Line::Same(own));
                (i, j) = (i + 1, j + 1);
            }
            (Some(own), other) if other.is_none() || most(i + 1, j) >= most(i, j + 1) => {
                lines.push(Line::Old(own));
                i += 1;
            }
            (_, Some(other)) => {
                lines.push(Line::New(other));
                j += 1;
            }
            (_, None) => return lines,
        }
    }
}

/// How many lines are shared at most from each pair of places on.
fn shared_after(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0; new.len() + 1]];
    for own in old.iter().rev() {
        let mut row = vec![0];
        let below = rows.last().map(Vec::as_slice).unwrap_or_default();
        for (other, pair) in new.iter().rev().zip(below.windows(2).rev()) {
            let [diagonal, beside] = [pair.last(), pair.first()].map(|it| it.copied().unwrap_or(0));
            let next = row.last().copied().unwrap_or(0);
            row.push(if own == other { diagonal + 1 } else { beside.max(next) });
        }
        row.reverse();
        rows.push(row);
    }
    rows.reverse();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_marked() {
        let (old, new) = ("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nx\ny\nf\n");
        assert_eq!(diff("s", old, new), "--- s\n+++ s\n b\n c\n d\n-e\n+x\n+y\n f");
        assert_eq!(diff("s", "", "a\n"), "--- s\n+++ s\n+a");
        assert_eq!(diff("s", "a\n", "a\na\n"), "--- s\n+++ s\n a\n+a");
    }

    #[test]
    fn two_places_are_shown_apart() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
        let new = "1\nx\n2\n3\n4\n5\n6\n7\n8\n9\ny\n10\n";
        assert_eq!(diff("s", old, new), "--- s\n+++ s\n 1\n+x\n 2\n 3\n 4\n@@\n 7\n 8\n 9\n+y\n 10");
    }
}
