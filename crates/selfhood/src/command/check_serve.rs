//! `selfhood serve --check`: checks everything that serving needs, and changes nothing.

use server::Config;
use store::home::HomeLock;
use wire::{Code, Exit, Problem};

use super::serve;
use crate::config::{Settings, StoreChoice};
use crate::output::{Output, Table};
use crate::{keys, opening};

/// Checks everything that serving needs, and reports what is wrong.
pub(crate) fn run(settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let config = serve::config(settings, None);
    let checks = [
        ("settings", Ok("all settings are valid".to_owned())),
        ("models", settings.models.check().map(|()| "every role has a configured model".to_owned())),
        ("certificate", certificate(&config)),
        ("keys", keys(settings)),
        ("home", home(settings)),
        ("address", address(&config)),
    ];
    let mut table = Table::new(["check", "result", "detail"]);
    let mut first = None;
    for (name, checked) in checks {
        match checked {
            Ok(detail) => table.push([name.into(), "ok".into(), detail.into()]),
            Err(problem) => {
                table.push([name.into(), "failed".into(), problem.detail.clone().into()]);
                first.get_or_insert(problem.code.exit());
            }
        }
    }
    output.table(&table)?;
    Ok(first.unwrap_or(Exit::Ok))
}

fn certificate(config: &Config) -> Result<String, Problem> {
    config.check_certificate()?;
    Ok(match &config.tls {
        Some(files) => format!("{} and its key fit each other", files.certificate.display()),
        None => "no TLS of its own".to_owned(),
    })
}

fn keys(settings: &Settings) -> Result<String, Problem> {
    let folder = settings.keys.display();
    if !settings.keys.exists() {
        keys::refuse_lost_keys(settings)?;
        return Ok(format!("none yet; the first start creates them in {folder}"));
    }
    let signers = keys::valid_signers(&settings.keys)?.len();
    if signers == 0 {
        let detail = format!("{folder} has no valid signer; see `selfhood doctor`");
        return Err(Problem::new(Code::KeyMissing, detail));
    }
    Ok(format!("{folder} can be read; {signers} valid signer{}", if signers == 1 { "" } else { "s" }))
}

fn home(settings: &Settings) -> Result<String, Problem> {
    if let StoreChoice::Postgres(_) = settings.store {
        return Ok("a shared database; `selfhood doctor` checks it".to_owned());
    }
    let home = settings.home.display();
    match HomeLock::owner(&settings.home) {
        Some(owner) => {
            Err(Problem::new(Code::HomeLocked, format!("{home} is in use by {owner}; stop that first")))
        }
        None if settings.home.is_dir() => {
            opening::check_writable(&settings.home)?;
            serve::check_release(settings)?;
            Ok(format!("{home}; `selfhood doctor` checks it"))
        }
        None => Ok(format!("none yet; the first start creates {home}")),
    }
}

fn address(config: &Config) -> Result<String, Problem> {
    config.check_address()?;
    let clear = if config.is_in_clear() {
        ", but keys and memories would cross the network in clear; use --tls-cert and --tls-key, or a \
        reverse proxy"
    } else {
        ""
    };
    Ok(format!("{} is free{clear}", config.listen))
}
