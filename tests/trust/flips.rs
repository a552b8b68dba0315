//! One bit flipped anywhere in a home: it does no harm, or it is reported; never is an answer silently wrong.
//!
//! Left out are the lock, which holds nothing, and the documents, which people edit and nothing can vouch for.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use store::{Deployment as _, Records as _, Store, StoreError, Upkeep as _};
use tempfile::TempDir;

use crate::copying::{copy, files, lived};
use crate::dice::Dice;
use crate::reference::first_difference;
use crate::tally::{Tally, tries};
use crate::world::{INARA, TENANT, block_on, open, scope};

const STEPS: u64 = 60;
/// How often another place is chosen when the first one is empty space.
const MOST_CHOICES: usize = 8;

#[test]
fn a_flipped_bit_is_harmless_or_reported() {
    let mut tally = Tally::new("corruption: one bit flipped", "seal");
    let home = block_on(lived(STEPS));
    let whole = block_on(look(home.path())).unwrap();
    let (mut harmless, mut reported, mut refused) = (0, 0, 0);
    for seed in 0..tries(500) {
        let flipped = Flipped::new(home.path(), seed);
        let place = flipped.place.clone();
        let wrong = match block_on(look(flipped.directory.path())) {
            Err(_) => {
                refused += 1;
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
    tally.note(format!("{harmless} harmless, {reported} reported, {refused} refused"));
    tally.close();
}

/// A copy of a home with one wrong bit.
struct Flipped {
    directory: TempDir,
    place: String,
}

impl Flipped {
    /// Half of the bits are chosen among all, half from a file chosen first, so that small files count too.
    /// The empty space of pages is mostly passed over: a bit there does no harm.
    fn new(home: &Path, seed: u64) -> Self {
        let directory = copy(home);
        let mut dice = Dice::new(seed);
        let files: Vec<PathBuf> =
            files(directory.path()).into_iter().filter(|path| !path.ends_with("selfhood.lock")).collect();
        let contents: Vec<Vec<u8>> = files.iter().map(|path| fs::read(path).unwrap()).collect();
        let mut choose = || {
            let (file, byte) = if dice.happens(50) {
                let file = dice.position(files.len());
                (file, dice.position(contents[file].len()))
            } else {
                nth_byte(&contents, dice.position(contents.iter().map(Vec::len).sum()))
            };
            (file, byte, is_empty_space(&contents[file], byte))
        };
        let mut chosen = choose();
        for _ in 0..MOST_CHOICES {
            chosen = if chosen.2 { choose() } else { chosen };
        }
        let (file, byte, _) = chosen;
        let mut bytes = contents[file].clone();
        let bit = dice.below(8);
        bytes[byte] ^= 1 << bit;
        fs::write(&files[file], bytes).unwrap();
        let name = files[file].strip_prefix(directory.path()).unwrap().display().to_string();
        Self { directory, place: format!("{name} byte {byte} bit {bit}") }
    }
}

fn is_empty_space(bytes: &[u8], byte: usize) -> bool {
    bytes[byte.saturating_sub(8)..bytes.len().min(byte + 8)].iter().all(|byte| *byte == 0)
}

fn nth_byte(contents: &[Vec<u8>], mut byte: usize) -> (usize, usize) {
    for (file, bytes) in contents.iter().enumerate() {
        if byte < bytes.len() {
            return (file, byte);
        }
        byte -= bytes.len();
    }
    unreachable!("the byte lies within the files");
}

/// What a home answers, and what it reports about itself.
struct Seen {
    answers: Value,
    reported: Vec<String>,
}

impl Seen {
    /// Damage was reported; even so no record may be told with other words or numbers than it had.
    fn rendered_wrongly(&self, whole: &Seen) -> Option<String> {
        let (before, told) = (whole.records(), self.records());
        let other = told.iter().find(|record| !before.contains(record))?;
        Some(format!("told wrongly, though reported, at {}", other.0))
    }

    /// Every single record that was told, and in which list.
    fn records(&self) -> Vec<(&'static str, &Value)> {
        let list = |place: &'static str| {
            let values = self.answers.pointer(place).and_then(Value::as_array).into_iter().flatten();
            values.map(move |value| (place, value))
        };
        let plain = ["/persona/atoms", "/persona/timeline", "/persona/rehearsals", "/persona/tombstones"];
        let sessions = list("/persona/sessions").map(|(place, value)| (place, &value["session"]));
        let turns = list("/persona/sessions").filter_map(|(_, value)| value["turns"].as_array()).flatten();
        let turns = turns.map(|turn| ("/persona/sessions/turns", turn));
        plain.into_iter().flat_map(list).chain(sessions).chain(turns).collect()
    }
}

async fn look(directory: &Path) -> Result<Seen, StoreError> {
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
    Ok(Seen { answers, reported })
}

async fn log(store: &Store) -> Result<Value, StoreError> {
    let events = store.deployment_events(0..u64::MAX).await?;
    Ok(json!(events.iter().map(|logged| &logged.event).collect::<Vec<_>>()))
}
