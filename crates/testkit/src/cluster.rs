//! A throw-away PostgreSQL: a cluster of its own on a socket in a temporary directory, gone with the process.
//!
//! When `SELFHOOD_TEST_CLUSTER` names the socket's directory of a running one, that is used instead.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::pooler::Pooler;

/// The variable that names a running cluster.
pub const RUNNING: &str = "SELFHOOD_TEST_CLUSTER";
/// The variable that puts a pooler before the shared cluster.
const THROUGH_POOLER: &str = "SELFHOOD_TEST_POOLER";
/// How many connections of the server such a pooler has for each database.
const POOLED: u32 = 8;
/// The superuser of every throw-away cluster.
pub(crate) const USER: &str = "selfhood";
/// Nothing here outlives the process, so nothing waits for the disk.
const CARELESS: &str = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n";
const SETTINGS: &str =
    "listen_addresses = ''\nmax_connections = 400\nautovacuum = off\nlogging_collector = off\n";

/// Whether what the cluster acknowledged has to survive its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It has.
    Durable,
    /// It has not, and everything is quicker.
    Careless,
}

/// A running cluster.
#[derive(Debug)]
pub struct Cluster {
    directory: PathBuf,
    /// Ends the cluster once this process is gone, however it went.
    watch: Option<Child>,
}

impl Cluster {
    /// The cluster that every test of this process shares.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| match std::env::var_os(RUNNING) {
            Some(directory) => Self { directory: PathBuf::from(directory), watch: None },
            None => Self::start(Durability::Careless),
        })
    }

    /// Starts a cluster of its own.
    pub fn start(durability: Durability) -> Self {
        let cluster = Self { directory: new_directory("pg"), watch: None };
        let data = cluster.data();
        let made = cluster
            .server_tool("initdb")
            .args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums"])
            .args(["-U", USER, "-D"])
            .arg(&data)
            .output();
        checked("initdb", made);
        cluster.configure(if durability == Durability::Careless { CARELESS } else { "" });
        cluster.resume();
        Self { watch: Some(cluster.watch()), directory: cluster.directory.clone() }
    }

    /// Sets what every cluster of tests has, and `more`.
    fn configure(&self, more: &str) {
        let file = self.data().join("postgresql.conf");
        let socket = format!("unix_socket_directories = '{}'\n", self.directory.display());
        let configured = fs::read_to_string(&file).unwrap_or_default();
        fs::write(file, format!("{configured}\n{SETTINGS}{socket}{more}"))
            .expect("the cluster can be configured");
    }

    /// Where the data lies.
    pub fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// Where the socket is, and whatever a test wants to keep beside it.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A new, empty database, by its address.
    pub fn database(&self) -> String {
        self.database_like("template0")
    }

    /// A new database with everything that another one has, to which nobody is connected.
    pub fn database_like(&self, template: &str) -> String {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let template = database_of(template);
        let made = tool("createdb").args(self.here()).args(["-T", template, &name]).output();
        checked("createdb", made);
        self.address(&name)
    }

    /// The address of a database; through a pooler, if the environment asks for one.
    pub fn address(&self, database: &str) -> String {
        static POOLERS: Mutex<BTreeMap<PathBuf, Pooler>> = Mutex::new(BTreeMap::new());
        let direct = self.direct_address(database);
        if std::env::var_os(THROUGH_POOLER).is_none() {
            return direct;
        }
        let mut poolers = POOLERS.lock().unwrap();
        let start = || Pooler::start(&self.directory, POOLED);
        poolers.entry(self.directory.clone()).or_insert_with(start).address(&direct)
    }

    /// The address of a database, with nothing in between.
    pub fn direct_address(&self, database: &str) -> String {
        let socket = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}@{socket}/{database}")
    }

    /// Copies the running cluster to a folder beside its data, as operators do, and says where it is.
    pub fn base_backup(&self, name: &str) -> PathBuf {
        let copy = self.directory.join(name);
        self.copy_to(&copy, &[]);
        copy
    }

    fn copy_to(&self, copy: &Path, options: &[&str]) {
        fs::create_dir(copy).expect("a folder for the copy can be made");
        own(copy);
        let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(copy, closed).expect("the copy can be closed to others");
        let made = self
            .server_tool("pg_basebackup")
            .args(self.here())
            .args(["-c", "fast", "-D"])
            .arg(copy)
            .args(options)
            .output();
        checked("pg_basebackup", made);
    }

    /// A second cluster that follows this one, which from now on acknowledges nothing that the other does not have.
    #[must_use]
    pub fn synchronous_standby(&self) -> Self {
        let standby = Self { directory: new_directory("pg"), watch: None };
        self.copy_to(&standby.data(), &["-R"]);
        standby.configure("");
        standby.resume();
        self.set("synchronous_standby_names = '*'");
        Self { watch: Some(standby.watch()), directory: standby.directory.clone() }
    }

    /// Makes a standby the one that takes writes.
    pub fn promote(&self) {
        let promoted = self.server_tool("pg_ctl").arg("-D").arg(self.data()).args(["-w", "promote"]).output();
        checked("pg_ctl promote", promoted);
    }

    /// Changes a setting of the running server; some hold only after its next start.
    pub fn set(&self, setting: &str) {
        let address = self.direct_address("postgres");
        sql(&address, &format!("ALTER SYSTEM SET {setting}"));
        sql(&address, "SELECT pg_reload_conf()");
    }

    /// Puts a copy in the place of the data, which are kept beside it, and starts the server on it.
    pub fn restore(&self, copy: &Path) {
        fs::rename(self.data(), self.directory.join("after")).expect("the data can be moved aside");
        fs::rename(copy, self.data()).expect("the copy can take their place");
        self.resume();
    }

    /// Stops the server: politely, or as a crash would.
    pub fn stop(&self, mode: &str) {
        let stopped =
            self.server_tool("pg_ctl").arg("-D").arg(self.data()).args(["-m", mode, "-w", "stop"]).output();
        checked("pg_ctl stop", stopped);
    }

    /// Starts the server again.
    pub fn resume(&self) {
        let log = self.directory.join("log");
        let started = self
            .server_tool("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .arg("-l")
            .arg(&log)
            .args(["-w", "-t", "60", "start"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(
            started.is_ok_and(|status| status.success()),
            "the server did not start; see {}",
            log.display()
        );
    }

    /// A program of the server, run as a user that the server accepts.
    pub fn server_tool(&self, name: &str) -> Command {
        if is_root() { as_server_user(&[], tool(name).get_program(), &self.directory) } else { tool(name) }
    }

    fn here(&self) -> Vec<String> {
        vec!["-h".to_owned(), self.directory.display().to_string(), "-U".to_owned(), USER.to_owned()]
    }

    /// A process that waits for the end of this one, and then cleans up.
    fn watch(&self) -> Child {
        let stop = self.server_tool("pg_ctl");
        let words: Vec<String> = std::iter::once(stop.get_program())
            .chain(stop.get_args())
            .map(|word| format!("'{}'", word.to_string_lossy()))
            .collect();
        let (directory, data) = (self.directory.display(), self.data().display().to_string());
        let script = format!(
            "cat >/dev/null; cd '{directory}' && {} -D '{data}' -m immediate stop >/dev/null 2>&1; rm -rf '{directory}'",
            words.join(" ")
        );
        let mut shell = Command::new("sh");
        // In a group of its own, so that what interrupts the tests does not interrupt the cleaning up.
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().expect("a shell can be started")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(mut watch) = self.watch.take() {
            drop(watch.stdin.take());
            let _ = watch.wait();
        }
    }
}

/// A program run in `directory` as the user that a server accepts, which is never root, with more `options` of
/// `setpriv`.
pub(crate) fn as_server_user(options: &[&str], program: impl AsRef<OsStr>, directory: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(options).current_dir(directory);
    if is_root() {
        let (user, group) = server_user();
        command.args([format!("--reuid={user}"), format!("--regid={group}"), "--clear-groups".to_owned()]);
    }
    command.arg("--").arg(program);
    command
}

/// A directory of its own for a server.
pub(crate) fn new_directory(server: &str) -> PathBuf {
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    // Not named after the product: an erasure searches whatever of its own lies among temporary files.
    let directory = std::env::temp_dir().join(format!("{server}-of-tests-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a temporary directory can be made");
    own(&directory);
    directory
}

/// The name of the database in an address.
pub(crate) fn database_of(address: &str) -> &str {
    let name = address.rsplit('/').next().unwrap_or(address);
    name.split('?').next().unwrap_or(name)
}

/// Runs statements as the superuser, and gives what they print.
pub fn sql(address: &str, statements: &str) -> String {
    // What only a node understands stands behind the question mark.
    let address = address.split('?').next().unwrap_or(address);
    let run = tool("psql").args(["-qAtX", "-v", "ON_ERROR_STOP=1", address, "-c", statements]).output();
    checked("psql", run)
}

/// A program of PostgreSQL, wherever the system keeps it.
fn tool(name: &str) -> Command {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin").join(name)).collect();
    found.retain(|path| path.exists());
    found.sort();
    Command::new(found.pop().unwrap_or_else(|| PathBuf::from(name)))
}

/// Who the server runs as when this process is root, which the server refuses.
fn server_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.starts_with(&format!("{name}:")))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    ids("postgres").or_else(|| ids("nobody")).unwrap_or((65534, 65534))
}

/// Gives a directory to the user who the server runs as.
pub fn own(path: &Path) {
    if is_root() {
        let (user, group) = server_user();
        std::os::unix::fs::chown(path, Some(user), Some(group)).expect("root can give a directory away");
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

fn checked(what: &str, ran: std::io::Result<std::process::Output>) -> String {
    let ran = ran.unwrap_or_else(|error| panic!("can't run {what}: {error}; install PostgreSQL's server"));
    assert!(ran.status.success(), "{what}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim_end().to_owned()
}
