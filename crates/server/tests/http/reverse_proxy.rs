//! The set-up for nginx as it stands in `docs/http.md`, run with a real nginx if there is one.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use server::Config;

use crate::listeners::{Running, certify};

const GUIDE: &str = include_str!("../../../../docs/http.md");

/// nginx, until it is dropped.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The guide's server block, with the addresses and files of this test.
fn settings(folder: &Path, upstream: &str, port: u16) -> String {
    let block = GUIDE.split("```nginx\n").nth(1).unwrap().split("```").next().unwrap();
    let block = block
        .replace("listen 443 ssl", &format!("listen 127.0.0.1:{port} ssl"))
        .replace("/etc/ssl/memory.example.org.pem", folder.join("cert.pem").to_str().unwrap())
        .replace("/etc/ssl/memory.example.org.key", folder.join("key.pem").to_str().unwrap())
        .replace("http://127.0.0.1:7337", upstream);
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {}/{kind};", folder.display()))
        .concat();
    let place = folder.display();
    format!(
        "daemon off; master_process off; pid {place}/pid; error_log {place}/error.log;\n\
         events {{}}\nhttp {{ access_log off; {temporary}\n{block} }}\n"
    )
}

fn start(folder: &Path, upstream: &str, port: u16) -> Option<Proxy> {
    let file = folder.join("nginx.conf");
    fs::write(&file, settings(folder, upstream, port)).unwrap();
    let mut nginx = Command::new("nginx");
    nginx.arg("-c").arg(file).stderr(Stdio::null());
    nginx.spawn().ok().map(Proxy)
}

/// The status of a request through the proxy.
async fn status(folder: &Path, port: u16, more: &[&str]) -> String {
    let mut curl = Command::new("curl");
    curl.args(["-s", "--noproxy", "*", "--retry", "20", "--retry-connrefused", "--retry-delay", "1"]);
    curl.args(["-o", "/dev/null", "-w", "%{http_code}", "--cacert"]).arg(folder.join("cert.pem"));
    curl.arg("--resolve").arg(format!("memory.example.org:{port}:127.0.0.1")).args(more);
    curl.arg(format!("https://memory.example.org:{port}/setup/persona"));
    let output = tokio::task::spawn_blocking(move || curl.output()).await.unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guides_nginx_brings_requests_in_and_keeps_foreign_pages_out() {
    let folder = tempfile::tempdir().unwrap();
    certify(folder.path(), "memory.example.org");
    let config = Config {
        public_url: Some("https://memory.example.org".parse().unwrap()),
        forwarders: vec!["127.0.0.1".parse().unwrap()],
        ..Config::default()
    };
    let running = Running::with(config).await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let Some(_proxy) = start(folder.path(), &running.url, port) else {
        eprintln!("SKIPPED: there is no nginx on this machine, so the guide's set-up was not run");
        return running.stop().await;
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    let key = format!("x-api-key: {}", running.key);
    let json = ["-H", &key, "-H", "content-type: application/json", "-d", r#"{"name":"inara"}"#];
    for (more, expected) in [
        (["-H", "origin: https://evil.example"], "403"),
        (["-H", "host: evil.example"], "421"),
        (["-H", "origin: https://memory.example.org"], "201"),
    ] {
        assert_eq!(status(folder.path(), port, &[&json[..], &more[..]].concat()).await, expected, "{more:?}");
    }
    running.stop().await;
}
