//! `docs/formats/certificate-vectors.json` and `schemas/certificate.json`.

use std::path::PathBuf;

use serde_json::{Value, json};
use vault::audit::{Checkpoint, Frontier, TreeHash, consistency_proof, leaf_of};
use vault::certificate::{
    Certificate, CertificateError, Derived, Keys, Kind, LogHeads, Mirror, Opening, Outcome, Place, Request,
    Scan, Tombstones, Unreached, VERSION, page, requesters_copy, schema, verify,
};
use vault::encoding::hex;
use vault::key::Secret;
use vault::signature::SigningKey;

use crate::{Counting, assert_published};

const NOW: i64 = 1_776_867_522_000;
const HOUR: i64 = 3_600_000;
const ORIGIN: &str = "selfhood/scott/0192e4a0-0000-7000-8000-000000000001";

fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([0x01; 32]))
}

fn opening() -> Opening {
    let identifiers = ["popescu@example.org".to_owned(), "Ana Popescu".to_owned()];
    Opening::draw("guest-7", &identifiers, &Counting::from(1)).unwrap()
}

fn heads() -> LogHeads {
    let leaves: Vec<TreeHash> = (0..7_u64).map(|seq| leaf_of(&json!({ "seq": seq })).unwrap()).collect();
    let note = |size: usize| {
        let mut frontier = Frontier::default();
        leaves[..size].iter().for_each(|leaf| frontier.append(*leaf));
        let checkpoint = Checkpoint {
            origin: ORIGIN.to_owned(),
            size: size as u64,
            root: frontier.root(),
            keyring: Some(size as u64),
        };
        checkpoint.sign(&signer()).unwrap()
    };
    let proof = consistency_proof(&leaves, 3).unwrap().iter().map(|hash| hex(hash)).collect();
    LogHeads {
        origin: ORIGIN.to_owned(),
        before: note(3),
        after: note(7),
        consistency: Some(proof),
        events: vec![3, 4, 5, 6],
    }
}

fn certificate() -> Certificate {
    let place = |place: &str, method: &str, count| Place {
        place: place.to_owned(),
        method: method.to_owned(),
        count,
        verified: "its bytes were searched".to_owned(),
        hits: 0,
    };
    Certificate {
        kind: Kind::ErasureCertificate,
        v: VERSION,
        id: "0192e4a0-0000-7000-8000-00000000000c".to_owned(),
        tenant: "scott".to_owned(),
        outcome: Outcome::Done,
        request: Request {
            id: "0192e4a0-0000-7000-8000-00000000000e".to_owned(),
            reason: "right-to-be-forgotten".to_owned(),
            ground: "GDPR Art. 17(1)".to_owned(),
            received_at: NOW - 26 * HOUR,
            acknowledged_at: NOW - 25 * HOUR,
            acknowledge_by: NOW - 2 * HOUR,
            completed_at: NOW - 1000,
            complete_by: NOW + 694 * HOUR,
        },
        subject: opening().hash().unwrap(),
        operator: signer().public_key(),
        places: vec![
            place("memory.db:payloads", "key destroyed, row deleted, file rewritten", 2),
            place("memory.db:turns", "key destroyed, row deleted, file rewritten", 14),
            place("sessions/*.md", "text rewritten without the words", 1),
            place("keyring", "died with the key epoch", 1),
        ],
        tombstones: Tombstones {
            ids: vec!["mem:7f3a8b2c0d3e".to_owned(), "mem:0c0ffee00001".to_owned()],
            until: Some(NOW + 2190 * 24 * HOUR),
        },
        derived: Derived { rederived: 1, redacted: 2 },
        keys: Keys {
            epoch_before: 3,
            epoch_after: 4,
            destroyed: 2,
            mirrors: vec![Mirror { mirror: "/media/keys".to_owned(), current: true }],
        },
        scan: Scan {
            at: NOW - 2000,
            identifiers: 2,
            forms: ["utf-8", "nfd", "hex"].map(str::to_owned).to_vec(),
            files: 31,
            bytes: 41_943_040,
            hits: 0,
            unread: 0,
            canaries_planted: 13,
            canaries_found: 13,
        },
        unreached: vec![
            Unreached {
                what: "model provider".to_owned(),
                why: "what was sent to it left this machine".to_owned(),
            },
            Unreached {
                what: "exports and unregistered copies".to_owned(),
                why: "nobody told us of them".to_owned(),
            },
        ],
        audit: vec![heads()],
        verify: format!("selfhood verify CERT.json --signer {}", signer().public_key()),
    }
}

/// One change to the signed document, and why it is no longer valid.
fn changes() -> [(&'static str, Value); 8] {
    [
        ("/outcome", json!("partial")),
        ("/subject/hash", json!("00".repeat(32))),
        ("/scan/hits", json!(1)),
        ("/places/1/count", json!(13)),
        ("/request/completedAt", json!("2026-04-22T14:18:40.000Z")),
        ("/audit/0/events", json!([])),
        ("/proof/created", json!("2026-04-22T14:18:41.000Z")),
        ("/unreached", json!([])),
    ]
}

type Lie = (&'static str, fn(&mut Certificate));

/// What an operator may sign although it contradicts that the erasure is done.
fn lies() -> [Lie; 15] {
    [
        ("hits in the scan", |lie| lie.scan.hits = 1),
        ("hits in a place", |lie| lie.places[0].hits = 1),
        ("files that could not be read", |lie| lie.scan.unread = 1),
        ("no canary", |lie| (lie.scan.canaries_planted, lie.scan.canaries_found) = (0, 0)),
        ("a canary not found", |lie| lie.scan.canaries_found = 12),
        ("the same key epoch", |lie| lie.keys.epoch_after = 3),
        ("a stale copy of the keys", |lie| lie.keys.mirrors[0].current = false),
        ("no proof of consistency", |lie| lie.audit[0].consistency = None),
        ("a scan before the request", |lie| lie.scan.at = lie.request.received_at - 1),
        ("a scan after the end", |lie| lie.scan.at = lie.request.completed_at + 1),
        ("an end after the signature", |lie| lie.request.completed_at = NOW + 1),
        ("no place", |lie| lie.places.clear()),
        ("no file searched", |lie| lie.scan.files = 0),
        ("an event twice", |lie| lie.audit[0].events.push(3)),
        ("a log twice", |lie| lie.audit.push(lie.audit[0].clone())),
    ]
}

#[test]
fn certificate_vectors_are_published_and_hold() {
    let signed = certificate().sign(&signer(), NOW).unwrap();
    let copy = requesters_copy(&signed, &opening());
    let changed: Vec<Value> = changes()
        .into_iter()
        .map(|(pointer, value)| {
            let mut document = signed.clone();
            *document.pointer_mut(pointer).unwrap() = value;
            json!({ "changed": pointer, "document": document })
        })
        .collect();
    let wrong = lies().map(|(what, lie)| {
        let mut altered = certificate();
        lie(&mut altered);
        json!({ "wrong": what, "document": altered.sign(&signer(), NOW).unwrap() })
    });
    let vectors = json!({
        "format": "docs/formats/certificate.md, version 1",
        "signer": signer().public_key(),
        "certificate": signed,
        "requestersCopy": copy,
        "invalid": changed,
        "signedAndWrong": wrong,
    });
    assert_published("certificate-vectors.json", &vectors);
    let signers = [signer().public_key()];
    let verified = verify(&signed, &signers, NOW).unwrap();
    assert_eq!((verified.certificate, verified.opening), (certificate(), None));
    assert_eq!(verify(&copy, &signers, NOW).unwrap().opening, Some(opening()));
    for changed in vectors["invalid"].as_array().unwrap() {
        assert!(verify(&changed["document"], &signers, NOW).is_err(), "{}", changed["changed"]);
    }
    for lie in vectors["signedAndWrong"].as_array().unwrap() {
        assert!(verify(&lie["document"], &signers, NOW).is_err(), "{}", lie["wrong"]);
    }
}

#[test]
fn a_certificate_holds_for_its_signer_and_its_subject_only() {
    let signed = certificate().sign(&signer(), NOW).unwrap();
    let other = SigningKey::from_seed(&Secret::from_bytes([2; 32]));
    assert!(matches!(verify(&signed, &[other.public_key()], NOW), Err(CertificateError::Proof(_))));
    let by_another = certificate().sign(&other, NOW).unwrap();
    let both = [signer().public_key(), other.public_key()];
    assert!(matches!(verify(&by_another, &both, NOW), Err(CertificateError::OtherOperator { .. })));
    let stranger = Opening::draw("guest-8", &[], &Counting::from(1)).unwrap();
    assert_eq!(verify(&requesters_copy(&signed, &stranger), &both, NOW), Err(CertificateError::OtherSubject));
}

/// An operator signed that the erasure is complete, but the findings contradict it.
#[test]
fn a_certificate_that_contradicts_itself_is_refused_though_signed() {
    for (what, lie) in lies() {
        let mut altered = certificate();
        lie(&mut altered);
        let judged = verify(&altered.sign(&signer(), NOW).unwrap(), &[signer().public_key()], NOW);
        assert!(matches!(judged, Err(CertificateError::Contradiction(_))), "{what}: {judged:?}");
        altered.outcome = Outcome::Partial;
        assert!(verify(&altered.sign(&signer(), NOW).unwrap(), &[signer().public_key()], NOW).is_ok());
    }
}

#[test]
fn a_log_that_was_rewritten_shows_in_the_certificate() {
    let mut altered = certificate();
    let LogHeads { before, after, .. } = &mut altered.audit[0];
    std::mem::swap(before, after);
    let judged = verify(&altered.sign(&signer(), NOW).unwrap(), &[signer().public_key()], NOW);
    assert!(matches!(judged, Err(CertificateError::NotContinued(_))), "{judged:?}");
    let mut altered = certificate();
    altered.audit[0].consistency = Some(vec!["00".repeat(32); 4]);
    let judged = verify(&altered.sign(&signer(), NOW).unwrap(), &[signer().public_key()], NOW);
    assert!(matches!(judged, Err(CertificateError::NotContinued(_))), "{judged:?}");
}

#[test]
fn the_page_shows_everything_and_runs_nothing() {
    let mut altered = certificate();
    altered.unreached[0].why = "<script>alert('x')</script> & \"more\"".to_owned();
    let printed = page(&altered.sign(&signer(), NOW).unwrap()).unwrap();
    assert!(!printed.contains("<script"));
    assert!(printed.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;"));
    for shown in [
        &altered.id,
        &altered.subject.hash,
        &altered.verify,
        "memory.db:payloads",
        "GDPR Art. 17(1)",
        "in time",
    ] {
        assert!(printed.contains(shown), "{shown}");
    }
    assert!(!printed.contains("popescu") && !printed.contains("guest-7"), "the page names nobody");
    if let Some(path) = std::env::var_os("CERTIFICATE_PAGE") {
        std::fs::write(path, page(&certificate().sign(&signer(), NOW).unwrap()).unwrap()).unwrap();
    }
}

#[test]
fn the_schema_is_published_and_describes_what_is_signed() {
    let path =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../schemas/certificate.json");
    let text = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "run with UPDATE_VECTORS=1");
    let required = schema()["required"].as_array().unwrap().len();
    assert_eq!(required, serde_json::to_value(certificate()).unwrap().as_object().unwrap().len());
}
