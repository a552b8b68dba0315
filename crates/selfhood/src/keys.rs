//! The key directory as commands use it: whose signatures count, the operator key that signs for us, and
//! the pepper that API keys are hashed under.

use std::path::Path;

use vault::hash::KeyedHash;
use vault::key_directory::{KeyDirectory, KeyDirectoryError, Making, Passphrase};
use vault::signature::{PublicKey, SigningKey};
use wire::{Code, Problem};

use crate::config::Settings;
use crate::{clock, report};

/// The name of the operator key that is made at first use.
const OPERATOR: &str = "default";
/// The name of the secret that API keys are hashed under.
const PEPPER: &str = "pepper";
/// How many things are made in a new directory: operator key, entry among the signers, pepper.
const KEYS_MADE: u32 = 3;

/// What an engine needs of the key directory.
pub(crate) struct Keys {
    /// The directory itself, for the store.
    pub(crate) directory: KeyDirectory,
    /// Signs documents for the deployment.
    pub(crate) operator: SigningKey,
    /// The same key, with which the store signs its logs; a signing key is never copied in memory, so it is read twice.
    pub(crate) log_signer: SigningKey,
    /// Whose signatures hold.
    pub(crate) signers: Vec<PublicKey>,
    /// Hashes API keys.
    pub(crate) pepper: KeyedHash,
}

/// Everything an engine needs; what was never there is made, unless the home was sealed with keys that are gone.
///
/// Two processes may make the same new key at once. The one that comes second is refused it, looks again,
/// and finds it made.
pub(crate) fn open(settings: &Settings) -> Result<Keys, Problem> {
    refuse_lost_keys(settings)?;
    let mut opened = open_once(settings);
    for _ in 0..KEYS_MADE {
        match &opened {
            Err(problem) if problem.code == Code::Conflict => opened = open_once(settings),
            Ok(_) | Err(_) => break,
        }
    }
    opened
}

fn open_once(settings: &Settings) -> Result<Keys, Problem> {
    let [operator, log_signer] = [operator(settings)?, operator(settings)?];
    let directory = directory(settings)?;
    let signers = directory.signers().map_err(|error| told(&error))?.valid();
    let making = Making { now: clock::now().as_millis(), randomness: &clock::chance() };
    let pepper = KeyedHash::new(directory.secret(PEPPER, making).map_err(|error| told(&error))?);
    Ok(Keys { directory, operator, log_signer, signers, pepper })
}

/// The keys whose signatures count; none where there is no key directory yet.
pub(crate) fn valid_signers(directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let signers =
        KeyDirectory::open(directory, None).and_then(|keys| keys.signers()).map_err(|error| told(&error))?;
    Ok(signers.valid())
}

/// The keys whose signatures counted at any time; none where there is no key directory.
pub(crate) fn every_signer(directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let signers =
        KeyDirectory::open(directory, None).and_then(|keys| keys.signers()).map_err(|error| told(&error))?;
    Ok(signers.all().iter().map(|signer| signer.did).collect())
}

/// The operator key, made at first use, and certain to be among the valid signers.
pub(crate) fn operator(settings: &Settings) -> Result<SigningKey, Problem> {
    let keys = directory(settings)?;
    let key = match operator_name(&keys)? {
        Some(name) => keys.operator(&name).map_err(|error| told(&error))?,
        None => make_operator(&keys)?,
    };
    let public = key.public_key();
    match keys.signers().map_err(|error| told(&error))?.find(&public) {
        None => keys.add_signer(public, OPERATOR, clock::now().as_millis()).map_err(|error| told(&error))?,
        Some(signer) if signer.revoked_at.is_some() => return Err(revoked(&public, &settings.keys)),
        Some(_) => {}
    }
    Ok(key)
}

fn directory(settings: &Settings) -> Result<KeyDirectory, Problem> {
    let passphrase = settings.passphrase.as_ref().map(|secret| Passphrase::new(secret.expose().to_owned()));
    KeyDirectory::open_or_create(&settings.keys, passphrase).map_err(|error| told(&error))
}

/// New keys would open nothing of an old home, and would hide that the old ones are missing.
pub(crate) fn refuse_lost_keys(settings: &Settings) -> Result<(), Problem> {
    let is_sealed = store::home::Paths::new(&settings.home).deployment().exists();
    let has_keys = settings.keys.exists() && operator_name(&directory(settings)?)?.is_some();
    if has_keys || !is_sealed {
        return Ok(());
    }
    let detail = format!(
        "the keys of {} are not in {}; bring back your copy of them, or name their folder with --keys",
        settings.home.display(),
        settings.keys.display()
    );
    Err(Problem::new(Code::KeyMissing, detail))
}

/// Which key signs: the one made at first use, or the only one there is.
fn operator_name(keys: &KeyDirectory) -> Result<Option<String>, Problem> {
    let mut names = keys.operators().map_err(|error| told(&error))?;
    if names.iter().any(|name| name == OPERATOR) {
        return Ok(Some(OPERATOR.to_owned()));
    }
    if names.len() > 1 {
        let directory = keys.path().display();
        let detail = format!("{directory} holds several operator keys and none is named `{OPERATOR}`");
        return Err(Problem::new(Code::KeyMissing, detail));
    }
    Ok(names.pop())
}

fn make_operator(keys: &KeyDirectory) -> Result<SigningKey, Problem> {
    let making = Making { now: clock::now().as_millis(), randomness: &clock::chance() };
    let key = keys.create_operator(OPERATOR, making).map_err(|error| told(&error))?;
    report::note(format_args!(
        "made your operator key {} in {}; keep a copy of that folder, it can't be made again",
        key.public_key(),
        keys.path().display()
    ));
    Ok(key)
}

fn revoked(key: &PublicKey, directory: &Path) -> Problem {
    let detail = format!("the operator key {key} in {} was revoked; sign with another", directory.display());
    Problem::new(Code::KeyMissing, detail)
}

fn told(error: &KeyDirectoryError) -> Problem {
    let code = match error {
        KeyDirectoryError::Io { .. } | KeyDirectoryError::Randomness(_) => Code::IoFailed,
        KeyDirectoryError::LoosePermissions { .. }
        | KeyDirectoryError::ForeignOwner { .. }
        | KeyDirectoryError::Missing { .. }
        | KeyDirectoryError::MissingEpoch { .. }
        | KeyDirectoryError::Damaged { .. }
        | KeyDirectoryError::NewerVersion { .. }
        | KeyDirectoryError::Misplaced { .. }
        | KeyDirectoryError::PassphraseNeeded { .. }
        | KeyDirectoryError::WrongPassphrase { .. } => Code::KeyMissing,
        KeyDirectoryError::InvalidName(_) => Code::Usage,
        KeyDirectoryError::NoSuchSigner(_) => Code::NotFound,
        KeyDirectoryError::Exists { .. }
        | KeyDirectoryError::NewestKek { .. }
        | KeyDirectoryError::Listed(_)
        | KeyDirectoryError::MirrorDiffers { .. } => Code::Conflict,
    };
    let way_out = if matches!(error, KeyDirectoryError::PassphraseNeeded { .. }) {
        "; set SELFHOOD_PASSPHRASE"
    } else {
        ""
    };
    Problem::new(code, format!("{error}{way_out}"))
}
