//! The right to be forgotten: nothing of the person is left on any surface, a kill at any point changes
//! nothing of that, no older backup brings them back, and nobody else loses a word.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use domain::{ErasureStatus, EventKind};
use engine::backup::{BackupFile, Documents, Restoration, restore};
use engine::{Engine, PersonaKey};
use serde_json::{Value, json};
use store::{Deployment as _, Records as _, Scope, Upkeep as _, dump};
use tempfile::TempDir;
use vault::key_directory::KeyDirectory;
use wire::read::read_value;

use crate::copying::{copy, files};
use crate::erasing::{self, FORGOTTEN, MAIL, MEMORIES, STAYING, call, canary, plant, signed};
use crate::world::{block_on, open_again, signer};
use testkit::dice::Dice;
use testkit::tally::{Tally, count, tries};

#[test]
fn nobody_hears_of_a_forgotten_person_again() {
    let mut tally = Tally::new("right to be forgotten: planted canaries on any surface", "destroy");
    let count = count(20);
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let engine = erasing::engine(directory.path()).await.unwrap();
        let (persona, scope) = plant(&engine, count).await;
        let others = everything_of_others(&engine, &scope).await;
        let id = signed(&engine, call(1).now).await;
        let job = engine.execute_erasure(&call(1), id).await.unwrap().erasure;
        let surfaces = surfaces(&engine, &persona, &scope).await + &bytes_of(directory.path());
        for n in 0..count {
            let heard = surfaces.contains(&canary(n));
            tally.count(
                &canary(n),
                &heard.then(|| "it is still heard".to_owned()).into_iter().collect::<Vec<_>>(),
            );
        }
        let mut wrong = audit_trail(&engine, &scope, count).await;
        for word in [FORGOTTEN, MAIL] {
            wrong.extend(surfaces.contains(word).then(|| format!("{word} is left")));
        }
        if job.status != ErasureStatus::Done {
            wrong.push(format!("the job is {:?}: {:?}", job.status, job.warnings));
        }
        if everything_of_others(&engine, &scope).await != others {
            wrong.push("somebody else lost something".to_owned());
        }
        tally.count("the job", &wrong);
    });
    tally.close();
}

#[test]
fn an_erasure_killed_at_any_point_is_finished_and_forgets_everything() {
    let mut tally = Tally::new("right to be forgotten: kill -9 in the flow, then resumed", "destroy");
    let (mut interrupted, mut killed) = (0, 0);
    let template = block_on(template());
    let usual = run(&copy(template.path()), None).1;
    for cycle in tries(50) {
        let directory = copy(template.path());
        let lifetime =
            usual.mul_f64(f64::from(u32::try_from(Dice::new(cycle).below(1000)).unwrap()) / 1000.0);
        let (ended, _) = run(&directory, Some(lifetime));
        interrupted += u64::from(!ended);
        killed += 1;
        let wrong = block_on(finish(&directory));
        tally.count(&format!("cycle {cycle}, killed after {lifetime:?}"), &wrong);
    }
    tally.note(format!("{interrupted} interrupted within {} ms", usual.as_millis()));
    tally.close();
    assert!(interrupted * 3 >= killed, "only {interrupted} of {killed} kills came before the end");
}

#[test]
fn no_backup_made_before_brings_a_forgotten_person_back() {
    let mut tally = Tally::new("right to be forgotten: a backup from before, restored after", "keys");
    let count = count(50);
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let engine = erasing::engine(directory.path()).await.unwrap();
        let (_, scope) = plant(&engine, count).await;
        let to = at("old.backup").to_str().unwrap().to_owned();
        engine.back_up(&call(1), read_value(json!({ "to": to })).unwrap()).await.unwrap();
        let old_keys = copy(&at("keys"));
        make_private(old_keys.path());
        let id = signed(&engine, call(1).now).await;
        engine.execute_erasure(&call(1), id).await.unwrap();
        engine.shutdown(call(1).now).await.unwrap();
        drop(engine);

        bring_back(&directory, "with current keys", &at("keys"), Some(&at("home")));
        let readable = readable(&directory, "with current keys", &at("keys"), &scope).await;
        for n in 0..count {
            let back = readable.contains(&canary(n));
            tally.count(&canary(n), &back.then(|| "it came back".to_owned()).into_iter().collect::<Vec<_>>());
        }
        bring_back(&directory, "with old keys", old_keys.path(), None);
        let all = self::readable(&directory, "with old keys", old_keys.path(), &scope).await;
        let there = (0..count).filter(|n| all.contains(&canary(*n))).count();
        tally.note(format!("{there} of {count} readable with the old keys"));
        if there as u64 != count {
            tally.count("with the old keys", &["the backup itself was not whole".to_owned()]);
        }
    });
    tally.close();
}

/// A closed home with a signed erasure.
pub(crate) async fn template() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let engine = erasing::engine(directory.path()).await.unwrap();
    plant(&engine, MEMORIES).await;
    signed(&engine, call(1).now).await;
    engine.shutdown(call(1).now).await.unwrap();
    directory
}

/// Lets a process carry out the erasure, killed after `lifetime`; whether it ended, and how long it took.
fn run(directory: &TempDir, lifetime: Option<Duration>) -> (bool, Duration) {
    let mut writer = Command::new(env!("CARGO_BIN_EXE_erasure_writer"))
        .arg(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let ready = lines.next().is_some_and(|line| line.is_ok_and(|line| line == "ready"));
    assert!(ready, "the process could not start");
    let started = Instant::now();
    if let Some(lifetime) = lifetime {
        std::thread::sleep(lifetime);
        writer.kill().unwrap();
    }
    let ended = lines.any(|line| line.is_ok_and(|line| line == "done"));
    writer.wait().unwrap();
    (ended, started.elapsed())
}

/// Opens the home again, finishes what was begun, and says what is wrong with it.
async fn finish(directory: &TempDir) -> Vec<String> {
    let engine = match erasing::engine_again(directory.path()).await {
        Ok(engine) => engine,
        Err(error) => return vec![format!("opening: {error}")],
    };
    let wrong = resumed(&engine, directory.path()).await;
    engine.shutdown(call(2).now).await.unwrap();
    wrong
}

/// Finishes what was begun, and says what is wrong with it: something is left, or the certificate doesn't verify.
pub(crate) async fn resumed(engine: &Engine, directory: &Path) -> Vec<String> {
    if let Err(problem) = engine.resume_erasures(call(2).now).await {
        return vec![format!("resuming: {problem}")];
    }
    let job = engine.list_erasures(&call(1)).await.unwrap().erasures.remove(0);
    // Killed before the first step was kept, it waits to be asked again.
    if job.status == ErasureStatus::Signed {
        engine.execute_erasure(&call(1), job.id).await.unwrap();
    }
    let job = engine.show_erasure(&call(2), job.id).await.unwrap().erasure;
    let persona: PersonaKey = "inara".parse().unwrap();
    let scope =
        engine.store().personas(&crate::world::TENANT.parse().unwrap()).await.unwrap().remove(0).scope();
    let mut wrong = words_left(&(surfaces(engine, &persona, &scope).await + &bytes_of(directory)));
    if job.status != ErasureStatus::Done {
        wrong.push(format!("{:?} {:?}", job.status, job.warnings));
    }
    match engine.erasure_certificate(&call(2), job.id).await {
        Ok(given) => {
            let (signers, now) = ([signer().public_key()], call(2).now.as_millis());
            let refused = vault::certificate::verify(&given.certificate, &signers, now).err();
            wrong.extend(refused.map(|error| format!("its certificate: {error}")));
        }
        Err(problem) => wrong.push(problem.detail),
    }
    wrong.extend(audit_trail(engine, &scope, MEMORIES).await);
    let integrity = engine.store().integrity(&scope).await.unwrap();
    if !integrity.is_whole() {
        wrong.push(format!("{integrity:?}"));
    }
    wrong
}

/// The words of who is forgotten that `text` holds.
pub(crate) fn words_left(text: &str) -> Vec<String> {
    let words = (0..MEMORIES).map(canary).chain([FORGOTTEN, MAIL].map(str::to_owned));
    words.filter(|word| text.contains(word)).map(|word| format!("{word} is left")).collect()
}

/// Everything the doors say: lists, recalls for everybody, the whole prompt, the export, and the dump.
pub(crate) async fn surfaces(engine: &Engine, persona: &PersonaKey, scope: &Scope) -> String {
    let mut heard = dump(engine.store(), scope).await.unwrap().to_string();
    let looking = call(1);
    let filter = read_value(json!({ "includeRedacted": true })).unwrap();
    let listed = engine.list_memories(&looking, persona, filter).await.unwrap();
    heard += &serde_json::to_string(&listed).unwrap();
    for subject in [FORGOTTEN, STAYING, "owner"] {
        let cue =
            json!({ "cue": "who keeps a kanarienvogel at home?", "subject": subject, "offRecord": true });
        let recalled = engine.recall(&call(1), persona, read_value(cue).unwrap()).await.unwrap();
        heard += &serde_json::to_string(&(recalled.memories, recalled.rendered)).unwrap();
        let asked = json!({ "message": "kanarienvogel", "subject": subject });
        let context = engine.preview_context(&call(1), persona, read_value(asked).unwrap()).await.unwrap();
        heard += &serde_json::to_string(&context).unwrap();
    }
    heard
}

/// Every byte of the home, as far as it is text.
pub(crate) fn bytes_of(directory: &Path) -> String {
    files(&directory.join("home")).iter().fold(String::new(), |text, path| {
        text + &String::from_utf8_lossy(&fs::read(path).unwrap_or_default())
    })
}

/// What is wrong with what the logs say: each step once, and each memory that went.
async fn audit_trail(engine: &Engine, scope: &Scope, memories: u64) -> Vec<String> {
    let steps = engine.store().deployment_events(0..u64::MAX).await.unwrap();
    let mut wrong = Vec::new();
    for kind in [EventKind::ErasureReceived, EventKind::ErasureSigned, EventKind::ErasureCompleted] {
        let times = steps.iter().filter(|logged| logged.event.kind == kind).count();
        if times != 1 {
            wrong.push(format!("{kind:?} is told {times} times"));
        }
    }
    let events = engine.store().events(scope, 0..u64::MAX).await.unwrap();
    let gone = events.iter().filter(|logged| logged.event.kind == EventKind::MemoryRedactedHard).count();
    if gone as u64 != memories {
        wrong.push(format!("{gone} of {memories} memories are told to have gone"));
    }
    wrong
}

/// What everyone else has: memories, talk, documents and the life.
pub(crate) async fn everything_of_others(engine: &Engine, scope: &Scope) -> Value {
    let mut all = dump(engine.store(), scope).await.unwrap();
    let is_others = |value: &Value| {
        let text = value.to_string();
        !text.contains(FORGOTTEN) && !text.contains(MAIL) && !text.contains("[forgotten]")
    };
    let sessions = all["sessions"].take();
    let sessions = sessions.as_array().unwrap();
    let turns = sessions.iter().flat_map(|session| session["turns"].as_array().unwrap());
    let turns: Vec<&Value> = turns.filter(|turn| is_others(turn)).collect();
    let titles: Vec<&Value> =
        sessions.iter().map(|session| &session["session"]).filter(|session| is_others(session)).collect();
    let mut kept = |member: &str| -> Vec<Value> {
        let list = all[member].take();
        list.as_array().unwrap().iter().filter(|value| is_others(value)).cloned().collect()
    };
    json!({
        "atoms": kept("atoms"),
        "timeline": kept("timeline"),
        "subjects": kept("subjects"),
        "rehearsals": kept("rehearsals"),
        "sessions": titles,
        "turns": turns,
    })
}

/// Restores the old backup into a folder of its own.
fn bring_back(directory: &TempDir, name: &str, keys: &Path, keyrings: Option<&Path>) {
    let land = directory.path().join(name);
    fs::create_dir(&land).unwrap();
    let keys = KeyDirectory::open(keys, None).unwrap();
    let mut file = BackupFile::open(&directory.path().join("old.backup")).unwrap();
    let to = Restoration { home: &land.join("home"), keys: &keys, keyrings, documents: Documents::Write };
    restore(&mut file, &to, |_| ()).unwrap();
}

/// Everything that can be read in a restored home.
async fn readable(directory: &TempDir, name: &str, keys: &Path, scope: &Scope) -> String {
    let land = directory.path().join(name);
    let copied = copy(keys);
    make_private(copied.path());
    fs::rename(copied.path(), land.join("keys")).unwrap();
    let store = open_again(&land).await.unwrap();
    let read = dump(&store, scope).await.unwrap().to_string();
    store.close(call(9).now).await.unwrap();
    read + &bytes_of(&land)
}

fn make_private(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
}
