//! Power loss while a backup is made, and while one is restored: a backup is whole or refused, a restored home is whole
//! or not there, and the home it was made from is as before.

use std::fs;
use std::path::Path;

use domain::example;
use engine::Engine;
use engine::backup::{BackupError, BackupFile, Documents, Restoration, Restored, restore};
use serde_json::{Value, json};
use store::{Deployment as _, Store, Upkeep as _, dump};
use tempfile::TempDir;
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};
use vault::key_directory::KeyDirectory;
use wire::read::read_value;

use crate::copying::{copy, files};
use crate::erasing::{self, MEMORIES, call, plant};
use crate::outage::Power;
use crate::world::{TENANT, block_on, open_home, signer};

const BACKUP: &str = "inara.backup";
/// A folder in a folder that is not there yet.
const RESTORED: &str = "elsewhere/home";

#[test]
fn a_backup_that_lost_its_power_is_never_taken_for_a_whole_one() {
    let mut tally = Tally::new("power loss while a backup is made", "backup");
    let home = block_on(home());
    let calls = block_on(async {
        let directory = copy(home.path());
        let engine = erasing::engine(directory.path()).await.unwrap();
        let power = Power::failing_at(u64::MAX, directory.path(), 0);
        back_up(&engine, directory.path()).await.unwrap();
        power.calls()
    });
    let mut acknowledged = 0;
    for seed in tries(50) {
        let nth = 1 + Dice::new(seed).fork().below(calls + calls / 10);
        let (ended, wrong) = block_on(async {
            let directory = copy(home.path());
            let engine = erasing::engine(directory.path()).await.unwrap();
            let before = everything(engine.store()).await;
            let power = Power::failing_at(nth, directory.path(), seed);
            let made = back_up(&engine, directory.path()).await;
            let ended = !power.has_failed();
            let image = power.image();
            let mut wrong = look_at_backup(image.path(), &before, ended).await;
            wrong.extend(made.err().map(|error| format!("before the power failed: {error}")));
            (ended, wrong)
        });
        acknowledged += u64::from(ended);
        tally.count(&format!("seed {seed}, call {nth} of {calls}"), &wrong);
    }
    tally.note(format!("{calls} writes and flushes a backup, {acknowledged} acknowledged before"));
    tally.close();
}

#[test]
fn a_restore_that_lost_its_power_is_repeated_or_was_whole() {
    let mut tally = Tally::new("power loss while a backup is restored", "backup");
    let (home, before) = block_on(async {
        let home = home().await;
        let engine = erasing::engine(home.path()).await.unwrap();
        let before = everything(engine.store()).await;
        back_up(&engine, home.path()).await.unwrap();
        engine.shutdown(example::day(1)).await.unwrap();
        (home, before)
    });
    let calls = {
        let directory = copy(home.path());
        let power = Power::failing_at(u64::MAX, directory.path(), 0);
        bring_back(directory.path(), BACKUP, RESTORED).unwrap();
        power.calls()
    };
    let mut acknowledged = 0;
    for seed in tries(50) {
        let nth = 1 + Dice::new(seed).fork().below(calls + calls / 10);
        let directory = copy(home.path());
        let power = Power::failing_at(nth, directory.path(), seed);
        let restored = bring_back(directory.path(), BACKUP, RESTORED);
        let ended = !power.has_failed();
        let image = power.image();
        let mut wrong = block_on(look_at_restored(image.path(), &before, ended));
        wrong.extend(restored.err().map(|error| format!("before the power failed: {error}")));
        if !untouched(home.path(), image.path()) {
            wrong.push("the home, its keys or the backup are not as before".to_owned());
        }
        acknowledged += u64::from(ended);
        tally.count(&format!("seed {seed}, call {nth} of {calls}"), &wrong);
    }
    tally.note(format!("{calls} writes and flushes a restore, {acknowledged} acknowledged before"));
    tally.close();
}

/// A closed home whose persona remembers, has talked and has documents.
async fn home() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let engine = erasing::engine(directory.path()).await.unwrap();
    plant(&engine, MEMORIES).await;
    engine.shutdown(example::day(1)).await.unwrap();
    directory
}

async fn back_up(engine: &Engine, directory: &Path) -> Result<(), String> {
    let asked = json!({ "to": directory.join(BACKUP) });
    engine.back_up(&call(1), read_value(asked).unwrap()).await.map(drop).map_err(|problem| problem.detail)
}

fn bring_back(directory: &Path, backup: &str, home: &str) -> Result<Restored, BackupError> {
    let keys = KeyDirectory::open(&directory.join("keys"), None).unwrap();
    let mut file = BackupFile::open(&directory.join(backup))?;
    file.signed_by(&[signer().public_key()])?;
    let home = directory.join(home);
    let to = Restoration { home: &home, keys: &keys, keyrings: None, documents: Documents::Write };
    restore(&mut file, &to, |_| ())
}

/// What the only persona has. Closing a home signs a checkpoint, which says nothing of that.
async fn everything(store: &Store) -> Value {
    let scope = store.personas(&TENANT.parse().unwrap()).await.unwrap().remove(0).scope();
    let mut all = dump(store, &scope).await.unwrap();
    all.as_object_mut().unwrap().remove("checkpoints");
    all
}

/// What is wrong with the home in `directory`, which should have everything that was there `before`.
async fn differs(directory: &Path, home: &str, before: &Value) -> Option<String> {
    let store = match open_home(&directory.join(home), &directory.join("keys")).await {
        Ok(store) => store,
        Err(error) => return Some(format!("{home} can't be opened: {error}")),
    };
    let differs = everything(&store).await != *before;
    let closed = store.close(example::day(2)).await.err();
    let differs = differs.then(|| format!("{home} is not as before"));
    differs.or(closed.map(|error| format!("{home} can't be closed: {error}")))
}

/// What is wrong with what a lost power left of a home and its backup.
async fn look_at_backup(image: &Path, before: &Value, ended: bool) -> Vec<String> {
    let mut wrong = Vec::from_iter(differs(image, "home", before).await);
    if ended && !image.join(BACKUP).exists() {
        wrong.push("the backup was acknowledged and is not there".to_owned());
    }
    for (number, name) in [BACKUP.to_owned(), format!("{BACKUP}.part")].iter().enumerate() {
        let home = format!("restored-{number}");
        let whole = image.join(name).exists().then(|| bring_back(image, name, &home));
        match whole {
            Some(Ok(_)) => {
                let differs = differs(image, &home, before).await;
                wrong.extend(differs.map(|differs| format!("{name} was accepted, and {differs}")));
            }
            Some(Err(error)) if name == BACKUP => {
                wrong.push(format!("a backup has its name and is not whole: {error}"));
            }
            // What has no final name may be anything, if only it is refused.
            Some(Err(_)) | None => {}
        }
    }
    wrong.extend(made_again(image, before).await.err().map(|error| format!("making it again: {error}")));
    wrong
}

/// Makes the backup once more where the first attempt left its parts.
async fn made_again(image: &Path, before: &Value) -> Result<(), String> {
    if image.join(BACKUP).exists() {
        return Ok(());
    }
    let engine = erasing::engine_again(image).await.map_err(|error| error.to_string())?;
    back_up(&engine, image).await?;
    engine.shutdown(example::day(2)).await.map_err(|error| error.to_string())?;
    bring_back(image, BACKUP, "restored-again").map_err(|error| error.to_string())?;
    differs(image, "restored-again", before).await.map_or(Ok(()), Err)
}

/// What is wrong with what a lost power left of a restored home.
async fn look_at_restored(image: &Path, before: &Value, ended: bool) -> Vec<String> {
    let home = image.join(RESTORED);
    let is_there = fs::read_dir(&home).is_ok_and(|mut entries| entries.next().is_some());
    if ended && !is_there {
        return vec!["the restore was acknowledged and its home is not there".to_owned()];
    }
    let again = bring_back(image, BACKUP, RESTORED);
    let refused = match again {
        Ok(_) => None,
        Err(BackupError::HomeNotEmpty(named)) if is_there && named == home => None,
        Err(error) => Some(format!("restoring again: {error}")),
    };
    refused.into_iter().chain(differs(image, RESTORED, before).await).collect()
}

/// Whether the home, its keys and the backup are the same bytes in both folders.
fn untouched(original: &Path, image: &Path) -> bool {
    let bytes = |folder: &Path, path: &Path| fs::read(folder.join(path)).ok();
    let all = files(original);
    let mut relative = all.iter().filter_map(|path| path.strip_prefix(original).ok());
    relative.all(|path| bytes(original, path) == bytes(image, path))
}
