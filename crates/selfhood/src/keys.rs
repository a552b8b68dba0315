//! The key directory as commands use it: whose signatures count, and the operator key that signs for us.

use std::path::Path;

use vault::key_directory::{KeyDirectory, KeyDirectoryError, Making, Passphrase};
use vault::signature::{PublicKey, SigningKey};
use wire::{Code, Problem};

use crate::config::Settings;
use crate::{clock, report};

/// The name of the operator key that is made at first use.
const OPERATOR: &str = "default";

/// The keys whose signatures count; none where there is no key directory yet.
pub(crate) fn valid_signers(directory: &Path) -> Result<Vec<PublicKey>, Problem> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let signers =
        KeyDirectory::open(directory, None).and_then(|keys| keys.signers()).map_err(|error| told(&error))?;
    Ok(signers.valid())
}

/// The operator key, made at first use, and certain to be among the valid signers.
pub(crate) fn operator(settings: &Settings) -> Result<SigningKey, Problem> {
    let passphrase = settings.passphrase.as_ref().map(|secret| Passphrase::new(secret.expose().to_owned()));
    let keys = KeyDirectory::open_or_create(&settings.keys, passphrase).map_err(|error| told(&error))?;
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
