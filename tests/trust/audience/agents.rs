//! How the gate asks each tool of the MCP door, its prompts and its resources.

use serde_json::{Value, json};

use super::canary::Kind;
use super::people::{ADMIN, GUESTS, Keys, OWNER, Speaker, Town};
use super::routes::{Making, PERSONA, Plan};
use testkit::dice::Dice;

/// The sets of tools, and which tools each has. The admin tools come last: they are asked with other keys seldom.
pub(super) const PROFILES: [(&str, &[&str]); 4] = [
    (
        "",
        &[
            "recall",
            "search_memories",
            "add_memory",
            "get_memory",
            "list_memories",
            "update_memory",
            "forget_memory",
            "about_me",
            "prompts/get",
            "resources/read",
        ],
    ),
    (
        "/reference",
        &[
            "create_entities",
            "create_relations",
            "add_observations",
            "delete_entities",
            "delete_observations",
            "delete_relations",
            "read_graph",
            "search_nodes",
            "open_nodes",
        ],
    ),
    ("/files", &["list_files", "read_file", "write_file"]),
    (
        "/admin",
        &[
            "check_health",
            "list_people",
            "about_person",
            "list_clients",
            "revoke_key",
            "restore_memory",
            "pin_memory",
            "audit_report",
            "sweep",
            "preview_erasure",
            "request_erasure",
            "list_erasures",
        ],
    ),
];

/// The arguments of `tool` in a made-up tenant, to see whether there are any.
pub(super) fn example(tool: &str, dice: &mut Dice) -> Option<Value> {
    let key = String::new;
    let town = Town::new(0, Keys { owner: key(), admin: key(), staff: key(), guests: key() });
    let speaker = Speaker { person: OWNER, session: None };
    Making { town: &town, ids: &town, speaker: &speaker, dice }.arguments(tool)
}

impl Making<'_> {
    /// A call of some tool on behalf of the speaker, and its name.
    pub(super) fn agents_call(&mut self) -> (&'static str, Plan) {
        let sets = if self.speaker.person <= ADMIN { PROFILES.len() } else { PROFILES.len() - 1 };
        let set = if self.dice.happens(50) { 0 } else { self.dice.position(sets) };
        let (profile, tools) = PROFILES[set];
        let tool = tools[self.dice.position(tools.len())];
        let arguments = self.arguments(tool).unwrap_or_default();
        let mut headers = Vec::new();
        let mut meta = json!({});
        self.name_in_meta(&mut meta, &mut headers);
        if let Some(session) = self.header_session() {
            headers.push(("x-session-id", session));
        }
        if self.dice.happens(15) {
            meta["selfhood/idempotencyKey"] = json!(format!("{tool}-{}", self.dice.below(4)));
        }
        let (method, mut params) = match tool {
            "prompts/get" | "resources/read" => (tool, arguments),
            _ => ("tools/call", json!({ "name": tool, "arguments": arguments })),
        };
        params["_meta"] = meta;
        let plan = Plan {
            path: format!("/mcp/{PERSONA}{profile}"),
            body: Some(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })),
            headers,
            person: self.speaker.person,
            for_everybody: !matches!(tool, "recall" | "prompts/get"),
        };
        (tool, plan)
    }

    /// Says who speaks, by a header or in the message itself. The owner's key must refuse everybody else's name.
    fn name_in_meta(&mut self, meta: &mut Value, headers: &mut Vec<(&'static str, String)>) {
        let named = match self.speaker.person {
            OWNER if self.dice.happens(96) => None,
            OWNER => self.town.reference(*GUESTS.start()),
            person => self.town.reference(person),
        };
        match named {
            Some(name) if self.dice.happens(60) => meta["selfhood/subject"] = json!(name),
            Some(name) => headers.push(("x-user-id", name)),
            None => {}
        }
    }

    /// What a tool is called with, or nothing where nobody said how to call it.
    fn arguments(&mut self, tool: &str) -> Option<Value> {
        let own = self.canary(Kind::Personal);
        let id = self.memory();
        let arguments = match tool {
            "recall" => json!({ "cue": "locker word, tea, sister" }),
            "search_memories" => json!({ "query": "locker word tea sister" }),
            "add_memory" => json!({ "gist": format!("The guest's locker word is {own}."), "details": [own] }),
            "get_memory" | "forget_memory" | "restore_memory" => json!({ "id": id }),
            // The words of an administrator's correction are those of whose memory it is.
            "update_memory" if self.speaker.person <= ADMIN => json!({ "id": id, "importance": 0.7 }),
            "update_memory" => json!({ "id": id, "gist": format!("The locker word is {own}.") }),
            "list_memories" => json!({ "limit": 50 }),
            "prompts/get" => {
                let name = if self.dice.happens(50) { "persona" } else { "what_you_remember" };
                json!({ "name": name, "arguments": { "about": "the locker word, the tea, my sister" } })
            }
            "resources/read" => json!({ "uri": format!("selfhood://{PERSONA}/memories/{id}") }),
            "create_entities" => json!({ "entities": [self.entity(&own)] }),
            "create_relations" | "delete_relations" => json!({ "relations": [relation()] }),
            "add_observations" => json!({ "observations": [{ "entityName": "tea", "contents": [own] }] }),
            "delete_entities" => json!({ "entityNames": ["sister"] }),
            "delete_observations" => {
                json!({ "deletions": [{ "entityName": "tea", "observations": ["green"] }] })
            }
            "search_nodes" => json!({ "query": "tea" }),
            "open_nodes" => json!({ "names": ["tea", "sister"] }),
            "read_file" => json!({ "name": "USER.md" }),
            "write_file" => json!({ "name": "USER.md", "content": own }),
            "about_person" | "preview_erasure" => json!({ "subject": self.anybodys_name() }),
            "request_erasure" => json!({ "subject": format!("no-{own}") }),
            "pin_memory" => json!({ "id": id, "pinned": true }),
            "revoke_key" => json!({ "id": "nobodys" }),
            "sweep" => json!({ "dryRun": true }),
            "about_me" | "read_graph" | "list_files" | "check_health" | "list_people" | "list_clients"
            | "audit_report" | "list_erasures" => json!({}),
            _ => return None,
        };
        Some(arguments)
    }

    fn entity(&mut self, own: &str) -> Value {
        let name = ["tea", "sister"][self.dice.position(2)];
        json!({ "name": name, "entityType": "thing", "observations": [own] })
    }
}

fn relation() -> Value {
    json!({ "from": "sister", "to": "tea", "relationType": "drinks" })
}
