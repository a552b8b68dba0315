//! What was destroyed is gone twice over: no byte of it is left in any file, open or sealed, and no key is
//! left that opens it in a backup.
//!
//! The words of a sealed record lie open nowhere, so the bytes that are looked for are also those of the
//! sealed records themselves, taken from the database after each of their rewritings.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::{Actor, Atom, EventKind, MemoryId, ReasonCode, SubjectRef, Text, example};
use rusqlite::Connection;
use serde_json::Value;
use store::residue::{Form, Residue, ScanRoots, SearchTarget, Verdict, scan};
use store::{
    Batch, Change, Day, Destruction, DocumentName, Documents as _, EventDraft, NewVectors, RecordId,
    Records as _, Remains, Rewording, Scope, Session, Store, Target, Upkeep as _, Vector, log_origin,
};
use tempfile::TempDir;
use vault::audit::{ExportLine, ExportVerifier};
use vault::randomness::OsRandomness;

use crate::copying::copy;
use crate::workload::remembering;
use crate::world::{INARA, TENANT, block_on, make_persona, open, records, scope, signer};
use testkit::tally::{Tally, count};

const REWRITINGS: u64 = 6;
/// How many memories of others stay.
const OTHERS: u64 = 20;
/// How long somebody goes on reading after the scrub has begun.
const READING: Duration = Duration::from_millis(200);
/// Which part of a sealed record is looked for: its middle is neither nonce nor tag.
const MIDDLE: std::ops::Range<usize> = 24..72;

fn words(canary: u64) -> String {
    format!("Kanárie \"Vögel\" Nr {canary:05}")
}

fn guest(canary: u64) -> SubjectRef {
    format!("guest:kanarie-{canary:05}").parse().unwrap()
}

fn atom(canary: u64) -> Atom {
    let mut atom = example::atom(&words(canary), &[(&words(canary), 0.4)]);
    atom.id = MemoryId::from_u64(canary + 1);
    atom.subject = Some(guest(canary));
    atom.tags = vec![Text::new(words(canary))];
    atom
}

fn session(canary: u64, round: u64) -> Session {
    Session {
        id: format!("sess:{canary}").parse().unwrap(),
        subject: guest(canary),
        started_at: example::day(0),
        last_at: example::day(i64::try_from(round).unwrap()),
        title: Some(Text::new(words(canary))),
        checkpoint: None,
        state: serde_json::json!({ "about": words(canary), "round": round }).into(),
    }
}

/// A home in which canaries sing, with folders for logs and temporary files beside it.
struct Yard {
    directory: TempDir,
    store: Store,
    scope: Scope,
    canaries: u64,
}

impl Yard {
    async fn with(canaries: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["logs", "temp"] {
            fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let store = open(directory.path()).await.unwrap();
        make_persona(&store, INARA).await.unwrap();
        let yard = Self { directory, store, scope: scope(INARA), canaries };
        let singing = (0..canaries).fold(Batch::at(example::day(0)), |batch, canary| {
            remembering(batch, atom(canary)).with(Change::PutSession(Box::new(session(canary, 0))))
        });
        yard.store.commit(&yard.scope, singing).await.unwrap();
        let others = (0..OTHERS).fold(Batch::at(example::day(0)), |batch, other| {
            let id = MemoryId::from_u64(1_000_000 + other);
            remembering(batch, Atom { id, ..example::plain_atom("The lobby smells of coffee.") })
        });
        yard.store.commit(&yard.scope, others).await.unwrap();
        yard
    }

    /// Rewrites every record of every canary.
    async fn rewrite(&self, round: u64) {
        let mut batch = Batch::at(example::day(i64::try_from(round).unwrap()));
        for canary in 0..self.canaries {
            let Atom { id, details, tags, .. } = atom(canary);
            let gist = Text::new(format!("{} for the {round}th time", words(canary)));
            // Cues are personal data too: the canary stands among them as well.
            let cues = vec![Text::new(words(canary).chars().take(Atom::CUE_LENGTH).collect::<String>())];
            let rewording = Rewording { id, gist, details, cues, tags, vector: None };
            let document = Text::new(format!("{}, {round}", words(canary)));
            batch = batch
                .with(Change::RewordAtom(Box::new(rewording)))
                .with(Change::PutSession(Box::new(session(canary, round))))
                .with(Change::PutDocument(guest(canary), DocumentName::MemoryShort, document));
        }
        self.store.commit(&self.scope, batch).await.unwrap();
        self.store.commit(&self.scope, Batch::at(example::day(0)).with(self.vectors(round))).await.unwrap();
    }

    /// Sentence vectors of every canary; a rewording destroys those before.
    fn vectors(&self, round: u64) -> Change {
        let of = |canary: u64| NewVectors {
            record: RecordId::Atom(atom(canary).id),
            read_at: u64::MAX,
            vectors: Vector {
                embedder: "encoder".to_owned(),
                bytes: format!("{canary} {round} ").repeat(60).into(),
            },
        };
        Change::PutVectors((0..self.canaries).map(of).collect())
    }

    /// Writes every form of every canary into the files that people edit, then writes them anew without.
    async fn write_and_strike_files(&self) {
        let log = DocumentName::DayLog(Day::new(2026, 4, 22).unwrap());
        for canary in 0..self.canaries {
            self.store.append(&self.scope, log, Text::new(words(canary) + "\n")).await.unwrap();
        }
        assert_eq!(self.search(0).verdict(), Verdict::Found, "what lies open must be found");
        let found = self.store.read(&self.scope, log).await.unwrap().unwrap();
        self.store.write(&self.scope, log, Some(found.hash), Text::new("[forgotten]\n")).await.unwrap();
    }

    /// Destroys every canary while somebody reads, and waits until nothing of them is left.
    async fn destroy(&self) {
        let reader = Connection::open(self.records()).unwrap();
        reader.execute_batch("BEGIN").unwrap();
        reader.query_row("SELECT count(*) FROM atoms", [], |row| row.get::<_, u64>(0)).unwrap();
        let targets = (0..self.canaries).map(|canary| Target::Subject(guest(canary), ReasonCode::Request));
        let redacted =
            |canary| EventDraft::new(EventKind::MemoryRedactedHard, Actor::engine()).about(atom(canary).id);
        let what = Destruction {
            now: example::day(30),
            targets: targets.collect(),
            events: (0..self.canaries).map(redacted).collect(),
        };
        self.store.destroy(&self.scope, what).await.unwrap();
        let reading = std::thread::spawn(move || {
            std::thread::sleep(READING);
            drop(reader);
        });
        self.store.scrub(&self.scope).await.unwrap();
        self.store.rotate(&TENANT.parse().unwrap(), example::day(30)).await.unwrap();
        reading.join().unwrap();
    }

    fn records(&self) -> PathBuf {
        records(self.directory.path(), INARA)
    }

    /// Every sealed blob there is now.
    fn sealed(&self) -> BTreeSet<Vec<u8>> {
        let connection = Connection::open(self.records()).unwrap();
        let mut blobs = BTreeSet::new();
        for place in store::home_places().filter(|place| place.name.starts_with("memory.db:")) {
            let table = place.name.trim_start_matches("memory.db:");
            for column in place.sealed_columns {
                let sql = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
                let mut statement = connection.prepare(&sql).unwrap();
                let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
                blobs.extend(rows.map(Result::unwrap));
            }
        }
        blobs
    }

    fn grounds(&self) -> ScanRoots {
        let inside = |name: &str| self.directory.path().join(name);
        ScanRoots::of_home(&inside("home"), &inside("keys"))
            .and_path(&inside("logs"))
            .and_temp(&inside("temp"))
    }

    fn search(&self, canary: u64) -> Residue {
        let sought = [words(canary), guest(canary).as_str().to_owned()]
            .map(|text| SearchTarget::Words(Text::new(text)));
        scan(&self.grounds(), &sought, &OsRandomness, |_| ()).unwrap()
    }

    /// The log as an export, which must verify and name nobody.
    async fn exported_log(&self) -> Vec<String> {
        let checkpoints = self.store.checkpoints(&self.scope).await.unwrap();
        let mut lines = Vec::new();
        for logged in self.store.events(&self.scope, 0..u64::MAX).await.unwrap() {
            let size = logged.event.seq + 1;
            lines.push(ExportLine::Event(serde_json::to_value(logged.event).unwrap()));
            let signed = checkpoints.iter().filter(|signed| signed.size == size);
            lines.extend(signed.map(|signed| ExportLine::Checkpoint(signed.note.clone())));
        }
        lines.iter().map(|line| String::from_utf8(line.to_bytes().unwrap()).unwrap()).collect()
    }
}

#[test]
fn nothing_is_left_of_what_was_destroyed() {
    let mut tally = Tally::new("erasure residue", "scrub");
    block_on(async {
        let yard = Yard::with(count(100)).await;
        yard.write_and_strike_files().await;
        let mut ever = yard.sealed();
        for round in 1..=REWRITINGS {
            yard.rewrite(round).await;
            ever.extend(yard.sealed());
        }
        yard.destroy().await;
        for canary in 0..yard.canaries {
            let residue = yard.search(canary);
            let wrong = (residue.verdict() != Verdict::Clean).then(|| format!("{:?}", residue.places));
            tally.count(&format!("canary {canary}"), &wrong.into_iter().collect::<Vec<_>>());
        }
        let kept = yard.sealed();
        let gone: Vec<SearchTarget> =
            ever.difference(&kept).map(|blob| SearchTarget::Codes(blob[MIDDLE].to_vec())).collect();
        assert!(gone.len() as u64 > yard.canaries * REWRITINGS, "{} sealed records went", gone.len());
        let mut left = 0;
        for some in gone.chunks(10_000) {
            left += scan(&yard.grounds(), some, &OsRandomness, |_| ()).unwrap().hits();
        }
        let wrong = (left > 0).then(|| format!("{left} pieces of destroyed records are left"));
        tally.count("sealed bytes", &wrong.into_iter().collect::<Vec<_>>());
        tally.note(format!("{} forms, {} sealed records looked for", Form::OF_WORDS.len(), gone.len()));
        tally.note(format!("pieces left {left}"));
    });
    tally.close();
}

#[test]
fn the_log_verifies_after_erasures_and_names_nobody() {
    let mut tally = Tally::new("audit after erasures", "none");
    block_on(async {
        let yard = Yard::with(count(100)).await;
        yard.destroy().await;
        yard.store.checkpoint(&yard.scope, example::day(31), store::Due::AtOnce).await.unwrap();
        let lines = yard.exported_log().await;
        let signers = [signer().public_key()];
        let origin = log_origin(Some(&yard.scope));
        let mut verifier = ExportVerifier::new(&origin, &signers);
        let judged =
            lines.iter().try_for_each(|line| verifier.line(line.as_bytes())).and_then(|()| verifier.finish());
        assert_eq!(judged.unwrap().size, yard.store.integrity(&yard.scope).await.unwrap().events);
        for canary in 0..yard.canaries {
            let named = lines.iter().filter(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let text = line.to_string();
                text.contains(guest(canary).as_str()) || text.contains(&format!("Nr {canary:05}"))
            });
            let wrong: Vec<String> = named.cloned().collect();
            tally.count(&format!("canary {canary}"), &wrong);
        }
        tally.note(format!("{} lines verified", lines.len()));
    });
    tally.close();
}

/// The canaries of the home in `directory` that can be read.
async fn readable(directory: &Path, canaries: u64) -> u64 {
    let store = open(directory).await.unwrap();
    let atoms = store.load(&scope(INARA)).await.unwrap().atoms;
    let is_canary = |atom: &&store::StoredAtom| {
        (0..canaries).any(|canary| atom.atom.gist.as_str().contains(&words(canary)))
    };
    let found = atoms.iter().filter(is_canary).count() as u64;
    store.close(example::day(60)).await.unwrap();
    found
}

/// A backup restored with the keys of today: its records, and keyring and key directory as they are now.
fn restored(backup: &Path, today: &Path) -> TempDir {
    let restored = copy(backup);
    let keyring = Path::new("home").join(TENANT).join("keyring");
    fs::copy(today.join(&keyring), restored.path().join(&keyring)).unwrap();
    fs::remove_dir_all(restored.path().join("keys")).unwrap();
    let keys = copy(&today.join("keys"));
    fs::set_permissions(keys.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::rename(keys.path(), restored.path().join("keys")).unwrap();
    restored
}

#[test]
fn a_backup_opens_nothing_that_was_redacted_one_by_one_since() {
    let mut tally = Tally::new("restored backup after hard redactions", "none");
    let yard = block_on(Yard::with(count(100)));
    block_on(yard.store.close(example::day(1))).unwrap();
    let (directory, canaries) = (yard.directory, yard.canaries);
    drop(yard.store);
    let backup = copy(directory.path());
    block_on(async {
        let store = open(directory.path()).await.unwrap();
        for canary in 0..canaries {
            let id = atom(canary).id;
            let targets = vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))];
            let events = vec![EventDraft::new(EventKind::MemoryRedactedHard, Actor::engine()).about(id)];
            let what = Destruction { now: example::day(2), targets, events };
            store.destroy(&scope(INARA), what).await.unwrap();
        }
        store.scrub(&scope(INARA)).await.unwrap();
        store.rotate(&TENANT.parse().unwrap(), example::day(2)).await.unwrap();
        store.close(example::day(3)).await.unwrap();
    });
    let with_todays_keys = restored(backup.path(), directory.path());
    let left = block_on(readable(with_todays_keys.path(), canaries));
    let with_old_keys = block_on(readable(backup.path(), canaries));
    for canary in 0..canaries {
        let wrong = (canary < left).then(|| "readable".to_owned());
        tally.count(&format!("canary {canary}"), &wrong.into_iter().collect::<Vec<_>>());
    }
    assert_eq!(with_old_keys, canaries, "control: with the keys of then, all of them can be read");
    tally.note(format!("control with the old keys: {with_old_keys} readable"));
    tally.close();
}
