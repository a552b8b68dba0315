//! Every planted fault is found, by name and with a way out.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use engine::doctor::outside::{DoctorScope, Fix, examine};
use vault::key_directory::KeyWrapping;
use wire::doctor::{Check, Outcome};

use engine_testkit::test_home::{TestHome, call, call_by_key, close, maya, remember};

fn around(test_home: &TestHome, fix: Fix) -> Vec<Check> {
    let wrapping = KeyWrapping::default();
    examine(&DoctorScope { home: &test_home.at("home"), keys: &test_home.at("keys"), wrapping }, fix)
}

/// The worst outcome of the checks of this name.
fn outcome(checks: &[Check], name: &str) -> Option<Outcome> {
    checks.iter().filter(|check| check.check == name).map(|check| check.outcome).max()
}

async fn furnished() -> TestHome {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    remember(&engine, &persona, "The guest loved the seafood at Marina.", "ana").await;
    close(engine).await;
    test_home
}

/// What the doctor finds inside, after `damage` was done to the closed home.
async fn inside(damage: impl FnOnce(&TestHome)) -> Vec<Check> {
    let test_home = furnished().await;
    damage(&test_home);
    let engine = test_home.open("home").await;
    engine.examine(&call(1)).await.unwrap().checks
}

fn flip_in(path: &Path, needle: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_healthy_home_has_nothing_wrong() {
    let test_home = furnished().await;
    let checks = around(&test_home, Fix::Nothing);
    assert!(checks.iter().all(|check| check.outcome != Outcome::Fail), "{checks:?}");
    let engine = test_home.open("home").await;
    for call in [call(1), call_by_key(1)] {
        let checks = engine.examine(&call).await.unwrap().checks;
        assert!(checks.iter().all(|check| check.outcome == Outcome::Ok), "{checks:?}");
        for name in ["writes", "keyring", "pages", "records", "log", "document", "language", "clock"] {
            assert!(outcome(&checks, name).is_some(), "{name} was not looked at");
        }
    }
}

#[tokio::test]
async fn a_key_that_others_can_read_is_found_and_closed() {
    let test_home = furnished().await;
    fs::set_permissions(test_home.at("keys/marriott/kek-1.key"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(test_home.at("home"), fs::Permissions::from_mode(0o755)).unwrap();
    let found = around(&test_home, Fix::Nothing);
    assert_eq!(outcome(&found, "permissions"), Some(Outcome::Fail));
    assert_eq!(outcome(&found, "home"), Some(Outcome::Warn));
    let fixed = around(&test_home, Fix::Safely);
    assert_eq!(fixed.iter().filter(|check| check.check == "repaired").count(), 2);
    assert_eq!(outcome(&fixed, "permissions"), Some(Outcome::Ok));
    assert_eq!(outcome(&fixed, "home"), Some(Outcome::Ok));
}

#[tokio::test]
async fn half_written_files_are_found_and_removed_and_nothing_else_is() {
    let test_home = furnished().await;
    let folder = test_home.at("home/marriott/persona/maya-chen");
    fs::write(folder.join("USER.md.selfhood-tmp"), "half").unwrap();
    fs::write(test_home.at("keys/.signers.json.1-0.selfhood-tmp"), "half").unwrap();
    fs::set_permissions(
        test_home.at("keys/.signers.json.1-0.selfhood-tmp"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    assert_eq!(outcome(&around(&test_home, Fix::Nothing), "leftovers"), Some(Outcome::Warn));
    assert_eq!(outcome(&around(&test_home, Fix::Safely), "leftovers"), Some(Outcome::Ok));
    assert!(!folder.join("USER.md.selfhood-tmp").exists() && folder.join("notes.txt").exists());
    assert!(
        !test_home.at("keys/.signers.json.1-0.selfhood-tmp").exists()
            && test_home.at("keys/marriott/kek-1.key").exists()
    );
    let engine = test_home.open("home").await;
    fs::write(folder.join("SOUL.md.selfhood-tmp"), "being written").unwrap();
    around(&test_home, Fix::Safely);
    assert!(folder.join("SOUL.md.selfhood-tmp").exists(), "a home in use may be writing it");
    drop(engine);
}

#[tokio::test]
async fn a_missing_or_damaged_key_is_found_without_opening_the_home() {
    let test_home = furnished().await;
    let path = test_home.at("keys/marriott/kek-1.key");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("created: ", "created: 1")).unwrap();
    assert_eq!(outcome(&around(&test_home, Fix::Nothing), "keys"), Some(Outcome::Fail));
    fs::rename(test_home.at("keys"), test_home.at("elsewhere")).unwrap();
    assert_eq!(outcome(&around(&test_home, Fix::Nothing), "keys"), Some(Outcome::Fail));
}

#[tokio::test]
async fn a_flipped_bit_in_a_record_is_found_by_id() {
    let damage = |test_home: &TestHome| {
        let path = test_home.at("home/marriott/persona/maya-chen/memory.db");
        let payload = sealed_payload(&path);
        flip_in(&path, &payload);
    };
    let checks = inside(damage).await;
    let found =
        checks.iter().find(|check| check.check == "records" && check.outcome == Outcome::Fail).unwrap();
    assert!(found.detail.contains("damaged"), "{}", found.detail);
    assert_eq!(found.about.as_deref(), Some("marriott/maya-chen"));
}

/// Some bytes of a sealed memory that no other record has: they stand after its format and key commitment.
fn sealed_payload(path: &Path) -> Vec<u8> {
    let sql = rusqlite::Connection::open(path).unwrap();
    let payload: Vec<u8> =
        sql.query_row("SELECT payload FROM payloads LIMIT 1", [], |row| row.get(0)).unwrap();
    payload[40..72].to_vec()
}

#[tokio::test]
async fn a_home_without_its_keyring_or_key_says_what_is_missing() {
    for missing in ["home/marriott/keyring", "keys/marriott/kek-1.key"] {
        let checks = inside(|test_home| fs::remove_file(test_home.at(missing)).unwrap()).await;
        let keyring = checks.iter().find(|check| check.check == "keyring").unwrap();
        assert_eq!(keyring.outcome, Outcome::Fail);
        assert!(keyring.detail.contains(missing.rsplit('/').next().unwrap()), "{}", keyring.detail);
        assert_eq!(outcome(&checks, "records"), Some(Outcome::Fail), "{checks:?}");
    }
}

#[tokio::test]
async fn an_older_keyring_put_in_place_is_found() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let keyring = test_home.at("home/marriott/keyring");
    let older = fs::read(&keyring).unwrap();
    remember(&engine, &persona, "The guest loved the seafood at Marina.", "ana").await;
    fs::write(&keyring, older).unwrap();
    let checks = engine.examine(&call(1)).await.unwrap().checks;
    assert_eq!(outcome(&checks, "keyring"), Some(Outcome::Fail), "{checks:?}");
    assert_eq!(engine.verify_vault(&call(1)).await.unwrap().outcome(), Outcome::Fail);
}

#[tokio::test]
async fn an_edited_document_an_unknown_language_and_a_clock_set_back_are_found() {
    let checks = inside(|test_home| {
        let path = test_home.at("home/marriott/persona/maya-chen/persona.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"language\": \"en\"", "\"language\": \"xx\"")).unwrap();
    })
    .await;
    assert_eq!(outcome(&checks, "document"), Some(Outcome::Fail), "{checks:?}");
    assert_eq!(outcome(&checks, "language"), Some(Outcome::Warn), "{checks:?}");
    let test_home = furnished().await;
    let engine = test_home.open("home").await;
    let checks = engine.examine(&call(-1)).await.unwrap().checks;
    assert_eq!(outcome(&checks, "clock"), Some(Outcome::Fail), "{checks:?}");
}

#[tokio::test]
async fn a_changed_log_is_found() {
    let checks = inside(|test_home| {
        let sql =
            rusqlite::Connection::open(test_home.at("home/marriott/persona/maya-chen/memory.db")).unwrap();
        sql.execute(
            "UPDATE events SET body = replace(body, 'did:key:test', 'did:key:eve') WHERE seq = 1",
            [],
        )
        .unwrap();
    })
    .await;
    assert_eq!(outcome(&checks, "log"), Some(Outcome::Fail), "{checks:?}");
}
