//! `selfhood backup list`: the scheduled backups.

use serde_json::{Value, json};
use wire::{Code, Exit, Problem};

use crate::backups::BackupStorage;
use crate::config::Settings;
use crate::home_client;
use crate::output::{Output, Table};

/// Lists the scheduled backups.
pub(crate) fn run(settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let backup_storage = backup_storage(settings)?;
    let kept = home_client::wait_for(backup_storage.list())??;
    let mut table = Table::new(["place", "bytes", "createdAt"]);
    for backup in &kept {
        table.push([backup.place.as_str().into(), backup.bytes.into(), backup.made_at.to_string().into()]);
    }
    let whole: Vec<Value> = kept
        .iter()
        .map(|backup| {
            json!({ "place": backup.place, "bytes": backup.bytes, "createdAt": backup.made_at.to_string() })
        })
        .collect();
    output.list(&whole, &table)?;
    Ok(Exit::Ok)
}

/// The place of scheduled backups; a problem if there is none.
pub(super) fn backup_storage(settings: &Settings) -> Result<BackupStorage, Problem> {
    let nowhere = || {
        let detail = "no backups are scheduled; set `backup.to` to a folder or to s3://BUCKET/PREFIX/";
        Problem::new(Code::ConfigInvalid, detail)
    };
    BackupStorage::of(settings)?.ok_or_else(nowhere)
}
