//! `docs/formats/signature-vectors.json`.

use serde_json::{Value, json};
use vault::canonical::{canonicalize, parse_strict};
use vault::encoding::hex;
use vault::key::Secret;
use vault::signature::{
    ProofTerms, PublicKey, SigningKey, Verdict, add_proof, content_hash, sign_persona, verify_persona,
    verify_proof,
};

use crate::{assert_published, text};

const NOW: i64 = 1_776_867_522_000;

fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([0x01; 32]))
}

fn canonical(input: &str) -> Value {
    let value = parse_strict(input.as_bytes()).unwrap();
    json!({"input": input, "canonical": String::from_utf8(canonicalize(&value).unwrap()).unwrap()})
}

fn persona() -> Value {
    let mut document = json!({
        "identity": {"tenant": "scott", "name": "inara", "displayName": "Inára", "version": "v.01"},
        "safetyTier": 2,
        "memoryPolicy": {"enabled": true, "retrievalThreshold": 0.25, "maxAtoms": 50_000},
        "memory": [{"gist": "not covered by the signature"}],
    });
    sign_persona(&mut document, &signer()).unwrap();
    let mut covered = document.clone();
    covered.as_object_mut().unwrap().retain(|name, _| name != "memory" && name != "signature");
    json!({
        "document": document,
        "signedBytes": String::from_utf8(canonicalize(&covered).unwrap()).unwrap(),
        "contentHash": content_hash(&document).unwrap().to_string(),
    })
}

/// The verdict for each edit of the signed document.
fn verdicts(document: &Value) -> Vec<Value> {
    let edits = [
        ("/memory", json!([]), "valid"),
        ("/safetyTier", json!(0), "changed"),
        ("/signature", Value::Null, "unsigned"),
        (
            "/signature/signer",
            json!(SigningKey::from_seed(&Secret::from_bytes([2; 32])).public_key()),
            "unknown signer",
        ),
        ("/signature/value", json!("A".repeat(86)), "forged"),
        ("/signature/algorithm", json!("rsa"), "malformed"),
    ];
    let judged = edits.map(|(pointer, value, expected)| {
        let mut edited = document.clone();
        *edited.pointer_mut(pointer).unwrap() = value.clone();
        let verdict = match verify_persona(&edited, &[signer().public_key()]).unwrap() {
            Verdict::Valid { .. } => "valid",
            Verdict::Unsigned => "unsigned",
            Verdict::Changed => "changed",
            Verdict::UnknownSigner { .. } => "unknown signer",
            Verdict::Forged => "forged",
            Verdict::Malformed => "malformed",
        };
        assert_eq!(verdict, expected, "{pointer}");
        json!({"replace": pointer, "by": value, "verdict": verdict})
    });
    judged.to_vec()
}

fn batch() -> Value {
    let mut document = json!({"type": "ErasureBatch", "tenant": "scott", "manifest": ["mem:7f3a8b000001", "mem:7f3a8b000002"]});
    add_proof(&mut document, ProofTerms { created: NOW, expires: Some(NOW + 86_400_000) }, &signer())
        .unwrap();
    document
}

#[test]
fn signature_vectors_are_published_and_hold() {
    let persona = persona();
    let refused = ["{\"a\":1,\"a\":2}", "9007199254740992", "[1e30]", "\"\\ud83d\"", "{} {}", "[NaN]"];
    let vectors = json!({
        "format": "docs/formats/signature.md; bytes in hex",
        "canonical": [
            canonical(r#"{"b":[1.0,1e-7,0.000001,-0,333333333.33333329],"a":"\u20ac\u000f\n\"\\/"}"#),
            canonical(r#"{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4,"1":5}"#),
        ],
        "refusedByStrictReader": refused,
        "seed": hex(&[0x01; 32]),
        "did": signer().public_key(),
        "persona": persona,
        "verdicts": verdicts(&persona["document"]),
        "proof": batch(),
    });
    assert_published("signature-vectors.json", &vectors);
    for input in refused {
        assert!(parse_strict(input.as_bytes()).is_err(), "{input}");
    }
    let did: PublicKey = text(&vectors, "did").parse().unwrap();
    assert!(verify_persona(&vectors["persona"]["document"], &[did]).unwrap().is_valid());
    assert_eq!(verify_proof(&vectors["proof"], &[did], NOW).unwrap().signer, did);
}
