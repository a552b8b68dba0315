//! Finds the name that was probably meant.

/// The shortest beginning of a name that may stand for it.
const SHORTEST_BEGINNING: usize = 3;

/// The one of `names` that differs least from `typed`, if it differs little enough to be a slip, else the only one that
/// begins with it: people call `nora-lindqvist` Nora.
#[must_use]
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let letters = typed.chars().count();
    let allowed = (letters / 3).max(1);
    let names: Vec<&str> = names.into_iter().collect();
    let measured = names.iter().map(|name| (distance(typed, name), *name));
    let slip = measured.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name);
    let mut begun = names.iter().filter(|name| letters >= SHORTEST_BEGINNING && name.starts_with(typed));
    slip.or(match (begun.next(), begun.next()) {
        (Some(only), None) => Some(*only),
        (Some(_), Some(_)) | (None, _) => None,
    })
}

/// How many letters have to be put in, taken out, replaced or swapped with their neighbour to make one word of the
/// other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, ours) in a.iter().enumerate() {
        let mut current = vec![i + 1];
        for (j, theirs) in b.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&last, j) + usize::from(ours != theirs);
            let mut cheapest = replaced.min(at(&last, j + 1) + 1).min(at(&current, j) + 1);
            let is_swapped = i > 0 && j > 0 && a.get(i - 1) == Some(theirs) && b.get(j - 1) == Some(ours);
            if is_swapped {
                cheapest = cheapest.min(at(&before_last, j - 1) + 1);
            }
            current.push(cheapest);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not() {
        let names = ["inara", "developer", "tina"];
        for (typed, meant) in [
            ("inarra", Some("inara")),
            ("inaar", Some("inara")),
            ("develper", Some("developer")),
            ("tiny", Some("tina")),
            ("wintermute", None),
            ("dev", Some("developer")),
            ("d", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
        assert_eq!(nearest("nora", ["nora-lindqvist", "nora-berg"]), None, "either may be meant");
    }
}
