//! A model over the network that says what a test lets it say, and keeps what it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::converse::{Role, Roles};
use llm::{Backend, Endpoint, Jitter, Model, OpenAi, Retries, Timeouts};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the model was asked, in order.
pub type ReceivedRequests = Arc<Mutex<Vec<Value>>>;

/// Words, as a model says them.
pub fn words(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

/// A call of one tool with these arguments.
pub fn calling(tool: &str, arguments: &str) -> Value {
    let call =
        json!({ "id": "c1", "type": "function", "function": { "name": tool, "arguments": arguments } });
    json!({ "role": "assistant", "content": null, "tool_calls": [call] })
}

/// Whether the model is asked what to remember.
pub fn is_about_memory(question: &Value) -> bool {
    question["messages"][0]["content"].as_str().unwrap().contains("you decide what of it you will remember")
}

/// The role `chat` on a server that answers as `answer` says, and finds nothing worth remembering.
pub async fn talking(
    answer: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static,
) -> (Roles, ReceivedRequests) {
    role(
        move |question| {
            if is_about_memory(question) { Some(words(r#"{"memories":[]}"#)) } else { answer(question) }
        },
    )
    .await
}

/// The role `chat` on a server that answers each question as `answer` says; nothing is a failure.
pub async fn role(
    answer: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static,
) -> (Roles, ReceivedRequests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = ReceivedRequests::default();
    let (kept, answer) = (Arc::clone(&asked), Arc::new(answer));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
            tokio::spawn(async move { serve(stream, &kept, answer.as_ref()).await });
        }
    });
    (Roles::new(BTreeMap::from([("chat".to_owned(), role_at(port))])), asked)
}

/// A role whose model is behind this port.
pub fn role_at(port: u16) -> Role {
    let wait = Duration::from_secs(30);
    let endpoint = Endpoint {
        name: "local".to_owned(),
        base_url: format!("http://127.0.0.1:{port}/v1").parse().unwrap(),
        model: "tiny".to_owned(),
        api_key: None,
        timeouts: Timeouts { connect: wait, first_byte: wait, between_chunks: wait, whole: wait },
        retries: Retries { attempts: 1, ..Retries::default() },
        jitter: Jitter::new(|| 0.5),
    };
    let model = Model::OpenAi(OpenAi::new(&endpoint).unwrap());
    Role {
        backend: Arc::new(Backend::Model(Box::new(model))),
        model_name: "tiny".to_owned(),
        ..Role::offline()
    }
}

async fn serve(
    mut stream: TcpStream,
    asked: &ReceivedRequests,
    answer: &(dyn Fn(&Value) -> Option<Value> + Send + Sync),
) {
    let mut bytes = Vec::new();
    let question: Value = loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.unwrap_or(0);
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        match serde_json::from_str(body) {
            Ok(question) => break question,
            Err(_) if read == 0 => return,
            Err(_) => {}
        }
    };
    asked.lock().unwrap().push(question.clone());
    let (status, body) = match answer(&question) {
        Some(message) => {
            let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
            ("200 OK", json!({ "choices": [choice] }).to_string())
        }
        None => ("500 Internal Server Error", "{}".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
}
