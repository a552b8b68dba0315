//! How the gate asks each route: with which words, on whose behalf, and with ids of whose records.

mod identity;
mod talk;

use serde_json::{Value, json};

use super::canary::Kind;
use super::people::{ADMIN, GUESTS, Keys, OWNER, Speaker, Town};
use testkit::dice::Dice;

/// The persona of every tenant.
pub(super) const PERSONA: &str = "nora";
const NOBODY: &str = "0198c0de-0000-7000-9000-000000000000";

/// One request.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) headers: Vec<(&'static str, String)>,
    /// Whose eyes the answer is for.
    pub(super) person: u32,
    /// Whether an owner's or an administrator's key is shown everybody's records here.
    pub(super) for_everybody: bool,
}

/// Everything a request is made from.
pub(super) struct Making<'a> {
    pub(super) town: &'a Town,
    /// Where ids come from: mostly the same tenant.
    pub(super) ids: &'a Town,
    pub(super) speaker: &'a Speaker,
    pub(super) dice: &'a mut Dice,
}

/// A request for `verb` in a made-up tenant, to see whether there is one.
pub(super) fn example(verb: &str, dice: &mut Dice) -> Option<Plan> {
    let key = String::new;
    let town = Town::new(0, Keys { owner: key(), admin: key(), staff: key(), guests: key() });
    let speaker = Speaker { person: OWNER, session: None };
    Making { town: &town, ids: &town, speaker: &speaker, dice }.plan(verb)
}

impl Making<'_> {
    /// The request for `verb`, or nothing where nobody said how to ask.
    pub(super) fn plan(&mut self, verb: &str) -> Option<Plan> {
        let plan = match verb {
            "chat"
            | "prompt_persona"
            | "stream_prompt"
            | "complete_chat"
            | "create_response"
            | "show_prompt_job"
            | "list_prompt_sessions"
            | "put_safety_policy"
            | "show_safety_policy"
            | "list_models"
            | "show_model"
            | "embed_texts" => self.talk(verb),
            "search_sessions" | "list_files" | "read_file" | "write_file" | "list_sessions"
            | "show_session" | "rename_session" | "delete_session" | "edit_turn" | "delete_turn"
            | "record_exchange" | "show_exchange" | "list_tools" | "use_tool" => self.conversation(verb),
            "remember" | "list_memories" | "inspect_memory" | "correct_memory" | "draw_curve"
            | "redact_memory" | "restore_memory" | "pin_memory" | "unpin_memory" | "recall"
            | "explain_recall" | "report_used" | "preview_context" | "import" | "read_import" | "export"
            | "export_subject" => self.memories(verb),
            "list_imports"
            | "undo_import"
            | "export_conversations"
            | "sign_bundle"
            | "import_persona"
            | "import_card"
            | "export_card" => self.moving(verb),
            other => self.others(other)?,
        };
        Some(self.named(verb, plan))
    }

    fn get(&self, path: String) -> Plan {
        Plan { path, body: None, headers: Vec::new(), person: self.speaker.person, for_everybody: false }
    }

    fn post(&self, path: String, body: Value) -> Plan {
        Plan { body: Some(body), ..self.get(path) }
    }

    pub(super) fn canary(&self, kind: Kind) -> String {
        self.town.canary(self.speaker.person, kind)
    }

    /// Somebody's name: seldom the speaker's own.
    pub(super) fn anybodys_name(&mut self) -> String {
        let person = u32::try_from(self.dice.below(6)).unwrap_or(OWNER);
        self.ids.reference(person).unwrap_or_else(|| "owner".to_owned())
    }

    /// The name of somebody of the speaker's own tenant: what an owner writes down about a stranger's name is no leak of it.
    fn name_in_town(&mut self) -> String {
        let person = u32::try_from(self.dice.below(6)).unwrap_or(OWNER);
        self.town.reference(person).unwrap_or_else(|| "owner".to_owned())
    }

    fn pick(&mut self, from: impl Fn(&Town) -> Vec<String>, none: &str) -> String {
        let known = from(self.ids);
        if known.is_empty() { none.to_owned() } else { known[self.dice.position(known.len())].clone() }
    }

    pub(super) fn memory(&mut self) -> String {
        self.pick(|town| town.known.lock().unwrap().memories.clone(), "mem:000000000000")
    }

    fn session(&mut self) -> String {
        self.ids.some_session(self.speaker, self.dice)
    }

    fn entry(&mut self) -> String {
        self.pick(|town| town.known.lock().unwrap().entries.clone(), NOBODY)
    }

    /// What somebody says; `person` is who is heard to say it.
    fn words(&mut self, person: u32, kind: Kind) -> String {
        let canary = self.town.canary(person, kind);
        match self.dice.below(5) {
            0 => format!("Remember that my locker word is {canary}."),
            1 => format!("I always order the {canary} tea for breakfast."),
            2 => format!("My sister {canary} visits me next week."),
            _ => format!("What do you remember about the locker word, the tea and my sister? {canary}"),
        }
    }

    fn memories(&mut self, verb: &str) -> Plan {
        let id = self.memory();
        let one = of_persona(&format!("memories/{id}"));
        let plan = match verb {
            "remember" => self.remember(),
            "list_memories" => {
                let query = match self.dice.below(4) {
                    0 => "?q=locker%20word%20tea%20sister".to_owned(),
                    1 => "?includeRedacted=true&limit=200".to_owned(),
                    // A key that forwards identities is believed: whoever names somebody speaks for them. So only
                    // those whom a header names already ask for others.
                    2 if !self.speaker.is_unnamed() => format!("?subject={}", self.anybodys_name()),
                    _ => String::new(),
                };
                self.get(of_persona(&format!("memories{query}")))
            }
            "inspect_memory" => self.get(one),
            "draw_curve" => self.get(format!("{one}/curve")),
            "correct_memory" => {
                let gist = format!("The locker word is {}.", self.canary(Kind::Personal));
                let changes =
                    if self.dice.happens(50) { json!({ "gist": gist }) } else { json!({ "cues": [gist] }) };
                // The words of an owner's or administrator's correction are those of whose memory it is.
                let is_guest = self.speaker.person > ADMIN;
                self.post(one, if is_guest { changes } else { json!({ "salience": 0.7 }) })
            }
            "redact_memory" => {
                let dry_run = self.dice.happens(50);
                let body = json!({ "mode": "soft", "reason": "request", "dryRun": dry_run });
                self.post(format!("{one}/redact"), body)
            }
            "restore_memory" => self.get(format!("{one}/restore")),
            "pin_memory" | "unpin_memory" => self.get(format!("{one}/pin")),
            "recall" => {
                let body = json!({ "cue": self.words(self.speaker.person, Kind::Personal), "offRecord": self.dice.happens(30) });
                let session = self.dice.happens(30).then(|| self.session());
                self.post(of_persona("recall"), with(body, "sessionId", session))
            }
            "explain_recall" | "report_used" => {
                let recall = self.pick(|town| town.known.lock().unwrap().recalls.clone(), NOBODY);
                if verb == "explain_recall" {
                    self.get(format!("/v1/recalls/{recall}"))
                } else {
                    let reply = self.canary(Kind::Personal);
                    self.post(format!("/v1/recalls/{recall}/used"), json!({ "reply": reply }))
                }
            }
            "preview_context" => {
                let message = self.words(self.speaker.person, Kind::Personal);
                let session = self.dice.happens(40).then(|| self.session());
                let body = json!({ "message": message, "tier": 4 });
                return self.post(of_persona("context"), with(body, "sessionId", session));
            }
            "import" => {
                let line = json!({
                    "kind": "semantic", "gist": format!("The lobby opens at {}.", self.canary(Kind::Shared)),
                    "salience": 0.6, "privacyClass": "non-pii", "consentBasis": "not-applicable",
                });
                self.post(of_persona("import"), json!({ "lines": [line] }))
            }
            "read_import" => {
                self.post(of_persona("import/read"), json!({ "name": "a.csv", "file": "dGV4dAphCg==" }))
            }
            "export" => self.get(of_persona("export?includePii=true&includeRedacted=true")),
            _ => {
                let name = self.anybodys_name();
                self.get(format!("/v1/subjects/{name}/export"))
            }
        };
        // A recall is for its speaker, whatever the key.
        Plan { for_everybody: verb != "recall", ..plan }
    }

    /// Moving in and out. What leaves as a card or is listed as an import has no words of anybody in it.
    fn moving(&self, verb: &str) -> Plan {
        let of_persona = |rest: &str| format!("/v1/personas/{PERSONA}/{rest}");
        let plan = match verb {
            "list_imports" => self.get(of_persona("imports")),
            "undo_import" => self.get(of_persona(&format!("imports/{NOBODY}"))),
            "export_conversations" => self.get(of_persona("export/conversations")),
            "export_card" => self.get(of_persona("card?format=json")),
            "sign_bundle" => self.post(of_persona("bundle"), json!({ "manifest": {} })),
            "import_persona" => self.post("/v1/personas/import".to_owned(), json!({ "document": {} })),
            _ => self.post("/v1/cards".to_owned(), json!({ "file": "e30K", "dryRun": true })),
        };
        Plan { for_everybody: true, ..plan }
    }

    /// A memory of the speaker; an owner also writes what is everybody's, and what is confidential.
    fn remember(&mut self) -> Plan {
        let (kind, class) = match (self.speaker.person, self.dice.below(3)) {
            (OWNER, 0) => (Kind::Shared, "non-pii"),
            (OWNER, 1) => (Kind::Confidential, "commercial-confidential"),
            // What an owner or administrator writes that identifies nobody is everybody's.
            (person, _) if person > ADMIN && self.dice.happens(50) => (Kind::Personal, "non-pii"),
            _ => (Kind::Personal, "guest-pii"),
        };
        let mut body = json!({
            "kind": "semantic", "gist": format!("The locker word is {}.", self.canary(kind)), "salience": 0.8,
            "details": [{ "content": format!("the tea is {}", self.canary(kind)), "brightness": 0.9 }],
            "privacyClass": class, "consentBasis": "service-delivery", "tags": ["tea"],
        });
        if self.speaker.person <= ADMIN && kind == Kind::Personal && self.dice.happens(25) {
            // It identifies a person who has no name here: a guest at the desk.
            return self.at_the_desk(body);
        }
        if kind == Kind::Personal {
            // What only its person may hear names that person; one that nobody names can't.
            match self.town.reference(self.speaker.person) {
                Some(name) => body["subject"] = json!(name),
                None => body["privacyClass"] = json!("non-pii"),
            }
        }
        self.post(of_persona("memories"), body)
    }

    /// The memory of `body` with the origin that an operator or another program gives it, which anybody may guess.
    fn at_the_desk(&mut self, mut body: Value) -> Plan {
        let session = if self.dice.happens(70) { self.desk() } else { self.chosen_session() };
        body["provenance"] = json!({
            "sessionId": session, "turnIndex": self.dice.below(3), "deploymentDid": "did:selfhood:village",
        });
        self.post(of_persona("memories"), body)
    }

    /// A guest's key asks for anybody, and must be refused for anybody but the guest.
    fn consents(&self, verb: &str, own: &str, name: &str) -> Plan {
        let consents = of_persona(&format!("subjects/{name}/consents"));
        match verb {
            "give_consent" => {
                // An owner's or administrator's words would stand in the guest's own register.
                let how = if self.speaker.person > ADMIN { own } else { "signed" };
                self.post(consents, json!({ "classes": ["sensitive-pii"], "how": how }))
            }
            "list_consents" => Plan { for_everybody: true, ..self.get(consents) },
            _ => self.get(consents),
        }
    }

    fn others(&mut self, verb: &str) -> Option<Plan> {
        let own = self.canary(Kind::Personal);
        let town = self.town.name();
        let name = if verb == "give_consent" { self.name_in_town() } else { self.anybodys_name() };
        let post = |path: &str, body: Value| self.post(path.to_owned(), body);
        let get = |path: &str| self.get(path.to_owned());
        let plan = match verb {
            "create_persona" => post(
                "/personas",
                json!({ "tenantId": town, "seed": {
                "firstName": own, "lastName": "Chen", "age": 200, "location": "Cluj", "baseOccupation": "cook" } }),
            ),
            "set_up_persona" => post("/setup/persona", json!({ "name": PERSONA, "description": own })),
            "list_personas" => get("/personas"),
            "show_persona" => get(&format!("/personas/{PERSONA}")),
            "update_persona" => post(&format!("/personas/{PERSONA}"), json!({ "nonsense": own })),
            "delete_persona" => get("/personas/nobody-here"),
            "append_entry" => post(
                &format!("/personas/{PERSONA}/timeline"),
                json!({
                "tenantId": town, "eventAt": "2026-01-01T00:00:00Z",
                "eventLabel": format!("Opened the {} room", self.canary(Kind::Shared)), "facts": "It opened.",
                "feelings": "Glad.", "emotionTags": ["joy"], "memoryType": "normal", "memoryStrength": 72,
                "interpretation": "A start." }),
            ),
            "list_timeline" => get(&format!("/personas/{PERSONA}/timeline")),
            "supersede_entry" => {
                let path = format!("/personas/{PERSONA}/timeline/{}/supersede", self.entry());
                self.post(path, json!({ "tenantId": town, "reason": self.canary(Kind::Shared) }))
            }
            "check_consistency" => get("/personas/nobody-here/consistency"),
            "redact_entry" => {
                post(&of_persona(&format!("timeline/{NOBODY}/redact")), json!({ "reason": "request" }))
            }
            "list_subjects" => Plan { for_everybody: true, ..get("/v1/subjects") },
            "show_subject" => Plan { for_everybody: true, ..get(&format!("/v1/subjects/{name}")) },
            "merge_subjects" => {
                post(&format!("/v1/subjects/{own}/merge"), json!({ "from": format!("no-{own}") }))
            }
            "add_alias" => {
                post(&format!("/v1/subjects/{own}/aliases"), json!({ "alias": format!("no-{own}") }))
            }
            "withdraw_consent" => get(&format!("/v1/subjects/{own}/withdraw-consent")),
            "give_consent" | "list_consents" | "withdraw_consents" => self.consents(verb, &own, &name),
            "hold_subject" => post(&format!("/v1/subjects/{own}/hold"), json!({ "hold": "set" })),
            "sweep" => post("/v1/sweeps", json!({ "dryRun": true })),
            "new_operator" => post("/v1/operators", json!({ "name": "nobody" })),
            "list_operators" => get("/v1/operators"),
            "revoke_operator" => get("/v1/operators/did:key:nobody"),
            "request_erasure" => post("/v1/erasures", json!({ "subject": own, "reason": "request" })),
            "list_erasures" => get("/v1/erasures"),
            "foresee_erasure" => Plan {
                for_everybody: true,
                ..post(
                    "/v1/erasures/preview",
                    json!({ "subject": name, "identifiers": ["locker"], "reason": "request" }),
                )
            },
            "show_erasure" | "withdraw_erasure" => get(&format!("/v1/erasures/{NOBODY}")),
            "preview_erasure" => get(&format!("/v1/erasures/{NOBODY}/preview")),
            "sign_erasure" => post(&format!("/v1/erasures/{NOBODY}/sign"), json!({})),
            "execute_erasure" => get(&format!("/v1/erasures/{NOBODY}/execute")),
            "erasure_certificate" => get(&format!("/v1/erasures/{NOBODY}/certificate")),
            "distill_short" => Plan { for_everybody: true, ..post("/distill/short", json!({})) },
            "distill_mid" => Plan { for_everybody: true, ..post("/distill/mid", json!({ "dryRun": true })) },
            "distill_long" => {
                Plan { for_everybody: true, ..post("/distill/long", json!({ "dryRun": true })) }
            }
            "write_cues" => post("/distill/cues", json!({ "dryRun": true })),
            "vector_progress" => get(&of_persona("vectors")),
            "distill_status" => get("/distill/status"),
            "list_jobs" => get("/v1/jobs"),
            "pause_job" => post(&of_persona("jobs/nothing"), json!({ "paused": true })),
            "sign_persona" => get(&of_persona("sign")),
            "validate_persona" => get(&of_persona("validation")),
            "copy_persona" => post(&of_persona("copy"), json!({ "name": PERSONA })),
            "new_key" => post("/v1/keys", json!({ "scopes": ["nothing"] })),
            "list_keys" => get("/v1/keys"),
            "revoke_key" => get("/v1/keys/nobodys"),
            "back_up" => post("/v1/backups", json!({ "path": "/nowhere" })),
            "examine" => get("/v1/doctor"),
            "update_decay" => post("/v1/doctor/decay", json!({ "dryRun": true })),
            "find_local_models" => get("/v1/local-models"),
            "show_vault" => get("/v1/vault"),
            "rotate_keys" => get("/v1/vault/rotate"),
            "verify_vault" => get("/v1/vault/verify"),
            "list_mirrors" => get("/v1/vault/mirrors"),
            "add_mirror" => post("/v1/vault/mirrors", json!({ "path": "/nowhere" })),
            "remove_mirror" => get("/v1/vault/mirrors?path=/nowhere"),
            "report_audit" => get("/v1/audit"),
            "verify_audit" => post("/v1/audit/verify", json!({})),
            "export_audit" => get("/v1/audit/export"),
            "seek_residue" => post("/v1/residue", json!({ "words": [own] })),
            "offer_sign_in" => get("/v1/sign-in-links"),
            "show_me" => get("/v1/me"),
            "sign_out" => get("/v1/sign-out"),
            "follow_events" => get("/v1/events"),
            "render_markdown" => post("/v1/markdown", json!({ "text": own })),
            _ => return self.models_and_agents(verb),
        };
        Some(plan)
    }

    /// The routes of the connected model; disconnecting it would stop the others' talk, so it is only looked at.
    fn models_and_agents(&mut self, verb: &str) -> Option<Plan> {
        let own = self.canary(Kind::Personal);
        match verb {
            "list_agents" => Some(self.get("/v1/agents".to_owned())),
            "show_chat_model" | "disconnect_model" => Some(self.get("/v1/chat-model".to_owned())),
            "list_connectable_models" => {
                Some(self.post("/v1/chat-model/models".to_owned(), json!({ "baseUrl": own })))
            }
            "connect_model" => {
                Some(self.post("/v1/chat-model".to_owned(), json!({ "baseUrl": own, "model": own })))
            }
            _ => None,
        }
    }
}

fn of_persona(rest: &str) -> String {
    format!("/v1/personas/{PERSONA}/{rest}")
}

fn with(mut body: Value, name: &str, value: Option<String>) -> Value {
    if let Some(value) = value {
        body[name] = json!(value);
    }
    body
}
