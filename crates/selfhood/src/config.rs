//! The settings: flags, then environment, then the home's own files, then defaults.
//!
//! The first layer that has a setting decides it, and the origin is recorded, so that `selfhood config show
//! --origin` can answer "why is it that value?" for each.

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
mod model_providers;
mod models;
mod services;
mod value;

use std::path::{Component, Path, PathBuf};

use clap::ValueEnum;
use domain::{ConsentBasis, TenantName};
use engine::PersonaKey;
use wire::{Code, Problem};

pub(crate) use backups::{BackupPlan, BackupTarget};
pub(crate) use environment::Environment;
pub(crate) use layers::SettingRow;
pub(crate) use listening::{Listening, LogLevel};
pub(crate) use models::{Model, Models};
pub(crate) use services::{Services, TelemetrySettings};
pub(crate) use value::{Bytes, Secret, StoreChoice};

use crate::cli::Cli;
use crate::output::Mode;
use layers::Layers;

/// The settings file inside a home.
const FILE_NAME: &str = "selfhood.toml";
/// The environment file inside a home.
const DOTENV_NAME: &str = ".env";

/// All settings, resolved.
pub(crate) struct Settings {
    /// Folder of the tenants and their personas.
    pub(crate) home: PathBuf,
    /// Folder of the keys.
    pub(crate) keys: PathBuf,
    /// The passphrase of the keys, if they have one.
    pub(crate) passphrase: Option<Secret>,
    /// Where memories are stored.
    pub(crate) store: StoreChoice,
    /// The tenant, if given.
    pub(crate) tenant: Option<TenantName>,
    /// The persona, if given.
    pub(crate) persona: Option<PersonaKey>,
    /// Whether the command line names the persona.
    pub(crate) is_persona_flag: bool,
    /// The output mode, if given.
    pub(crate) output: Option<Mode>,
    /// Consent bases of this deployment besides the built-in ones.
    pub(crate) consent_bases: Vec<ConsentBasis>,
    /// The consent basis of memories learnt from conversations.
    pub(crate) formation_basis: ConsentBasis,
    /// The largest document read.
    pub(crate) document_limit: Bytes,
    /// Where a server listens, and its logging.
    pub(crate) listening: Listening,
    /// The limits of a server.
    pub(crate) limits: server::Limits,
    /// The schedule of backups, if there is one.
    pub(crate) backups: Option<BackupPlan>,
    /// Remote services: storage, keys, traces.
    pub(crate) services: Services,
    /// Settings for digests.
    pub(crate) distillation: engine::Distillation,
    /// The language models, and the model of each role.
    pub(crate) models: Models,
    /// The ports on this machine where further model servers are searched for.
    pub(crate) local_servers: Vec<llm::LocalServer>,
    /// The providers whose models may be connected.
    pub(crate) model_providers: Vec<llm::Provider>,
    /// Each setting as `config show` prints it.
    pub(crate) shown: Vec<SettingRow>,
}

/// The output mode given by flag or environment, for reporting invalid settings.
pub(crate) fn output_asked_for(cli: &Cli, environment: &Environment) -> Option<Mode> {
    let by_environment = || catalogue::OUTPUT.environment.iter().find_map(|name| environment.get(name));
    cli.flags.output.or_else(|| Mode::from_str(by_environment()?, false).ok())
}

impl Settings {
    /// The variables with which another process finds the same home, keys and tenant.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let absolute = |path: &Path| walked(path, |path| path).display().to_string();
        let mut variables = vec![("SELFHOOD_HOME", absolute(&self.home))];
        if self.keys != keys_beside(&self.home) {
            variables.push(("SELFHOOD_KEYS", absolute(&self.keys)));
        }
        variables.extend(self.tenant.iter().map(|tenant| ("SELFHOOD_TENANT", tenant.to_string())));
        variables
    }

    /// Resolves all settings from the flags, the process's environment and the home's files.
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
        let services = Services::take(&mut layers)?;
        let distillation = distillation::take(&mut layers)?;
        let models = Models::take(&mut layers)?;
        let local_servers = local_servers::take(&mut layers)?;
        let model_providers = model_providers::take(&mut layers)?;
        Ok(Self {
            home,
            keys,
            passphrase,
            store,
            tenant,
            persona,
            is_persona_flag: cli.flags.persona.is_some(),
            output,
            consent_bases,
            formation_basis,
            document_limit,
            limits,
            listening,
            backups,
            services,
            distillation,
            models,
            local_servers,
            model_providers,
            shown: layers.shown(),
        })
    }

    /// The tenant of commands: the given one, or `default`.
    pub(crate) fn acting_tenant(&self) -> Result<TenantName, Problem> {
        let start = || {
            "default"
                .parse()
                .map_err(|rule: domain::InvalidId| Problem::new(Code::Internal, rule.to_string()))
        };
        self.tenant.clone().map_or_else(start, Ok)
    }
}

/// The platform's folder for application data, since a home must not be lost.
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
    let nowhere =
        || Problem::new(Code::ConfigInvalid, "this machine has no data folder; name the home with --home");
    data.ok_or_else(nowhere)
}

/// The default key directory of a home: beside it, never inside.
fn keys_beside(home: &Path) -> PathBuf {
    let mut beside = walked(home, |path| path).into_os_string();
    beside.push(".keys");
    PathBuf::from(beside)
}

/// A copy of the home must not include the keys, or destroying a key would prove nothing.
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

/// The path with links resolved, as far as its folders exist.
fn resolved(path: &Path) -> PathBuf {
    walked(path, |path| std::fs::canonicalize(&path).unwrap_or(path))
}

/// The absolute path without `..` and trailing slash, applying `arrive` at each folder.
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

/// The consent basis for memories learnt from conversations: a known one, under which personal data may be
/// stored.
fn formation_basis(layers: &mut Layers<'_>, added: &[ConsentBasis]) -> Result<ConsentBasis, Problem> {
    let basis = layers.take_or(&catalogue::CONSENT_FORMATION, ConsentBasis::service_delivery())?;
    if basis.is_listed(added) && !basis.is_not_applicable() {
        return Ok(basis);
    }
    let origin = layers.origin_of(catalogue::CONSENT_FORMATION.key);
    let detail = format!(
        "{origin}: consent.formation names `{}`, under which no personal data may be stored; name a basis \
        such as \
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
