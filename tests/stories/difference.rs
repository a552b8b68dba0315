//! Two texts beside each other, line by line.

/// The lines of both texts: `-` before what only `expected` has, `+` before what only `rendered` has.
pub(crate) fn difference(expected: &str, rendered: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), rendered.lines().collect());
    let common = common_lengths(&old, &new);
    let (mut i, mut j) = (0, 0);
    let mut shown = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            shown.push(format!("  {}", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            shown.push(format!("- {}", old[i]));
            i += 1;
        } else {
            shown.push(format!("+ {}", new[j]));
            j += 1;
        }
    }
    shown.join("\n")
}

/// How many lines the rests of both texts have in common, by the lines each rest starts at.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut lengths = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i][j] = if old[i] == new[j] {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    lengths
}

#[test]
fn only_the_lines_that_differ_are_marked() {
    for (expected, rendered, shown) in [
        ("a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"),
        ("", "a", "+ a"),
        ("a\nb", "", "- a\n- b"),
        ("a\nb", "b\nc", "- a\n  b\n+ c"),
    ] {
        assert_eq!(difference(expected, rendered), shown);
    }
}
