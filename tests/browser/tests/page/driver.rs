//! The driver of a browser, spoken to in its own protocol (W3C WebDriver): JSON over HTTP on this machine.
//!
//! A dozen requests are all these tests need, so there is no crate between them and the driver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The name under which the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// How often a driver is started before the test gives up.
const STARTS: usize = 5;

/// A driver with one session; both end with it.
pub(crate) struct Driver {
    child: Child,
    port: u16,
    session: String,
}

impl Driver {
    /// Starts a driver on a port of its choice, and a browser that can do what `wanted` says.
    pub(crate) fn start(wanted: &Value) -> Self {
        let (child, port) = (0..STARTS).find_map(|_| listening()).expect("chromedriver ended at once");
        let mut driver = Self { child, port, session: String::new() };
        let begun = driver.send("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        begun["sessionId"].as_str().unwrap_or_else(|| panic!("{begun}")).clone_into(&mut driver.session);
        driver
    }

    /// Asks for something of the session.
    pub(crate) fn ask(&self, method: &str, what: &str, body: &Value) -> Result<Value, String> {
        let answer = self.send(method, &format!("/session/{}{what}", self.session), body);
        match answer.get("error").and_then(Value::as_str) {
            Some(error) => Err(format!("{error}: {}", answer["message"].as_str().unwrap_or_default())),
            None => Ok(answer),
        }
    }

    /// The element that fits a selector.
    pub(crate) fn element(&self, selector: &str) -> Result<String, String> {
        let found = self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        found.map(|found| found[ELEMENT].as_str().unwrap_or_default().to_owned())
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut line = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        line.write_all(head.as_bytes()).and_then(|()| line.write_all(body.as_bytes())).unwrap();
        let content = body_of(line);
        let mut content: Value =
            serde_json::from_slice(&content).unwrap_or_else(|error| panic!("{path}: {error}"));
        content["value"].take()
    }
}

/// A driver and its port; `None` if it ended before it listened, as it does when another program took the port that the
/// driver had looked up.
fn listening() -> Option<(Child, u16)> {
    let spawned = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
    let mut child = spawned.expect("chromedriver is missing; `cargo xtask browser` installs it");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    std::thread::spawn(move || lines.for_each(drop));
    if port.is_none() {
        child.wait().unwrap();
    }
    port.map(|port| (child, port))
}

/// The body of an answer. The driver keeps its connections open, so it is read by its length.
fn body_of(line: TcpStream) -> Vec<u8> {
    let mut answer = BufReader::new(line);
    let mut length = 0;
    loop {
        let mut header = String::new();
        answer.read_line(&mut header).unwrap();
        if header.trim().is_empty() {
            break;
        }
        if let Some((_, value)) =
            header.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body).unwrap();
    body
}

impl Drop for Driver {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.ask("DELETE", "", &Value::Null);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
