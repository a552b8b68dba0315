//! All settings and their names.

/// One setting. Its key is also its position in `selfhood.toml`: `vault.keys` is `keys` under `[vault]`.
pub(super) struct Entry<'a> {
    /// The name in `config show`.
    pub(super) key: &'a str,
    /// The flag that sets it, if there is one.
    pub(super) flag: Option<&'static str>,
    /// The environment variables that set it, in order of priority.
    pub(super) environment: &'static [&'static str],
}

/// The home can't be set inside the home, so it has no key in a file.
pub(super) const HOME: Entry = Entry { key: "home", flag: Some("--home"), environment: &["SELFHOOD_HOME"] };
pub(super) const KEYS: Entry =
    Entry { key: "vault.keys", flag: Some("--keys"), environment: &["SELFHOOD_KEYS"] };
/// A secret belongs in the environment, so it has neither a flag nor a key in the file.
pub(super) const PASSPHRASE: Entry =
    Entry { key: "passphrase", flag: None, environment: &["SELFHOOD_PASSPHRASE"] };
/// Off unless named: then this service wraps new keys in place of the passphrase.
pub(super) const WRAPPING: Entry =
    Entry { key: "vault.wrapping", flag: None, environment: &["SELFHOOD_VAULT_WRAPPING"] };
pub(super) const KMS_ENDPOINT: Entry =
    Entry { key: "vault.kms_endpoint", flag: None, environment: &["SELFHOOD_VAULT_KMS_ENDPOINT"] };
pub(super) const VAULT_TOKEN: Entry =
    Entry { key: "vault_token", flag: None, environment: &["SELFHOOD_VAULT_TOKEN", "VAULT_TOKEN"] };
pub(super) const AWS_REGION: Entry =
    Entry { key: "aws.region", flag: None, environment: &["SELFHOOD_AWS_REGION", "AWS_REGION"] };
pub(super) const AWS_ID: Entry = Entry {
    key: "aws_access_key_id",
    flag: None,
    environment: &["SELFHOOD_AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID"],
};
pub(super) const AWS_SECRET: Entry = Entry {
    key: "aws_secret_access_key",
    flag: None,
    environment: &["SELFHOOD_AWS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"],
};
pub(super) const AWS_SESSION: Entry = Entry {
    key: "aws_session_token",
    flag: None,
    environment: &["SELFHOOD_AWS_SESSION_TOKEN", "AWS_SESSION_TOKEN"],
};
pub(super) const STORE: Entry =
    Entry { key: "store.url", flag: Some("--store"), environment: &["SELFHOOD_STORE"] };
pub(super) const TENANT: Entry =
    Entry { key: "tenant", flag: Some("--tenant"), environment: &["SELFHOOD_TENANT"] };
pub(super) const PERSONA: Entry =
    Entry { key: "persona", flag: Some("--persona"), environment: &["SELFHOOD_PERSONA"] };
pub(super) const OUTPUT: Entry =
    Entry { key: "output", flag: Some("--output"), environment: &["SELFHOOD_OUTPUT"] };
pub(super) const CONSENT_BASES: Entry =
    Entry { key: "consent.bases", flag: None, environment: &["SELFHOOD_CONSENT_BASES"] };
pub(super) const CONSENT_FORMATION: Entry =
    Entry { key: "consent.formation", flag: None, environment: &["SELFHOOD_CONSENT_FORMATION"] };
pub(super) const DOCUMENT_BYTES: Entry =
    Entry { key: "limits.document_bytes", flag: None, environment: &["SELFHOOD_LIMITS_DOCUMENT_BYTES"] };

pub(super) const BODY_BYTES: Entry = limit("limits.body_bytes", &["SELFHOOD_LIMITS_BODY_BYTES"]);
pub(super) const IMPORT_BYTES: Entry = limit("limits.import_bytes", &["SELFHOOD_LIMITS_IMPORT_BYTES"]);
pub(super) const REQUESTS_PER_SECOND: Entry =
    limit("limits.requests_per_second", &["SELFHOOD_LIMITS_REQUESTS_PER_SECOND"]);
pub(super) const BURST: Entry = limit("limits.burst", &["SELFHOOD_LIMITS_BURST"]);
pub(super) const WRONG_KEYS: Entry = limit("limits.wrong_keys", &["SELFHOOD_LIMITS_WRONG_KEYS"]);
pub(super) const REQUESTS_AT_ONCE: Entry =
    limit("limits.requests_at_once", &["SELFHOOD_LIMITS_REQUESTS_AT_ONCE"]);
pub(super) const STREAMS_AT_ONCE: Entry =
    limit("limits.streams_at_once", &["SELFHOOD_LIMITS_STREAMS_AT_ONCE"]);
pub(super) const BODY_BYTES_AT_ONCE: Entry =
    limit("limits.body_bytes_at_once", &["SELFHOOD_LIMITS_BODY_BYTES_AT_ONCE"]);
pub(super) const CONNECTIONS: Entry = limit("limits.connections", &["SELFHOOD_LIMITS_CONNECTIONS"]);
pub(super) const CONNECTIONS_PER_ADDRESS: Entry =
    limit("limits.connections_per_address", &["SELFHOOD_LIMITS_CONNECTIONS_PER_ADDRESS"]);
pub(super) const HEAD_SECONDS: Entry = limit("limits.head_seconds", &["SELFHOOD_LIMITS_HEAD_SECONDS"]);
pub(super) const BODY_SECONDS: Entry = limit("limits.body_seconds", &["SELFHOOD_LIMITS_BODY_SECONDS"]);
pub(super) const ANSWER_SECONDS: Entry = limit("limits.answer_seconds", &["SELFHOOD_LIMITS_ANSWER_SECONDS"]);
pub(super) const DRAIN_SECONDS: Entry = limit("limits.drain_seconds", &["SELFHOOD_LIMITS_DRAIN_SECONDS"]);

pub(super) const ADDRESS: Entry =
    Entry { key: "server.address", flag: Some("--addr"), environment: &["SELFHOOD_SERVER_ADDRESS"] };
pub(super) const PORT: Entry =
    Entry { key: "server.port", flag: Some("--port"), environment: &["SELFHOOD_SERVER_PORT"] };
pub(super) const TLS_CERTIFICATE: Entry =
    Entry { key: "server.tls_cert", flag: Some("--tls-cert"), environment: &["SELFHOOD_SERVER_TLS_CERT"] };
pub(super) const TLS_KEY: Entry =
    Entry { key: "server.tls_key", flag: Some("--tls-key"), environment: &["SELFHOOD_SERVER_TLS_KEY"] };
pub(super) const PUBLIC_URL: Entry = Entry {
    key: "server.public_url",
    flag: Some("--public-url"),
    environment: &["SELFHOOD_SERVER_PUBLIC_URL"],
};
pub(super) const HOSTS: Entry =
    Entry { key: "server.hosts", flag: None, environment: &["SELFHOOD_SERVER_HOSTS"] };
pub(super) const FORWARDERS: Entry =
    Entry { key: "server.forwarders", flag: None, environment: &["SELFHOOD_SERVER_FORWARDERS"] };
pub(super) const LOG_LEVEL: Entry =
    Entry { key: "server.log", flag: Some("--log"), environment: &["SELFHOOD_SERVER_LOG"] };
pub(super) const LOG_FORMAT: Entry =
    Entry { key: "server.log_format", flag: None, environment: &["SELFHOOD_SERVER_LOG_FORMAT"] };

/// If empty, no model servers are searched for.
pub(super) const MODEL_PORTS: Entry =
    Entry { key: "server.model_ports", flag: None, environment: &["SELFHOOD_SERVER_MODEL_PORTS"] };
/// Empty, no provider can be connected.
pub(super) const MODEL_PROVIDERS: Entry =
    Entry { key: "server.model_providers", flag: None, environment: &["SELFHOOD_SERVER_MODEL_PROVIDERS"] };

/// A secret too; Open WebUI's own name for it works as well, so that both can share one `.env`.
pub(super) const USER_SECRET: Entry = Entry {
    key: "openwebui_jwt_secret",
    flag: None,
    environment: &["SELFHOOD_OPENWEBUI_JWT_SECRET", "FORWARD_USER_INFO_HEADER_JWT_SECRET"],
};

pub(super) const BACKUP_TO: Entry =
    Entry { key: "backup.to", flag: None, environment: &["SELFHOOD_BACKUP_TO"] };
pub(super) const BACKUP_EVERY: Entry =
    Entry { key: "backup.every", flag: None, environment: &["SELFHOOD_BACKUP_EVERY"] };
pub(super) const BACKUP_KEEP: Entry =
    Entry { key: "backup.keep", flag: None, environment: &["SELFHOOD_BACKUP_KEEP"] };

pub(super) const BACKUP_S3_ENDPOINT: Entry =
    Entry { key: "backup.s3_endpoint", flag: None, environment: &["SELFHOOD_BACKUP_S3_ENDPOINT"] };

/// Only by our own name: a collector that other programs of the machine report to was not chosen for this one.
pub(super) const OTLP_URL: Entry =
    Entry { key: "telemetry.otlp_url", flag: None, environment: &["SELFHOOD_TELEMETRY_OTLP_URL"] };
pub(super) const OTLP_EVERY: Entry =
    Entry { key: "telemetry.every_seconds", flag: None, environment: &["SELFHOOD_TELEMETRY_EVERY_SECONDS"] };
pub(super) const OTLP_HEADERS: Entry =
    Entry { key: "otlp_headers", flag: None, environment: &["SELFHOOD_OTLP_HEADERS"] };

pub(super) const AUTO_DISTILL: Entry =
    Entry { key: "distill.auto", flag: None, environment: &["SELFHOOD_DISTILL_AUTO", "AUTO_DISTILL"] };
pub(super) const AUTO_SHORT: Entry = Entry {
    key: "distill.auto_short",
    flag: None,
    environment: &["SELFHOOD_DISTILL_AUTO_SHORT", "AUTO_DISTILL_SHORT"],
};
pub(super) const AUTO_MID: Entry = Entry {
    key: "distill.auto_mid",
    flag: None,
    environment: &["SELFHOOD_DISTILL_AUTO_MID", "AUTO_DISTILL_MID"],
};
pub(super) const AUTO_LONG: Entry = Entry {
    key: "distill.auto_long",
    flag: None,
    environment: &["SELFHOOD_DISTILL_AUTO_LONG", "AUTO_DISTILL_LONG"],
};
pub(super) const BUDGET_SHORT: Entry = Entry {
    key: "distill.budget_short",
    flag: None,
    environment: &["SELFHOOD_DISTILL_BUDGET_SHORT", "MEMORY_BUDGET_SHORT"],
};
pub(super) const BUDGET_MID: Entry = Entry {
    key: "distill.budget_mid",
    flag: None,
    environment: &["SELFHOOD_DISTILL_BUDGET_MID", "MEMORY_BUDGET_MID"],
};
pub(super) const BUDGET_LONG: Entry = Entry {
    key: "distill.budget_long",
    flag: None,
    environment: &["SELFHOOD_DISTILL_BUDGET_LONG", "MEMORY_BUDGET_LONG"],
};

pub(super) const AUTO_CUES: Entry =
    Entry { key: "distill.auto_cues", flag: None, environment: &["SELFHOOD_DISTILL_AUTO_CUES"] };
pub(super) const BUDGET_CUES: Entry =
    Entry { key: "distill.budget_cues", flag: None, environment: &["SELFHOOD_DISTILL_BUDGET_CUES"] };

pub(super) const CHAT_MODEL: Entry =
    Entry { key: "roles.chat.model", flag: None, environment: &["SELFHOOD_ROLES_CHAT_MODEL"] };
pub(super) const DISTILL_MID_MODEL: Entry = Entry {
    key: "roles.distill_mid.model",
    flag: None,
    environment: &["SELFHOOD_ROLES_DISTILL_MID_MODEL", "DISTILL_BACKEND_MID"],
};
pub(super) const DISTILL_LONG_MODEL: Entry = Entry {
    key: "roles.distill_long.model",
    flag: None,
    environment: &["SELFHOOD_ROLES_DISTILL_LONG_MODEL", "DISTILL_BACKEND_LONG"],
};
pub(super) const FORMATION_MODEL: Entry =
    Entry { key: "roles.formation.model", flag: None, environment: &["SELFHOOD_ROLES_FORMATION_MODEL"] };
pub(super) const CUES_MODEL: Entry =
    Entry { key: "roles.cues.model", flag: None, environment: &["SELFHOOD_ROLES_CUES_MODEL"] };
/// Off unless a model is configured: no other role's model is used.
pub(super) const RECALL_MODEL: Entry =
    Entry { key: "roles.recall.model", flag: None, environment: &["SELFHOOD_ROLES_RECALL_MODEL"] };
pub(super) const CONSISTENCY_MODEL: Entry =
    Entry { key: "roles.consistency.model", flag: None, environment: &["SELFHOOD_ROLES_CONSISTENCY_MODEL"] };

/// The sections with user-named tables, and the keys of each table.
const NAMED: [(&str, &[&str]); 2] = [
    (
        "models",
        &[
            "kind",
            "base_url",
            "model",
            "embeddings",
            "api_key_env",
            "api_key_file",
            "connect_timeout",
            "first_byte_timeout",
            "chunk_timeout",
            "answer_timeout",
        ],
    ),
    (
        "roles",
        &[
            "model",
            "inject_datetime",
            "tools",
            "context",
            "max_tokens",
            "temperature",
            "context_window",
            "timeout",
        ],
    ),
];

pub(super) const ALL: &[&Entry] = &[
    &HOME,
    &KEYS,
    &PASSPHRASE,
    &WRAPPING,
    &KMS_ENDPOINT,
    &VAULT_TOKEN,
    &AWS_REGION,
    &AWS_ID,
    &AWS_SECRET,
    &AWS_SESSION,
    &STORE,
    &TENANT,
    &PERSONA,
    &OUTPUT,
    &CONSENT_BASES,
    &CONSENT_FORMATION,
    &DOCUMENT_BYTES,
    &BODY_BYTES,
    &IMPORT_BYTES,
    &REQUESTS_PER_SECOND,
    &BURST,
    &WRONG_KEYS,
    &REQUESTS_AT_ONCE,
    &STREAMS_AT_ONCE,
    &BODY_BYTES_AT_ONCE,
    &CONNECTIONS,
    &CONNECTIONS_PER_ADDRESS,
    &HEAD_SECONDS,
    &BODY_SECONDS,
    &ANSWER_SECONDS,
    &DRAIN_SECONDS,
    &ADDRESS,
    &PORT,
    &TLS_CERTIFICATE,
    &TLS_KEY,
    &PUBLIC_URL,
    &HOSTS,
    &FORWARDERS,
    &LOG_LEVEL,
    &LOG_FORMAT,
    &MODEL_PORTS,
    &MODEL_PROVIDERS,
    &USER_SECRET,
    &BACKUP_TO,
    &BACKUP_EVERY,
    &BACKUP_KEEP,
    &BACKUP_S3_ENDPOINT,
    &OTLP_URL,
    &OTLP_EVERY,
    &OTLP_HEADERS,
    &AUTO_DISTILL,
    &AUTO_SHORT,
    &AUTO_MID,
    &AUTO_LONG,
    &BUDGET_SHORT,
    &BUDGET_MID,
    &BUDGET_LONG,
    &AUTO_CUES,
    &BUDGET_CUES,
    &CHAT_MODEL,
    &DISTILL_MID_MODEL,
    &DISTILL_LONG_MODEL,
    &FORMATION_MODEL,
    &CUES_MODEL,
    &RECALL_MODEL,
    &CONSISTENCY_MODEL,
];

/// A limit: settable in the file, and by a container's environment.
const fn limit(key: &'static str, environment: &'static [&'static str]) -> Entry<'static> {
    Entry { key, flag: None, environment }
}

/// Whether the section has user-named tables.
pub(super) fn holds_named_tables(section: &str) -> bool {
    NAMED.iter().any(|(known, _)| *known == section)
}

/// Whether a key is allowed in `selfhood.toml`.
pub(super) fn is_file_key(key: &str) -> bool {
    let in_named_table = || {
        let (section, rest) = key.split_once('.')?;
        let (_, field) = rest.split_once('.')?;
        NAMED.iter().find(|(known, _)| *known == section).map(|(_, fields)| fields.contains(&field))
    };
    file_keys().any(|known| known == key) || in_named_table().unwrap_or(false)
}

/// The keys allowed in `selfhood.toml`: those with a section.
pub(super) fn file_keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|entry| entry.key).filter(|key| key.contains('.'))
}

/// Every environment variable that sets something, except the home's own.
pub(super) fn home_variables() -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(|entry| entry.key != HOME.key).flat_map(|entry| entry.environment.iter().copied())
}

/// The way out for an unknown key.
pub(super) fn file_suggestion(unknown: &str) -> String {
    let (section, table) = unknown.split_once('.').unwrap_or((unknown, ""));
    let named = NAMED.iter().find(|(known, _)| *known == section);
    match (named, table.split_once('.')) {
        (Some((_, fields)), Some(_)) => format!("the known ones are {}", fields.join(", ")),
        (Some((section, _)), None) => format!("write `[{section}.NAME]` above it"),
        (None, _) => suggestion(unknown, file_keys()),
    }
}

/// ``; did you mean `x`?`` for the known name closest to `unknown`, or how to list them all.
pub(super) fn suggestion(unknown: &str, known: impl Iterator<Item = &'static str>) -> String {
    let nearest = known
        .map(|name| (strsim::jaro_winkler(unknown, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None => "`selfhood config show` lists every setting".to_owned(),
    }
}
