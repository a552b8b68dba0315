//! The personas in a home: `{tenant}/persona/{name}/`, found by listing folders.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use domain::nearest::nearest;
use domain::{PersonaName, TenantName};
use engine::PersonaKey;
use wire::{Code, Problem};

use crate::config::{Settings, StoreChoice};

/// The document inside a persona's folder.
pub(crate) const DOCUMENT_NAME: &str = "persona.json";

/// One persona and its folder.
pub(crate) struct Resident {
    /// Its tenant.
    pub(crate) tenant: TenantName,
    /// Its name.
    pub(crate) name: PersonaName,
    /// Its folder.
    pub(crate) folder: PathBuf,
}

/// The persona whose files are used: the one that is `named`, or the only one.
pub(crate) fn the_persona(settings: &Settings, named: Option<&PersonaKey>) -> Result<Resident, Problem> {
    let named = match named {
        Some(PersonaKey::Name(name)) => Some(name),
        Some(PersonaKey::Id(_)) => {
            return Err(Problem::new(
                Code::Usage,
                "files are found by name; give the persona's name, not its id",
            ));
        }
        None => None,
    };
    check_tenant(settings)?;
    let meant = |it: &Resident| {
        settings.tenant.as_ref().is_none_or(|tenant| *tenant == it.tenant)
            && named.is_none_or(|name| *name == it.name)
    };
    let (mut found, others): (Vec<Resident>, Vec<Resident>) =
        residents(&settings.home)?.into_iter().partition(meant);
    match (found.pop(), found.len()) {
        (None, _) => Err(nobody(settings, named, &others)),
        (Some(only), 0) => Ok(only),
        (Some(last), _) => {
            let all: Vec<String> = found.iter().chain([&last]).map(Resident::full_name).collect();
            let detail = format!(
                "there are several personas ({}); name one with --tenant and --persona",
                all.join(", ")
            );
            Err(Problem::new(Code::Usage, detail))
        }
    }
}

/// Refuses a tenant that doesn't exist: a misspelt one must not look like an empty one.
pub(crate) fn check_tenant(settings: &Settings) -> Result<(), Problem> {
    let Some(Unknown { tenant, known }) = unknown_tenant(settings)? else { return Ok(()) };
    let way_out = match nearest(tenant.as_str(), known.iter().map(TenantName::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are: {}", known.iter().map(TenantName::as_str).collect::<Vec<_>>().join(", ")),
    };
    let home = settings.home.display();
    Err(Problem::new(Code::NotFound, format!("no tenant `{tenant}` in {home}; {way_out}")))
}

/// Refuses to make a tenant whose name is almost that of another.
pub(crate) fn check_new_tenant(settings: &Settings) -> Result<(), Problem> {
    let Some(Unknown { tenant, known }) = unknown_tenant(settings)? else { return Ok(()) };
    let Some(meant) = nearest(tenant.as_str(), known.iter().map(TenantName::as_str)) else { return Ok(()) };
    let home = settings.home.display();
    let detail =
        format!("no tenant `{tenant}` in {home}; did you mean `{meant}`? --new-tenant makes it all the same");
    Err(Problem::new(Code::NotFound, detail))
}

/// The tenant that is named, if it has no folder in the home.
pub(crate) fn tenant_without_folder(settings: &Settings) -> Option<&TenantName> {
    let is_missing = |tenant: &&TenantName| !settings.home.join(tenant.as_str()).is_dir();
    settings.tenant.as_ref().filter(|_| settings.store == StoreChoice::Home).filter(is_missing)
}

/// A named tenant that doesn't exist, and those that do.
struct Unknown<'s> {
    tenant: &'s TenantName,
    known: Vec<TenantName>,
}

fn unknown_tenant(settings: &Settings) -> Result<Option<Unknown<'_>>, Problem> {
    let Some(tenant) = settings.tenant.as_ref().filter(|_| settings.store == StoreChoice::Home) else {
        return Ok(None);
    };
    let known: Vec<TenantName> =
        folders::<TenantName>(&settings.home)?.into_iter().map(|(name, _)| name).collect();
    let is_known = known.is_empty() || known.contains(tenant);
    Ok((!is_known).then_some(Unknown { tenant, known }))
}

impl Resident {
    fn full_name(&self) -> String {
        format!("{}/{}", self.tenant, self.name)
    }
}

/// Every persona of every tenant, by name. Folders with other names are ignored.
fn residents(home: &Path) -> Result<Vec<Resident>, Problem> {
    let mut found = Vec::new();
    for (tenant, folder) in folders::<TenantName>(home)? {
        for (name, folder) in folders::<PersonaName>(&folder.join("persona"))? {
            found.push(Resident { tenant: tenant.clone(), name, folder });
        }
    }
    Ok(found)
}

fn folders<Name: FromStr + Ord>(parent: &Path) -> Result<Vec<(Name, PathBuf)>, Problem> {
    let unreadable =
        |error| Problem::new(Code::IoFailed, format!("can't read {}: {error}", parent.display()));
    let entries = match fs::read_dir(parent) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(unreadable(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<Name>().ok());
        if let (Some(name), true) = (name, path.is_dir()) {
            found.push((name, path));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

fn nobody(settings: &Settings, named: Option<&PersonaName>, others: &[Resident]) -> Problem {
    let home = settings.home.display();
    let is_theirs = |other: &&Resident| settings.tenant.as_ref().is_none_or(|tenant| *tenant == other.tenant);
    let known = others.iter().filter(is_theirs).map(|other| other.name.as_str());
    let meant = named.and_then(|name| nearest(name.as_str(), known));
    let detail = match (named, meant) {
        (Some(name), Some(meant)) => format!("no persona `{name}` in {home}; did you mean `{meant}`?"),
        (Some(name), None) => {
            format!("no persona `{name}` in {home}; check --home, --tenant and --persona")
        }
        (None, _) => format!("no persona in {home}; name a file, or another home with --home"),
    };
    Problem::new(Code::PersonaNotFound, detail)
}
