//! A whole exported log: the original is valid, and every changed version is not.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;
use vault::audit::{Checkpoint, ExportError, ExportLine, ExportReport, ExportVerifier, Frontier, leaf_of};
use vault::key::Secret;
use vault::signature::{PublicKey, SigningKey};

const ORIGIN: &str = "selfhood/scott/0192e4a0-0000-7000-8000-000000000001";
const EVERY: u64 = 10;

type Lines = Vec<Vec<u8>>;

fn key(byte: u8) -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([byte; 32]))
}

fn signers() -> [PublicKey; 1] {
    [key(1).public_key()]
}

fn event(seq: u64) -> Value {
    json!({
        "v": 1, "seq": seq, "ts": 1_776_867_522_000_u64 + seq, "type": "memory.created",
        "id": format!("mem:{seq:012x}"), "actor": "persona", "tenant": "scott", "persona": "inara",
        "commit": "ab".repeat(32),
    })
}

fn checkpoint(frontier: &Frontier, signer: &SigningKey) -> Vec<u8> {
    let (size, root) = (frontier.size(), frontier.root());
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size, root, keyring: Some(size) };
    ExportLine::Checkpoint(checkpoint.sign(signer).unwrap()).to_bytes().unwrap()
}

fn export(events: u64, every: u64) -> Lines {
    let mut frontier = Frontier::default();
    let mut lines = Vec::new();
    for seq in 0..events {
        let event = event(seq);
        frontier.append(leaf_of(&event).unwrap());
        lines.push(ExportLine::Event(event).to_bytes().unwrap());
        if (seq + 1) % every == 0 || seq + 1 == events {
            lines.push(checkpoint(&frontier, &key(1)));
        }
    }
    lines
}

fn verify(lines: &[Vec<u8>]) -> Result<ExportReport, ExportError> {
    verify_against(lines, None)
}

fn verify_against(lines: &[Vec<u8>], kept: Option<Checkpoint>) -> Result<ExportReport, ExportError> {
    let signers = signers();
    let mut verifier = ExportVerifier::new(ORIGIN, &signers);
    if let Some(kept) = kept {
        verifier = verifier.against(kept);
    }
    lines.iter().try_for_each(|line| verifier.line(line))?;
    verifier.finish()
}

fn kept_at(lines: &[Vec<u8>], position: usize) -> Checkpoint {
    let line: Value = serde_json::from_slice(&lines[position]).unwrap();
    Checkpoint::open(line["checkpoint"].as_str().unwrap(), ORIGIN, &signers()).unwrap().0
}

#[test]
fn a_whole_export_holds() {
    let report = verify(&export(57, EVERY)).unwrap();
    assert_eq!((report.size, report.checkpoints, report.pruned, report.keyring), (57, 6, 0, Some(57)));
}

#[test]
fn pruned_bodies_keep_every_root_valid() {
    let mut lines = export(20, EVERY);
    for seq in [0, 3, 9] {
        lines[seq] = ExportLine::pruned(&leaf_of(&event(seq as u64)).unwrap()).to_bytes().unwrap();
    }
    assert_eq!(verify(&lines).unwrap().pruned, 3);
    lines[4] = ExportLine::pruned(&leaf_of(&event(5)).unwrap()).to_bytes().unwrap();
    assert_eq!(verify(&lines), Err(ExportError::Root { line: Some(11), size: 10 }));
}

#[test]
fn a_log_cut_off_at_a_checkpoint_is_found_only_with_one_kept_elsewhere() {
    let whole = export(30, EVERY);
    let last = kept_at(&whole, 32);
    let cut = &whole[..22];
    assert!(verify(cut).is_ok());
    assert_eq!(verify_against(cut, Some(last.clone())), Err(ExportError::CutOff { stated: 30, found: 20 }));
    assert!(verify_against(&whole, Some(last)).is_ok());
    let rewritten = kept_at(&export(30, 7), 7);
    let forked = Checkpoint { root: [0; 32], ..rewritten };
    assert_eq!(verify_against(&whole, Some(forked)), Err(ExportError::Root { line: None, size: 7 }));
}

#[test]
fn a_tail_that_no_checkpoint_covers_is_an_error() {
    let lines = export(30, EVERY);
    assert_eq!(verify(&lines[..25]), Err(ExportError::Uncovered(3)));
    assert_eq!(verify(&[]), Err(ExportError::Uncovered(0)));
}

#[test]
fn an_older_keyring_shows() {
    let mut lines = export(20, EVERY);
    let checkpoint = Checkpoint { keyring: Some(3), ..kept_at(&lines, 21) };
    lines[21] = ExportLine::Checkpoint(checkpoint.sign(&key(1)).unwrap()).to_bytes().unwrap();
    assert_eq!(verify(&lines), Err(ExportError::KeyringRolledBack(22)));
}

#[derive(Debug, Clone)]
enum Mutation {
    FlipBit { line: prop::sample::Index, byte: prop::sample::Index, bit: u8 },
    InsertByte { line: prop::sample::Index, byte: prop::sample::Index, value: u8 },
    Drop(prop::sample::Index),
    Repeat(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    CutAfter(prop::sample::Index),
    ForgeCheckpoint { seed: u8 },
    RewriteTail { from: prop::sample::Index },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        4 => (index(), index(), 0..8_u8).prop_map(|(line, byte, bit)| Mutation::FlipBit { line, byte, bit }),
        2 => (index(), index(), any::<u8>()).prop_map(|(line, byte, value)| Mutation::InsertByte { line, byte, value }),
        1 => index().prop_map(Mutation::Drop),
        1 => index().prop_map(Mutation::Repeat),
        2 => (index(), index()).prop_map(|(one, other)| Mutation::Swap(one, other)),
        1 => index().prop_map(Mutation::CutAfter),
        1 => (2..=255_u8).prop_map(|seed| Mutation::ForgeCheckpoint { seed }),
        1 => index().prop_map(|from| Mutation::RewriteTail { from }),
    ]
}

fn mutated(whole: &Lines, mutation: &Mutation) -> Lines {
    let mut lines = whole.clone();
    let count = lines.len();
    match mutation {
        Mutation::FlipBit { line, byte, bit } => {
            let line = &mut lines[line.index(count)];
            let byte = byte.index(line.len());
            line[byte] ^= 1 << bit;
        }
        Mutation::InsertByte { line, byte, value } => {
            let line = &mut lines[line.index(count)];
            line.insert(byte.index(line.len()), *value);
        }
        Mutation::Drop(line) => drop(lines.remove(line.index(count))),
        Mutation::Repeat(line) => {
            let line = line.index(count);
            lines.insert(line, lines[line].clone());
        }
        Mutation::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
        Mutation::CutAfter(line) => lines.truncate(line.index(count)),
        Mutation::ForgeCheckpoint { seed } => {
            let mut frontier = Frontier::default();
            (0..57).for_each(|seq| frontier.append(leaf_of(&event(seq)).unwrap()));
            *lines.last_mut().unwrap() = checkpoint(&frontier, &key(*seed));
        }
        Mutation::RewriteTail { from } => {
            let line = from.index(count);
            let mut value: Value = serde_json::from_slice(&lines[line]).unwrap();
            match value.pointer_mut("/event/ts") {
                Some(ts) => *ts = json!(1),
                None => value = json!({"checkpoint": "selfhood\n1\n"}),
            }
            lines[line] = vault::canonical::canonicalize(&value).unwrap();
        }
    }
    lines
}

/// Leaving out a checkpoint that a later one covers, or repeating one in its place, changes no event and no
/// proof: the only change that is not a mutation of the log.
fn is_equivalent(changed: &Lines, whole: &Lines) -> bool {
    let is_checkpoint = |line: &Vec<u8>| line.starts_with(b"{\"checkpoint\"");
    let mut changed = changed.clone();
    changed.dedup_by(|later, earlier| later == earlier && is_checkpoint(later));
    let mut rest = changed.iter().peekable();
    let only_checkpoints_left_out =
        whole.iter().all(|line| rest.next_if(|next| *next == line).is_some() || is_checkpoint(line));
    only_checkpoints_left_out && rest.next().is_none() && changed.last() == whole.last()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_mutation_is_detected(mutation in mutation()) {
        let whole = export(57, EVERY);
        let kept = kept_at(&whole, whole.len() - 1);
        let changed = mutated(&whole, &mutation);
        let verified = verify_against(&changed, Some(kept));
        prop_assert_eq!(verified.is_ok(), is_equivalent(&changed, &whole), "{:?}: {:?}", mutation, verified);
    }
}

/// A hundred thousand events take about a second in a release build; an unoptimised one gets fewer.
#[test]
fn a_long_log_verifies_quickly() {
    let events = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    let lines = export(events, 1000);
    let begun = Instant::now();
    assert_eq!(verify(&lines).unwrap().size, events);
    let taken = begun.elapsed();
    println!("verified {events} events in {taken:?}");
    assert!(taken.as_secs() < 5, "{taken:?}");
}
