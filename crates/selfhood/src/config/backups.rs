//! The settings of scheduled backups: where they go, how often, and how many stay.

use std::path::{Path, PathBuf};

use domain::Days;
use engine::backup::Schedule;
use wire::{Code, Problem};

use super::catalogue;
use super::layers::Layers;
use super::value::{Raw, Value, text};

/// How often, and how many stay, when nobody says.
const EVERY: Days = Days(1.0);
const KEEP: u16 = 7;
const HOURS_PER_DAY: f64 = 24.0;
const MINUTES_PER_DAY: f64 = 1440.0;

/// What `[backup]` says; without a folder nothing is backed up by itself.
pub(super) fn take(layers: &mut Layers<'_>, home: &Path) -> Result<Option<Schedule>, Problem> {
    let to: Option<PathBuf> = layers.take(&catalogue::BACKUP_TO)?;
    let every = layers.take_or(&catalogue::BACKUP_EVERY, EVERY)?;
    let keep = layers.take_or(&catalogue::BACKUP_KEEP, KEEP)?;
    let Some(to) = to else { return Ok(None) };
    if to.starts_with(home) {
        let detail = format!("backup.to is {}, inside the home; put backups on another disk", to.display());
        return Err(Problem::new(Code::ConfigInvalid, detail));
    }
    Ok(Some(Schedule { every, keep: usize::from(keep).max(1), to }))
}

impl Value for Days {
    fn read(raw: &Raw) -> Result<Self, String> {
        let rule = || "must be a time such as `1d`, `12h` or `30m`".to_owned();
        let written = text(raw, "a time such as `1d`")?;
        let unit = written.chars().next_back().ok_or_else(rule)?;
        let per_day = match unit {
            'd' => 1.0,
            'h' => HOURS_PER_DAY,
            'm' => MINUTES_PER_DAY,
            _ => return Err(rule()),
        };
        let number: u16 = written.trim_end_matches(unit).parse().map_err(|_| rule())?;
        if number == 0 { Err(rule()) } else { Ok(Self(f64::from(number) / per_day)) }
    }

    fn shown(&self) -> String {
        let whole = |count: f64| (count - count.round()).abs() < 1e-6;
        match self.0 {
            days if whole(days) => format!("{days:.0}d"),
            days if whole(days * HOURS_PER_DAY) => format!("{:.0}h", days * HOURS_PER_DAY),
            days => format!("{:.0}m", days * MINUTES_PER_DAY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_as_it_was_written() {
        for written in ["1d", "7d", "12h", "30m", "90m"] {
            assert_eq!(Days::read(&Raw::Text(written.to_owned())).unwrap().shown(), written);
        }
        for wrong in ["", "d", "0d", "1w", "-1d", "1.5d", "day"] {
            assert!(Days::read(&Raw::Text(wrong.to_owned())).is_err(), "{wrong}");
        }
    }
}
