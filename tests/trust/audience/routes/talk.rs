//! Requests that talk: chats, completions, sessions, files and tools.

use serde_json::{Value, json};

use super::{GUESTS, Kind, Making, NOBODY, OWNER, PERSONA, Plan, Town, of_persona, with};

impl Making<'_> {
    pub(super) fn talk(&mut self, verb: &str) -> Plan {
        if self.dice.happens(12)
            && let Some(plan) = self.what_others_say_too(verb)
        {
            return plan;
        }
        let is_private = self.dice.happens(25);
        let kind = if is_private { Kind::OffRecord } else { Kind::Personal };
        // An owner may speak as a guest; then the guest listens.
        let as_guest = self.speaker.person == OWNER
            && matches!(verb, "chat" | "prompt_persona" | "stream_prompt")
            && self.dice.happens(20);
        let person = if as_guest { *GUESTS.start() } else { self.speaker.person };
        let is_new = self.speaker.is_unnamed() && self.speaker.session.is_none();
        let greets = is_new || self.dice.happens(10);
        let recorded = if greets { "Hello there.".to_owned() } else { self.words(person, Kind::Personal) };
        let said = if greets { recorded.clone() } else { self.words(person, kind) };
        let session = match (&self.speaker.session, self.dice.below(10)) {
            (Some(session), 0..=7) => Some(session.clone()),
            (_, 8) => Some(self.session()),
            (None, 0..=4) if !self.speaker.is_unnamed() => Some(format!("s-{person}-{}", self.dice.below(3))),
            _ => None,
        };
        let town = self.town.name();
        let mut plan = match verb {
            "chat" => {
                let tier = 1 + self.dice.below(4);
                let body = json!({ "persona": PERSONA, "user": town, "message": said, "off_record": is_private, "tier": tier });
                self.post("/chat".to_owned(), with(body, "session_id", session))
            }
            "prompt_persona" | "stream_prompt" => {
                let mode = if verb == "prompt_persona" && self.dice.happens(30) { "async" } else { "sync" };
                let body =
                    json!({ "tenantId": town, "personaId": PERSONA, "userPrompt": recorded, "mode": mode });
                let path =
                    if verb == "stream_prompt" { "/personas/prompt/stream" } else { "/personas/prompt" };
                self.post(path.to_owned(), with(body, "sessionId", session))
            }
            "complete_chat" => {
                let model = if is_private { format!("{PERSONA}:private@4") } else { format!("{PERSONA}@4") };
                let mut messages = vec![json!({ "role": "user", "content": said })];
                if self.dice.happens(40) {
                    messages.insert(0, json!({ "role": "assistant", "content": "Good day." }));
                    messages.insert(0, json!({ "role": "user", "content": "Hello there." }));
                }
                let body = json!({ "model": model, "messages": messages, "stream": self.dice.happens(50) });
                let mut plan = self.post("/v1/chat/completions".to_owned(), body);
                plan.headers.extend(session.map(|session| ("x-conversation-id", session)));
                return plan;
            }
            "create_response" => {
                let body = json!({
                    "model": format!("{PERSONA}@4"), "input": said, "store": !is_private, "stream": self.dice.happens(50),
                });
                let body = self.continuing(body, &said);
                let mut plan = self.post("/v1/responses".to_owned(), body);
                plan.headers.extend(session.map(|session| ("x-conversation-id", session)));
                return plan;
            }
            "show_prompt_job" => {
                let speaker = self.speaker.clone();
                let fair = move |town: &Town| {
                    let known = town.known.lock().unwrap();
                    let is_fair = |person: u32| person < 100 || person == speaker.person;
                    known
                        .jobs
                        .iter()
                        .filter(|(person, _)| is_fair(*person))
                        .map(|(_, id)| id.clone())
                        .collect()
                };
                let job = self.pick(fair, NOBODY);
                let plan = self.get(format!("/personas/prompt/jobs/{job}"));
                return Plan { for_everybody: true, ..plan };
            }
            "list_prompt_sessions" => {
                return self.get(format!("/personas/prompt/sessions?personaId={PERSONA}"));
            }
            "put_safety_policy" => {
                let term = self.canary(Kind::Personal);
                return self.post("/personas/safety-policy".to_owned(), json!({ "blockedTerms": [term] }));
            }
            "show_safety_policy" => {
                return Plan { for_everybody: true, ..self.get("/personas/safety-policy".to_owned()) };
            }
            "list_models" => return self.get("/v1/models".to_owned()),
            "show_model" => return self.get(format!("/v1/models/{PERSONA}")),
            _ => {
                let input = self.canary(Kind::Personal);
                return self.post("/v1/embeddings".to_owned(), json!({ "model": "any", "input": input }));
            }
        };
        if as_guest && let (Some(body), Some(guest)) = (plan.body.as_mut(), self.town.reference(person)) {
            body["subject"] = json!(guest);
        }
        plan.person = person;
        plan
    }

    /// The same few words that others say too, under a key that they may send too.
    fn what_others_say_too(&mut self, verb: &str) -> Option<Plan> {
        let (town, said) = (self.town.name(), "Yes.");
        let mode = if self.dice.happens(30) { "async" } else { "sync" };
        let prompt = json!({ "tenantId": town, "personaId": PERSONA, "userPrompt": said, "mode": mode });
        let messages = json!([{ "role": "user", "content": said }]);
        let (path, body) = match verb {
            "chat" => ("/chat", json!({ "persona": PERSONA, "user": town, "message": said, "tier": 4 })),
            "prompt_persona" => ("/personas/prompt", prompt),
            "stream_prompt" => ("/personas/prompt/stream", prompt),
            "complete_chat" => {
                ("/v1/chat/completions", json!({ "model": format!("{PERSONA}@4"), "messages": messages }))
            }
            "create_response" => ("/v1/responses", json!({ "model": format!("{PERSONA}@4"), "input": said })),
            _ => return None,
        };
        let mut plan = self.post(path.to_owned(), body);
        plan.headers.push(self.numbered_key(verb));
        Some(plan)
    }

    /// A response that continues somebody's earlier one, or refers to it.
    fn continuing(&mut self, mut body: Value, said: &str) -> Value {
        let step = self.dice.below(10);
        if step > 3 {
            return body;
        }
        let speaker = self.speaker.person;
        // The id of an unnamed speaker's answer has the id of their conversation in it.
        let fair = move |town: &Town| {
            let known = town.known.lock().unwrap();
            let fair = known.responses.iter().filter(|(person, _)| *person < 100 || *person == speaker);
            fair.map(|(_, id)| id.clone()).collect()
        };
        let id = self.pick(fair, "resp_none");
        if step == 3 {
            let reference = json!({ "type": "item_reference", "id": id.replacen("resp_", "msg_", 1) });
            body["input"] = json!([reference, { "type": "message", "role": "user", "content": said }]);
        } else {
            body["previous_response_id"] = json!(id);
        }
        body
    }

    pub(super) fn conversation(&mut self, verb: &str) -> Plan {
        let sessions = of_persona("sessions");
        let known = self.ids.known.lock().unwrap().turns.clone();
        let turns: Vec<_> =
            known.into_iter().filter(|it| it.0 < 100 || it.0 == self.speaker.person).collect();
        let (session, turn) = match turns.as_slice() {
            [] => (self.session(), NOBODY.to_owned()),
            some => {
                let (_, session, turn) = some[self.dice.position(some.len())].clone();
                (session, turn)
            }
        };
        match verb {
            "search_sessions" => {
                self.get(format!("/sessions/search?persona={PERSONA}&q=locker%20word%20tea%20sister"))
            }
            "list_files" => self.get(format!("/files?persona={PERSONA}")),
            "read_file" => {
                let name = ["USER.md", "SCRATCH.md", "MEMORY_SHORT.md", "TASKS.json"][self.dice.position(4)];
                self.get(format!("/files/{name}?persona={PERSONA}"))
            }
            "write_file" => {
                let words = self.canary(Kind::Personal);
                let mut plan =
                    self.post(format!("/files/USER.md?persona={PERSONA}"), json!({ "content": words }));
                plan.headers.push(("if-match", "*".to_owned()));
                plan
            }
            "list_sessions" => self.get(sessions),
            "show_session" | "delete_session" => {
                let session = self.session();
                self.get(format!("{sessions}/{session}"))
            }
            "rename_session" => {
                let title = self.canary(Kind::Personal);
                let session = self.session();
                self.post(format!("{sessions}/{session}"), json!({ "title": title }))
            }
            "edit_turn" => {
                let text = self.words(self.speaker.person, Kind::Personal);
                self.post(format!("{sessions}/{session}/turns/{turn}"), json!({ "text": text }))
            }
            "delete_turn" => self.get(format!("{sessions}/{session}/turns/{turn}")),
            "record_exchange" if self.dice.happens(20) => {
                let body = json!({ "said": "Yes.", "reply": "Noted." });
                let mut plan = self.post(of_persona("exchanges"), body);
                plan.headers.push(self.numbered_key(verb));
                plan
            }
            "record_exchange" => {
                let said = self.words(self.speaker.person, Kind::Personal);
                let session = self.session();
                let body = json!({ "said": said, "reply": "Noted.", "sessionId": session });
                self.post(of_persona("exchanges"), body)
            }
            "show_exchange" => {
                let exchange = self.pick(|town| town.known.lock().unwrap().exchanges.clone(), NOBODY);
                Plan { for_everybody: true, ..self.get(format!("/v1/exchanges/{exchange}")) }
            }
            "list_tools" => self.get(of_persona("tools")),
            _ => self.tool(),
        }
    }

    fn tool(&mut self) -> Plan {
        if self.dice.happens(15) {
            let body = json!({ "arguments": { "text": "Yes." } });
            let mut plan = self.post(of_persona("tools/append_scratch"), body);
            plan.headers.push(self.numbered_key("use_tool"));
            return plan;
        }
        let word = self.canary(Kind::Personal);
        let (tool, arguments) = match self.dice.below(11) {
            0 => ("add_reminder", json!({ "text": word })),
            1 => ("append_scratch", json!({ "text": word })),
            2 => ("add_task", json!({ "title": word })),
            3 => ("add_cron", json!({ "schedule": "hourly", "type": "note", "text": word })),
            4 => ("remember", json!({ "text": format!("My locker word is {word}.") })),
            5 => ("list_reminders", json!({})),
            6 => ("read_scratch", json!({})),
            7 => ("list_tasks", json!({})),
            8 => ("list_crons", json!({})),
            9 => ("search_sessions", json!({ "q": "locker word, tea, sister" })),
            _ => ("recall", json!({ "cue": "locker word, tea, sister" })),
        };
        self.post(of_persona(&format!("tools/{tool}")), json!({ "arguments": arguments }))
    }
}
