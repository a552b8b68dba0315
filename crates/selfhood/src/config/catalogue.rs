//! Every setting there is, and the names it goes by.

/// One setting. Its key is also its place in `selfhood.toml`: `vault.keys` is `keys` under `[vault]`.
pub(super) struct Entry {
    /// The name in `config show`.
    pub(super) key: &'static str,
    /// The flag that sets it, if there is one.
    pub(super) flag: Option<&'static str>,
    /// The environment variables that set it, the first of them first.
    pub(super) environment: &'static [&'static str],
}

/// The home can't be named inside the home, so it has no place in a file.
pub(super) const HOME: Entry = Entry { key: "home", flag: Some("--home"), environment: &["SELFHOOD_HOME"] };
pub(super) const KEYS: Entry =
    Entry { key: "vault.keys", flag: Some("--keys"), environment: &["SELFHOOD_KEYS"] };
/// A secret belongs in the environment, so it has neither a flag nor a place in the file.
pub(super) const PASSPHRASE: Entry =
    Entry { key: "passphrase", flag: None, environment: &["SELFHOOD_PASSPHRASE"] };
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
pub(super) const DOCUMENT_BYTES: Entry =
    Entry { key: "limits.document_bytes", flag: None, environment: &["SELFHOOD_LIMITS_DOCUMENT_BYTES"] };

const ALL: [&Entry; 9] =
    [&HOME, &KEYS, &PASSPHRASE, &STORE, &TENANT, &PERSONA, &OUTPUT, &CONSENT_BASES, &DOCUMENT_BYTES];

/// The keys that may stand in `selfhood.toml`: those that belong to a section.
pub(super) fn file_keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|entry| entry.key).filter(|key| key.contains('.'))
}

/// Every environment variable that sets something, except the home's own.
pub(super) fn home_variables() -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(|entry| entry.key != HOME.key).flat_map(|entry| entry.environment.iter().copied())
}

/// ``; did you mean `x`?`` for the known name closest to `unknown`, or the way to list them all.
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
