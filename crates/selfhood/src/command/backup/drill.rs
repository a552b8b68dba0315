//! `selfhood backup drill`: would the newest backup bring everything back? Nothing is changed by asking.

use std::path::Path;

use wire::{Code, Exit, Problem};

use super::{list, verify};
use crate::cli::BackupVerify;
use crate::config::Settings;
use crate::output::Output;
use crate::{home_client, report};

/// Fetches the newest backup, restores it into a folder that goes away, and opens every record in it.
pub(crate) fn run(settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let mut kept = home_client::wait_for(list::backup_storage(settings)?.list())??;
    let Some(newest) = kept.pop() else {
        return Err(Problem::new(
            Code::NotFound,
            "there is no backup yet; `selfhood serve` makes them when they are due",
        ));
    };
    report::note(format_args!("the newest backup is {}, made {}", newest.place, newest.made_at));
    let asked =
        BackupVerify { signer: Vec::new(), file: Path::new(&newest.place).to_owned(), keyrings: None };
    verify::run(&asked, settings, output)
}
