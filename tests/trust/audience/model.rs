//! A model behind real HTTP that repeats every canary it was shown, and notes prompts that hold somebody else's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use engine::converse::{Role, Roles, Tools};
use engine_testkit::scripted_model::role_at;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::canary::{Kind, Viewer, foreign, found};
use super::people::is_staff;

/// What the model saw.
#[derive(Clone, Default)]
pub(super) struct Watched {
    prompts: Arc<AtomicU64>,
    wrong: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    /// How many prompts there were, and what was wrong with them.
    pub(super) fn seen(&self) -> (u64, Vec<String>) {
        (self.prompts.load(Ordering::Relaxed), self.wrong.lock().unwrap().clone())
    }

    /// Judges a prompt by whose words were said last. Words without a canary ("Hello there.") may come from anybody,
    /// but then everything personal in the prompt must be one person's.
    fn judge(&self, question: &Value) {
        self.prompts.fetch_add(1, Ordering::Relaxed);
        let text = question.to_string();
        let tenants: BTreeSet<usize> = found(&text).iter().map(|canary| canary.tenant).collect();
        if tenants.len() > 1 {
            self.wrong.lock().unwrap().push(format!("a prompt has words of the tenants {tenants:?}"));
        }
        let messages = question["messages"].as_array().cloned().unwrap_or_default();
        let last = messages.iter().rev().find(|message| message["role"] == "user");
        let said = last.map(|message| message["content"].to_string()).unwrap_or_default();
        let personal = |text: &str| {
            found(text).into_iter().find(|it| matches!(it.kind, Kind::Personal | Kind::OffRecord))
        };
        let Some(speaker) = personal(&said).or_else(|| personal(&text)) else { return };
        let viewer = Viewer {
            tenant: speaker.tenant,
            person: speaker.person,
            staff: is_staff(speaker.person),
            sees_everybody: false,
        };
        let foreign = foreign(&text, &viewer);
        if !foreign.is_empty() {
            self.wrong.lock().unwrap().push(format!("the prompt of {speaker} has {foreign:?}"));
        }
    }
}

/// What forms the memories of a world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Formation {
    BuiltIn,
    /// The model, whose proposals are no use, so that the built-in rules form them after all.
    ByModel,
}

/// The roles of a deployment whose talk goes through the model.
pub(super) async fn roles(formation: Formation) -> (Roles, Watched) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let watched = Watched::default();
    let watching = watched.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let watching = watching.clone();
            tokio::spawn(async move { serve(stream, &watching).await });
        }
    });
    let chat = Role { tools: Tools::None, ..role_at(port) };
    let forming = match formation {
        Formation::BuiltIn => Role::offline(),
        Formation::ByModel => chat.clone(),
    };
    let others = [("formation", forming), ("consistency", Role::offline()), ("distill", Role::offline())];
    let roles = BTreeMap::from(others.map(|(name, role)| (name.to_owned(), role)))
        .into_iter()
        .chain([("chat".to_owned(), chat)]);
    (Roles::new(roles.collect()), watched)
}

async fn serve(mut stream: TcpStream, watched: &Watched) {
    let mut bytes = Vec::new();
    while let Some(question) = next_question(&mut stream, &mut bytes).await {
        watched.judge(&question);
        let text = question.to_string();
        let mut words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|it| it.starts_with("cnry")).collect();
        words.sort_unstable();
        words.dedup();
        let message = json!({ "role": "assistant", "content": format!("I know of {}.", words.join(" ")) });
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
        let body = json!({ "choices": [choice] }).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        if stream.write_all((head + &body).as_bytes()).await.is_err() {
            return;
        }
    }
}

/// The next request's body on a connection that is kept.
async fn next_question(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<Value> {
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            let (begin, length) = (end + 4, length.unwrap_or(0));
            if bytes.len() >= begin + length {
                let question = serde_json::from_slice(&bytes[begin..begin + length]).ok();
                bytes.drain(..begin + length);
                return question;
            }
        }
        let mut piece = vec![0; 16384];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}
