//! The address of the database, and connecting to it. Connections over a network are encrypted unless the
//! address says otherwise, and the server's certificate is always verified.

use std::path::{Path, PathBuf};
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod};
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};

use super::connection::refused;
use super::preparation::{KnownTypes, Preparation};
use crate::error::StoreError;
use crate::records::Stored;

/// How long a caller waits for a connection before the database is reported as unavailable.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
/// How a node works with the server. Sequential scans are off because every query has an index and a connection
/// keeps its cached plans: a plan made while a table had one page would read the whole table for every row once
/// it is long.
const SETTINGS: [(&str, &str); 5] = [
    ("search_path", "selfhood"),
    ("enable_seqscan", "off"),
    ("jit", "off"),
    ("idle_in_transaction_session_timeout", "'60s'"),
    ("lock_timeout", "'20s'"),
];

/// The address of the database, and what stands before it.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) config: Config,
    /// Without any password, for messages.
    pub(super) name: PathBuf,
    /// A file with the certificates to trust instead of the system's.
    roots: Option<PathBuf>,
    pooling: Pooling,
}

/// What stands between a node and the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Nothing: a connection of the node is one of the server.
    None,
    /// A pooler that may give every transaction another connection of the server.
    Transactions,
}

impl Pooling {
    /// How statements are prepared.
    pub(super) fn preparation(self) -> Preparation {
        match self {
            Self::None => Preparation::PerConnection,
            Self::Transactions => Preparation::Never(KnownTypes::default()),
        }
    }

    /// The settings that each transaction makes for itself: none where a connection keeps them.
    pub(super) fn settings_of_transaction(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Transactions => settings("SET LOCAL"),
        }
    }

    /// Whether a connection can listen to what other nodes announce.
    pub(super) const fn can_listen(self) -> bool {
        matches!(self, Self::None)
    }
}

impl Address {
    /// Parses `postgres://…`.
    pub(super) fn parse(url: &str) -> Stored<Self> {
        let ServerAddress { url, roots, pooling } = ServerAddress::read(url)?;
        let config: Config = url.parse().map_err(|_| StoreError::Unavailable {
            reason: "the address is not of the form postgres://user@host/database".to_owned(),
        })?;
        let host = config.get_hosts().first().map_or_else(String::new, |host| match host {
            tokio_postgres::config::Host::Tcp(name) => name.clone(),
            tokio_postgres::config::Host::Unix(path) => path.display().to_string(),
        });
        let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
        let name = PathBuf::from(format!("postgres://{host}/{database}"));
        let mut config = config;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTION_TIMEOUT);
        }
        config.application_name("selfhood");
        if !is_plain(&config) {
            // An encrypted connection is never downgraded because the server, or an attacker in between,
            // offers less.
            config.ssl_mode(SslMode::Require);
        }
        Ok(Self { config, name, roots, pooling })
    }

    /// A single connection as the user named in the address: for migrations and for listening.
    pub(super) async fn connect(&self) -> Stored<(tokio_postgres::Client, Driver)> {
        if is_plain(&self.config) {
            let (client, connection) =
                self.config.connect(NoTls).await.map_err(|error| self.refused(error))?;
            return Ok((client, Driver::Plain(Box::new(connection))));
        }
        let (client, connection) =
            self.config.connect(self.encrypted()?).await.map_err(|error| self.refused(error))?;
        Ok((client, Driver::Encrypted(Box::new(connection))))
    }

    /// A pool of at most `most` connections.
    pub(super) fn pool(&self, most: usize) -> Stored<Pool> {
        let how = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = if is_plain(&self.config) {
            Manager::from_config(self.config.clone(), NoTls, how)
        } else {
            Manager::from_config(self.config.clone(), self.encrypted()?, how)
        };
        let pool = Pool::builder(manager)
            .max_size(most.max(1))
            .runtime(deadpool_postgres::Runtime::Tokio1)
            .wait_timeout(Some(CONNECTION_TIMEOUT))
            .create_timeout(Some(CONNECTION_TIMEOUT));
        let pool = match self.pooling {
            Pooling::None => pool.post_create(Hook::async_fn(|client, _| {
                Box::pin(
                    async move { client.batch_execute(&settings("SET")).await.map_err(HookError::Backend) },
                )
            })),
            Pooling::Transactions => pool,
        };
        pool.build().map_err(|error| StoreError::Unavailable { reason: error.to_string() })
    }

    /// What stands between this node and the server.
    pub(super) const fn pooling(&self) -> Pooling {
        self.pooling
    }

    pub(super) fn refused(&self, error: tokio_postgres::Error) -> StoreError {
        refused(&self.name, error)
    }

    /// The TLS settings of a network connection: the server's certificate and its name are always checked.
    fn encrypted(&self) -> Stored<tokio_postgres_rustls::MakeRustlsConnect> {
        use rustls_platform_verifier::BuilderVerifierExt as _;
        let unusable = |error: rustls::Error| StoreError::Unavailable { reason: error.to_string() };
        let config = tls::client_builder().map_err(unusable)?;
        let config = match &self.roots {
            Some(file) => config.with_root_certificates(roots(file)?),
            None => config.with_platform_verifier().map_err(unusable)?,
        };
        Ok(tokio_postgres_rustls::MakeRustlsConnect::new(config.with_no_client_auth()))
    }
}

/// Statements that make the settings of a node.
fn settings(set: &str) -> String {
    SETTINGS.map(|(name, value)| format!("{set} {name} TO {value}; ")).concat()
}

/// An address without the options that only this program understands: `sslrootcert`, `pooler`, and names of
/// options that are always on.
struct ServerAddress {
    url: String,
    roots: Option<PathBuf>,
    pooling: Pooling,
}

impl ServerAddress {
    fn read(url: &str) -> Stored<Self> {
        let mut read = Self { url: url.to_owned(), roots: None, pooling: Pooling::None };
        let Some((address, query)) = url.split_once('?') else { return Ok(read) };
        let mut left = Vec::new();
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("sslrootcert", file)) => read.roots = Some(PathBuf::from(file.replace("%2F", "/"))),
                Some(("sslmode", "verify-ca" | "verify-full")) => left.push("sslmode=require"),
                Some(("pooler", "none")) => read.pooling = Pooling::None,
                Some(("pooler", "transaction")) => read.pooling = Pooling::Transactions,
                Some(("pooler", _)) => {
                    let reason = "`pooler` in its address is `none` or `transaction`".to_owned();
                    return Err(StoreError::Unavailable { reason });
                }
                Some(_) | None => left.push(pair),
            }
        }
        read.url = if left.is_empty() { address.to_owned() } else { format!("{address}?{}", left.join("&")) };
        Ok(read)
    }
}

/// Reads the certificates in a file.
fn roots(file: &Path) -> Stored<rustls::RootCertStore> {
    use rustls::pki_types::pem::PemObject as _;
    let unusable = |why: String| StoreError::Unavailable {
        reason: format!("the certificates in {} can't be used: {why}", file.display()),
    };
    let mut store = rustls::RootCertStore::empty();
    let certificates = rustls::pki_types::CertificateDer::pem_file_iter(file);
    for certificate in certificates.map_err(|error| unusable(error.to_string()))? {
        let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
        store.add(certificate).map_err(|error| unusable(error.to_string()))?;
    }
    if store.is_empty() {
        return Err(unusable("there are none".to_owned()));
    }
    Ok(store)
}

/// The background part of a connection, which must be polled for the connection to make progress.
pub(super) enum Driver {
    Plain(Box<tokio_postgres::Connection<tokio_postgres::Socket, tokio_postgres::tls::NoTlsStream>>),
    Encrypted(
        Box<
            tokio_postgres::Connection<
                tokio_postgres::Socket,
                <tokio_postgres_rustls::MakeRustlsConnect as tokio_postgres::tls::MakeTlsConnect<
                    tokio_postgres::Socket,
                >>::Stream,
            >,
        >,
    ),
}

impl Driver {
    /// The next asynchronous message of the server; `None` once the connection is closed.
    pub(super) async fn next(&mut self) -> Option<tokio_postgres::AsyncMessage> {
        let next = std::future::poll_fn(|context| match self {
            Self::Plain(connection) => connection.poll_message(context),
            Self::Encrypted(connection) => connection.poll_message(context),
        });
        next.await?.ok()
    }

    /// Polls the connection until it is closed.
    pub(super) async fn drive(mut self) {
        while self.next().await.is_some() {}
    }
}

/// Whether the address asks for an unencrypted connection, or is one that can't be encrypted.
fn is_plain(config: &Config) -> bool {
    let local = config.get_hosts().iter().all(|host| matches!(host, tokio_postgres::config::Host::Unix(_)));
    local || config.get_ssl_mode() == SslMode::Disable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_over_a_network_is_encrypted_unless_it_says_otherwise() {
        for (query, mode, roots) in [
            ("", SslMode::Require, None),
            ("?sslmode=prefer", SslMode::Require, None),
            ("?sslmode=require&connect_timeout=3", SslMode::Require, None),
            ("?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem", SslMode::Require, Some("/etc/ca.pem")),
            ("?sslrootcert=/etc/ca.pem", SslMode::Require, Some("/etc/ca.pem")),
            ("?sslmode=disable", SslMode::Disable, None),
        ] {
            let address = Address::parse(&format!("postgres://node@db.example.org/selfhood{query}")).unwrap();
            assert_eq!(address.config.get_ssl_mode(), mode, "{query}");
            assert_eq!(address.roots.as_deref(), roots.map(Path::new), "{query}");
        }
        let socket = Address::parse("postgres://node@%2Frun%2Fpostgresql/selfhood").unwrap();
        assert!(is_plain(&socket.config));
        assert!(Address::parse("postgres://node@db/selfhood?sslmode=perhaps").is_err());
    }

    #[test]
    fn an_address_says_that_a_pooler_is_between() {
        for (query, pooling) in [
            ("", Pooling::None),
            ("?pooler=none", Pooling::None),
            ("?sslmode=disable&pooler=transaction", Pooling::Transactions),
        ] {
            let address = Address::parse(&format!("postgres://node@db/selfhood{query}")).unwrap();
            assert_eq!(address.pooling(), pooling, "{query}");
        }
        assert!(Address::parse("postgres://node@db/selfhood?pooler=session").is_err());
    }
}
