//! Every verb through the door: its status, and an answer that is what its schema says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use domain::structure;
use engine::{Call, Caller};
use serde_json::{Value, json};
use server::client::Ask;
use store::Deployment as _;
use tokio::time::sleep;
use wire::route::{ROUTES, Retry, Route, Speech};

use crate::fixture::{Answer, Fixture, TENANT, event, memory};

/// What no key reaches.
const AT_THE_MACHINE: [&str; 7] = [
    "back_up",
    "list_mirrors",
    "add_mirror",
    "remove_mirror",
    "new_operator",
    "list_operators",
    "revoke_operator",
];

/// Verbs with tests of their own, which go further than a tour could.
const ELSEWHERE: &[&str] = &[
    "connect_model",
    "delete_session",
    "delete_turn",
    "disconnect_model",
    "edit_turn",
    "export_audit",
    "follow_events",
    "list_connectable_models",
    "list_files",
    "list_sessions",
    "list_tools",
    "offer_sign_in",
    "read_file",
    "read_import",
    "rename_session",
    "render_markdown",
    "report_audit",
    "search_sessions",
    "seek_residue",
    "show_chat_model",
    "show_me",
    "show_session",
    "verify_audit",
    "write_file",
];

/// Calls verbs and remembers which.
struct Tour {
    fixture: Fixture,
    called: BTreeSet<&'static str>,
    /// How often anything was called.
    calls: usize,
}

impl Tour {
    async fn call(&mut self, verb: &str, parts: &[(&str, &str)], query: &str, body: Option<Value>) -> Value {
        let route = ROUTES.iter().find(|route| route.verb == verb).unwrap();
        let path = parts
            .iter()
            .fold(route.path.to_owned(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value));
        self.calls += 1;
        let key = format!("3f2b1c9a-8d47-4e0b-9a57-1c2d3e4f{:04x}", self.calls);
        let answer = self.send(route, &format!("{path}{query}"), &key, body.clone()).await;
        let value = self.check(route, &answer);
        if route.retry() == Retry::NeedsKey {
            self.repeat(route, &format!("{path}{query}"), &key, body).await;
        }
        value
    }

    /// The same request again under the same key: answered alike, and nothing changes.
    async fn repeat(&mut self, route: &'static Route, path: &str, key: &str, body: Option<Value>) {
        let before = self.settled().await;
        let again = self.send(route, path, key, body).await;
        self.check(route, &again);
        let after = self.settled().await;
        assert_eq!(before, after, "{} was done twice", route.verb);
    }

    /// Everything a request could change, once nothing is on its way any more.
    async fn settled(&self) -> Vec<String> {
        let mut before = self.state().await;
        loop {
            sleep(Duration::from_millis(150)).await;
            let now = self.state().await;
            if now == before {
                return now;
            }
            before = now;
        }
    }

    async fn state(&self) -> Vec<String> {
        let caller = Caller::local(TENANT.parse().unwrap(), domain::Actor::operator("did:key:test"));
        let call = Call { caller, now: crate::fixture::now(), request: None };
        let engine = &self.fixture.engine;
        let mut state: Vec<String> = engine
            .revisions(&call)
            .await
            .unwrap()
            .into_iter()
            .map(|changed| format!("{} {}", changed.persona, changed.revision))
            .collect();
        state.push(format!("{} events", engine.store().deployment_events(0..u64::MAX).await.unwrap().len()));
        plain_files(self.fixture.folder.path(), &mut state);
        state
    }

    async fn send(&self, route: &Route, path: &str, key: &str, body: Option<Value>) -> Answer {
        if AT_THE_MACHINE.contains(&route.verb) {
            let ask = Ask::new(route.method.parse().unwrap(), path).once(key);
            let ask = body.map_or(ask.clone(), |body| ask.with_body(&body));
            let reply = self.fixture.local(TENANT).send(ask).await.unwrap();
            let text = String::from_utf8(reply.body.to_vec()).unwrap();
            Answer { status: reply.status, headers: reply.headers, text }
        } else {
            let mut request = self.fixture.request(route.method, path, body);
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
            self.fixture.send(request).await
        }
    }

    fn check(&mut self, route: &'static Route, answer: &Answer) -> Value {
        let verb = route.verb;
        assert_eq!(answer.status.as_u16(), route.status, "{verb}: {}", answer.text);
        self.called.insert(route.verb);
        if answer.header("content-type") == "text/event-stream" {
            assert_eq!(route.speech, Speech::InPieces, "{verb}");
            return Value::Null;
        }
        let Some(schema) = route.answer else {
            assert_eq!(answer.text, "", "{verb}");
            return Value::Null;
        };
        let value = answer.json();
        let problems = structure::check(&schema(), &value);
        assert!(problems.is_empty(), "{verb} answers otherwise than it says: {problems:?}\n{value}");
        value
    }
}

/// The files people read and the list of keys, with their contents.
fn plain_files(folder: &Path, found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            plain_files(&path, found);
        } else if ["md", "json", "key"].contains(&kind.as_str()) {
            let content = fs::read_to_string(&path).unwrap_or_default();
            found.push(format!("{} {content}", path.display()));
        }
    }
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {value}"))
}

#[tokio::test]
async fn every_verb_answers_as_its_route_says() {
    let mut tour = Tour { fixture: Fixture::new().await, called: BTreeSet::new(), calls: 0 };
    let seed = json!({
        "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "designer"
    });
    let made = tour.call("create_persona", &[], "", Some(json!({ "tenantId": TENANT, "seed": seed }))).await;
    let maya = text(&made, "/persona/id").to_owned();
    let p = [("p", maya.as_str())];
    assert_eq!(text(&made, "/persona/summary"), "Maya Chen, 34, based in Cluj, works as designer.");
    tour.call("set_up_persona", &[], "", Some(json!({ "name": "inara", "emoji": "🌙" }))).await;
    let listed = tour.call("list_personas", &[], "?tenantId=scott", None).await;
    assert_eq!(listed["personas"].as_array().unwrap().len(), 2);
    tour.call("update_persona", &p, "", Some(json!({ "displayName": "Maya C." }))).await;
    let shown = tour.call("show_persona", &[("p", "maya-chen")], "", None).await;
    assert_eq!(text(&shown, "/persona/displayName"), "Maya C.");

    live(&mut tour, &p).await;
    remember(&mut tour, &p).await;
    tour.call("vector_progress", &p, "", None).await;
    talk(&mut tour, &maya).await;

    condense(&mut tour, &maya).await;
    meet(&mut tour, &p).await;

    let noted = json!({ "subject": "guest:ana", "arguments": { "text": "Call back." } });
    tour.call("use_tool", &[("p", &maya), ("tool", "add_reminder")], "", Some(noted)).await;
    tour.call("sign_out", &[], "", None).await;
    let made = tour.call("new_key", &[], "", Some(json!({ "scopes": ["read"] }))).await;
    tour.call("list_keys", &[], "", None).await;
    tour.call("list_agents", &[], "", None).await;
    let revoked = tour.call("revoke_key", &[("keyId", text(&made, "/key/id"))], "", None).await;
    assert_eq!(text(&revoked, "/key/revokedAt"), "2026-02-20T12:00:00.000Z");
    tour.call("sign_persona", &p, "", None).await;
    let checked = tour.call("validate_persona", &p, "", None).await;
    assert_eq!(checked["problems"], json!([]), "{checked}");
    let copied = tour.call("copy_persona", &[("p", "inara")], "", Some(json!({ "name": "twin" }))).await;
    assert_eq!(text(&copied, "/persona/name"), "twin");
    tour.call("delete_persona", &[("p", "twin")], "", None).await;
    tour.call("delete_persona", &[("p", "inara")], "", None).await;

    forget(&mut tour).await;
    look_after(&mut tour).await;

    let all: BTreeSet<&str> =
        ROUTES.iter().map(|route| route.verb).filter(|verb| !ELSEWHERE.contains(verb)).collect();
    assert_eq!(tour.called, all, "the tour leaves verbs out");
}

async fn live(tour: &mut Tour, p: &[(&str, &str)]) {
    let first = event("First day", "2025-09-01T09:00:00.000Z");
    let entry = tour.call("append_entry", p, "", Some(first)).await;
    let id = text(&entry, "/timelineEntry/id").to_owned();
    let parts = [p, &[("timelineId", id.as_str())]].concat();
    let reason = json!({ "tenantId": TENANT, "reason": "It was another day." });
    let superseded = tour.call("supersede_entry", &parts, "", Some(reason)).await;
    assert_eq!(text(&superseded, "/timelineEntry/supersededReason"), "It was another day.");
    let life = tour.call("list_timeline", p, "?tenantId=scott&limit=20&offset=0", None).await;
    assert_eq!((&life["total"], &life["limit"], &life["offset"]), (&json!(1), &json!(20), &json!(0)));
    let whole = tour.call("list_timeline", p, "?includeSuperseded=true", None).await;
    assert_eq!(whole["total"], 2);
    let buried = tour.call("redact_entry", &parts, "", Some(json!({ "reason": "request" }))).await;
    assert_eq!(buried["tombstones"][0]["id"], id);
    let report = tour.call("check_consistency", p, "?tenantId=scott", None).await;
    assert_eq!(report["report"]["issueCount"], 0, "{report}");
}

async fn remember(tour: &mut Tour, p: &[(&str, &str)]) {
    let made = tour.call("remember", p, "", Some(memory("The lobby serves strong coffee from seven."))).await;
    let id = text(&made, "/memory/id").to_owned();
    let parts = [p, &[("id", id.as_str())]].concat();
    let listed =
        tour.call("list_memories", p, "?kind=semantic&minSalience=0.5&tag=coffee&limit=10", None).await;
    assert_eq!(text(&listed, "/data/0/id"), id);
    let words = tour.call("list_memories", p, "?q=where%20does%20one%20get%20an%20espresso", None).await;
    assert_eq!(text(&words, "/data/0/id"), id, "by what it means");
    let none = tour.call("list_memories", p, "?q=submarine", None).await;
    assert_eq!(none["data"], json!([]), "{none}");
    let later = tour.call("inspect_memory", &parts, "?at=2029-03-20T12:00:00Z", None).await;
    assert!(later["memory"]["currentSalience"].as_f64().unwrap() < 0.3, "{later}");
    let pinned = tour.call("pin_memory", &parts, "", None).await;
    assert_eq!(pinned["memory"]["pinned"], true);
    tour.call("unpin_memory", &parts, "", None).await;
    tour.call("draw_curve", &parts, "?from=2026-02-20T12:00:00Z&to=2026-04-20T12:00:00Z", None).await;

    let recalled = tour.call("recall", p, "", Some(json!({ "cue": "Where is coffee served?" }))).await;
    assert_eq!(text(&recalled, "/memories/0/id"), id);
    let recall = [("recallId", text(&recalled, "/recallId"))];
    tour.call("explain_recall", &recall, "", None).await;
    let used = tour.call("report_used", &recall, "", Some(json!({ "ids": [id] }))).await;
    assert_eq!(used["rehearsed"], json!([id]));
    let preview = tour.call("preview_context", p, "", Some(json!({ "message": "coffee?" }))).await;
    assert!(text(&preview, "/prompt").contains("strong coffee"));

    let corrected =
        tour.call("correct_memory", &parts, "", Some(json!({ "gist": "Coffee from six." }))).await;
    let anew = text(&corrected, "/memory/id").to_owned();
    let parts = [p, &[("id", anew.as_str())]].concat();
    tour.call("redact_memory", &parts, "", Some(json!({ "reason": "request" }))).await;
    tour.call("restore_memory", &parts, "", None).await;
    let pinned = tour.call("pin_memory", &parts, "", None).await;
    assert_eq!(pinned["memory"]["pinned"], true, "{pinned}");
    tour.call("unpin_memory", &parts, "", None).await;
    let hard = Some(json!({ "mode": "hard", "reason": "request" }));
    let destroyed = tour.call("redact_memory", &parts, "", hard).await;
    assert_eq!((text(&destroyed, "/tombstone/id"), &destroyed["memory"]), (anew.as_str(), &Value::Null));
    assert_eq!(destroyed["redaction"]["versions"], json!([id]), "the wrong version goes with the right one");
    assert!(destroyed["redaction"]["epoch"].as_u64().unwrap() > 0, "{destroyed}");
    let taken =
        tour.call("import", p, "", Some(json!({ "lines": [memory("The pool opens at nine.")] }))).await;
    assert_eq!(taken["memories"], 1, "{taken}");
    let given = tour.call("export", p, "", None).await;
    assert!(given["lines"].as_array().unwrap().len() >= 2, "{given}");
    move_in_and_out(tour, p).await;
}

async fn move_in_and_out(tour: &mut Tour, p: &[(&str, &str)]) {
    let turns = json!([{ "id": "1", "speaker": "subject", "text": "Where is the lift?", "at": "2026-01-02T03:04:05Z" }]);
    let lines = json!([
        { "id": "c", "source": "elsewhere", "turns": turns },
        { "text": "Collects stamps.", "authored": true },
    ]);
    let taken = tour.call("import", p, "", Some(json!({ "lines": lines, "subject": "guest:ilie" }))).await;
    assert_eq!((&taken["memories"], &taken["turns"]), (&json!(1), &json!(1)), "{taken}");
    let import = text(&taken, "/importId").to_owned();
    let talk = tour.call("export_conversations", p, "", None).await;
    let is_there = |talk: &Value| talk["lines"].to_string().contains("Where is the lift?");
    assert!(is_there(&talk), "{talk}");
    let listed = tour.call("list_imports", p, "", None).await;
    assert!(listed["imports"].to_string().contains(&import), "{listed}");
    let undone = tour.call("undo_import", &[p, &[("importId", import.as_str())]].concat(), "", None).await;
    assert_eq!(
        (&undone["undone"]["memories"], &undone["undone"]["turns"]),
        (&json!(1), &json!(1)),
        "{undone}"
    );
    assert!(!is_there(&tour.call("export_conversations", p, "", None).await));

    let card = tour.call("export_card", p, "?format=json", None).await;
    let made =
        tour.call("import_card", &[], "", Some(json!({ "file": card["file"], "name": "carded" }))).await;
    assert_eq!(made["persona"]["name"], "carded", "{made}");
    let whole = tour.call("show_persona", &[("p", "carded")], "", None).await;
    let document =
        json!({ "document": whole["document"], "name": "moved", "files": { "IDENTITY.md": "# Moved\n" } });
    let moved = tour.call("import_persona", &[], "", Some(document)).await;
    assert_eq!(moved["persona"]["memory"], "on", "{moved}");
    let identity = &whole["document"]["identity"];
    let manifest = json!({
        "format": "selfhood-persona-bundle", "version": 1, "deploymentDid": identity["deploymentDid"],
        "persona": { "id": identity["id"], "name": "carded", "displayName": "Twin" },
        "counts": {}, "leftOut": {}, "parts": [],
    });
    let signed =
        tour.call("sign_bundle", &[("p", "carded")], "", Some(json!({ "manifest": manifest }))).await;
    assert!(text(&signed, "/signer").starts_with("did:key:"), "{signed}");
}

async fn meet(tour: &mut Tour, p: &[(&str, &str)]) {
    let of = |who: &str, gist: &str| {
        let mut asked = memory(gist);
        asked["subject"] = json!(who);
        asked["privacyClass"] = json!("guest-pii");
        asked["consentBasis"] = json!("explicit-consent");
        asked
    };
    tour.call("remember", p, "", Some(of("guest:ana", "Ana keeps a diary."))).await;
    tour.call("remember", p, "", Some(of("anon-1", "This guest plays the piano."))).await;
    let ana = [("s", "guest%3Aana")];
    let people = tour.call("list_subjects", &[], "", None).await;
    let named = |person: &Value| !person["subject"].as_str().unwrap().starts_with("anonymous:");
    assert_eq!(
        people["data"].as_array().unwrap().iter().filter(|person| named(person)).count(),
        4,
        "{people}"
    );
    let merged = tour.call("merge_subjects", &ana, "", Some(json!({ "from": "anon-1" }))).await;
    assert_eq!(merged["subject"]["memories"], 2, "{merged}");
    tour.call("add_alias", &ana, "", Some(json!({ "alias": "ana@example.org" }))).await;
    let shown = tour.call("show_subject", &[("s", "ana%40example.org")], "", None).await;
    assert_eq!(shown["known"][0]["memories"].as_array().unwrap().len(), 2, "{shown}");
    let given = tour.call("export_subject", &ana, "", None).await;
    assert_eq!(given["personas"][0]["memories"].as_array().unwrap().len(), 2, "{given}");
    let consents = [p, &ana].concat();
    let asked = json!({ "classes": ["sensitive-pii"], "how": "signed the form" });
    let consented = tour.call("give_consent", &consents, "", Some(asked)).await;
    assert_eq!(consented["data"].as_array().unwrap().len(), 1, "{consented}");
    let listed = tour.call("list_consents", &consents, "", None).await;
    assert_eq!(listed, consented);
    tour.call("hold_subject", &ana, "", Some(json!({ "hold": "set" }))).await;
    let ended = tour.call("withdraw_consents", &consents, "", None).await;
    assert_eq!(ended["memories"]["pending"].as_array().unwrap().len(), 2, "{ended}");
    assert!(ended["data"][0]["withdrawnAt"].is_string(), "{ended}");
    let withdrawn = tour.call("withdraw_consent", &ana, "", None).await;
    assert_eq!(withdrawn["held"].as_array().unwrap().len(), 2, "{withdrawn}");
    let kept = tour.call("sweep", &[], "", Some(json!({}))).await;
    assert_eq!(kept["sweep"]["epoch"], Value::Null, "{kept}");
    tour.call("hold_subject", &ana, "", Some(json!({ "hold": "lift" }))).await;
    let swept = tour.call("sweep", &[], "", Some(json!({ "dryRun": true }))).await;
    let due: usize = swept["sweep"]["personas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|persona| persona["deleted"].as_array().unwrap().len())
        .sum();
    assert_eq!(due, 2, "{swept}");
}

async fn condense(tour: &mut Tour, maya: &str) {
    let made = tour.call("distill_short", &[], "", None).await;
    assert_eq!(text(&made, "/distilled/0/outcome"), "written", "without a body it is all of the tenant");
    let asked = json!({ "user": TENANT, "persona": "maya-chen", "dryRun": true });
    tour.call("distill_mid", &[], "", Some(asked)).await;
    tour.call("distill_long", &[], "", Some(json!({}))).await;
    let cues = tour.call("write_cues", &[], "", None).await;
    assert_eq!(text(&cues, "/cues/0/reason"), "no-model", "without a model nothing is written");
    let status = tour.call("distill_status", &[], "", None).await;
    let digests = status["digests"].as_array().unwrap();
    assert_eq!(digests.len(), 12, "{status}");
    assert!(digests.iter().all(|it| it["auto"] == (it["digest"] != "long")), "{status}");
    let job = [("p", maya), ("job", "distill-short")];
    let paused = tour.call("pause_job", &job, "", Some(json!({ "paused": true }))).await;
    assert_eq!(paused["job"]["nextAt"], Value::Null, "{paused}");
    let jobs = tour.call("list_jobs", &[], "", None).await;
    let is_paused = |job: &&Value| job["pausedAt"].is_string();
    assert_eq!(jobs["jobs"].as_array().unwrap().iter().filter(is_paused).count(), 1, "{jobs}");
}

async fn forget(tour: &mut Tour) {
    let made = tour.call("new_operator", &[], "", Some(json!({ "name": "second" }))).await;
    tour.call("list_operators", &[], "", None).await;
    let did = text(&made, "/operator/did").to_owned();
    let revoked = tour.call("revoke_operator", &[("did", &did)], "", None).await;
    assert!(revoked["operator"]["revokedAt"].is_string(), "{revoked}");

    let asked = json!({ "subject": "guest:ana", "identifiers": ["ana@example.org"], "reason": "right-to-be-forgotten" });
    tour.call("foresee_erasure", &[], "", Some(asked.clone())).await;
    let hasty = tour.call("request_erasure", &[], "", Some(asked.clone())).await;
    let hasty = [("erasureId", text(&hasty, "/erasure/id"))];
    let withdrawn = tour.call("withdraw_erasure", &hasty, "", None).await;
    assert_eq!(text(&withdrawn, "/erasure/status"), "withdrawn", "{withdrawn}");
    let job = tour.call("request_erasure", &[], "", Some(asked)).await;
    assert_eq!(text(&job, "/erasure/ackDueAt"), "2026-02-21T12:00:00.000Z");
    assert_eq!(
        text(&job, "/erasure/dueAt"),
        "2026-03-20T12:00:00.000Z",
        "a calendar month is sooner than 720 hours"
    );
    let id = text(&job, "/erasure/id").to_owned();
    let named = [("erasureId", id.as_str())];
    tour.call("list_erasures", &[], "", None).await;
    tour.call("preview_erasure", &named, "", None).await;
    tour.call("sign_erasure", &named, "", Some(json!({ "take": "all" }))).await;
    tour.call("execute_erasure", &named, "", None).await;
    let done = tour.call("show_erasure", &named, "", None).await;
    assert_eq!(text(&done, "/erasure/status"), "done", "{done}");
    let given = tour.call("erasure_certificate", &named, "", None).await;
    assert_eq!(text(&given, "/certificate/request/id"), id);
}

async fn talk(tour: &mut Tour, maya: &str) {
    let said = json!({ "message": "When does the pool open?", "user": TENANT, "persona": maya });
    tour.call("chat", &[], "", Some(said)).await;
    let mut prompt =
        json!({ "tenantId": TENANT, "personaId": maya, "userPrompt": "When does the pool open?" });
    let answer = tour.call("prompt_persona", &[], "", Some(prompt.clone())).await;
    assert!(!text(&answer, "/response").is_empty(), "{answer}");
    tour.call("show_exchange", &[("exchangeId", text(&answer, "/exchangeId"))], "", None).await;
    let elsewhere = json!({ "said": "I moved to York.", "reply": "Noted.", "subject": "ana" });
    let recorded = tour.call("record_exchange", &[("p", maya)], "", Some(elsewhere)).await;
    assert_eq!(text(&recorded, "/formation"), "done", "{recorded}");
    tour.call("stream_prompt", &[], "", Some(prompt.clone())).await;
    prompt["mode"] = json!("async");
    let job = tour.call("prompt_persona", &[], "", Some(prompt)).await;
    tour.call("show_prompt_job", &[("jobId", text(&job, "/job/id"))], "", None).await;
    tour.call("list_prompt_sessions", &[], &format!("?personaId={maya}"), None).await;
    let policy = json!({ "blockedTerms": ["poker"] });
    tour.call("put_safety_policy", &[], "", Some(policy)).await;
    let shown = tour.call("show_safety_policy", &[], "", None).await;
    assert_eq!(text(&shown, "/policyPack/blockedTerms/0"), "poker");
    let messages = json!([{ "role": "user", "content": "When does the pool open?" }]);
    let whole = json!({ "model": "maya-chen", "messages": messages });
    let completed = tour.call("complete_chat", &[], "", Some(whole)).await;
    assert!(!text(&completed, "/choices/0/message/content").is_empty(), "{completed}");
    let said = json!({ "model": "maya-chen", "input": "When does the pool open?" });
    let responded = tour.call("create_response", &[], "", Some(said)).await;
    assert!(!text(&responded, "/output/0/content/0/text").is_empty(), "{responded}");
    tour.call("list_models", &[], "", None).await;
    tour.call("show_model", &[("*model", "maya-chen")], "", None).await;
    tour.call("embed_texts", &[], "", Some(json!({ "input": "coffee" }))).await;
}

async fn look_after(tour: &mut Tour) {
    tour.call("show_vault", &[], "", None).await;
    tour.call("rotate_keys", &[], "", None).await;
    tour.call("verify_vault", &[], "", None).await;
    tour.call("examine", &[], "", None).await;
    let decay = tour.call("update_decay", &[], "", Some(json!({ "dryRun": true }))).await;
    assert_eq!(decay["personas"], json!([]), "personas made today have a template");
    tour.call("find_local_models", &[], "", None).await;
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("home.backup");
    tour.call("back_up", &[], "", Some(json!({ "to": backup }))).await;
    assert!(backup.exists());
    let mirror = folder.path().join("mirror").to_str().unwrap().to_owned();
    tour.call("add_mirror", &[], "", Some(json!({ "path": mirror }))).await;
    let listed = tour.call("list_mirrors", &[], "", None).await;
    assert_eq!(text(&listed, "/mirrors/0/path"), mirror);
    tour.call("remove_mirror", &[], &format!("?path={mirror}"), None).await;
}
