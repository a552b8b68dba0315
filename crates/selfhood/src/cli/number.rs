//! Numbers of flags. Their bounds are the verb's to check; here a word that is no number is refused in plain words.

/// A number that may have a fraction.
pub(super) fn decimal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number such as `0.7`".to_owned())
}

/// How many of something.
pub(super) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number such as `20`".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::cli::Cli;

    #[test]
    fn what_is_no_number_is_refused_with_an_example_of_one() {
        for (line, example) in [
            ("memory add x --salience much", "a number such as `0.7`"),
            ("memory list --min-salience some", "a number such as `0.7`"),
            ("memory list --limit -3", "a whole number such as `20`"),
            ("session search x --offset first", "a whole number such as `20`"),
            ("timeline add x --strength strong", "a number such as `0.7`"),
        ] {
            let typed = ["selfhood"].into_iter().chain(line.split(' '));
            let refused = Cli::try_parse_from(typed).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(refused.contains(example), "{line}: {refused}");
        }
        for line in ["memory add x --salience 0.4 --valence -1", "memory list --limit 20"] {
            assert!(Cli::try_parse_from(["selfhood"].into_iter().chain(line.split(' '))).is_ok(), "{line}");
        }
    }
}
