//! `PgBouncer` before a throw-away PostgreSQL: every transaction may get another connection of the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::cluster::{USER, as_server_user, database_of, new_directory, own};

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running pooler.
#[derive(Debug)]
pub struct Pooler {
    directory: PathBuf,
    process: Child,
}

impl Pooler {
    /// Starts one before the cluster whose socket is in `cluster`, with so many connections of the server for
    /// each database.
    ///
    /// # Panics
    /// If `PgBouncer` is missing or does not start.
    pub fn start(cluster: &Path, connections: u32) -> Self {
        let directory = new_directory("pooler");
        let settings = directory.join("pgbouncer.ini");
        let (socket, server) = (directory.display(), cluster.display());
        let text = format!(
            "[databases]\n* = host={server} port=5432 user={USER}\n[pgbouncer]\nlisten_addr =\n\
             listen_port = 5432\nunix_socket_dir = {socket}\nlogfile = {socket}/log\nauth_type = any\n\
             pool_mode = transaction\nmax_client_conn = 1000\ndefault_pool_size = {connections}\n"
        );
        fs::write(&settings, text).expect("the pooler can be configured");
        own(&settings);
        // It ends with the test that started it, however that ends.
        let mut command = as_server_user(&["--pdeathsig", "TERM"], "pgbouncer", &directory);
        let process = command.arg(&settings).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = process.unwrap_or_else(|error| panic!("can't run pgbouncer: {error}; install it"));
        let mut pooler = Self { directory, process };
        pooler.wait();
        pooler
    }

    fn wait(&mut self) {
        let (socket, started) = (self.directory.join(".s.PGSQL.5432"), Instant::now());
        while !socket.exists() {
            let has_ended = self.process.try_wait().is_ok_and(|ended| ended.is_some());
            let log = fs::read_to_string(self.directory.join("log")).unwrap_or_default();
            assert!(!has_ended && started.elapsed() < PATIENCE, "pgbouncer does not start: {log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The address of a database through the pooler, from its own address, as a node needs it.
    #[must_use]
    pub fn address(&self, direct: &str) -> String {
        format!("{}?pooler=transaction", self.plain_address(direct))
    }

    /// The same as for a node that knows of no pooler.
    #[must_use]
    pub fn plain_address(&self, direct: &str) -> String {
        let database = database_of(direct);
        let socket = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}@{socket}/{database}")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}
