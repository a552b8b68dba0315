//! What a run of the gates has done so far, and its table in `docs/trust.md`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::Run;
use crate::cargo;

/// Between these two lines of `docs/trust.md` stands the table of the last run.
const BEGIN: &str = "<!-- the last run -->";
const END: &str = "<!-- end of the last run -->";

/// The runs that ended, in a file of the build folder that is named after the commit and what was asked for. Changes
/// that are not committed have no name, so with them every run begins anew.
pub(super) struct Journal {
    file: PathBuf,
    lines: Vec<String>,
}

impl Journal {
    pub(super) fn open(numbers: &str) -> Self {
        let plain: String = numbers.chars().filter(char::is_ascii_alphanumeric).collect();
        let commit = commit();
        let file = cargo::root().join("target").join(format!("trust-{commit}-{plain}.tsv"));
        let text = fs::read_to_string(&file).ok().filter(|_| !commit.ends_with("-dirty"));
        let lines: Vec<String> = text.unwrap_or_default().lines().map(str::to_owned).collect();
        if !lines.is_empty() {
            eprintln!("going on with {}; remove it to begin anew", file.display());
        }
        Self { file, lines }
    }

    /// The run of this name, made now unless it was made and held before.
    pub(super) fn once(&mut self, name: &str, make: impl FnOnce() -> Run) -> Run {
        let own = |line: &&String| line.split('\t').next() == Some(name);
        if let Some(line) = self.lines.iter().find(own) {
            let lines = line.split('\t').skip(1).map(str::to_owned).collect();
            return Run { name: name.to_owned(), held: true, lines };
        }
        let run = make();
        if run.held {
            self.lines.push(
                std::iter::once(name)
                    .chain(run.lines.iter().map(String::as_str))
                    .collect::<Vec<_>>()
                    .join("\t"),
            );
            self.save();
        }
        run
    }

    fn save(&self) {
        let folder = self.file.parent().map(fs::create_dir_all);
        let saved = fs::write(&self.file, self.lines.join("\n") + "\n");
        if !matches!((folder, &saved), (Some(Ok(())), Ok(()))) {
            eprintln!("can't note what is done in {}: {saved:?}", self.file.display());
        }
    }
}

/// Puts `table` into `docs/trust.md`.
pub(super) fn write_table(table: &str, took: Duration) {
    let file = cargo::root().join("docs").join("trust.md");
    let Ok(text) = fs::read_to_string(&file) else { return eprintln!("can't read {}", file.display()) };
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = parts else {
        return eprintln!("{} has no place for the table", file.display());
    };
    let heading =
        format!("{}, {}, {} minutes.", printed("date", &["-u", "+%F"]), commit(), took.as_secs() / 60);
    let new = format!("{before}{BEGIN}\n{heading}\n\n{table}\n{END}{after}");
    if let Err(error) = fs::write(&file, new) {
        eprintln!("can't write {}: {error}", file.display());
    }
}

fn commit() -> String {
    printed("git", &["describe", "--always", "--dirty", "--abbrev=7"])
}

fn printed(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(cargo::root()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}
