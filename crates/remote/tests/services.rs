//! The clients against servers on this machine that answer as the services' documentation says.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use remote::{AwsCredentials, Bucket, BucketAddress, Patience, Reason, Token, VaultTransit};
use serde_json::{Value, json};
use vault::key_directory::KeyService as _;

/// A body that doesn't fit into the buffers of a connection, so that it can't be sent before it is read.
const LONG: usize = 8 * 1024 * 1024;

/// A request as it arrived.
#[derive(Clone, Debug)]
struct Arrived {
    line: String,
    head: String,
    body: Vec<u8>,
}

/// A server that answers with what `answer` gives: a status and a body.
struct Scripted {
    url: String,
    seen: Arc<Mutex<Vec<Arrived>>>,
}

impl Scripted {
    fn new(answer: impl FnMut(&Arrived) -> (u16, String) + Send + 'static) -> Self {
        Self::halting(|| {}, answer)
    }

    /// A server that calls `half` when one half of a long body has arrived, before it reads the rest.
    fn halting(
        mut half: impl FnMut() + Send + 'static,
        mut answer: impl FnMut(&Arrived) -> (u16, String) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Arrived>>> = Arc::default();
        let noted = Arc::clone(&seen);
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let arrived = read(&stream, &mut half);
                let (status, body) = answer(&arrived);
                noted.lock().unwrap().push(arrived);
                let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: {}", body.len());
                // The body of a redirect is where it leads.
                let to = if status == 307 { format!("location: {body}\r\n") } else { String::new() };
                let _ = write!(stream, "{head}\r\n{to}etag: \"t\"\r\nconnection: close\r\n\r\n{body}");
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<Arrived> {
        self.seen.lock().unwrap().clone()
    }

    fn bucket(&self) -> Bucket {
        bucket_at(&self.url)
    }
}

fn bucket_at(url: &str) -> Bucket {
    let address = BucketAddress {
        endpoint: url.to_owned(),
        region: "eu-central-1".to_owned(),
        bucket: "backups".to_owned(),
        prefix: "home/".to_owned(),
    };
    let clock = Arc::new(|| 1_776_867_522_000);
    Bucket::new(address, AwsCredentials::new("AKIA", "s3cret", None), clock).unwrap()
}

fn read(stream: &TcpStream, half: &mut impl FnMut()) -> Arrived {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut next = String::new();
        if reader.read_line(&mut next).unwrap() == 0 || next == "\r\n" {
            break;
        }
        if let Some(written) = next.to_ascii_lowercase().strip_prefix("content-length:") {
            length = written.trim().parse().unwrap();
        }
        head.push_str(&next);
    }
    let mut body = vec![0; length];
    let (first, rest) = body.split_at_mut(length / 2);
    reader.read_exact(first).unwrap();
    if length >= LONG {
        half();
    }
    reader.read_exact(rest).unwrap();
    Arrived { line: line.trim().to_owned(), head, body }
}

#[test]
fn transit_wraps_a_key_and_gives_it_back_for_the_same_name_only() {
    let server = Scripted::new(|arrived| {
        let body: Value = serde_json::from_slice(&arrived.body).unwrap();
        let bound = body["associated_data"].as_str().unwrap();
        let data = if let Some(plain) = body.get("plaintext").and_then(Value::as_str) {
            json!({ "ciphertext": format!("vault:v1:{bound}.{plain}"), "key_version": 1 })
        } else {
            let wrapped = body["ciphertext"].as_str().unwrap().strip_prefix("vault:v1:").unwrap();
            let Some((_, plain)) = wrapped.split_once('.').filter(|(name, _)| *name == bound) else {
                let refused = json!({ "errors": ["cipher: message authentication failed"] });
                return (400, refused.to_string());
            };
            json!({ "plaintext": plain })
        };
        (200, json!({ "data": data }).to_string())
    });
    let service =
        VaultTransit::new(&format!("{}/team/transit/selfhood", server.url), Token::new("t0ken")).unwrap();
    assert_eq!(service.label(), format!("vault-transit {}/team/transit/selfhood", server.url));
    let wrapped = service.wrap("kek scott 1", &[7; 32]).unwrap();
    assert!(wrapped.starts_with(b"vault:v1:"));
    assert_eq!(service.unwrap("kek scott 1", &wrapped).unwrap().as_slice(), [7; 32]);
    let foreign = service.unwrap("kek scott 2", &wrapped).unwrap_err().to_string();
    assert_eq!(foreign, "it answered 400", "what the service says is not passed on");
    let seen = server.seen();
    assert_eq!(seen[0].line, "POST /v1/team/transit/encrypt/selfhood HTTP/1.1");
    assert_eq!(seen[1].line, "POST /v1/team/transit/decrypt/selfhood HTTP/1.1");
    assert!(seen[0].head.contains("x-vault-token: t0ken"), "{}", seen[0].head);
    assert!(!format!("{service:?}").contains("t0ken"));
}

#[test]
fn a_service_can_be_asked_from_inside_a_runtime() {
    let server = Scripted::new(|_| (200, json!({ "data": { "ciphertext": "vault:v1:x" } }).to_string()));
    let service = VaultTransit::new(&format!("{}/transit/selfhood", server.url), Token::new("t")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let wrapped = runtime.block_on(async { service.wrap("kek scott 1", &[7; 32]) });
    assert_eq!(wrapped.unwrap(), b"vault:v1:x");
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_is_refused_is_not() {
    let mut failures = 2;
    let server = Scripted::new(move |_| {
        if failures > 0 {
            failures -= 1;
            return (503, "<Error><Code>SlowDown</Code></Error>".to_owned());
        }
        (
            200,
            "<ListBucketResult><Contents><Key>home/a</Key><Size>3</Size></Contents>\
          <Contents><Key>home/deeper/b</Key><Size>3</Size></Contents></ListBucketResult>"
                .to_owned(),
        )
    });
    let listed = server.bucket().list().await.unwrap();
    assert_eq!(listed.iter().map(|object| object.name.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(server.seen().len(), 3);
    assert!(server.seen()[0].line.starts_with("GET /backups?list-type=2&prefix=home%2F "));

    let refusing = Scripted::new(|_| {
        (403, "<Error><Code>AccessDenied</Code><Message>no, s3cret</Message></Error>".to_owned())
    });
    let error = refusing.bucket().list().await.unwrap_err();
    assert!(
        matches!(&error.reason, Reason::Refused { status: 403, code: Some(code) } if code == "AccessDenied")
    );
    assert!(!error.to_string().contains("s3cret"), "{error}");
    assert_eq!(refusing.seen().len(), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed_so_credentials_go_nowhere_else() {
    let elsewhere = Scripted::new(|_| (200, String::new()));
    let to = elsewhere.url.clone();
    let server = Scripted::new(move |_| (307, to.clone()));
    assert!(server.bucket().list().await.is_err());
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn an_upload_that_arrived_short_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.backup");
    std::fs::write(&path, b"sealed bytes").unwrap();
    // The answer to HEAD says that the object is empty.
    let server = Scripted::new(|_| (200, String::new()));
    let error = server.bucket().upload("a.backup", &path, |_| ()).await.unwrap_err();
    assert!(matches!(error.reason, Reason::Length { expected: 12, found: 0 }), "{error}");
    let seen = server.seen();
    assert_eq!(
        (seen[0].line.as_str(), seen[0].body.as_slice()),
        ("PUT /backups/home/a.backup HTTP/1.1", b"sealed bytes".as_slice())
    );
    let hash = vault::encoding::hex(&vault::hash::sha256(&[b"sealed bytes"]));
    assert!(seen[0].head.contains(&format!("x-amz-content-sha256: {hash}")), "{}", seen[0].head);
}

#[tokio::test]
async fn nobody_at_the_address_is_said_so() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = Scripted { url: format!("http://{free}"), seen: Arc::default() };
    let error = gone.bucket().list().await.unwrap_err();
    assert!(matches!(error.reason, Reason::Unreachable), "{error}");
}

/// A file that is sent in one long piece.
fn long_file(folder: &tempfile::TempDir) -> std::path::PathBuf {
    let path = folder.path().join("a.backup");
    std::fs::write(&path, vec![7; LONG]).unwrap();
    path
}

#[tokio::test]
async fn a_line_that_takes_longer_to_send_than_an_answer_may_take_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let slowly = || thread::sleep(Duration::from_millis(1500));
    let found = |arrived: &Arrived| if arrived.line.starts_with("HEAD") { LONG } else { 0 };
    let server = Scripted::halting(slowly, move |arrived| (200, "x".repeat(found(arrived))));
    let patience = Patience { answer: Duration::from_secs(1), slowest: LONG as u64 / 60 };
    let bucket = server.bucket().with_patience(patience);
    assert_eq!(bucket.upload("a.backup", &long_file(&folder), |_| {}).await.unwrap(), LONG as u64);
    let sent = server.seen().into_iter().filter(|arrived| arrived.line.starts_with("PUT")).count();
    assert_eq!(sent, 1, "it arrived at the first try");
}

#[tokio::test]
async fn a_service_that_stops_reading_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let bucket = bucket_at(&format!("http://{}", deaf.local_addr().unwrap()));
    let bucket = bucket.with_patience(Patience { answer: Duration::from_millis(50), slowest: u64::MAX });
    let error = bucket.upload("a.backup", &long_file(&folder), |_| {}).await.unwrap_err();
    assert!(matches!(error.reason, Reason::TimedOut), "{error}");
}
