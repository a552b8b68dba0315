//! The program on a terminal, as people see it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::Stage;

/// The program on a terminal of its own: `script` makes one, passes on what is typed, and shows what is seen.
pub(crate) struct Terminal {
    child: Child,
    seen: String,
}

impl Terminal {
    pub(crate) fn open(stage: &Stage, arguments: &[&str]) -> Self {
        // `exec`: a shell that stayed would take Ctrl-C for itself as well, and end with 130.
        let command = format!("exec {} {}", env!("CARGO_BIN_EXE_selfhood"), arguments.join(" "));
        let mut script = Command::new("timeout");
        script
            .args(["--foreground", "60", "script", "-q", "-e", "-f", "-c", &command, "/dev/null"])
            .env("SELFHOOD_HOME", stage.path("home"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        Self { child: script.spawn().unwrap(), seen: String::new() }
    }

    /// Presses keys, as soon as somebody waits for them.
    pub(crate) fn press(&mut self, keys: &str) {
        self.wait_for("> ");
        self.interrupt(keys);
    }

    /// Presses keys at once, whoever is speaking.
    pub(crate) fn interrupt(&mut self, keys: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(keys.as_bytes()).and_then(|()| stdin.flush()).unwrap();
    }

    /// Reads until `words` are seen, and gives everything seen since the last time.
    pub(crate) fn wait_for(&mut self, words: &str) -> String {
        let stdout = self.child.stdout.as_mut().unwrap();
        let mut bytes = [0; 4096];
        while !self.seen.contains(words) {
            let read = stdout.read(&mut bytes).unwrap();
            assert!(read > 0, "`{words}` was never seen in {}", self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        let end = self.seen.find(words).unwrap() + words.len();
        self.seen.drain(..end).collect()
    }

    /// Waits until the program has ended, and gives its exit status.
    pub(crate) fn ended(mut self) -> i32 {
        self.child.stdout.as_mut().unwrap().read_to_string(&mut self.seen).unwrap();
        self.child.wait().unwrap().code().unwrap()
    }
}

/// Has a model answer that says a word every tenth of a second for a minute; gives word when its listener left.
pub(crate) fn slow_model(stage: &Stage) -> Receiver<()> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (left, has_left) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, left) = (stream.unwrap(), left.clone());
            thread::spawn(move || {
                let _ = stream.read(&mut [0; 16_384]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
                for word in 0..600 {
                    let chunk = format!(
                        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"word{word} \
                        \"}}}}]}}\n\n"
                    );
                    if stream.write_all(chunk.as_bytes()).is_err() {
                        let _ = left.send(());
                        return;
                    }
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
    });
    stage.write(
        "home/selfhood.toml",
        format!(
            "[models.slow]\nkind = 'openai'\nbase_url = 'http://127.0.0.1:{port}/v1'\nmodel = 'slow'\n\
             [models.none]\nkind = 'offline'\n\
             [roles.chat]\nmodel = 'slow'\n[roles.formation]\nmodel = 'none'\n"
        ),
    );
    has_left
}
