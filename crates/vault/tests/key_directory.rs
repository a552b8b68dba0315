//! The key directory on a real file system: what it creates, keeps, and refuses.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use vault::key_directory::{
    KeyCreation, KeyDirectory, KeyDirectoryError, KeyService, KeyServiceError, KeyWrapping, Passphrase,
    Revocations, RevokedApiKey,
};
use vault::randomness::OsRandomness;
use vault::signature::{PublicKey, SigningKey};
use zeroize::Zeroizing;

const MAKING: KeyCreation<'static> = KeyCreation { now: 1_776_867_522_000, randomness: &OsRandomness };

fn directory() -> (TempDir, KeyDirectory) {
    let parent = tempfile::tempdir().unwrap();
    let keys = KeyDirectory::open_or_create(&parent.path().join("home.keys"), None).unwrap();
    (parent, keys)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn public(key: &SigningKey) -> PublicKey {
    key.public_key()
}

#[test]
fn directories_and_files_are_private_from_the_start() {
    let (_parent, keys) = directory();
    keys.create_kek("scott", 1, MAKING).unwrap();
    for (path, mode) in [("", 0o700), ("scott", 0o700), ("scott/kek-1.key", 0o600)] {
        let found = fs::metadata(keys.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{path}");
    }
}

#[test]
fn a_key_reads_back_and_is_never_made_twice() {
    let (_parent, keys) = directory();
    let made = keys.create_kek("scott", 1, MAKING).unwrap();
    assert!(keys.kek("scott", 1).unwrap() == made);
    assert!(matches!(keys.create_kek("scott", 1, MAKING), Err(KeyDirectoryError::Exists { .. })));
    assert!(keys.kek("scott", 1).unwrap() == made);
    assert_eq!((keys.epochs("scott").unwrap(), keys.epochs("alice").unwrap()), (vec![1], vec![]));
    assert_eq!(keys.tenants().unwrap(), ["scott"]);
}

#[test]
fn a_key_that_others_can_read_is_refused_with_the_remedy() {
    let (_parent, keys) = directory();
    keys.create_kek("scott", 1, MAKING).unwrap();
    for (path, loose, tight) in [("scott/kek-1.key", 0o640, 0o600), ("scott", 0o755, 0o700)] {
        let path = keys.path().join(path);
        set_mode(&path, loose);
        let message = keys.kek("scott", 1).unwrap_err().to_string();
        assert!(message.contains(&format!("chmod {tight:o} {}", path.display())), "{message}");
        set_mode(&path, tight);
        keys.kek("scott", 1).unwrap();
    }
    set_mode(keys.path(), 0o750);
    assert!(matches!(KeyDirectory::open(keys.path(), None), Err(KeyDirectoryError::LoosePermissions { .. })));
}

#[test]
fn a_missing_key_says_which_epoch_and_what_there_is() {
    let (_parent, keys) = directory();
    keys.create_kek("scott", 2, MAKING).unwrap();
    let message = keys.kek("scott", 1).unwrap_err().to_string();
    assert!(message.contains("epoch 1 is missing") && message.contains("[2]"), "{message}");
}

#[test]
fn a_file_copied_over_another_is_recognised() {
    let (_parent, keys) = directory();
    keys.create_kek("scott", 1, MAKING).unwrap();
    keys.create_kek("scott", 2, MAKING).unwrap();
    keys.create_kek("alice", 2, MAKING).unwrap();
    for other in ["scott/kek-1.key", "alice/kek-2.key"] {
        fs::copy(keys.path().join(other), keys.path().join("scott/kek-2.key")).unwrap();
        assert!(matches!(keys.kek("scott", 2), Err(KeyDirectoryError::Misplaced { .. })), "{other}");
    }
}

#[test]
fn only_a_key_that_was_replaced_can_be_destroyed() {
    let (_parent, keys) = directory();
    keys.create_kek("scott", 1, MAKING).unwrap();
    assert!(matches!(keys.destroy_kek("scott", 1), Err(KeyDirectoryError::NewestKek { .. })));
    keys.create_kek("scott", 2, MAKING).unwrap();
    keys.destroy_kek("scott", 1).unwrap();
    assert_eq!(keys.epochs("scott").unwrap(), [2]);
}

#[test]
fn a_passphrase_protects_every_key_made_with_it() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("keys");
    let open = |passphrase: Option<&str>| {
        let passphrase = passphrase.map(|text| Passphrase::new(text.to_owned()));
        KeyDirectory::open_or_create(&path, passphrase).unwrap()
    };
    let made = open(Some("firefly")).create_kek("scott", 1, MAKING).unwrap();
    assert!(open(Some("firefly")).kek("scott", 1).unwrap() == made);
    assert!(matches!(open(None).kek("scott", 1), Err(KeyDirectoryError::PassphraseNeeded { .. })));
    assert!(matches!(open(Some("serenity")).kek("scott", 1), Err(KeyDirectoryError::WrongPassphrase { .. })));
}

/// A service that keeps the keys to itself and gives out receipts; `Away` gives nothing.
#[derive(Debug)]
enum Service {
    Cloakroom(Mutex<Vec<(String, [u8; 32])>>),
    Away,
}

impl KeyService for Service {
    fn label(&self) -> String {
        "cloakroom 7".to_owned()
    }

    fn wrap(&self, holds: &str, key: &[u8; 32]) -> Result<Vec<u8>, KeyServiceError> {
        let Self::Cloakroom(kept) = self else { return Err(KeyServiceError::new("closed".to_owned())) };
        let mut kept = kept.lock().unwrap();
        kept.push((holds.to_owned(), *key));
        Ok(vec![u8::try_from(kept.len() - 1).unwrap()])
    }

    fn unwrap(&self, holds: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyServiceError> {
        let Self::Cloakroom(kept) = self else { return Err(KeyServiceError::new("closed".to_owned())) };
        let kept = kept.lock().unwrap();
        let (name, key) = &kept[usize::from(wrapped[0])];
        let refused = || KeyServiceError::new("another's coat".to_owned());
        (name == holds).then(|| Zeroizing::new(key.to_vec())).ok_or_else(refused)
    }
}

#[test]
fn a_service_wraps_every_key_made_with_it_and_what_a_passphrase_wrapped_still_opens() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("keys");
    let firefly = || Some(Passphrase::new("firefly".to_owned()));
    let service: Arc<dyn KeyService> = Arc::new(Service::Cloakroom(Mutex::default()));
    let open = |passphrase, service: Option<&Arc<dyn KeyService>>| {
        let wrapping = KeyWrapping { passphrase, service: service.cloned() };
        KeyDirectory::open_or_create(&path, wrapping).unwrap()
    };
    let old = open(firefly(), None).create_kek("scott", 1, MAKING).unwrap();
    let both = open(firefly(), Some(&service));
    let new = both.create_kek("scott", 2, MAKING).unwrap();
    assert!(both.kek("scott", 1).unwrap() == old && both.kek("scott", 2).unwrap() == new);
    assert!(open(None, Some(&service)).kek("scott", 2).unwrap() == new, "no passphrase is needed for it");
    let text = fs::read_to_string(path.join("scott/kek-2.key")).unwrap();
    assert!(text.contains("wrapping: service cloakroom 7\nkey: AA\n"), "{text}");

    let without = open(firefly(), None).kek("scott", 2);
    assert!(matches!(without, Err(KeyDirectoryError::ServiceNeeded { label, .. }) if label == "cloakroom 7"));
    let away: Arc<dyn KeyService> = Arc::new(Service::Away);
    let closed = open(None, Some(&away));
    assert!(matches!(closed.kek("scott", 2), Err(KeyDirectoryError::Service { .. })));
    assert!(matches!(closed.create_kek("scott", 3, MAKING), Err(KeyDirectoryError::Service { .. })));
    assert!(!path.join("scott/kek-3.key").exists(), "a key that could not be wrapped is not written");
}

#[test]
fn operators_and_secrets_are_kept_by_name() {
    let (_parent, keys) = directory();
    let made = keys.create_operator("scott", MAKING).unwrap();
    assert_eq!(public(&keys.operator("scott").unwrap()), public(&made));
    assert_eq!(keys.operators().unwrap(), ["scott"]);
    let pepper = keys.secret("api-pepper", MAKING).unwrap();
    assert_eq!(keys.secret("api-pepper", MAKING).unwrap(), pepper);
    assert_ne!(keys.secret("sampling", MAKING).unwrap(), pepper);
}

#[test]
fn a_revoked_signer_stays_known_but_no_longer_counts() {
    let (_parent, keys) = directory();
    let [scott, zoe] = ["scott", "zoe"].map(|name| public(&keys.create_operator(name, MAKING).unwrap()));
    assert!(keys.signers().unwrap().all().is_empty());
    keys.add_signer(scott, "scott", 1000).unwrap();
    keys.add_signer(zoe, "zoe", 2000).unwrap();
    assert!(matches!(keys.add_signer(zoe, "zoe", 2000), Err(KeyDirectoryError::Listed(_))));
    keys.revoke_signer(&scott, 3000).unwrap();
    keys.revoke_signer(&scott, 4000).unwrap();
    let signers = keys.signers().unwrap();
    assert_eq!(signers.valid(), [zoe]);
    assert_eq!(signers.find(&scott).unwrap().revoked_at, Some(3000));
    let text = fs::read_to_string(keys.path().join("signers.json")).unwrap();
    assert!(text.contains("\"revokedAt\": \"1970-01-01T00:00:03.000Z\""), "{text}");
}

#[test]
fn a_list_that_was_edited_into_nonsense_is_refused_and_kept() {
    let (_parent, keys) = directory();
    keys.add_signer(public(&keys.create_operator("scott", MAKING).unwrap()), "scott", 1).unwrap();
    let path = keys.path().join("signers.json");
    for nonsense in ["{", "{\"signers\":[],\"signers\":[]}", "{\"signers\":[{\"did\":\"scott\"}]}"] {
        fs::write(&path, nonsense).unwrap();
        assert!(matches!(keys.signers(), Err(KeyDirectoryError::Damaged { .. })), "{nonsense}");
        assert_eq!(fs::read_to_string(&path).unwrap(), nonsense);
    }
}

#[test]
fn a_mirror_gets_what_is_new_and_loses_what_was_rotated_away() {
    let (parent, keys) = directory();
    let copy = parent.path().join("copy");
    keys.create_kek("scott", 1, MAKING).unwrap();
    keys.create_operator("scott", MAKING).unwrap();
    keys.add_mirror(&copy, 1).unwrap();
    let mirror = KeyDirectory::open(&copy, None).unwrap();
    assert!(mirror.kek("scott", 1).unwrap() == keys.kek("scott", 1).unwrap());

    keys.create_kek("scott", 2, MAKING).unwrap();
    keys.destroy_kek("scott", 1).unwrap();
    let outcomes = keys.rewrite_mirrors().unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.result.is_ok()), "{outcomes:?}");
    assert_eq!(mirror.epochs("scott").unwrap(), [2]);
    assert_eq!(public(&mirror.operator("scott").unwrap()), public(&keys.operator("scott").unwrap()));
    assert_eq!(*keys.rewrite_mirrors().unwrap()[0].result.as_ref().unwrap(), 0, "nothing is left to do");
}

#[test]
fn an_empty_mount_point_is_not_taken_for_the_mirror() {
    let (parent, keys) = directory();
    let copy = parent.path().join("copy");
    keys.create_kek("scott", 1, MAKING).unwrap();
    keys.add_mirror(&copy, 1).unwrap();
    fs::remove_dir_all(&copy).unwrap();
    assert!(keys.rewrite_mirrors().unwrap()[0].result.is_err(), "gone");
    fs::create_dir(&copy).unwrap();
    set_mode(&copy, 0o700);
    assert!(keys.rewrite_mirrors().unwrap()[0].result.is_err(), "empty");
    assert_eq!(fs::read_dir(&copy).unwrap().count(), 0);
}

#[test]
fn a_mirror_of_another_deployment_is_left_alone() {
    let (parent, keys) = directory();
    let copy = parent.path().join("copy");
    keys.create_kek("scott", 1, MAKING).unwrap();
    let foreign = KeyDirectory::open_or_create(&copy, None).unwrap();
    let theirs = foreign.create_kek("scott", 1, MAKING).unwrap();
    assert!(matches!(keys.add_mirror(&copy, 1), Err(KeyDirectoryError::MirrorDiffers { .. })));
    assert!(foreign.kek("scott", 1).unwrap() == theirs);
    assert!(keys.mirrors().unwrap().all().is_empty());
}

#[test]
fn the_register_of_revoked_keys_reads_back_and_a_changed_one_does_not_count() {
    let (_parent, keys) = directory();
    let operator = keys.create_operator("default", MAKING).unwrap();
    let signers = [public(&operator)];
    assert_eq!(keys.revocations(&signers).unwrap(), None, "absent is not the same as empty");
    let mut revoked = Revocations::default();
    for id in ["7f3a", "9b1c"] {
        let entry = RevokedApiKey { tenant: "scott".to_owned(), revoked_at: MAKING.now };
        revoked.0.insert(id.to_owned(), entry);
    }
    keys.write_revocations(&revoked, &operator, MAKING.now).unwrap();
    assert_eq!(keys.revocations(&signers).unwrap(), Some(revoked));

    let path = keys.path().join("revoked-api-keys.json");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("7f3a", "7f3b")).unwrap();
    assert!(matches!(keys.revocations(&signers), Err(KeyDirectoryError::Damaged { .. })));
    fs::write(&path, &text).unwrap();
    let other = keys.create_operator("other", MAKING).unwrap();
    assert!(matches!(keys.revocations(&[public(&other)]), Err(KeyDirectoryError::Damaged { .. })));
    keys.add_mirror(&keys.path().with_file_name("mirror"), MAKING.now).unwrap();
    let mirror = KeyDirectory::open(&keys.path().with_file_name("mirror"), None).unwrap();
    assert_eq!(mirror.revocations(&signers).unwrap(), keys.revocations(&signers).unwrap());
}
