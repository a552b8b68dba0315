//! The difference between two texts, for people.

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// The one place where `old` and `new` differ, with a few lines around it.
pub(super) fn diff(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let mut lines = vec![format!("--- {name}"), format!("+++ {name}")];
    let part = |lines: &[&str], from: usize, to: usize, sign: char| -> Vec<String> {
        lines.iter().take(to).skip(from).map(|line| format!("{sign}{line}")).collect()
    };
    lines.extend(part(&old, head.saturating_sub(AROUND), head, ' '));
    lines.extend(part(&old, head, old.len() - tail, '-'));
    lines.extend(part(&new, head, new.len() - tail, '+'));
    lines.extend(part(&new, new.len() - tail, (new.len() - tail + AROUND).min(new.len()), ' '));
    lines.join("\n")
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
}
