//! What is asked for on the command line.

use std::time::Duration;

use super::Numbers;
use crate::stage::ChoreResult;

/// A run of gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) numbers: Numbers,
    pub(super) builds: Builds,
    /// How the names of the gates begin that are run; every gate where it is empty.
    pub(super) only: Vec<String>,
    /// The number of the first try, so that a long run can be split and added up.
    pub(super) first: u64,
}

/// On which builds a gate is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builds {
    /// On the sound one, where it must hold, and on the one that it must notice.
    Both,
    Sound,
    Broken,
}

impl Options {
    /// Reads the words after `cargo xtask trust`.
    pub(super) fn read(words: &[&str]) -> ChoreResult<Self> {
        let mut asked =
            Self { numbers: Numbers::PerRelease, builds: Builds::Both, only: Vec::new(), first: 0 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().copied().ok_or_else(|| format!("{word} needs a value"));
            match *word {
                "--quick" => asked.numbers = Numbers::PerChange,
                "--tries" => asked.numbers = Numbers::Given(number(value()?)?),
                "--budget" => asked.numbers = Numbers::Within(hours(value()?)?),
                "--first" => asked.first = number(value()?)?,
                "--only" => asked.only.extend(value()?.split(',').map(str::to_owned)),
                "--sound" => asked.builds = Builds::Sound,
                "--controls" => (asked.builds, asked.numbers) = (Builds::Broken, Numbers::PerChange),
                other => {
                    return Err(format!("`trust` knows no {other}; `cargo xtask help` lists what it does"));
                }
            }
        }
        if asked.only.iter().any(String::is_empty) {
            return Err("--only needs names of gates, such as --only crash,fuzz:rpc".to_owned());
        }
        Ok(asked)
    }

    /// Whether its results stand in `docs/trust.md`. The numbers of a change are run too often for that; controls have the
    /// same ones always.
    pub(super) const fn is_recorded(&self) -> bool {
        !matches!(self.numbers, Numbers::PerChange) || matches!(self.builds, Builds::Broken)
    }
}

fn number(word: &str) -> ChoreResult<u64> {
    word.parse().map_err(|_| format!("{word} is no number"))
}

fn hours(word: &str) -> ChoreResult<Duration> {
    let hours = word.parse::<f64>().ok().filter(|hours| *hours > 0.0 && *hours < 1000.0);
    let hours = hours.ok_or_else(|| format!("{word} is no number of hours"))?;
    Ok(Duration::from_secs_f64(hours * 3600.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_words_everything_is_asked_for_with_the_numbers_of_a_release() {
        let all = Options::read(&[]).unwrap();
        assert_eq!((all.numbers, all.builds, all.first), (Numbers::PerRelease, Builds::Both, 0));
        assert!(all.only.is_empty() && all.is_recorded());
    }

    #[test]
    fn gates_tries_and_the_first_of_them_can_be_chosen() {
        let words = ["--only", "crash,fuzz:rpc", "--tries", "5000", "--first", "1000", "--sound"];
        let some = Options::read(&words).unwrap();
        assert_eq!(some.only, ["crash", "fuzz:rpc"]);
        assert_eq!((some.numbers, some.builds, some.first), (Numbers::Given(5000), Builds::Sound, 1000));
        assert!(!Options::read(&["--only", "crash", "--quick"]).unwrap().is_recorded());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for words in
            [&["--cycles", "5"][..], &["--tries"], &["--tries", "many"], &["--budget", "-1"], &["--only", ""]]
        {
            assert!(Options::read(words).is_err(), "{words:?}");
        }
    }
}
