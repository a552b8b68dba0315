//! `selfhood key …`: made, listed without their secrets, revoked for good.

use serde_json::json;

use crate::Stage;

#[test]
fn a_key_is_made_for_a_tenant_and_printed_alone_when_asked() {
    let stage = Stage::with_inara();
    let made = stage.run(&["key", "new", "--tenant", "scott", "-o", "quiet"]);
    let key = made.stdout.trim();
    assert!(
        made.status == 0 && key.starts_with("sh_") && !key.contains(char::is_whitespace),
        "{}",
        made.stdout
    );
    let whole = stage
        .run(&[
            "key",
            "new",
            "--scope",
            "read,audit",
            "--scope",
            "staff",
            "--speaks",
            "owner",
            "--expires",
            "+90d",
            "-o",
            "json",
        ])
        .object();
    assert_eq!(whole["key"]["scopes"], json!(["read", "audit", "staff"]));
    assert_eq!(whole["key"]["speaks"], "owner");
    assert!(whole["key"]["expiresAt"].is_string());
    let scotts = stage.run(&["key", "list", "--tenant", "scott", "-o", "json"]);
    assert_eq!(
        (&scotts.rows()[0]["scopes"], &scotts.rows()[0]["speaks"]),
        (&json!(["read", "write"]), &json!("forwarded"))
    );
    let secret = key.rsplit('_').next().unwrap();
    assert!(!scotts.stdout.contains(secret), "a list shows no secrets");
}

#[test]
fn a_revoked_key_opens_nothing() {
    let stage = Stage::with_inara();
    let key = stage.run(&["key", "new", "-o", "quiet"]).stdout.trim().to_owned();
    let id = stage.run(&["key", "list", "-o", "quiet"]).stdout.trim().to_owned();
    let server = stage.serve(&[]);
    assert_eq!(server.get("/personas", &key).0, 200);
    let dry = stage.run(&["key", "revoke", &id, "--dry-run"]);
    assert!(dry.status == 0 && server.get("/personas", &key).0 == 200, "{}", dry.stderr);
    let revoked = stage.run(&["key", "revoke", &id[..8], "-o", "json"]);
    assert!(revoked.rows()[0]["revokedAt"].is_string(), "{}", revoked.stderr);
    assert_eq!(server.get("/personas", &key).0, 401);
    assert_eq!(stage.run(&["key", "revoke", "ffffffffffffffff"]).status, 3);
    assert_eq!(stage.run(&["key", "new", "--scope", "everything"]).status, 2);
}

#[test]
fn a_key_is_bound_to_a_persona_and_a_person_and_has_a_label() {
    let stage = Stage::with_inara();
    let made = stage.run(&[
        "key",
        "new",
        "--persona",
        "inara",
        "--subject",
        "ana",
        "--label",
        "laptop",
        "-o",
        "json",
    ]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let id = made.object()["key"]["id"].clone();
    let listed = stage.run(&["key", "list", "-o", "json"]).rows();
    let key = listed.iter().find(|key| key["id"] == id).unwrap();
    assert_eq!(
        (&key["persona"], &key["subject"], &key["label"]),
        (&json!("inara"), &json!("ana"), &json!("laptop"))
    );
    // A setting of the machine says which persona commands mean, and binds no key.
    let unbound = stage.run_in(&[("SELFHOOD_PERSONA", "inara")], &["key", "new", "-o", "json"]).object();
    assert!(unbound["key"].get("persona").is_none(), "{unbound}");
}
