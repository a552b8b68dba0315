//! The key directory for commands: the accepted signers, our operator key, and the pepper under which API
//! keys are hashed.

use std::path::Path;

use vault::hash::KeyedHash;
use vault::key_directory::{KeyCreation, KeyDirectory, KeyDirectoryError, KeyWrapping, Passphrase};
use vault::signature::{PublicKey, SigningKey};
use wire::{Code, Problem};

use crate::config::Settings;
use crate::{clock, report};

/// The name of the operator key created at first use.
const OPERATOR: &str = "default";
/// The name of the secret under which API keys are hashed.
const PEPPER: &str = "pepper";
/// How many things are created in a new directory: operator key, entry among the signers, pepper.
const KEYS_MADE: u32 = 3;

/// What an engine needs of the key directory.
pub(crate) struct Keys {
    /// The directory itself, for the store.
    pub(crate) directory: KeyDirectory,
    /// Signs documents for the deployment.
    pub(crate) operator: SigningKey,
    /// The same key, with which the store signs its logs; a signing key is never copied in memory, so it is
    /// read twice.
    pub(crate) log_signer: SigningKey,
    /// The accepted signers.
    pub(crate) signers: Vec<PublicKey>,
    /// Hashes API keys.
    pub(crate) pepper: KeyedHash,
}

/// Everything an engine needs; missing keys are created, unless the home was sealed with keys that are lost.
///
/// Two processes may create the same new key at once. The second one is refused, tries again, and finds it.
pub(crate) fn open(settings: &Settings) -> Result<Keys, Problem> {
    refuse_lost_keys(settings)?;
    let mut opened = open_once(settings);
    for _ in 0..KEYS_MADE {
        match &opened {
            Err(problem) if matches!(problem.code, Code::Conflict | Code::NameTaken) => {
                opened = open_once(settings);
            }
            Ok(_) | Err(_) => break,
        }
    }
    opened
}

fn open_once(settings: &Settings) -> Result<Keys, Problem> {
    let [operator, log_signer] = [operator(settings)?, operator(settings)?];
    let directory = directory(settings)?;
    let signers = directory.signers().map_err(key_problem)?.valid();
    let making = KeyCreation { now: clock::now().as_millis(), randomness: &clock::chance() };
    let pepper = KeyedHash::new(directory.secret(PEPPER, making).map_err(key_problem)?);
    Ok(Keys { directory, operator, log_signer, signers, pepper })
}

/// The accepted signers; none without a key directory.
pub(crate) fn valid_signers(directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let signers = KeyDirectory::open(directory, None).and_then(|keys| keys.signers()).map_err(key_problem)?;
    Ok(signers.valid())
}

/// All signers that were ever accepted; none without a key directory.
pub(crate) fn every_signer(directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let signers = KeyDirectory::open(directory, None).and_then(|keys| keys.signers()).map_err(key_problem)?;
    Ok(signers.all().iter().map(|signer| signer.did).collect())
}

/// The signers a command accepts: the given ones (`--signer DID`), or all that the key directory ever accepted.
pub(crate) fn accepted_signers(given: &[String], directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    let parse = |did: &String| {
        did.parse().map_err(|error: vault::signature::DidError| {
            Problem::new(Code::Usage, format!("--signer {did} is {error}"))
        })
    };
    if given.is_empty() { every_signer(directory) } else { given.iter().map(parse).collect() }
}

/// The operator key, created at first use, and listed among the signers.
pub(crate) fn operator(settings: &Settings) -> Result<SigningKey, Problem> {
    let keys = directory(settings)?;
    let key = match operator_name(&keys)? {
        Some(name) => keys.operator(&name).map_err(key_problem)?,
        None => make_operator(&keys)?,
    };
    let public = key.public_key();
    match keys.signers().map_err(key_problem)?.find(&public) {
        None => keys.add_signer(public, OPERATOR, clock::now().as_millis()).map_err(key_problem)?,
        Some(signer) if signer.revoked_at.is_some() => return Err(revoked(&public, &settings.keys)),
        Some(_) => {}
    }
    Ok(key)
}

fn directory(settings: &Settings) -> Result<KeyDirectory, Problem> {
    KeyDirectory::open_or_create(&settings.keys, wrapping(settings)).map_err(key_problem)
}

/// What wraps new keys, and opens wrapped ones.
pub(crate) fn wrapping(settings: &Settings) -> KeyWrapping {
    let passphrase = settings.passphrase.as_ref().map(|secret| Passphrase::new(secret.expose().to_owned()));
    KeyWrapping { passphrase, service: settings.services.wrapping.clone() }
}

/// New keys would open nothing of an old home, and would hide that the old ones are missing.
pub(crate) fn refuse_lost_keys(settings: &Settings) -> Result<(), Problem> {
    let is_sealed = store::home::Paths::new(&settings.home).deployment().exists();
    let has_keys = settings.keys.exists() && operator_name(&directory(settings)?)?.is_some();
    if has_keys || !is_sealed {
        return Ok(());
    }
    let detail = format!(
        "the keys of {} are not in {}; restore your copy of them, or name their folder with --keys",
        settings.home.display(),
        settings.keys.display()
    );
    Err(Problem::new(Code::KeyMissing, detail))
}

/// The signing key: the one created at first use, or the only one.
fn operator_name(keys: &KeyDirectory) -> Result<Option<String>, Problem> {
    let mut names = keys.operators().map_err(key_problem)?;
    if names.iter().any(|name| name == OPERATOR) {
        return Ok(Some(OPERATOR.to_owned()));
    }
    if names.len() > 1 {
        let directory = keys.path().display();
        let detail = format!("{directory} has several operator keys and none is named `{OPERATOR}`");
        return Err(Problem::new(Code::KeyMissing, detail));
    }
    Ok(names.pop())
}

fn make_operator(keys: &KeyDirectory) -> Result<SigningKey, Problem> {
    let making = KeyCreation { now: clock::now().as_millis(), randomness: &clock::chance() };
    let key = keys.create_operator(OPERATOR, making).map_err(key_problem)?;
    report::note(format_args!(
        "made your operator key {} in {}; keep a copy of that folder; it can't be created again",
        key.public_key(),
        keys.path().display()
    ));
    Ok(key)
}

fn revoked(key: &PublicKey, directory: &Path) -> Problem {
    let detail = format!("the operator key {key} in {} was revoked; sign with another", directory.display());
    Problem::new(Code::KeyMissing, detail)
}

/// The problem for an error of the key directory, with the setting that is the way out.
fn key_problem(error: KeyDirectoryError) -> Problem {
    let needs_passphrase = matches!(error, KeyDirectoryError::PassphraseNeeded { .. });
    let problem = store::key_problem(error);
    if needs_passphrase {
        return Problem::new(problem.code, format!("{}; set SELFHOOD_PASSPHRASE", problem.detail));
    }
    problem
}
