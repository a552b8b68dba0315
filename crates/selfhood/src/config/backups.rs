//! The settings of scheduled backups: folder, interval, and number to keep.

use std::path::{Path, PathBuf};

use domain::Days;
use wire::{Code, Problem};

use super::catalogue;
use super::layers::Layers;
use super::value::{Raw, Value, text};

/// The default interval and number to keep.
const EVERY: Days = Days(1.0);
const KEEP: u16 = 7;
const HOURS_PER_DAY: f64 = 24.0;
const MINUTES_PER_DAY: f64 = 1440.0;

/// The schedule of backups: how often, where, and how many are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BackupPlan {
    /// The interval between two.
    pub(crate) every: Days,
    /// How many are kept; at least one.
    pub(crate) keep: usize,
    /// Where they are stored.
    pub(crate) to: BackupTarget,
}

/// Where backups are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BackupTarget {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket of S3-compatible storage, and the prefix of every name in it.
    Bucket { bucket: String, prefix: String },
}

impl BackupTarget {
    /// The place that is written `s3://bucket/prefix`; `None` for a path.
    pub(crate) fn of_url(text: &str) -> Option<(String, String)> {
        let (bucket, rest) =
            text.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
        Some((bucket.to_owned(), rest.to_owned()))
    }
}

/// Reads `[backup]`; without a place there are no scheduled backups.
pub(super) fn take(layers: &mut Layers<'_>, home: &Path) -> Result<Option<BackupPlan>, Problem> {
    let to: Option<BackupTarget> = layers.take(&catalogue::BACKUP_TO)?;
    let every = layers.take_or(&catalogue::BACKUP_EVERY, EVERY)?;
    let keep = layers.take_or(&catalogue::BACKUP_KEEP, KEEP)?;
    let Some(to) = to else { return Ok(None) };
    if let BackupTarget::Folder(to) = &to
        && to.starts_with(home)
    {
        let detail = format!("backup.to is {}, inside the home; put backups on another disk", to.display());
        return Err(Problem::new(Code::ConfigInvalid, detail));
    }
    Ok(Some(BackupPlan { every, keep: usize::from(keep).max(1), to }))
}

impl Value for BackupTarget {
    fn read(raw: &Raw) -> Result<Self, String> {
        let written = text(raw, "a folder or `s3://BUCKET/PREFIX/`")?;
        match Self::of_url(written) {
            None => Ok(Self::Folder(PathBuf::from(written))),
            Some((bucket, _)) if bucket.is_empty() => {
                Err("must name a bucket: `s3://BUCKET/PREFIX/`".to_owned())
            }
            Some((bucket, prefix)) => {
                let prefix = prefix.trim_matches('/');
                let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
                Ok(Self::Bucket { bucket, prefix })
            }
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Folder(path) => path.display().to_string(),
            Self::Bucket { bucket, prefix } => format!("s3://{bucket}/{prefix}"),
        }
    }

    fn written_in(self, folder: &Path) -> Self {
        match self {
            Self::Folder(path) => Self::Folder(folder.join(path)),
            Self::Bucket { .. } => self,
        }
    }
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
    fn a_place_is_a_folder_or_a_bucket_with_a_prefix() {
        let read = |written: &str| BackupTarget::read(&Raw::Text(written.to_owned()));
        for (written, shown) in [
            ("/media/disk", "/media/disk"),
            ("s3://backups", "s3://backups/"),
            ("s3://backups/", "s3://backups/"),
            ("s3://backups/home/one", "s3://backups/home/one/"),
        ] {
            assert_eq!(read(written).unwrap().shown(), shown);
        }
        assert!(read("s3://").is_err());
        assert_eq!(read("b").unwrap().written_in(Path::new("/home")), BackupTarget::Folder("/home/b".into()));
    }

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
