//! A home, the program on it, and its server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::binary::binary;

/// A folder with a home and its keys.
pub(crate) struct Stage {
    folder: TempDir,
}

/// How a command ended.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A server on the home of a stage, and the owner's key.
pub(crate) struct Server {
    child: Child,
    address: String,
    key: String,
}

/// An answer over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

const WIDE: &str = "[limits]\nrequests_per_second = 100000\nburst = 100000\nrequests_at_once = 1024\n[server]\nmodel_ports = []\n";

impl Stage {
    pub(crate) fn new() -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        stage.write("selfhood.toml", WIDE);
        stage
    }

    /// A home with 002's own persona.
    pub(crate) fn with_inara() -> Self {
        let stage = Self::new();
        stage.ok(&["persona", "new", "inara", "--description", "A concierge."]);
        stage
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The folder of one of the tenant's personas.
    pub(crate) fn persona(&self, name: &str) -> PathBuf {
        self.home().join("scott/persona").join(name)
    }

    pub(crate) fn write(&self, below: &str, text: &str) {
        let path = self.home().join(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.home().join(below)).unwrap()
    }

    /// Changes a persona's document by hand.
    pub(crate) fn edit_document(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let path = self.persona(name).join("persona.json");
        let mut document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        change(&mut document);
        fs::write(path, serde_json::to_string_pretty(&document).unwrap()).unwrap();
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        let output = self.command(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let ran = self.run(words);
        assert_eq!(ran.status, 0, "{words:?}: {}{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    /// The same with `-o json`.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let printed = self.ok(&[words, &["-o", "json"]].concat());
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{words:?}: {error}: {printed}"))
    }

    pub(crate) fn serve(&self) -> Server {
        let mut command = self.command(&["serve", "--port", "0", "--log", "error"]);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.strip_prefix("listening on http://").map(|address| address.trim().to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        let scopes =
            ["read", "write", "erase", "audit", "admin", "staff"].map(|scope| ["--scope", scope]).concat();
        let words = [&["key", "new", "--speaks", "owner", "-o", "quiet"], scopes.as_slice()].concat();
        let key = self.ok(&words).trim().to_owned();
        Server { child, address: listening.unwrap(), key }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(binary());
        let temporary = self.folder.path().join("tmp");
        fs::create_dir_all(&temporary).unwrap();
        command.env_clear().env("TMPDIR", temporary).current_dir(self.folder.path()).stdin(Stdio::null());
        command.args(words).arg("--home").arg(self.home()).arg("--keys").arg(self.folder.path().join("keys"));
        let is_about_all = words.first() == Some(&"doctor");
        if !is_about_all && !words.contains(&"--tenant") {
            command.args(["--tenant", "scott"]);
        }
        command
    }
}

impl Server {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &Value::Null)
    }

    /// Asks for a page, as a browser does.
    pub(crate) fn get_page(&self, path: &str) -> Answer {
        self.send_with("GET", path, &Value::Null, "accept: text/html,*/*;q=0.8\r\n")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }

    /// The same with an `Idempotency-Key`, which redaction and erasure need.
    pub(crate) fn post_once(&self, path: &str, body: &Value, once: &str) -> Answer {
        self.send_with("POST", path, body, &format!("idempotency-key: {once}\r\n"))
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &Value::Null)
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, body)
    }

    /// Says something to a persona, and gives the events of the answer by name.
    pub(crate) fn chat(&self, body: &Value) -> Vec<(String, Value)> {
        let answer = self.post("/chat", body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        let name =
            |block: &str| block.lines().find_map(|line| line.strip_prefix("event: ").map(str::to_owned));
        let data = |block: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix("data: "));
            line.and_then(|line| serde_json::from_str(line).ok())
        };
        answer.text.split("\n\n").filter_map(|block| Some((name(block)?, data(block)?))).collect()
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send_with(method, path, body, "")
    }

    fn send_with(&self, method: &str, path: &str, body: &Value, headers: &str) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n{headers}connection: close\r\n\r\n{body}",
            self.address,
            self.key,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let text = if head.to_lowercase().contains("transfer-encoding: chunked") {
            unchunked(text)
        } else {
            text.to_owned()
        };
        Answer { status, head: head.to_lowercase(), text }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The body of an answer with this status.
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }
}

/// The event of this name.
pub(crate) fn event<'e>(events: &'e [(String, Value)], name: &str) -> &'e Value {
    let found = events.iter().find(|(known, _)| known == name);
    &found.unwrap_or_else(|| panic!("no `{name}` in {events:?}")).1
}

/// An event of a life as 000 writes it.
pub(crate) fn lived(label: &str, at: &str) -> Value {
    json!({
        "tenantId": "scott",
        "eventAt": at,
        "eventLabel": label,
        "facts": format!("{label}, and nothing else."),
        "feelings": "Nervous but excited.",
        "emotionTags": ["excitement"],
        "memoryType": "normal",
        "memoryStrength": 72,
        "interpretation": "A fresh start.",
    })
}

/// `value` with some properties changed.
pub(crate) fn with(mut value: Value, change: &Value) -> Value {
    for (name, changed) in change.as_object().unwrap() {
        value[name] = changed.clone();
    }
    value
}

/// Copies a folder with everything in it, as `cp -r` does.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn unchunked(text: &str) -> String {
    let (mut rest, mut whole) = (text.as_bytes(), Vec::new());
    while let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap().trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    String::from_utf8(whole).unwrap()
}
