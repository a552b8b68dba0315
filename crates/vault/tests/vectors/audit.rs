//! `docs/formats/audit-vectors.json`.

use serde_json::{Value, json};
use vault::audit::{
    Checkpoint, ExportLine, ExportVerifier, Frontier, TreeHash, TreeHead, commitment, consistency_proof,
    inclusion_proof, leaf_of, verify_consistency, verify_inclusion,
};
use vault::canonical::canonicalize;
use vault::encoding::hex;
use vault::key::Secret;
use vault::signature::SigningKey;

use crate::{assert_published, text};

const ORIGIN: &str = "selfhood/scott/0192e4a0-0000-7000-8000-000000000001";

fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([0x01; 32]))
}

fn event(seq: u64) -> Value {
    let private = json!({"subject": "guest-7", "reason": "asked to be forgotten"});
    let commit = commitment(&Secret::from_bytes([0x5a; 32]), &private).unwrap();
    json!({
        "v": 1, "seq": seq, "ts": 1_776_867_522_000_u64 + seq, "type": "memory.created",
        "id": format!("mem:{seq:012x}"), "actor": "persona", "tenant": "scott",
        "persona": "0192e4a0-0000-7000-8000-000000000001", "commit": hex(&commit),
    })
}

fn printed(proof: &[TreeHash]) -> Vec<String> {
    proof.iter().map(|hash| hex(hash)).collect()
}

fn tree(leaves: &[TreeHash]) -> Value {
    let mut frontier = Frontier::default();
    let roots = leaves.iter().map(|leaf| {
        frontier.append(*leaf);
        hex(&frontier.root())
    });
    let roots: Vec<String> = roots.collect();
    json!({
        "events": (0..leaves.len() as u64).map(|seq| {
            let canonical = String::from_utf8(canonicalize(&event(seq)).unwrap()).unwrap();
            json!({"canonical": canonical, "leaf": hex(&leaves[usize::try_from(seq).unwrap()])})
        }).collect::<Vec<_>>(),
        "rootsBySize": roots,
        "inclusion": {"index": 4, "size": 7, "proof": printed(&inclusion_proof(leaves, 4).unwrap())},
        "consistency": {"oldSize": 3, "newSize": 7, "proof": printed(&consistency_proof(leaves, 3).unwrap())},
    })
}

fn export(leaves: &[TreeHash]) -> Vec<String> {
    let mut frontier = Frontier::default();
    let mut lines = Vec::new();
    for (seq, leaf) in (0_u64..).zip(leaves) {
        frontier.append(*leaf);
        let line = if seq == 1 { ExportLine::pruned(leaf) } else { ExportLine::Event(event(seq)) };
        lines.push(line);
        if [4, 7].contains(&frontier.size()) {
            let (size, root) = (frontier.size(), frontier.root());
            let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size, root, keyring: Some(57) };
            lines.push(ExportLine::Checkpoint(checkpoint.sign(&signer()).unwrap()));
        }
    }
    lines.iter().map(|line| String::from_utf8(line.to_bytes().unwrap()).unwrap()).collect()
}

#[test]
fn audit_vectors_are_published_and_hold() {
    let leaves: Vec<TreeHash> = (0..7).map(|seq| leaf_of(&event(seq)).unwrap()).collect();
    let private = r#"{"reason":"asked to be forgotten","subject":"guest-7"}"#;
    let vectors = json!({
        "format": "docs/formats/audit.md, version 1; bytes in hex",
        "commitment": {"salt": hex(&[0x5a; 32]), "canonicalPrivatePart": private, "commit": event(0)["commit"]},
        "tree": tree(&leaves),
        "origin": ORIGIN,
        "signer": signer().public_key(),
        "export": export(&leaves),
    });
    assert_published("audit-vectors.json", &vectors);
    export_holds(&vectors);
    proofs_hold(&leaves);
}

fn export_holds(vectors: &Value) {
    let signers = [text(vectors, "signer").parse().unwrap()];
    let mut verifier = ExportVerifier::new(text(vectors, "origin"), &signers);
    for line in vectors["export"].as_array().unwrap() {
        verifier.line(line.as_str().unwrap().as_bytes()).unwrap();
    }
    let report = verifier.finish().unwrap();
    assert_eq!((report.size, report.pruned, report.checkpoints, report.keyring), (7, 1, 2, Some(57)));
    assert_eq!(hex(&report.root), vectors["tree"]["rootsBySize"][6]);
}

fn proofs_hold(leaves: &[TreeHash]) {
    let root = |size: usize| {
        let mut frontier = Frontier::default();
        leaves[..size].iter().for_each(|leaf| frontier.append(*leaf));
        frontier.root()
    };
    assert!(verify_inclusion(leaves[4], 4, 7, &root(7), &inclusion_proof(leaves, 4).unwrap()));
    assert!(verify_consistency(
        TreeHead { size: 3, root: &root(3) },
        TreeHead { size: 7, root: &root(7) },
        &consistency_proof(leaves, 3).unwrap()
    ));
}
