//! What the program was told to do besides its command: flags, then environment, then the home's own
//! files, then defaults.
//!
//! The first layer that names a setting decides it, and the origin is remembered, so that
//! `selfhood config show --origin` can answer "why is it that value?" for every one.

mod backups;
mod catalogue;
#[cfg(test)]
pub(crate) mod described;
mod distillation;
mod dotenv;
mod environment;
mod file;
mod layers;
mod limits;
mod listening;
mod local_servers;
mod models;
mod value;

use std::path::{Component, Path, PathBuf};

use clap::ValueEnum;
use domain::{ConsentBasis, TenantName};
use engine::PersonaKey;
use engine::backup::Schedule;
use wire::{Code, Problem};

pub(crate) use environment::Environment;
pub(crate) use layers::Shown;
pub(crate) use listening::{Listening, LogLevel};
pub(crate) use models::{Model, Models};
pub(crate) use value::{Bytes, Secret, StoreChoice};

use crate::cli::Cli;
use crate::output::Mode;
use layers::Layers;

/// The settings file inside a home.
const FILE_NAME: &str = "selfhood.toml";
/// The environment file inside a home.
const DOTENV_NAME: &str = ".env";

/// Every setting, settled.
pub(crate) struct Settings {
    /// Folder of the tenants and their personas.
    pub(crate) home: PathBuf,
    /// Folder of the keys.
    pub(crate) keys: PathBuf,
    /// What the keys are wrapped with, if they are.
    pub(crate) passphrase: Option<Secret>,
    /// Where memories are kept.
    pub(crate) store: StoreChoice,
    /// Whose persona is meant, if said.
    pub(crate) tenant: Option<TenantName>,
    /// Which persona is meant, if said.
    pub(crate) persona: Option<PersonaKey>,
    /// How results are printed, if said.
    pub(crate) output: Option<Mode>,
    /// Consent bases this deployment knows besides the built-in ones.
    pub(crate) consent_bases: Vec<ConsentBasis>,
    /// The basis for what is learnt from talk.
    pub(crate) formation_basis: ConsentBasis,
    /// The largest document read.
    pub(crate) document_limit: Bytes,
    /// Where a server listens, and what it logs.
    pub(crate) listening: Listening,
    /// How much passes through a server.
    pub(crate) limits: server::Limits,
    /// When backups are made by themselves, if they are.
    pub(crate) backups: Option<Schedule>,
    /// How the record is condensed.
    pub(crate) distillation: engine::Distillation,
    /// The language models, and who answers in which role.
    pub(crate) models: Models,
    /// Where on this machine further ones are looked for, to be offered.
    pub(crate) local_servers: Vec<llm::LocalServer>,
    /// Each setting as `config show` prints it.
    pub(crate) shown: Vec<Shown>,
}

/// The output mode asked for by flag or environment, for telling of a configuration that can't be settled.
pub(crate) fn output_asked_for(cli: &Cli, environment: &Environment) -> Option<Mode> {
    let by_environment = || catalogue::OUTPUT.environment.iter().find_map(|name| environment.get(name));
    cli.flags.output.or_else(|| Mode::from_str(by_environment()?, false).ok())
}

impl Settings {
    /// The variables by which another process finds the same home, keys and tenant.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let absolute = |path: &Path| walked(path, |path| path).display().to_string();
        let mut variables = vec![("SELFHOOD_HOME", absolute(&self.home))];
        if self.keys != keys_beside(&self.home) {
            variables.push(("SELFHOOD_KEYS", absolute(&self.keys)));
        }
        variables.extend(self.tenant.iter().map(|tenant| ("SELFHOOD_TENANT", tenant.to_string())));
        variables
    }

    /// Settles every setting from the flags given, the process's environment and the home's files.
    pub(crate) fn resolve(cli: &Cli, environment: &Environment) -> Result<Self, Problem> {
        let mut layers = Layers::new(cli, environment);
        let home: PathBuf = if let Some(home) = layers.take(&catalogue::HOME)? {
            home
        } else {
            let folder = if cli.is_demo() { "selfhood-demo" } else { "selfhood" };
            layers.default(&catalogue::HOME, data_folder(environment)?.join(folder))
        };
        layers.read_home(&home)?;
        let keys = layers.take_or(&catalogue::KEYS, keys_beside(&home))?;
        refuse_keys_inside(&home, &keys)?;
        let passphrase = layers.take(&catalogue::PASSPHRASE)?;
        let store = layers.take_or(&catalogue::STORE, StoreChoice::Home)?;
        let tenant = layers.take(&catalogue::TENANT)?;
        let persona = layers.take(&catalogue::PERSONA)?;
        let output = layers.take(&catalogue::OUTPUT)?;
        let consent_bases = layers.take_or(&catalogue::CONSENT_BASES, Vec::new())?;
        let formation_basis = formation_basis(&mut layers, &consent_bases)?;
        let document_limit = layers.take_or(&catalogue::DOCUMENT_BYTES, Bytes::DOCUMENT)?;
        let limits = limits::take(&mut layers)?;
        let listening = Listening::take(&mut layers)?;
        let backups = backups::take(&mut layers, &home)?;
        let distillation = distillation::take(&mut layers)?;
        let models = Models::take(&mut layers)?;
        let local_servers = local_servers::take(&mut layers)?;
        Ok(Self {
            home,
            keys,
            passphrase,
            store,
            tenant,
            persona,
            output,
            consent_bases,
            formation_basis,
            document_limit,
            limits,
            listening,
            backups,
            distillation,
            models,
            local_servers,
            shown: layers.shown(),
        })
    }

    /// Whose realm commands act in: the tenant that was named, or the one everybody starts with.
    pub(crate) fn acting_tenant(&self) -> Result<TenantName, Problem> {
        let start = || {
            "default"
                .parse()
                .map_err(|rule: domain::InvalidId| Problem::new(Code::Internal, rule.to_string()))
        };
        self.tenant.clone().map_or_else(start, Ok)
    }
}

/// The platform's folder for application data, since a home holds what nobody wants to lose.
fn data_folder(environment: &Environment) -> Result<PathBuf, Problem> {
    let in_user_folder = |below: &str| environment.get("HOME").map(|user| Path::new(user).join(below));
    let data = if cfg!(windows) {
        environment.get("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        in_user_folder("Library/Application Support")
    } else {
        let xdg = environment.get("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        xdg.or_else(|| in_user_folder(".local/share"))
    };
    let nowhere = || {
        Problem::new(
            Code::ConfigInvalid,
            "this machine names no folder for data; say where the home is with --home",
        )
    };
    data.ok_or_else(nowhere)
}

/// The key directory that goes with a home unless another is named: beside it, never inside.
fn keys_beside(home: &Path) -> PathBuf {
    let mut beside = walked(home, |path| path).into_os_string();
    beside.push(".keys");
    PathBuf::from(beside)
}

/// Whoever copies the home must not copy the keys with it, or destroying a key would prove nothing.
fn refuse_keys_inside(home: &Path, keys: &Path) -> Result<(), Problem> {
    if !resolved(keys).starts_with(resolved(home)) {
        return Ok(());
    }
    let detail = format!(
        "the key directory {} lies inside the home {}; keep them apart",
        keys.display(),
        home.display()
    );
    Err(Problem::new(Code::ConfigInvalid, detail))
}

/// The path with links followed, as far as its folders exist.
fn resolved(path: &Path) -> PathBuf {
    walked(path, |path| std::fs::canonicalize(&path).unwrap_or(path))
}

/// The absolute path with `..` taken and no slash at its end, passing through `arrive` at each folder.
fn walked(path: &Path, arrive: impl Fn(PathBuf) -> PathBuf) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.components().fold(PathBuf::new(), |mut walked, component| {
        match component {
            Component::ParentDir => drop(walked.pop()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::Normal(_) => {
                walked.push(component);
            }
        }
        arrive(walked)
    })
}

/// The basis for what is learnt from talk: a known one, and one on which something of a person may be kept.
fn formation_basis(layers: &mut Layers<'_>, added: &[ConsentBasis]) -> Result<ConsentBasis, Problem> {
    let basis = layers.take_or(&catalogue::CONSENT_FORMATION, ConsentBasis::service_delivery())?;
    if basis.is_listed(added) && !basis.is_not_applicable() {
        return Ok(basis);
    }
    let origin = layers.origin_of(catalogue::CONSENT_FORMATION.key);
    let detail = format!(
        "{origin}: consent.formation names `{}`, on which nothing of a person may be kept; name a basis such as \
         `service-delivery`, or add your own to consent.bases",
        basis.as_str()
    );
    Err(Problem::new(Code::ConfigInvalid, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lie_beside_the_home_however_it_is_written() {
        for home in ["/data/self", "/data/self/", "/data/./self", "/data/other/../self"] {
            assert_eq!(keys_beside(Path::new(home)), Path::new("/data/self.keys"), "{home}");
        }
        assert!(keys_beside(Path::new(".")).is_absolute());
    }
}
