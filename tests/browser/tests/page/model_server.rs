//! A model server on this machine that says what a test lets it say, as slowly as the test likes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) struct ModelServer {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

/// How the server behaves.
#[derive(Clone)]
pub(crate) struct Script {
    /// The key it wants, if any.
    pub(crate) key: Option<&'static str>,
    /// The words of every answer, one piece after the other.
    pub(crate) words: Vec<String>,
    /// How long it waits before each of them.
    pub(crate) pause: Duration,
}

impl Script {
    pub(crate) fn answering(words: &str) -> Self {
        let words = words.split_inclusive(' ').map(str::to_owned).collect();
        Self { key: None, words, pause: Duration::ZERO }
    }
}

impl ModelServer {
    pub(crate) fn new(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (script, kept) = (script.clone(), Arc::clone(&kept));
                std::thread::spawn(move || {
                    let _ = answer(&mut stream, &script, &kept);
                });
            }
        });
        Self { port, asked }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// How often it was asked to speak.
    pub(crate) fn questions(&self) -> usize {
        self.asked.lock().unwrap().iter().filter(|it| it.contains("/chat/completions")).count()
    }
}

fn answer(stream: &mut TcpStream, script: &Script, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let request = read(stream)?;
    asked.lock().unwrap().push(request.clone());
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    if script.key.is_some_and(|key| !request.contains(&format!("Bearer {key}"))) {
        return whole(stream, "401 Unauthorized", &json!({ "error": { "message": "no" } }));
    }
    if request.starts_with("GET ") {
        let models = json!({ "data": [{ "id": "llama3.2:3b" }, { "id": "qwen3:4b" }] });
        return whole(stream, "200 OK", &models);
    }
    if serde_json::from_str::<Value>(body).is_ok_and(|question| question["stream"] == true) {
        return spoken(stream, script);
    }
    let message = json!({ "role": "assistant", "content": "{\"memories\":[]}" });
    whole(
        stream,
        "200 OK",
        &json!({ "choices": [{ "index": 0, "finish_reason": "stop", "message": message }] }),
    )
}

fn read(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 8192];
        let read = stream.read(&mut piece)?;
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        if read == 0 || head.starts_with("GET ") || serde_json::from_str::<Value>(body).is_ok() {
            return Ok(text);
        }
    }
}

fn whole(stream: &mut TcpStream, status: &str, body: &Value) -> std::io::Result<()> {
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n");
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
}

fn spoken(stream: &mut TcpStream, script: &Script) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")?;
    let chunk = |delta: Value, finish: Value| {
        format!(
            "data: {}\n\n",
            json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
        )
    };
    for word in &script.words {
        sleep(script.pause);
        stream.write_all(chunk(json!({ "content": word }), Value::Null).as_bytes())?;
        stream.flush()?;
    }
    stream.write_all((chunk(json!({}), json!("stop")) + "data: [DONE]\n\n").as_bytes())
}
