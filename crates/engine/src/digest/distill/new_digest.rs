//! A digest before it is stored, and its difference to the previous one.

use domain::Text;

use super::sources::Sources;

/// A digest before it is stored.
pub(crate) struct NewDigest {
    pub(crate) text: String,
    /// The sources of its lines.
    pub(crate) sources: Sources,
    /// The model that wrote it, if any.
    pub(crate) model: Option<String>,
}

/// The lines that only one of two texts has, `-` for the old and `+` for the new, in order.
pub(crate) fn difference(old: &str, new: &str) -> Vec<Text> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = common(&old, &new);
    let (mut lines, mut from_old, mut from_new) = (Vec::new(), 0, 0);
    for (in_old, in_new) in common.into_iter().chain([(old.len(), new.len())]) {
        let gone = old.get(from_old..in_old).unwrap_or_default();
        let come = new.get(from_new..in_new).unwrap_or_default();
        lines.extend(gone.iter().map(|line| Text::new(format!("-{line}"))));
        lines.extend(come.iter().map(|line| Text::new(format!("+{line}"))));
        (from_old, from_new) = (in_old + 1, in_new + 1);
    }
    lines
}

/// The positions of a longest common subsequence of lines, in both.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    let at =
        |longest: &[u32], row: usize, column: usize| longest.get(row * width + column).copied().unwrap_or(0);
    for (row, line) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            let value = if line == other {
                at(&longest, row + 1, column + 1) + 1
            } else {
                at(&longest, row + 1, column).max(at(&longest, row, column + 1))
            };
            if let Some(cell) = longest.get_mut(row * width + column) {
                *cell = value;
            }
        }
    }
    let (mut row, mut column, mut places) = (0, 0, Vec::new());
    while let (Some(line), Some(other)) = (old.get(row), new.get(column)) {
        if line == other {
            places.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if at(&longest, row + 1, column) >= at(&longest, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_what_went_and_what_came_and_nothing_else() {
        for (old, new, expected) in [
            ("", "a\nb", vec!["+a", "+b"]),
            ("a\nb\nc", "a\nx\nc", vec!["-b", "+x"]),
            ("a\nb", "a\nb", vec![]),
            ("a\nb\nc", "b\nc\nd", vec!["-a", "+d"]),
            ("a", "", vec!["-a"]),
        ] {
            let rendered: Vec<String> =
                difference(old, new).iter().map(|line| line.as_str().to_owned()).collect();
            assert_eq!(rendered, expected, "{old:?} → {new:?}");
        }
    }
}
