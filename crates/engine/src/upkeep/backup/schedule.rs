//! Scheduled backups: makes one at an interval, and deletes the oldest ones.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use domain::{Days, Timestamp};
use wire::Problem;
use wire::backup::BackupView;

use super::failure::io_error;
use super::file::BackupFile;
use crate::{Engine, boxed};

const PREFIX: &str = "selfhood-";
const SUFFIX: &str = ".backup";

/// When backups are made, where, and how many are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The interval.
    pub every: Days,
    /// How many are kept; at least one.
    pub keep: usize,
    /// The folder.
    pub to: PathBuf,
}

impl Schedule {
    /// The file of a backup made at `now`. Its name is its time, so that names sort by age.
    #[must_use]
    pub fn file(&self, now: Timestamp) -> PathBuf {
        let time: String = now.to_string().chars().filter(|character| !"-:.".contains(*character)).collect();
        self.to.join(format!("{PREFIX}{time}{SUFFIX}"))
    }

    /// Whether one is due, given the existing ones. One of a later time was made while the clock was wrong, and says nothing.
    #[must_use]
    pub fn is_due(&self, there: &[PathBuf], now: Timestamp) -> bool {
        let newest = there.iter().filter_map(|path| made_at(path)).filter(|at| *at <= now).max();
        newest.is_none_or(|at| now.as_millis() >= at.plus(self.every).as_millis())
    }

    /// Those of `there` that exceed the number to keep: first those of a time later than `now`, then the oldest.
    #[must_use]
    pub fn surplus<'a>(&self, there: &'a [PathBuf], now: Timestamp) -> Vec<&'a Path> {
        let mut all: Vec<&Path> = there.iter().map(PathBuf::as_path).collect();
        all.sort_by_key(|path| made_at(path).filter(|at| *at <= now));
        all.truncate(there.len().saturating_sub(self.keep.max(1)));
        all
    }

    /// The existing backups of this schedule, oldest first. Other files in the folder are ignored.
    pub fn there(&self) -> Result<Vec<PathBuf>, Problem> {
        let entries = match fs::read_dir(&self.to) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(io_error("list", &self.to))?,
        };
        let files = entries.filter_map(Result::ok).map(|entry| entry.path());
        let mut there: Vec<PathBuf> = files.filter(|path| made_at(path).is_some()).collect();
        there.sort_unstable();
        Ok(there)
    }
}

impl Engine {
    /// Makes a backup if one is due. The oldest are deleted only after the new one was read back completely.
    #[boxed]
    pub async fn back_up_if_due(
        &self,
        schedule: &Schedule,
        now: Timestamp,
    ) -> Result<Option<BackupView>, Problem> {
        if !schedule.is_due(&schedule.there()?, now) {
            return Ok(None);
        }
        let made = self.back_up_now(schedule, now).await?;
        for path in schedule.surplus(&schedule.there()?, now) {
            fs::remove_file(path).map_err(io_error("remove", path))?;
        }
        Ok(Some(made))
    }

    /// Makes a backup in the folder of `schedule`, named by its time, and reads it back whole.
    #[boxed]
    pub async fn back_up_now(&self, schedule: &Schedule, now: Timestamp) -> Result<BackupView, Problem> {
        fs::create_dir_all(&schedule.to).map_err(io_error("create", &schedule.to))?;
        let file = schedule.file(now);
        let made = self.write_backup(&file, now).await?;
        let reading = tokio::task::spawn_blocking(move || BackupFile::open(&file)?.check(|_| ()));
        let stopped = |_| Problem::new(wire::Code::Internal, "reading the backup back broke off");
        reading.await.map_err(stopped)??;
        Ok(made)
    }
}

/// The time of a scheduled backup, by its name: `selfhood-20260422T141842000Z.backup`.
#[must_use]
pub fn made_at(path: &Path) -> Option<Timestamp> {
    let name = path.file_name()?.to_str()?;
    let time = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let digits = |from: usize, to: usize| time.get(from..to);
    let written = format!(
        "{}-{}-{}T{}:{}:{}.{}",
        digits(0, 4)?,
        digits(4, 6)?,
        digits(6, 8)?,
        digits(9, 11)?,
        digits(11, 13)?,
        digits(13, 15)?,
        time.get(15..)?
    );
    written.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    fn schedule() -> Schedule {
        Schedule { every: Days(1.0), keep: 2, to: PathBuf::from("backups") }
    }

    #[test]
    fn a_backup_is_named_by_its_time_and_known_by_its_name() {
        let file = schedule().file(example::day(0));
        assert_eq!(file, PathBuf::from("backups/selfhood-20260422T120000000Z.backup"));
        assert_eq!(made_at(&file), Some(example::day(0)));
        for other in
            ["notes.txt", "selfhood-.backup", "selfhood-today.backup", "mine-20260422T120000000Z.backup"]
        {
            assert_eq!(made_at(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn one_is_due_at_first_and_then_once_the_time_is_over() {
        let made = [schedule().file(example::day(0)), schedule().file(example::day(3))];
        for (there, day, due) in
            [(&made[..0], 0, true), (&made[..], 3, false), (&made[..], 4, true), (&made[..1], 1, true)]
        {
            assert_eq!(schedule().is_due(there, example::day(day)), due, "{there:?} on day {day}");
        }
    }

    #[test]
    fn the_oldest_go_and_at_least_one_stays() {
        let made: Vec<PathBuf> = (0..4).map(|day| schedule().file(example::day(day))).collect();
        let surplus = |keep, there, day| Schedule { keep, ..schedule() }.surplus(there, example::day(day));
        assert_eq!(surplus(2, &made, 3), [&made[0], &made[1]]);
        assert_eq!(surplus(2, &made[..1], 3), [] as [&Path; 0]);
        assert_eq!(surplus(0, &made, 3), [&made[0], &made[1], &made[2]]);
    }

    #[test]
    fn one_of_a_time_to_come_neither_stops_the_next_nor_outlives_it() {
        let made = [0, 1, 31].map(|day| schedule().file(example::day(day)));
        assert!(schedule().is_due(&made, example::day(2)));
        assert!(!schedule().is_due(&made, example::day(1)));
        assert_eq!(schedule().surplus(&made, example::day(1)), [&made[2]]);
    }
}
