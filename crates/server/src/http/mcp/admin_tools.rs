//! What an operator asks of a deployment: who is known, which keys and agents there are, whether everything is well, and
//! requests to be forgotten. Every tool needs the scopes of its verb.
//!
//! Nothing here destroys anything: an erasure is requested, and a person signs and carries it out.

use domain::{MemoryId, SubjectRef, Text};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wire::agent::AgentList;
use wire::audit::AuditReport;
use wire::doctor::{Check, Examination};
use wire::erasure::{ErasureAnswer, ErasureList, ErasureView, PreviewAnswer, RequestErasure};
use wire::fields;
use wire::fields::Fields;
use wire::key::{KeyAnswer, KeyList, KeyView};
use wire::mcp::{IdInput, NoInput};
use wire::memory::MemoryAnswer;
use wire::subject::{SubjectAnswer, SubjectList};
use wire::sweep::{Sweep, SweepAnswer, SweptPersona};
use wire::verb;
use wire::{Problem, read};

use super::memory_tools::brief;
use super::question::{self, Questions, YesOrNo};
use super::schema::{bare, compact};
use super::session::{Ask, Session};
use super::tool::{Done, Hints, Outcome, Tool, ToolInput};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Person {
    /// How the person is known.
    subject: SubjectRef,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pinning {
    /// `mem:` and twelve characters.
    id: String,
    /// False takes the pin out.
    pinned: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhichKey {
    /// The public id of the key.
    id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Forgetting {
    /// Who asked to be forgotten.
    subject: SubjectRef,
    /// What else they are known by: names, e-mail addresses, telephone numbers.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 256)))]
    identifiers: Vec<Text>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sweeping {
    /// False really archives and deletes; true, when absent, only tells what would happen.
    #[serde(default = "yes")]
    dry_run: bool,
}

const fn yes() -> bool {
    true
}

/// What one person's records come to.
#[derive(Serialize, JsonSchema)]
struct PersonKnown {
    subject: SubjectRef,
    memories: Vec<wire::mcp::Brief>,
    conversations: usize,
}

/// What a request to be forgotten would reach.
#[derive(Serialize, JsonSchema)]
struct ErasureReach {
    own: u64,
    proposed: u64,
    places: usize,
}

#[derive(Serialize, JsonSchema)]
struct Clients {
    keys: Vec<KeyView>,
    agents: Vec<wire::agent::AgentView>,
}

#[derive(Serialize, JsonSchema)]
struct Pinned {
    id: MemoryId,
    pinned: bool,
}

#[derive(Serialize, JsonSchema)]
struct Revoked {
    id: String,
    revoked: bool,
}

/// The tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "check_health",
        title: "Check health",
        description: "Looks at records, logs, keys, documents and clock, and says what is wrong and what helps.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<Examination>,
        run: |session, given| Box::pin(check_health(session, given)),
    },
    Tool {
        name: "list_people",
        title: "List people",
        description: "Lists everyone with records, across all personas.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<SubjectList>,
        run: |session, given| Box::pin(list_people(session, given)),
    },
    Tool {
        name: "about_person",
        title: "What is known of a person",
        description: "Shows what is kept of one person, in every persona and every status.",
        hints: Hints::Reads,
        input: compact::<Person>,
        output: bare::<PersonKnown>,
        run: |session, given| Box::pin(about_person(session, given)),
    },
    Tool {
        name: "list_clients",
        title: "List keys and agents",
        description: "Lists the API keys, and the agents that came over MCP in the last day.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<Clients>,
        run: |session, given| Box::pin(list_clients(session, given)),
    },
    Tool {
        name: "revoke_key",
        title: "Revoke a key",
        description: "Revokes an API key for good, with everything that was opened with it.",
        hints: Hints::Removes,
        input: compact::<WhichKey>,
        output: bare::<Revoked>,
        run: |session, given| Box::pin(revoke_key(session, given)),
    },
    Tool {
        name: "restore_memory",
        title: "Restore a memory",
        description: "Brings back a memory that was set aside or archived.",
        hints: Hints::Changes,
        input: compact::<IdInput>,
        output: bare::<wire::mcp::OneOutput>,
        run: |session, given| Box::pin(restore_memory(session, given)),
    },
    Tool {
        name: "pin_memory",
        title: "Pin a memory",
        description: "Pins a memory so that it keeps its weight, or takes the pin out.",
        hints: Hints::Changes,
        input: compact::<Pinning>,
        output: bare::<Pinned>,
        run: |session, given| Box::pin(pin_memory(session, given)),
    },
    Tool {
        name: "audit_report",
        title: "Audit report",
        description: "Counts what happened, memories by privacy class, refusals, and open requests to be forgotten.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<AuditReport>,
        run: |session, given| Box::pin(audit_report(session, given)),
    },
    Tool {
        name: "sweep",
        title: "Sweep",
        description: "Archives what has faded and deletes what has outlived its retention. Without `dryRun: false` it only tells what would happen.",
        hints: Hints::Removes,
        input: compact::<Sweeping>,
        output: || json!({ "type": "object" }),
        run: |session, given| Box::pin(sweep(session, given)),
    },
    Tool {
        name: "preview_erasure",
        title: "Preview an erasure",
        description: "Tells how much a request to be forgotten would reach, and keeps nothing.",
        hints: Hints::Reads,
        input: compact::<Forgetting>,
        output: bare::<ErasureReach>,
        run: |session, given| Box::pin(preview_erasure(session, given)),
    },
    Tool {
        name: "request_erasure",
        title: "Request an erasure",
        description: "Takes a request to be forgotten and starts its deadlines. A person signs and carries it out.",
        hints: Hints::Adds,
        input: compact::<Forgetting>,
        output: bare::<ErasureView>,
        run: |session, given| Box::pin(request_erasure(session, given)),
    },
    Tool {
        name: "list_erasures",
        title: "List erasures",
        description: "Lists the requests to be forgotten, with how they stand and their deadlines.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<ErasureList>,
        run: |session, given| Box::pin(list_erasures(session, given)),
    },
];

async fn check_health(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let found: Examination = session.ask::<verb::Examine>(Ask::default()).await?;
    let line = |check: &Check| {
        let way_out = check.way_out.as_ref().map(|way_out| format!(" ({way_out})")).unwrap_or_default();
        format!("{} {}: {}{way_out}", check.outcome.as_str(), check.check, check.detail)
    };
    output_with_text(&found, lines(&found.checks, line, "Nothing was looked at."))
}

async fn list_people(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let found: SubjectList = session.ask::<verb::ListSubjects>(Ask::default()).await?;
    let text = lines(
        &found.data,
        |it| format!("{}: {} memories", it.subject.as_str(), it.memories),
        "Nobody is known.",
    );
    output_with_text(&found, text)
}

async fn about_person(session: &Session, given: ToolInput) -> Done {
    let Person { subject } = read(given)?;
    let path = [("s", subject.as_str())];
    let found: SubjectAnswer =
        session.ask::<verb::ShowSubject>(Ask { path: &path, ..Ask::default() }).await?;
    let memories: Vec<_> =
        found.known.iter().flat_map(|by| &by.memories).map(|known| brief(&known.memory)).collect();
    let conversations = found.known.iter().map(|by| by.sessions).sum();
    let text = lines(&memories, |it| format!("[{}] {}", it.id, it.gist.as_str()), "Nothing is kept of them.");
    output_with_text(&PersonKnown { subject: found.subject.subject, memories, conversations }, text)
}

async fn list_clients(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let KeyList { keys } = session.ask::<verb::ListKeys>(Ask::default()).await?;
    let AgentList { agents } = session.ask::<verb::ListAgents>(Ask::default()).await?;
    let label =
        |key: &KeyView| key.label.as_ref().map(|it| format!(" ({})", it.as_str())).unwrap_or_default();
    let state = |key: &KeyView| if key.revoked_at.is_some() { ", revoked" } else { "" };
    let keys_text = lines(&keys, |key| format!("key {}{}{}", key.id, label(key), state(key)), "No keys.");
    let seen = |agent: &wire::agent::AgentView| {
        format!("agent {} with {}, last seen {}", agent.name, agent.persona, agent.last_seen_at)
    };
    let text = format!("{keys_text}\n{}", lines(&agents, seen, "No agent connected in the last day."));
    output_with_text(&Clients { keys, agents }, text)
}

/// Where the client can ask its person, the person decides.
async fn revoke_key(session: &Session, given: ToolInput) -> Done {
    let can_ask = given.capabilities.contains_key("elicitation");
    let (response, state) = (given.responses.get("confirm").cloned(), given.state.clone());
    let WhichKey { id } = read(given)?;
    let about = ["revoke_key", id.as_str()];
    match response.as_ref().map(question::said) {
        _ if !can_ask => {}
        None | Some(None) => {
            let question = question::yes_or_no(&format!("Revoke the key {id} for good?"), "Revoke it");
            return Ok(Outcome::Asks(Questions::one(session, "confirm", question, &about)));
        }
        Some(_) if !question::is_sealed(session, state.as_deref(), &about) => {
            return Ok(question::wrong_state());
        }
        Some(Some(YesOrNo::No)) => {
            return output_with_text(&Revoked { id, revoked: false }, "The user said no; the key stays.");
        }
        Some(Some(YesOrNo::Yes)) => {}
    }
    let path = [("keyId", id.as_str())];
    let KeyAnswer { key } = session.ask::<verb::RevokeKey>(Ask { path: &path, ..Ask::default() }).await?;
    output_with_text(&Revoked { id: key.id, revoked: key.revoked_at.is_some() }, "Revoked.")
}

async fn restore_memory(session: &Session, given: ToolInput) -> Done {
    let IdInput { id } = read(given)?;
    let path = [("id", id.as_str())];
    let MemoryAnswer { memory } =
        session.ask::<verb::RestoreMemory>(Ask { path: &path, ..Ask::default() }).await?;
    output_with_text(&wire::mcp::OneOutput { memory: brief(&memory) }, "Restored.")
}

async fn pin_memory(session: &Session, given: ToolInput) -> Done {
    let Pinning { id, pinned } = read(given)?;
    let path = [("id", id.as_str())];
    if pinned {
        session.answer::<verb::PinMemory>(Ask { path: &path, ..Ask::default() }).await?;
    } else {
        session.answer::<verb::UnpinMemory>(Ask { path: &path, ..Ask::default() }).await?;
    }
    let id: Option<MemoryId> = id.parse().ok();
    let text = if pinned { "Pinned." } else { "It fades again." };
    output_with_text(&id.map(|id| Pinned { id, pinned }), text)
}

async fn audit_report(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let report: AuditReport = session.ask::<verb::ReportAudit>(Ask::default()).await?;
    let events: u64 = report.events.values().sum();
    let refused: u64 = report.refused.values().sum();
    let text = format!(
        "{events} events, {refused} refused, {} sensitive memories, {} open requests to be forgotten.",
        report.sensitive_pii,
        report.open_erasures.len()
    );
    output_with_text(&report, text)
}

async fn sweep(session: &Session, given: ToolInput) -> Done {
    let Sweeping { dry_run } = read(given)?;
    let body = Some(fields!(Sweep { dry_run: Some(dry_run) }));
    let SweepAnswer { sweep } = session.ask::<verb::Sweep>(Ask { body, ..Ask::default() }).await?;
    let count = |of: fn(&SweptPersona) -> usize| -> usize { sweep.personas.iter().map(of).sum() };
    let (archived, deleted) = (count(|it| it.archived.len()), count(|it| it.deleted.len()));
    let text = if dry_run {
        format!("{archived} memories would be archived and {deleted} deleted. Nothing was changed.")
    } else {
        format!("{archived} memories are archived and {deleted} deleted.")
    };
    output_with_text(&sweep, text)
}

async fn preview_erasure(session: &Session, given: ToolInput) -> Done {
    let body = Some(requested(read(given)?));
    let PreviewAnswer { preview } =
        session.ask::<verb::ForeseeErasure>(Ask { body, ..Ask::default() }).await?;
    let own = preview.places.iter().map(|place| place.own).sum();
    let proposed = preview.places.iter().map(|place| place.proposed).sum();
    let text = format!("{own} records of their own, and {proposed} elsewhere to decide about.");
    output_with_text(&ErasureReach { own, proposed, places: preview.places.len() }, text)
}

async fn request_erasure(session: &Session, given: ToolInput) -> Done {
    let body = Some(requested(read(given)?));
    let ErasureAnswer { erasure, .. } =
        session.ask::<verb::RequestErasure>(Ask { body, ..Ask::default() }).await?;
    let text = format!(
        "Requested as {}, due {}. A person signs it: on the page, or with `selfhood memory redact-user`.",
        erasure.id, erasure.due_at
    );
    output_with_text(&erasure, text)
}

async fn list_erasures(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let found: ErasureList = session.ask::<verb::ListErasures>(Ask::default()).await?;
    let line = |it: &ErasureView| format!("{}: {}, due {}", it.id, it.status.as_str(), it.due_at);
    output_with_text(&found, lines(&found.erasures, line, "There are none."))
}

fn requested(Forgetting { subject, identifiers }: Forgetting) -> Fields<RequestErasure> {
    fields!(RequestErasure {
        subject: Some(subject),
        identifiers: Some(identifiers),
        reason: Some("right-to-be-forgotten"),
    })
}

fn lines<T>(items: &[T], line: impl Fn(&T) -> String, none: &str) -> String {
    if items.is_empty() {
        return none.to_owned();
    }
    items.iter().map(|item| format!("- {}", line(item))).collect::<Vec<_>>().join("\n")
}

fn output_with_text(output: &impl Serialize, text: impl Into<String>) -> Done {
    Outcome::of(serde_json::to_value(output).unwrap_or_default(), text)
}

fn read<T: DeserializeOwned + JsonSchema + 'static>(given: ToolInput) -> Result<T, Problem> {
    read::read_value(given.arguments)
}
