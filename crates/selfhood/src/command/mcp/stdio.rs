//! `selfhood mcp`: one JSON-RPC message per line, on stdin and stdout; nothing else is ever written to
//! stdout.
//!
//! The messages are answered by the MCP route of the process that owns the home. If there is none, this
//! process owns it while messages come, and releases it after a moment without one, so that several clients
//! and commands can use one home.
//!
//! A tool may ask the user first. In the revisions with a handshake that is a request of its own, which this
//! process sends and whose answer it adds to the call.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use server::client::{Ask, Reply};
use server::http::{ASKING_HEADER, SUBJECT_HEADER};
use wire::rpc::{self, INVALID_REQUEST, Message, RpcError};
use wire::{Code, Exit, Problem};

use crate::cli::Mcp;
use crate::config::Settings;
use crate::home_client::{HomeClient, WithoutHome, wait_for};
use crate::report;

/// The longest line that is read.
const LONGEST: u64 = 4 * 1024 * 1024;
/// How long the home is held without a message.
const IDLE: Duration = Duration::from_secs(2);

/// An event of the main loop.
enum Event {
    /// A line arrived.
    Line(Vec<u8>),
    /// A line arrived that is too long.
    TooLong,
    /// A message was answered, or failed.
    Answered { line: Vec<u8>, tries: u32, reply: Result<Reply, Problem> },
    /// The end of stdin.
    End,
}

/// Answers messages until stdin ends or the process is stopped.
pub(super) fn run(asked: &Mcp, settings: &Settings) -> Result<Exit, Problem> {
    let (events, happened) = channel();
    let (lines, signals) = (events.clone(), events.clone());
    thread::spawn(move || read_lines(&lines));
    thread::spawn(move || {
        let _ = wait_for(server::signals::asked_to_end());
        let _ = signals.send(Event::End);
    });
    let mut pump = Pump {
        asked,
        settings,
        events,
        client: None,
        waiting: 0,
        can_ask: false,
        questions: HashMap::new(),
        next_question: 0,
    };
    pump.run(&happened)
}

struct Pump<'a> {
    asked: &'a Mcp,
    settings: &'a Settings,
    events: Sender<Event>,
    client: Option<HomeClient>,
    /// How many messages wait for their answer.
    waiting: usize,
    /// Whether the client can ask its user.
    can_ask: bool,
    /// The calls that wait for an answer of the user, by the id of the question.
    questions: HashMap<String, Question>,
    next_question: u64,
}

/// A question to the user.
struct Question {
    /// The message that led to it.
    line: Vec<u8>,
    /// Its name in the tool.
    name: String,
    /// What has to go back with the answer.
    state: Option<Value>,
}

impl Pump<'_> {
    fn run(&mut self, happened: &Receiver<Event>) -> Result<Exit, Problem> {
        let mut is_ending = false;
        while !is_ending || self.waiting > 0 {
            match happened.recv_timeout(IDLE) {
                Ok(Event::Line(line)) => self.heard(line)?,
                Ok(Event::TooLong) => say(&too_long())?,
                Ok(Event::Answered { line, tries, reply }) => self.answered(line, tries, reply)?,
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => is_ending = true,
                Err(RecvTimeoutError::Timeout) => self.rest()?,
            }
        }
        self.close()
    }

    /// Handles a message: an answer to a question of ours goes back into its call.
    fn heard(&mut self, line: Vec<u8>) -> Result<(), Problem> {
        match rpc::read(&line) {
            Ok(Message::Response { id, result }) => {
                let question = id.as_str().and_then(|id| self.questions.remove(id));
                match question {
                    Some(question) => self.send(answered_call(&question, result), 1),
                    None => Ok(()),
                }
            }
            Ok(Message::Request(request)) if request.method == "initialize" => {
                self.can_ask =
                    request.params.get("capabilities").is_some_and(|own| own.get("elicitation").is_some());
                self.send(line, 1)
            }
            Ok(Message::Request(_) | Message::Notification { .. }) | Err(_) => self.send(line, 1),
        }
    }

    /// Asks the user what a tool wants to know, if `reply` is a question.
    fn asks(&mut self, line: &[u8], reply: &Reply) -> Result<bool, Problem> {
        let answer: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let is_stateless = answer.pointer("/result/resultType").is_some();
        let requests = answer.pointer("/result/inputRequests").and_then(Value::as_object);
        let Some((name, request)) = requests.filter(|_| !is_stateless).and_then(|all| all.iter().next())
        else {
            return Ok(false);
        };
        self.next_question += 1;
        let id = format!("selfhood-{}", self.next_question);
        say(&json!({
            "jsonrpc": "2.0", "id": id, "method": request["method"], "params": request["params"],
        }))?;
        let state = answer.pointer("/result/requestState").cloned();
        self.questions.insert(id, Question { line: line.to_vec(), name: name.clone(), state });
        Ok(true)
    }

    /// Forwards a message. One that can't be sent is answered at once with the problem.
    fn send(&mut self, line: Vec<u8>, tries: u32) -> Result<(), Problem> {
        let ask = self.ask(&line);
        let client = match self.opened() {
            Ok(client) => client,
            Err(problem) => return refuse(&line, &problem),
        };
        let ask = match ask {
            Ok(ask) => ask,
            Err(problem) => return refuse(&line, &problem),
        };
        let events = client.1;
        client.0.forward(ask, move |reply| drop(events.send(Event::Answered { line, tries, reply })));
        self.waiting += 1;
        Ok(())
    }

    fn answered(&mut self, line: Vec<u8>, tries: u32, reply: Result<Reply, Problem>) -> Result<(), Problem> {
        self.waiting -= 1;
        match reply {
            Ok(reply) => {
                if self.asks(&line, &reply)? {
                    Ok(())
                } else {
                    print(&line, &reply)
                }
            }
            // The server that owned the home is gone; the new owner answers.
            Err(problem) if problem.code == Code::Unreachable && tries == 1 => {
                self.close()?;
                self.send(line, tries + 1)
            }
            Err(problem) => refuse(&line, &problem),
        }
    }

    fn opened(&mut self) -> Result<(&HomeClient, Sender<Event>), Problem> {
        let client = match self.client.take() {
            Some(client) => client,
            None => HomeClient::open(self.settings, self.settings.acting_tenant()?, WithoutHome::Refuse)?,
        };
        let client: &HomeClient = self.client.insert(client);
        Ok((client, self.events.clone()))
    }

    fn ask(&self, line: &[u8]) -> Result<Ask, Problem> {
        let mut path = "/mcp".to_owned();
        if let Some(persona) = &self.settings.persona {
            path = format!("{path}/{persona}");
        }
        if let Some(profile) = self.asked.profile {
            if self.settings.persona.is_none() {
                let detail = "name the persona with --persona; a profile is one persona's";
                return Err(Problem::new(Code::Usage, detail));
            }
            path = format!("{path}/{}", profile.as_str());
        }
        let post = "POST".parse().map_err(|_| Problem::new(Code::Internal, "no method POST"))?;
        let ask = Ask::new(post, path).with_json(line.to_vec());
        let ask = if self.can_ask { ask.with_header(ASKING_HEADER, "1") } else { ask };
        Ok(match &self.asked.subject {
            Some(subject) if subject != domain::SubjectRef::OWNER => ask.with_header(SUBJECT_HEADER, subject),
            Some(_) | None => ask,
        })
    }

    /// Releases the home while there are no messages.
    fn rest(&mut self) -> Result<(), Problem> {
        if self.waiting == 0 { self.close().map(drop) } else { Ok(()) }
    }

    fn close(&mut self) -> Result<Exit, Problem> {
        match self.client.take() {
            Some(client) => client.close().map(|()| Exit::Ok),
            None => Ok(Exit::Ok),
        }
    }
}

/// The call that led to a question, with the user's answer.
fn answered_call(question: &Question, said: Option<Value>) -> Vec<u8> {
    let mut call: Value = serde_json::from_slice(&question.line).unwrap_or_default();
    let said = said.unwrap_or_else(|| json!({ "action": "cancel" }));
    if let Some(params) = call.get_mut("params").and_then(Value::as_object_mut) {
        params.insert("inputResponses".to_owned(), json!({ question.name.as_str(): said }));
        params.extend(question.state.clone().map(|state| ("requestState".to_owned(), state)));
    }
    serde_json::to_vec(&call).unwrap_or_default()
}

fn read_lines(events: &Sender<Event>) {
    let mut stdin = BufReader::new(io::stdin());
    loop {
        let mut line = Vec::new();
        let read = stdin.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let is_cut = line.len() as u64 == LONGEST && !line.ends_with(b"\n");
        let event = match read {
            Ok(0) | Err(_) => Event::End,
            Ok(_) if is_cut => {
                skip_line(&mut stdin);
                Event::TooLong
            }
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) => Event::Line(line),
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

fn skip_line(stdin: &mut impl io::BufRead) {
    let mut rest = Vec::new();
    while stdin.by_ref().take(LONGEST).read_until(b'\n', &mut rest).is_ok_and(|read| read > 0) {
        if rest.ends_with(b"\n") {
            return;
        }
        rest.clear();
    }
}

/// Prints the answer to the message in `line`, if it expects one.
fn print(line: &[u8], reply: &Reply) -> Result<(), Problem> {
    if reply.body.is_empty() {
        return Ok(());
    }
    let answer: Option<Value> = serde_json::from_slice(&reply.body).ok();
    match answer.filter(|answer| answer.get("jsonrpc").is_some()) {
        Some(answer) => say(&answer),
        // A refusal before the message was parsed.
        None => match reply.check() {
            Ok(()) => Ok(()),
            Err(problem) => refuse(line, &problem),
        },
    }
}

/// Answers the message in `line` with a problem, if it expects an answer.
fn refuse(line: &[u8], problem: &Problem) -> Result<(), Problem> {
    report::note(format!("refused: {}", problem.detail));
    match rpc::read(line) {
        Ok(Message::Request(request)) => say(&RpcError::of(request.id, problem).into_answer()),
        Ok(Message::Notification { .. } | Message::Response { .. }) => Ok(()),
        Err(error) => say(&error.into_answer()),
    }
}

fn too_long() -> Value {
    let detail = format!("a message may have at most {LONGEST} bytes");
    RpcError::new(Value::Null, INVALID_REQUEST, detail).into_answer()
}

fn say(message: &Value) -> Result<(), Problem> {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    let said = stdout.write_all(&line).and_then(|()| stdout.flush());
    said.map_err(|error| Problem::new(Code::IoFailed, format!("can't write to stdout: {error}")))
}
