//! Descriptions of all settings, for the reference page. A test checks that every setting of the catalogue is
//! here.

use super::catalogue::{self, Entry};
use super::{Environment, Settings};
use crate::cli::Cli;

/// A setting with its description.
pub(crate) struct Described {
    pub(crate) key: &'static str,
    pub(crate) flag: Option<&'static str>,
    pub(crate) environment: &'static [&'static str],
    pub(crate) default: String,
    pub(crate) means: &'static str,
}

/// Defaults that depend on the machine, described.
const IN_WORDS: [(&str, &str); 3] = [
    ("home", "`selfhood` in the folder for application data"),
    ("vault.keys", "the home's path with `.keys` added"),
    ("store.url", "`home`"),
];

const MEANINGS: &[(&str, &str)] = &[
    ("home", "Folder of the tenants and their personas."),
    ("vault.keys", "Folder of the keys, never inside the home."),
    (
        "vault.wrapping",
        "The service that wraps new keys: `aws-kms ARN`, or `vault-transit https://HOST/MOUNT/KEY`.",
    ),
    ("vault.kms_endpoint", "The address of KMS, if it is not Amazon's."),
    ("vault_token", "The token for Vault's transit engine; a secret, so only in the environment."),
    ("aws.region", "The region of the bucket and of KMS; the region in a key's ARN takes precedence."),
    ("aws_access_key_id", "The access key id for S3 and KMS; only in the environment."),
    ("aws_secret_access_key", "The secret key for S3 and KMS; only in the environment."),
    ("aws_session_token", "The token of temporary credentials; a secret, so only in the environment."),
    ("passphrase", "The passphrase of the keys; a secret, so only in the environment."),
    ("store.url", "Where memories are stored: `home`, or a `postgres://` address that several nodes share."),
    ("tenant", "The tenant of commands; `default` when left out."),
    ("persona", "The persona of commands; the only one when left out."),
    ("output", "How results are printed: table, tsv, json, jsonl, csv, quiet or html."),
    ("consent.bases", "Consent bases that this deployment adds to the built-in ones."),
    ("consent.formation", "The consent basis of memories formed from conversations."),
    ("limits.document_bytes", "The largest file of a persona that is read or written."),
    ("limits.body_bytes", "The largest body of a request."),
    ("limits.import_bytes", "The largest body of an import."),
    ("limits.requests_per_second", "How many requests a second one key may make."),
    ("limits.burst", "How many it may make at once before the rate applies."),
    ("limits.wrong_keys", "How many unknown keys an address may try before it gets one try a second."),
    ("limits.requests_at_once", "How many requests of one tenant are answered at once."),
    ("limits.streams_at_once", "How many streams of one tenant are open at once."),
    (
        "limits.body_bytes_at_once",
        "How many bytes of bodies of one key are in memory at once; a tenant has twice as many.",
    ),
    ("limits.connections", "How many connections are open at once."),
    ("limits.connections_per_address", "How many of them from one address."),
    ("limits.head_seconds", "How long the head of a request may take."),
    ("limits.body_seconds", "How long its body may take."),
    ("limits.answer_seconds", "How long an answer that is not streamed may take."),
    ("limits.drain_seconds", "How long the shutdown waits for open requests."),
    ("server.address", "The address to listen on; listening for other machines needs this setting."),
    ("server.port", "The port; 0 takes any free one."),
    ("server.tls_cert", "The certificate chain (PEM); renewed files are used from the next connection on."),
    ("server.tls_key", "The certificate's private key (PEM)."),
    ("server.public_url", "The public URL, behind a reverse proxy."),
    ("server.hosts", "Further host names of the server."),
    ("server.forwarders", "Addresses or networks of proxies whose `X-Forwarded-*` headers are trusted."),
    ("server.log", "How much is logged to stderr: error, warn, info or debug; info logs every request."),
    ("server.log_format", "The format of log lines: human or json."),
    ("server.model_ports", "Ports of this machine where model servers are searched for; empty disables it."),
    (
        "server.model_providers",
        "Providers whose models an owner may connect with an API key, by short name or address; empty permits none.",
    ),
    (
        "openwebui_jwt_secret",
        "The secret with which Open WebUI signs its users' names; only in the environment.",
    ),
    (
        "backup.to",
        "Folder, or `s3://BUCKET/PREFIX/`, for automatic backups while a server runs; without it there are none.",
    ),
    ("backup.every", "How often, such as `1d`, `12h` or `30m`."),
    ("backup.keep", "How many backups are kept; the oldest are deleted first."),
    ("backup.s3_endpoint", "The address of S3-compatible storage, if it is not Amazon's."),
    (
        "telemetry.otlp_url",
        "The OpenTelemetry collector (OTLP over HTTP) for traces and metrics; off when left out.",
    ),
    ("telemetry.every_seconds", "The interval between two reports."),
    (
        "otlp_headers",
        "Headers for the collector of traces, as `name=value,name=value`; a secret, so only in the environment.",
    ),
    ("distill.auto", "Whether digests are made automatically."),
    ("distill.auto_short", "Whether the short digest is made automatically, daily at 03:00."),
    ("distill.auto_mid", "Whether the mid digest is, on Sundays at 03:30."),
    ("distill.auto_long", "Whether the long digest is, on the 1st of the month at 04:00."),
    ("distill.budget_short", "The token budget of the short digest."),
    ("distill.budget_mid", "The token budget of the mid digest."),
    ("distill.budget_long", "The token budget of the long digest."),
    ("distill.auto_cues", "Whether a model writes cues for memories that have none, nightly."),
    ("distill.budget_cues", "How many tokens a day that may cost."),
    ("roles.chat.model", "The model that answers; without one the built-in voice does."),
    ("roles.distill_mid.model", "The model of the mid digest; the one of `chat` when left out."),
    ("roles.distill_long.model", "The model of the long digest; the one of `chat` when left out."),
    ("roles.formation.model", "The model that forms memories; the one of `chat` when left out."),
    ("roles.cues.model", "The model that writes cues; the one of `chat` when left out."),
    ("roles.recall.model", "The model that selects memories from the best 40; off when left out."),
    ("roles.consistency.model", "The model that looks for contradictions; the one of `chat` when left out."),
];

/// All settings, in the order of the catalogue's sections.
pub(crate) fn all() -> Vec<Described> {
    let environment = Environment::from([("HOME", "/nowhere")]);
    let cli = <Cli as clap::Parser>::parse_from(["selfhood", "config", "show"]);
    let settled = Settings::resolve(&cli, &environment).unwrap();
    let default = |entry: &Entry<'_>| {
        let in_words =
            IN_WORDS.iter().find(|(key, _)| *key == entry.key).map(|(_, words)| (*words).to_owned());
        let shown =
            settled.shown.iter().find(|shown| shown.key == entry.key).and_then(|shown| shown.value.clone());
        in_words
            .or_else(|| shown.filter(|value| !value.is_empty()).map(|value| format!("`{value}`")))
            .unwrap_or_default()
    };
    let described = |entry: &&'static Entry<'static>| Described {
        key: entry.key,
        flag: entry.flag,
        environment: entry.environment,
        default: default(entry),
        means: MEANINGS.iter().find(|(key, _)| *key == entry.key).map_or("", |(_, means)| means),
    };
    let mut all: Vec<Described> = catalogue::ALL.iter().map(described).collect();
    // Settings without a section come first; the sort keeps the catalogue's order within each.
    all.sort_by_key(|setting| setting.key.split_once('.').map_or("", |(section, _)| section));
    all
}

#[test]
fn every_setting_is_described_and_nothing_else_is() {
    for setting in all() {
        assert!(!setting.means.is_empty(), "{} is not described", setting.key);
    }
    for (key, _) in MEANINGS {
        assert!(catalogue::ALL.iter().any(|entry| entry.key == *key), "{key} is no setting");
    }
}
