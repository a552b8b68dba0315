//! Key rotation, interrupted after every step.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use tempfile::TempDir;
use vault::key_directory::{KeyCreation, KeyDirectory};
use vault::keyring::{KeyRef, KeyringFile, Lookup};
use vault::randomness::OsRandomness;
use vault::rotation::{Rotation, RotationError, Step};
use vault::seal::{self, Address};

const MAKING: KeyCreation<'static> = KeyCreation { now: 1_776_867_522_000, randomness: &OsRandomness };
const ADDRESS: Address<'static> = Address { tenant: "scott", persona: "inara", id: "mem:1", kind: "atom" };

struct Home {
    directory: TempDir,
    keys: KeyDirectory,
    dying: KeyRef,
    surviving: KeyRef,
    sealed: Vec<u8>,
}

impl Home {
    fn new(count: usize) -> (Self, KeyringFile) {
        let directory = tempfile::tempdir().unwrap();
        let keys = KeyDirectory::open_or_create(&directory.path().join("keys"), None).unwrap();
        let kek = keys.create_kek("scott", 1, MAKING).unwrap();
        let mut file = KeyringFile::create(&directory.path().join("keyring"), "scott", kek).unwrap();
        let names = file.create_keys(count, &OsRandomness).unwrap();
        let (dying, surviving) = (names[0], names[1]);
        let Lookup::Living(dek) = file.keyring().look_up(surviving) else { panic!("just made") };
        let sealed = seal::seal(&dek, &ADDRESS, b"a guest thanked me", &OsRandomness).unwrap();
        (Self { directory, keys, dying, surviving, sealed }, file)
    }

    fn keyring(&self) -> PathBuf {
        self.directory.path().join("keyring")
    }

    fn rotation(&self) -> Rotation<'_> {
        Rotation { keys: &self.keys, tenant: "scott", making: MAKING }
    }

    fn assert_rotated(&self, file: &KeyringFile, count: usize) {
        let keyring = file.keyring();
        assert_eq!((keyring.epoch(), keyring.living()), (2, count - 1));
        assert_eq!(self.keys.epochs("scott").unwrap(), [2]);
        assert!(matches!(keyring.look_up(self.dying), Lookup::Destroyed { .. }));
        let Lookup::Living(dek) = keyring.look_up(self.surviving) else { panic!("a survivor is gone") };
        let text = seal::open(&dek, &ADDRESS, &self.sealed).unwrap();
        assert_eq!(text.as_slice(), b"a guest thanked me");
    }
}

#[test]
fn remaining_keys_open_their_records_and_destroyed_keys_stay_destroyed() {
    let (home, file) = Home::new(20);
    let (file, report) = home.rotation().rotate(file, &[home.dying]).unwrap();
    assert!(!report.is_partial());
    home.assert_rotated(&file, 20);
    drop(file);
    let (file, report) = home.rotation().resume(&home.keyring(), report.counter).unwrap();
    assert_eq!(report.counter, 3, "one for the keys, one for the register, one for the new epoch");
    home.assert_rotated(&file, 20);
}

#[test]
fn a_rotation_stopped_after_any_step_resumes() {
    for stop_after in 0..3 {
        let (home, mut file) = Home::new(20);
        let rotation = home.rotation();
        rotation.begin(&mut file, &[home.dying]).unwrap();
        assert_eq!(rotation.pending(&file).unwrap(), Some(Step::RewriteKeyring));
        for _ in 0..stop_after {
            let step = rotation.pending(&file).unwrap().unwrap();
            file = rotation.perform(step, file).unwrap();
        }
        drop(file);
        let (file, _) = rotation.resume(&home.keyring(), 2).unwrap();
        assert_eq!(rotation.pending(&file).unwrap(), None);
        home.assert_rotated(&file, 20);
    }
}

#[test]
fn a_rotation_stopped_before_its_new_key_is_begun_again() {
    let (home, mut file) = Home::new(20);
    file.destroy_keys(&[home.dying], 1).unwrap();
    drop(file);
    let (file, report) = home.rotation().resume(&home.keyring(), 2).unwrap();
    assert_eq!(report.epoch, 1, "nothing was on its way");
    let (file, _) = home.rotation().rotate(file, &[]).unwrap();
    home.assert_rotated(&file, 20);
}

#[test]
fn an_interrupted_job_may_ask_for_the_same_keys_again() {
    let (home, mut file) = Home::new(20);
    file.destroy_keys(&[home.dying], 1).unwrap();
    let (file, report) = home.rotation().rotate(file, &[home.dying]).unwrap();
    assert!(
        matches!(file.keyring().look_up(home.dying), Lookup::Destroyed { at: 1 }),
        "the first time stays"
    );
    assert_eq!(report.counter, 3);
    home.assert_rotated(&file, 20);
}

#[test]
fn files_left_by_a_crash_in_the_middle_of_a_step_change_nothing() {
    let (home, mut file) = Home::new(20);
    home.rotation().begin(&mut file, &[home.dying]).unwrap();
    drop(file);
    fs::write(home.directory.path().join(".keyring.1-0.selfhood-tmp"), b"half a keyring").unwrap();
    fs::write(home.keys.path().join("scott/.kek-2.key.1-0.selfhood-tmp"), b"half a key").unwrap();
    let (file, _) = home.rotation().resume(&home.keyring(), 2).unwrap();
    home.assert_rotated(&file, 20);
    assert_eq!(home.keys.destroy_leftovers().unwrap(), 1);
    home.keys.kek("scott", 2).unwrap();
}

#[test]
fn an_old_keyring_put_back_is_unreadable_and_says_why() {
    let (home, file) = Home::new(20);
    let old = fs::read(home.keyring()).unwrap();
    let (file, _) = home.rotation().rotate(file, &[home.dying]).unwrap();
    drop(file);
    fs::write(home.keyring(), old).unwrap();
    let error = home.rotation().resume(&home.keyring(), 0).unwrap_err();
    assert!(matches!(error, RotationError::Keys(_)), "{error}");
    let message = error.to_string();
    assert!(message.contains("epoch 1") && message.contains("older copy"), "{message}");
}

#[test]
fn an_unreachable_mirror_makes_the_rotation_partial_until_it_is_back() {
    let (home, file) = Home::new(20);
    let (mirror, away) = (home.directory.path().join("mirror"), home.directory.path().join("away"));
    home.keys.add_mirror(&mirror, 1).unwrap();
    fs::rename(&mirror, &away).unwrap();
    let (file, report) = home.rotation().rotate(file, &[home.dying]).unwrap();
    assert!(report.is_partial());
    home.assert_rotated(&file, 20);
    drop(file);
    fs::rename(&away, &mirror).unwrap();
    let copy = KeyDirectory::open(&mirror, None).unwrap();
    assert_eq!(copy.epochs("scott").unwrap(), [1]);
    let (_, report) = home.rotation().resume(&home.keyring(), 3).unwrap();
    assert!(!report.is_partial());
    assert_eq!(copy.epochs("scott").unwrap(), [2]);
}

/// Ten thousand keys take well under a second in a release build; an unoptimised one gets fewer.
#[test]
fn a_large_keyring_rotates_quickly() {
    let count = if cfg!(debug_assertions) { 1_000 } else { 10_000 };
    let (home, file) = Home::new(count);
    let begun = Instant::now();
    let (file, _) = home.rotation().rotate(file, &[home.dying]).unwrap();
    let taken = begun.elapsed();
    home.assert_rotated(&file, count);
    println!("rotated {count} keys in {taken:?}");
    assert!(taken.as_secs() < 5, "{taken:?}");
}
