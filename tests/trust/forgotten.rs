//! Recalls after hard redaction: what was forgotten never comes back, though other memories had copied it.
//!
//! Every canary stands in a memory and, copied, in two that were derived from it: one with other sources
//! left, which is rendered again, and one without, which goes too. The cues are the canaries themselves.

use domain::{Actor, MemoryId, Timestamp, example};
use engine::{Call, Caller, Engine, PersonaKey, RequestKey};
use engine_testkit::parts::parts_signed_by;
use serde_json::{Value, json};
use wire::read::read_value;

use crate::world::{TENANT, block_on, open, signer};
use testkit::tally::{Tally, tries};

const CANARIES: u64 = 10;

#[test]
fn what_was_forgotten_is_never_recalled_though_others_had_copied_it() {
    let mut tally = Tally::new("recall after hard redaction", "coherence");
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::new(folder.path()).await;
        let mut forgotten = Vec::new();
        for n in 0..CANARIES {
            forgotten.push(fixture.plant(n).await);
        }
        assert_eq!(
            fixture.found_in_recall(0, 0).await.len(),
            1,
            "a canary that can't be found proves nothing"
        );
        for id in forgotten {
            fixture.redact(id).await;
        }
        for n in tries(1_000) {
            let wrong = fixture.found_in_recall(n % CANARIES, n).await;
            tally.count(&format!("recall {n}"), &wrong);
        }
        fixture.engine.shutdown(after(0)).await.unwrap();
    });
    tally.note(format!("{CANARIES} memories, each copied twice"));
    tally.close();
}

struct Fixture {
    engine: Engine,
    persona: PersonaKey,
}

impl Fixture {
    async fn new(folder: &std::path::Path) -> Self {
        let engine = Engine::new(parts_signed_by(signer(), open(folder).await.unwrap()));
        let fixture = Self { engine, persona: "maya".parse().unwrap() };
        let asked = read_value(json!({ "name": "maya", "description": "A concierge." })).unwrap();
        fixture.engine.set_up_persona(&Self::call(0), asked).await.unwrap();
        fixture
    }

    /// A memory with a canary, two without, and two derived ones that copy the canary.
    async fn plant(&self, n: u64) -> MemoryId {
        let canary = canary(n);
        let source = self.remember(&format!("Ana whispered the word {canary} at the desk."), &[]).await;
        let left = self.remember(&format!("Ana walks by the river on day {n}."), &[]).await;
        let right = self.remember(&format!("Ana reads a book in garden {n}."), &[]).await;
        self.remember(&format!("Ana likes rivers, books and {canary}."), &[source, left, right]).await;
        self.remember(&format!("Never repeat {canary} to anyone."), &[source]).await;
        source
    }

    async fn remember(&self, gist: &str, sources: &[MemoryId]) -> MemoryId {
        let asked: Value = json!({
            "kind": "episodic", "gist": gist, "salience": 0.8, "subject": "guest:ana",
            "privacyClass": "guest-pii", "consentBasis": "service-delivery", "derivedFrom": sources,
        });
        let made =
            self.engine.remember(&Self::call(0), &self.persona, read_value(asked).unwrap()).await.unwrap();
        made.memory.as_value()["id"].as_str().unwrap().parse().unwrap()
    }

    async fn redact(&self, id: MemoryId) {
        let asked = read_value(json!({ "mode": "hard", "reason": "right-to-be-forgotten" })).unwrap();
        let mut call = Self::call(1);
        call.request = Some(RequestKey { key: id.to_string(), content: Vec::new() });
        self.engine.redact_memory(&call, &self.persona, id, asked).await.unwrap();
    }

    /// The canaries in what a recall, asked for one of them, brings back.
    async fn found_in_recall(&self, n: u64, second: u64) -> Vec<String> {
        let cue = format!("Who said {} at the desk, by the river or in the garden?", canary(n));
        let asked = json!({ "cue": cue, "subject": "guest:ana", "sessionId": format!("s{second}") });
        let call = Self::call(2 + second);
        let answer = self.engine.recall(&call, &self.persona, read_value(asked).unwrap()).await.unwrap();
        let rendered = serde_json::to_string(&answer).unwrap();
        (0..CANARIES).map(canary).filter(|canary| rendered.contains(canary)).take(1).collect()
    }

    fn call(seconds: u64) -> Call {
        let actor = Actor::operator("did:key:trust");
        Call { caller: Caller::local(TENANT.parse().unwrap(), actor), now: after(seconds), request: None }
    }
}

/// So many seconds after the beginning.
fn after(seconds: u64) -> Timestamp {
    Timestamp::from_millis(example::day(0).as_millis() + i64::try_from(seconds).unwrap() * 1_000)
}

fn canary(n: u64) -> String {
    format!("quixolarn{n}z")
}
