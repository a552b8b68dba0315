//! Where backups are kept, and how they get there and back. What leaves the machine is the backup file: sealed
//! records, wrapped keys, sealed documents.

use std::fs;
use std::path::{Path, PathBuf};

use domain::Timestamp;
use engine::Engine;
use engine::backup::{Schedule, made_at};
use remote::{Bucket, RemoteError};
use tempfile::TempDir;
use wire::{Code, Problem};

use crate::config::{BackupPlan, BackupTarget, Settings};
use crate::{home_client, progress};

/// Where a backup lies in the home until it is in its bucket. No tenant can have this name.
const OUTGOING: &str = ".outgoing";

/// The place of the backups that are made by themselves.
pub(crate) struct BackupStorage {
    schedule: Schedule,
    bucket: Option<Bucket>,
}

/// A backup that is there.
pub(crate) struct KeptBackup {
    /// How it is named to `selfhood backup verify` and `restore`.
    pub(crate) place: String,
    /// When it was made.
    pub(crate) made_at: Timestamp,
    /// How long it is.
    pub(crate) bytes: u64,
}

impl BackupStorage {
    /// The storage of scheduled backups, if the settings name one.
    pub(crate) fn of(settings: &Settings) -> Result<Option<Self>, Problem> {
        let Some(BackupPlan { every, keep, to }) = settings.backups.clone() else { return Ok(None) };
        let (to, bucket) = match to {
            BackupTarget::Folder(folder) => (folder, None),
            BackupTarget::Bucket { bucket, prefix } => {
                (settings.home.join(OUTGOING), Some(settings.services.bucket(&bucket, &prefix)?))
            }
        };
        Ok(Some(Self { schedule: Schedule { every, keep, to }, bucket }))
    }

    /// How often one is made, in days.
    pub(crate) fn every_days(&self) -> f64 {
        self.schedule.every.0
    }

    /// Whether the next one is not due by what is known of the `last`: a bucket need not be asked every minute.
    pub(crate) fn can_wait(&self, last: Option<Timestamp>, now: Timestamp) -> bool {
        let is_due = |last| self.schedule.is_due(&[self.schedule.file(last)], now);
        self.bucket.is_some() && last.is_some_and(|last| !is_due(last))
    }

    /// The backups of the schedule that are there, oldest first.
    pub(crate) async fn list(&self) -> Result<Vec<KeptBackup>, Problem> {
        let Some(bucket) = &self.bucket else { return self.list_folder() };
        let kept = |object: &remote::StoredObject| {
            let made_at = made_at(Path::new(&object.name))?;
            Some(KeptBackup { place: bucket.url(&object.name), made_at, bytes: object.bytes })
        };
        let found = bucket.list().await.map_err(|error| remote_problem(&error))?;
        Ok(found.iter().filter_map(kept).collect())
    }

    /// Makes a backup if one is due, and removes those that are more than stay; gives where it is and how long.
    pub(crate) async fn make_if_due(
        &self,
        engine: &Engine,
        now: Timestamp,
    ) -> Result<Option<(String, u64)>, Problem> {
        let Some(bucket) = &self.bucket else {
            let made = engine.back_up_if_due(&self.schedule, now).await?;
            return Ok(made.map(|made| (made.path, made.bytes)));
        };
        if !self.schedule.is_due(&names(bucket).await?, now) {
            return Ok(None);
        }
        let outgoing = Outgoing::new(&self.schedule.to)?;
        let made = engine.back_up_now(&self.schedule, now).await?;
        let file = self.schedule.file(now);
        let name = name_of(&file)?;
        bucket.upload(&name, &file, |_| ()).await.map_err(|error| remote_problem(&error))?;
        drop(outgoing);
        for old in self.schedule.surplus(&names(bucket).await?, now) {
            bucket.delete(&name_of(old)?).await.map_err(|error| remote_problem(&error))?;
        }
        Ok(Some((bucket.url(&name), made.bytes)))
    }

    fn list_folder(&self) -> Result<Vec<KeptBackup>, Problem> {
        let kept = |path: PathBuf| {
            let (made_at, bytes) = (made_at(&path)?, fs::metadata(&path).ok()?.len());
            Some(KeptBackup { place: path.display().to_string(), made_at, bytes })
        };
        Ok(self.schedule.there()?.into_iter().filter_map(kept).collect())
    }
}

/// The temporary folder of a backup that is being uploaded; it is deleted afterwards, also after a failure.
struct Outgoing(PathBuf);

impl Outgoing {
    /// An empty folder at `path`: what a crash left of an earlier one is cleared away.
    fn new(path: &Path) -> Result<Self, Problem> {
        let unusable = |error| Problem::new(Code::IoFailed, format!("can't use {}: {error}", path.display()));
        if path.exists() {
            fs::remove_dir_all(path).map_err(unusable)?;
        }
        fs::create_dir(path).map_err(unusable)?;
        Ok(Self(path.to_owned()))
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        // What stays behind is sealed, and the next backup clears it away.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A backup on this machine, for as long as it is looked at.
pub(crate) struct Fetched {
    /// The file.
    pub(crate) path: PathBuf,
    _folder: Option<TempDir>,
}

/// The backup at `place`: a path as it is, an object of a bucket brought here first.
pub(crate) fn fetch(place: &Path, settings: &Settings) -> Result<Fetched, Problem> {
    let Some((bucket, name)) = object(place, settings)? else {
        return Ok(Fetched { path: place.to_owned(), _folder: None });
    };
    let folder = temporary()?;
    let path = folder.path().join("fetched.backup");
    let fetching = async {
        let found = bucket.find(&name).await.map_err(|error| remote_problem(&error))?;
        let missing = || Problem::new(Code::NotFound, format!("there is no {}", bucket.url(&name)));
        let bytes = progress::bytes(found.ok_or_else(missing)?.bytes, "fetching");
        let fetched = bucket.download(&name, &path, |passed| bytes.inc(passed)).await;
        bytes.finish_and_clear();
        fetched.map_err(|error| remote_problem(&error))
    };
    home_client::wait_for(fetching)??;
    Ok(Fetched { path, _folder: Some(folder) })
}

/// Has a backup made in a folder that goes away and sends it to `place`, if that is a bucket; false if it is a path.
/// Refused where there is an object already.
pub(crate) fn send(
    place: &Path,
    settings: &Settings,
    make: impl FnOnce(&Path) -> Result<(), Problem>,
) -> Result<bool, Problem> {
    let Some((bucket, name)) = object(place, settings)? else { return Ok(false) };
    let taken = home_client::wait_for(bucket.find(&name))?.map_err(|error| remote_problem(&error))?.is_some();
    if taken {
        let detail = format!("{} is there already; name a new one", bucket.url(&name));
        return Err(Problem::new(Code::IoFailed, detail));
    }
    let folder = temporary()?;
    let path = folder.path().join("outgoing.backup");
    make(&path)?;
    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let bytes = progress::bytes(length, "sending");
    let sent = home_client::wait_for(bucket.upload(&name, &path, |passed| bytes.inc(passed)));
    bytes.finish_and_clear();
    sent?.map_err(|error| remote_problem(&error))?;
    Ok(true)
}

/// Bucket and name of an object that is written `s3://bucket/name`; `None` for a path.
fn object(place: &Path, settings: &Settings) -> Result<Option<(Bucket, String)>, Problem> {
    let Some((bucket, key)) = place.to_str().and_then(BackupTarget::of_url) else { return Ok(None) };
    if bucket.is_empty() || key.is_empty() || key.ends_with('/') {
        let detail = format!("{} names no object; write s3://BUCKET/NAME", place.display());
        return Err(Problem::new(Code::Usage, detail));
    }
    Ok(Some((settings.services.bucket(&bucket, "")?, key)))
}

async fn names(bucket: &Bucket) -> Result<Vec<PathBuf>, Problem> {
    let found = bucket.list().await.map_err(|error| remote_problem(&error))?;
    let names = found.into_iter().map(|object| PathBuf::from(object.name));
    Ok(names.filter(|name| made_at(name).is_some()).collect())
}

fn name_of(path: &Path) -> Result<String, Problem> {
    let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    name.ok_or_else(|| Problem::new(Code::Internal, "a backup without a name"))
}

fn temporary() -> Result<TempDir, Problem> {
    tempfile::tempdir()
        .map_err(|error| Problem::new(Code::IoFailed, format!("can't make a temporary folder: {error}")))
}

fn remote_problem(error: &RemoteError) -> Problem {
    let code = match &error.reason {
        remote::Reason::Unreachable | remote::Reason::TimedOut => Code::Unreachable,
        remote::Reason::Address(_) | remote::Reason::Tls(_) => Code::ConfigInvalid,
        remote::Reason::Refused { .. }
        | remote::Reason::Malformed(_)
        | remote::Reason::Length { .. }
        | remote::Reason::File { .. } => Code::IoFailed,
    };
    Problem::new(code, error.to_string())
}
