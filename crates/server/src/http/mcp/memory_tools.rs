//! The tools an agent is offered by default: what the persona remembers, for the speaker.

use domain::{Kind, MemoryId, PrivacyClass, ReasonCode, RedactionMode, SubjectRef, Text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wire::consent::ConsentList;
use wire::fields;
use wire::fields::Fields;
use wire::mcp::{
    About, AboutOutput, AddInput, Brief, BriefPage, ForgetOutput, IdInput, ListInput, NoInput, OneOutput,
    RecallInput, RecallOutput, SearchInput, UpdateInput,
};
use wire::memory::{Correct, InspectedMemory, MemoryAnswer, MemoryFilter, MemoryPage, MemoryView, Remember};
use wire::recall::{Recall, RecallAnswer, Recalled};
use wire::redaction::Redact;
use wire::verb;
use wire::{Code, Problem, read};

use super::question::{self, Questions, YesOrNo};
use super::schema::{bare, compact};
use super::session::{Ask, Session, Words};
use super::tool::{Done, Hints, Outcome, Tool, ToolInput};

/// How many memories a list shows if nobody says how many.
const PAGE: usize = 20;
/// How many memories `about_me` shows.
const ABOUT: usize = 50;
/// How much a memory matters if nobody says how much.
const IMPORTANCE: f64 = 0.6;
/// The brightness of a new detail.
const BRIGHTNESS: f64 = 0.8;

/// The tools, in the order they are listed.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "recall",
        title: "Recall",
        description: "What comes to mind for what was just said, as text for your prompt. Call it before you answer.",
        hints: Hints::Reads,
        input: compact::<RecallInput>,
        output: bare::<RecallOutput>,
        run: |session, given| Box::pin(recall(session, given)),
    },
    Tool {
        name: "search_memories",
        title: "Search memories",
        description: "Finds memories by words and meaning, to look something up or get an id. Unlike recall it refreshes nothing.",
        hints: Hints::Reads,
        input: compact::<SearchInput>,
        output: bare::<BriefPage>,
        run: |session, given| Box::pin(search(session, given)),
    },
    Tool {
        name: "add_memory",
        title: "Add a memory",
        description: "Remembers one fact, event or how-to. One fact per call. Refusals say why and what helps.",
        hints: Hints::Adds,
        input: compact::<AddInput>,
        output: bare::<OneOutput>,
        run: |session, given| Box::pin(add(session, given)),
    },
    Tool {
        name: "get_memory",
        title: "Get a memory",
        description: "Shows one memory by its id.",
        hints: Hints::Reads,
        input: compact::<IdInput>,
        output: bare::<OneOutput>,
        run: |session, given| Box::pin(get(session, given)),
    },
    Tool {
        name: "list_memories",
        title: "List memories",
        description: "Lists memories, weightiest first, page by page.",
        hints: Hints::Reads,
        input: compact::<ListInput>,
        output: bare::<BriefPage>,
        run: |session, given| Box::pin(list(session, given)),
    },
    Tool {
        name: "update_memory",
        title: "Correct a memory",
        description: "Corrects a memory: a new one with another id takes its place. Say only what changes.",
        hints: Hints::Adds,
        input: compact::<UpdateInput>,
        output: bare::<OneOutput>,
        run: |session, given| Box::pin(update(session, given)),
    },
    Tool {
        name: "forget_memory",
        title: "Forget a memory",
        description: "Sets a memory aside: it is no longer recalled; an operator can restore it. Only when the user asks.",
        hints: Hints::Removes,
        input: compact::<IdInput>,
        output: bare::<ForgetOutput>,
        run: |session, given| Box::pin(forget(session, given)),
    },
    Tool {
        name: "about_me",
        title: "What is known of me",
        description: "Everything kept of the user who is talking, for when they ask what you know about them.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<AboutOutput>,
        run: |session, given| Box::pin(about_me(session, given)),
    },
];

async fn recall(session: &Session, given: ToolInput) -> Done {
    let asked: RecallInput = read(given)?;
    let body =
        fields!(Recall { cue: Some(asked.cue), max_memories: asked.max, subject: session.speaker().ok() });
    let answer: RecallAnswer =
        session.ask::<verb::Recall>(Ask { body: Some(body), ..Ask::default() }).await?;
    let memories = answer.memories.iter().map(recalled).collect();
    let rendered = answer.rendered_for_agents();
    let text = match rendered.trim() {
        "" => "Nothing comes to mind.".to_owned(),
        rendered => rendered.to_owned(),
    };
    let (rendered, recall_id) = (Text::new(rendered), answer.recall_id.to_string());
    let output = RecallOutput { rendered, recall_id, memories, notices: answer.notices };
    output_with_text(&output, text)
}

async fn search(session: &Session, given: ToolInput) -> Done {
    let asked: SearchInput = read(given)?;
    let limit = Some(asked.limit.unwrap_or(PAGE));
    page(session, fields!(MemoryFilter { q: Some(asked.query), limit: limit, cursor: asked.cursor })).await
}

async fn list(session: &Session, given: ToolInput) -> Done {
    let asked: ListInput = read(given)?;
    let limit = Some(asked.limit.unwrap_or(PAGE));
    let filter =
        fields!(MemoryFilter { kind: asked.kind, tag: asked.tag, limit: limit, cursor: asked.cursor });
    page(session, filter).await
}

async fn page(session: &Session, filter: Fields<MemoryFilter>) -> Done {
    let found: MemoryPage =
        session.ask::<verb::ListMemories>(Ask { query: Some(filter), ..Ask::default() }).await?;
    let memories: Vec<Brief> = found.data.iter().map(brief).collect();
    let more =
        if found.next_cursor.is_some() { "\nThere are more; pass `nextCursor` as `cursor`." } else { "" };
    let text = format!("{}{more}", lines(&memories, "No memory fits."));
    output_with_text(&BriefPage { memories, next_cursor: found.next_cursor }, text)
}

async fn add(session: &Session, given: ToolInput) -> Done {
    let asked: AddInput = read(given)?;
    let least = match (asked.about, asked.sensitive) {
        (About::User | About::World, true) => PrivacyClass::SensitivePii,
        (About::User, false) => PrivacyClass::GuestPii,
        (About::World, false) => PrivacyClass::NonPii,
    };
    let words = Words::of(Some(&asked.gist), &asked.details, &asked.tags);
    let (class, basis) = session.classified(words, least).await?;
    // What the agent takes for a fact about nobody may still tell of the person; then it is theirs.
    let subject = if class < PrivacyClass::StaffPii { None } else { Some(session.speaker()?) };
    let body = fields!(Remember {
        kind: Some(asked.kind.unwrap_or(Kind::Semantic)),
        gist: Some(asked.gist),
        details: fields::list(&details(&asked.details)),
        salience: Some(asked.importance.unwrap_or(IMPORTANCE)),
        privacy_class: Some(class),
        consent_basis: Some(basis),
        subject: subject.as_ref(),
        tags: fields::list(&asked.tags),
        event_date: asked.event_date,
    });
    let MemoryAnswer { memory } =
        session.ask::<verb::Remember>(Ask { body: Some(body), ..Ask::default() }).await?;
    let memory = brief(&memory);
    let of = match (asked.about, subject) {
        (About::World, Some(_)) => ", as something about the user",
        (About::World, None) | (About::User, _) => "",
    };
    let text = format!("Remembered as {}{of}.", memory.id);
    output_with_text(&OneOutput { memory }, text)
}

async fn get(session: &Session, given: ToolInput) -> Done {
    let asked: IdInput = read(given)?;
    let memory = brief(&inspected(session, &asked.id).await?);
    let text = lines(std::slice::from_ref(&memory), "");
    output_with_text(&OneOutput { memory }, text)
}

async fn update(session: &Session, given: ToolInput) -> Done {
    let asked: UpdateInput = read(given)?;
    let (details_now, tags) = (asked.details.as_deref(), asked.tags.as_deref());
    let words = Words::of(asked.gist.as_ref(), details_now.unwrap_or_default(), tags.unwrap_or_default());
    let class = match words.said.length() + words.labels.length() {
        0 => None,
        _ => Some(session.classified(words, PrivacyClass::NonPii).await?.0),
    };
    let details = asked.details.as_deref().map(details).unwrap_or_default();
    let body = fields!(Correct {
        privacy_class: class,
        gist: asked.gist,
        details: fields::list(&details),
        salience: asked.importance,
        tags: asked.tags.as_deref().and_then(fields::list),
    });
    let path = [("id", asked.id.as_str())];
    let ask = Ask { path: &path, body: Some(body), ..Ask::default() };
    let MemoryAnswer { memory } = session.ask::<verb::CorrectMemory>(ask).await?;
    let memory = brief(&memory);
    let text = format!("Corrected; it is {} now.", memory.id);
    output_with_text(&OneOutput { memory }, text)
}

/// Where the client can ask its person, the person decides.
async fn forget(session: &Session, given: ToolInput) -> Done {
    let can_ask = given.capabilities.contains_key("elicitation");
    let (response, state) = (given.responses.get("confirm").cloned(), given.state.clone());
    let asked: IdInput = read(given)?;
    if can_ask {
        let about = ["forget_memory", asked.id.as_str()];
        match response.as_ref().map(question::said) {
            None | Some(None) => return ask_to_forget(session, &asked.id, &about).await,
            Some(_) if !question::is_sealed(session, state.as_deref(), &about) => {
                return Ok(question::wrong_state());
            }
            Some(Some(YesOrNo::No)) => {
                let id = asked.id.parse().ok().map(|id: MemoryId| ForgetOutput { id, forgotten: false });
                return output_with_text(&id, "The user said no; the memory stays.");
            }
            Some(Some(YesOrNo::Yes)) => {}
        }
    }
    let path = [("id", asked.id.as_str())];
    let body = Some(set_aside());
    session.answer::<verb::RedactMemory>(Ask { path: &path, body, ..Ask::default() }).await?;
    let id = asked.id.parse().ok().map(|id: MemoryId| ForgetOutput { id, forgotten: true });
    output_with_text(&id, "Forgotten: it is no longer recalled. An operator can restore it.")
}

async fn ask_to_forget(session: &Session, id: &str, about: &[&str]) -> Done {
    let gist = brief(&inspected(session, id).await?).gist;
    let question = question::yes_or_no(&format!("Forget this memory? “{}”", gist.as_str()), "Forget it");
    Ok(Outcome::Asks(Questions::one(session, "confirm", question, about)))
}

async fn about_me(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let subject = session.speaker()?;
    let query = Some(fields!(MemoryFilter { subject: Some(&subject), limit: Some(ABOUT) }));
    let found: MemoryPage = session.ask::<verb::ListMemories>(Ask { query, ..Ask::default() }).await?;
    let consents = consents(session, &subject).await?;
    let memories: Vec<Brief> = found.data.iter().map(brief).collect();
    let text = lines(&memories, "Nothing is kept of you yet.");
    output_with_text(&AboutOutput { subject, memories, more: found.next_cursor.is_some(), consents }, text)
}

async fn consents(session: &Session, subject: &SubjectRef) -> Result<Vec<String>, Problem> {
    let path = [("s", subject.as_str())];
    let ConsentList { data } =
        session.ask::<verb::ListConsents>(Ask { path: &path, ..Ask::default() }).await?;
    let valid = data.iter().filter(|consent| consent.withdrawn_at.is_none());
    let mut classes: Vec<String> =
        valid.flat_map(|consent| &consent.classes).map(|class| class.as_str().to_owned()).collect();
    classes.sort();
    classes.dedup();
    Ok(classes)
}

async fn inspected(session: &Session, id: &str) -> Result<MemoryView, Problem> {
    let path = [("id", id)];
    match session.ask::<verb::InspectMemory>(Ask { path: &path, ..Ask::default() }).await? {
        InspectedMemory::Memory(found) => Ok(found.memory),
        InspectedMemory::Destroyed(_) => Err(Problem::new(Code::MemoryNotFound, format!("no memory {id}"))),
    }
}

fn read<T: DeserializeOwned + schemars::JsonSchema + 'static>(given: ToolInput) -> Result<T, Problem> {
    read::read_value(given.arguments)
}

fn output_with_text(output: &impl Serialize, text: impl Into<String>) -> Done {
    Outcome::of(serde_json::to_value(output).unwrap_or_default(), text)
}

/// Sets a memory aside, because its person asked for it.
pub(super) fn set_aside() -> Fields<Redact> {
    fields!(Redact { mode: Some(RedactionMode::Soft), reason: Some(ReasonCode::Request) })
}

fn details(texts: &[Text]) -> Vec<Value> {
    texts.iter().map(|content| json!({ "content": content, "brightness": BRIGHTNESS })).collect()
}

fn recalled(memory: &Recalled) -> Brief {
    let (id, vividness, gist, details) = match memory {
        Recalled::Atom(atom) => (atom.id.to_string(), atom.vividness, &atom.gist, &atom.details),
        Recalled::Entry(entry) => (entry.id.to_string(), entry.vividness, &entry.gist, &entry.details),
    };
    let (gist, details) = (gist.clone(), details.clone());
    Brief { id, gist, details, vividness: Some(vividness), formed: None, tags: Vec::new() }
}

/// A memory with the details that are still remembered.
pub(super) fn brief(memory: &MemoryView) -> Brief {
    let value = memory.as_value();
    let text = |value: &Value| value.as_str().map(|text| Text::new(text.to_owned()));
    let list = |name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let is_visible = |detail: &&Value| {
        let brightness = detail.get("currentBrightness").and_then(Value::as_f64);
        brightness.is_none_or(|brightness| brightness >= domain::Brightness::RENDERED.get())
    };
    let details = list("details");
    let details = details.iter().filter(is_visible).filter_map(|detail| detail.get("content").and_then(text));
    let from = |name: &str| value.get(name).cloned();
    Brief {
        id: from("id").and_then(|id| id.as_str().map(str::to_owned)).unwrap_or_default(),
        gist: value.get("gist").and_then(text).unwrap_or_else(|| Text::new(String::new())),
        details: details.collect(),
        vividness: from("vividness").and_then(|value| serde_json::from_value(value).ok()),
        formed: from("createdAt").and_then(|value| serde_json::from_value(value).ok()),
        tags: list("tags").iter().filter_map(text).collect(),
    }
}

fn lines(memories: &[Brief], none: &str) -> String {
    if memories.is_empty() {
        return none.to_owned();
    }
    let line = |memory: &Brief| {
        let details: Vec<&str> = memory.details.iter().map(Text::as_str).collect();
        let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join("; ")) };
        format!("- [{}] {}{details}", memory.id, memory.gist.as_str())
    };
    memories.iter().map(line).collect::<Vec<_>>().join("\n")
}
