-- What a deployment knows of itself. Words are only in sealed columns: `label`, `part`.
--
-- No seal vouches for what is in clear, so each row carries a sum of its clear columns: `checksum` is written
-- with the row, `sound` says whether the two still agree. Lines of the log need none, their tree is one;
-- rows that hold nothing but a sealed blob and its key neither, since the blob opens in its place only.

CREATE TABLE tenants (
    name TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(name, created_at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(name, created_at)) VIRTUAL
) STRICT, WITHOUT ROWID;

CREATE TABLE personas (
    id BLOB NOT NULL,
    tenant TEXT NOT NULL REFERENCES tenants (name),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- Set when its destruction was decided and until nothing of it is left.
    dying INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(id, tenant, name, created_at, dying)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(id, tenant, name, created_at, dying)) VIRTUAL,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    public_id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (name),
    tag BLOB NOT NULL,
    scopes INTEGER NOT NULL,
    speaks INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(public_id, tenant, tag, scopes, speaks, created_at, expires_at, revoked_at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(public_id, tenant, tag, scopes, speaks, created_at, expires_at, revoked_at)) VIRTUAL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_tenant ON api_keys (tenant);

CREATE TABLE requests (
    tenant TEXT NOT NULL REFERENCES tenants (name),
    tag BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL,
    resource TEXT,
    at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tenant, tag, fingerprint, status, resource, at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tenant, tag, fingerprint, status, resource, at)) VIRTUAL,
    PRIMARY KEY (tenant, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    tenant TEXT NOT NULL REFERENCES tenants (name),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tenant, name, value)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tenant, name, value)) VIRTUAL,
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE persona_checkpoints (
    tenant TEXT NOT NULL REFERENCES tenants (name),
    persona BLOB NOT NULL,
    size INTEGER NOT NULL,
    at INTEGER NOT NULL,
    keyring_counter INTEGER,
    note TEXT NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tenant, persona, size, at, keyring_counter, note)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tenant, persona, size, at, keyring_counter, note)) VIRTUAL,
    PRIMARY KEY (tenant, persona, size)
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    key_ref BLOB NOT NULL UNIQUE,
    -- When it was decided that the key dies; from then until it is in the register of destroyed keys.
    dying INTEGER,
    label BLOB NOT NULL
) STRICT;

CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    about TEXT,
    body TEXT NOT NULL,
    key INTEGER REFERENCES keys (n),
    part BLOB
) STRICT;
CREATE INDEX events_by_key ON events (key) WHERE key IS NOT NULL;
CREATE INDEX events_by_about ON events (about) WHERE part IS NOT NULL;

CREATE TABLE tree (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    frontier BLOB NOT NULL
) STRICT;

CREATE TABLE checkpoints (
    size INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    keyring_counter INTEGER,
    note TEXT NOT NULL
) STRICT;
