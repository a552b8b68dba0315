//! One bit flipped anywhere in a home: it does no harm, or it is reported; never is an answer silently wrong.
//!
//! Left out are the lock, which holds nothing, and the documents, which people edit and nothing can vouch for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use store::{Deployment as _, Records as _, Store, StoreError, Upkeep as _};
use tempfile::TempDir;

use crate::copying::{copy, files, lived};
use crate::reference::first_difference;
use crate::world::{INARA, TENANT, block_on, open, scope};
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

const STEPS: u64 = 60;
/// How often another place is chosen when the first one is empty space.
const MOST_CHOICES: usize = 8;

#[test]
fn a_flipped_bit_is_harmless_or_reported() {
    let mut tally = Tally::new("corruption: one bit flipped", "seal");
    let home = block_on(lived(STEPS));
    let whole = block_on(look(home.path())).unwrap();
    let (mut harmless, mut reported) = (0, 0);
    let mut refused: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in tries(500) {
        let flipped = Flipped::new(home.path(), seed);
        let place = flipped.place.clone();
        let wrong = match block_on(look(flipped.directory.path())) {
            Err(error) => {
                *refused.entry(refuser(&error)).or_default() += 1;
                None
            }
            Ok(seen) if !seen.reported.is_empty() => {
                reported += 1;
                seen.rendered_wrongly(&whole)
            }
            Ok(seen) => {
                harmless += 1;
                first_difference(&whole.answers, &seen.answers).map(|at| format!("silently wrong at {at}"))
            }
        };
        tally.count(&format!("seed {seed}, {place}"), &wrong.into_iter().collect::<Vec<_>>());
    }
    tally.note(format!("{harmless} harmless, {reported} reported, refused by {refused:?}"));
    tally.close();
}

/// What refused to go on.
fn refuser(error: &StoreError) -> &'static str {
    if let StoreError::Keys(_) | StoreError::Keyring(_) = error {
        "keys"
    } else if let StoreError::Malformed { .. } | StoreError::Unreadable { .. } = error {
        "a record"
    } else {
        "the database"
    }
}

/// A copy of a home with one wrong bit.
struct Flipped {
    directory: TempDir,
    place: String,
}

impl Flipped {
    /// One in ten is in any file, the others are in a database. The empty space of pages is mostly passed
    /// over: a bit there does no harm.
    fn new(home: &Path, seed: u64) -> Self {
        let directory = copy(home);
        let mut dice = Dice::new(seed);
        let any = dice.happens(10);
        let mut files = files(directory.path());
        files.retain(|path| {
            if any {
                !path.ends_with("selfhood.lock")
            } else {
                path.extension().is_some_and(|end| end == "db")
            }
        });
        let path = files.swap_remove(dice.position(files.len()));
        let mut bytes = fs::read(&path).unwrap();
        let mut byte = dice.position(bytes.len());
        for _ in 0..MOST_CHOICES {
            byte = if is_empty_space(&bytes, byte) { dice.position(bytes.len()) } else { byte };
        }
        let bit = dice.below(8);
        bytes[byte] ^= 1 << bit;
        fs::write(&path, bytes).unwrap();
        let name = path.strip_prefix(directory.path()).unwrap().display().to_string();
        Self { directory, place: format!("{name} byte {byte} bit {bit}") }
    }
}

fn is_empty_space(bytes: &[u8], byte: usize) -> bool {
    bytes[byte.saturating_sub(8)..bytes.len().min(byte + 8)].iter().all(|byte| *byte == 0)
}

/// What a home answers, and what it reports about itself.
struct OpenedHome {
    answers: Value,
    reported: Vec<String>,
}

impl OpenedHome {
    /// Damage was reported; even so no record may have other words or numbers than it had.
    fn rendered_wrongly(&self, whole: &OpenedHome) -> Option<String> {
        let (before, listed) = (whole.records(), self.records());
        let other = listed.iter().find(|record| !before.contains(record))?;
        Some(format!("told wrongly, though reported, at {}", other.0))
    }

    /// Every single thing that was listed, and in which list. What a page lost (a source, a rehearsal, a turn)
    /// makes the rest of its record no less true, so each is a thing of its own.
    fn records(&self) -> Vec<(&'static str, Value)> {
        let list = |name: &str| self.answers["persona"][name].as_array().cloned().unwrap_or_default();
        let mut listed = Vec::new();
        for mut stored in list("atoms") {
            let sources = stored["atom"].as_object_mut().and_then(|atom| atom.remove("derivedFrom"));
            for source in sources.iter().filter_map(Value::as_array).flatten() {
                listed.push(("sources", json!([stored["atom"]["id"], source])));
            }
            listed.push(("atoms", stored));
        }
        for history in list("rehearsals") {
            let lines = history["rehearsals"].as_array().into_iter().flatten();
            listed.extend(lines.map(|line| ("rehearsals", json!([history["id"], line]))));
        }
        for session in list("sessions") {
            listed.push(("sessions", session["session"].clone()));
            listed.extend(
                session["turns"].as_array().into_iter().flatten().map(|turn| ("turns", turn.clone())),
            );
        }
        listed.extend(list("timeline").into_iter().map(|entry| ("timeline", entry)));
        listed.extend(list("tombstones").into_iter().map(|tombstone| ("tombstones", tombstone)));
        listed
    }
}

async fn look(directory: &Path) -> Result<OpenedHome, StoreError> {
    let store = open(directory).await?;
    let scope = scope(INARA);
    let tenant = TENANT.parse().unwrap();
    let persona = store.integrity(&scope).await?;
    let deployment = store.deployment_integrity().await?;
    let mut reported: Vec<String> = [persona, deployment]
        .into_iter()
        .filter(|found| !found.is_whole())
        .map(|found| format!("{found:?}"))
        .collect();
    let unreadable = store.load(&scope).await?.unreadable;
    reported.extend(unreadable.into_iter().map(|record| format!("{record:?}")));
    let answers = json!({
        "persona": store::dump(&store, &scope).await?,
        "personas": store.personas(&tenant).await?,
        "tenants": store.tenants().await?,
        "keys": store.api_keys(&tenant).await?.iter().map(|key| format!("{key:?}")).collect::<Vec<_>>(),
        "log": log(&store).await?,
    });
    Ok(OpenedHome { answers, reported })
}

async fn log(store: &Store) -> Result<Value, StoreError> {
    let events = store.deployment_events(0..u64::MAX).await?;
    Ok(json!(events.iter().map(|logged| &logged.event).collect::<Vec<_>>()))
}
