//! `selfhood backup …`.

mod create;
mod drill;
mod list;
mod restore;
mod verify;

use std::path::{Path, PathBuf};

use vault::key_directory::KeyDirectory;
use wire::{Code, Exit, Problem};

use crate::cli::Backup;
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::keys;
use crate::output::Output;

/// Runs a backup command.
pub(crate) fn run(verb: &Backup, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        Backup::Create(asked) => {
            at_the_door(settings, output, WithoutHome::Refuse, |context| create::run(asked, context))
        }
        Backup::Verify(asked) => verify::run(asked, settings, output),
        Backup::Restore(asked) => restore::run(asked, settings, output),
        Backup::List => list::run(settings, output),
        Backup::Drill => drill::run(settings, output),
    }
}

/// The absolute path, since the process that answers may run in another folder.
fn absolute(path: &Path) -> Result<PathBuf, Problem> {
    let unusable =
        |error| Problem::new(Code::Usage, format!("can't use the path {}: {error}", path.display()));
    std::path::absolute(path).map_err(unusable)
}

/// The existing key directory; none is created.
fn key_directory(settings: &Settings) -> Result<KeyDirectory, Problem> {
    if !settings.keys.exists() {
        let detail = format!(
            "the keys are not in a backup, and there are none at {}; copy your key directory there, or name \
            it with --keys",
            settings.keys.display()
        );
        return Err(Problem::new(Code::KeyMissing, detail));
    }
    KeyDirectory::open(&settings.keys, keys::wrapping(settings))
        .map_err(|error| Problem::new(Code::KeyMissing, error.to_string()))
}
