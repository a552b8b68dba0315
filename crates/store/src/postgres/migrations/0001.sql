-- Everything of every tenant. Words are only in sealed columns: `label`, `payload`, `reason`, `part`.
--
-- Each table with a tenant is keyed by it first, so that rows can be spread by it: over partitions here, or over
-- servers by an extension. Row sums are not needed as they are in a file: the server checks its own pages
-- (`data_checksums`), and every sealed blob opens only in its own place.

CREATE SEQUENCE numbers;

CREATE TABLE tenants (
    tenant TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The epoch of the key that wraps the tenant's data keys. Who makes a data key holds this row FOR SHARE.
    epoch BIGINT NOT NULL,
    PRIMARY KEY (tenant)
) /*by tenant*/;

CREATE TABLE personas (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, persona),
    UNIQUE (tenant, name)
) /*by tenant*/;

-- Where records stand: one row per persona, and one per tenant (persona zero) for the deployment's own records
-- of that tenant. Who writes holds the row, so a place has one writer at a time.
CREATE TABLE places (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    revision BIGINT NOT NULL,
    forgotten_removals BIGINT NOT NULL,
    -- The revisions at which a data key was last made or relabelled, and last struck out.
    keys_changed BIGINT NOT NULL,
    keys_struck BIGINT NOT NULL,
    frontier BYTEA NOT NULL,
    checkpoint_size BIGINT,
    checkpoint_at BIGINT,
    PRIMARY KEY (tenant, persona)
) /*by tenant*/;

-- The data keys that live, wrapped by the tenant's key of one epoch, which is in no table.
CREATE TABLE keyring (
    tenant TEXT NOT NULL,
    key_ref BYTEA NOT NULL,
    epoch BIGINT NOT NULL,
    wrapped BYTEA NOT NULL,
    change BIGINT NOT NULL DEFAULT nextval('numbers'),
    PRIMARY KEY (tenant, key_ref)
) /*by tenant*/;

CREATE TABLE destroyed_keys (
    tenant TEXT NOT NULL,
    key_ref BYTEA NOT NULL,
    at BIGINT NOT NULL,
    change BIGINT NOT NULL DEFAULT nextval('numbers'),
    PRIMARY KEY (tenant, key_ref)
) /*by tenant*/;

-- Which data keys seal something at a place. The label says whose key it is, sealed under that very key.
CREATE TABLE keys (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    n BIGINT NOT NULL DEFAULT nextval('numbers'),
    revision BIGINT NOT NULL,
    key_ref BYTEA NOT NULL,
    label BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, n),
    UNIQUE (tenant, key_ref)
) /*by tenant*/;
CREATE INDEX keys_by_revision ON keys (tenant, persona, revision);

-- What changes about a memory, apart from its words, so that a change touches a narrow row.
CREATE TABLE atoms (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    id BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    kind BIGINT NOT NULL,
    class BIGINT NOT NULL,
    status BIGINT NOT NULL,
    trust BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_rehearsed_at BIGINT NOT NULL,
    rehearsal_count BIGINT NOT NULL,
    salience DOUBLE PRECISION NOT NULL,
    valence DOUBLE PRECISION NOT NULL,
    decay_function BIGINT NOT NULL,
    half_life DOUBLE PRECISION NOT NULL,
    boost DOUBLE PRECISION NOT NULL,
    protection DOUBLE PRECISION NOT NULL,
    minimum DOUBLE PRECISION NOT NULL,
    detail_rate DOUBLE PRECISION NOT NULL,
    archived_at BIGINT,
    released_at BIGINT,
    review BIGINT,
    audit_hold BOOLEAN NOT NULL,
    revises BIGINT,
    anchors BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, id)
) /*by tenant*/;
CREATE INDEX atoms_by_revision ON atoms (tenant, persona, revision);

CREATE TABLE payloads (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    id BIGINT NOT NULL,
    key BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, id),
    FOREIGN KEY (tenant, persona, id) REFERENCES atoms (tenant, persona, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX payloads_by_key ON payloads (tenant, persona, key);

CREATE TABLE lineage (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    child BIGINT NOT NULL,
    position BIGINT NOT NULL,
    parent BIGINT NOT NULL,
    PRIMARY KEY (tenant, persona, child, position),
    FOREIGN KEY (tenant, persona, child) REFERENCES atoms (tenant, persona, id) ON DELETE CASCADE
) /*by tenant*/;

CREATE TABLE rehearsals (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    n BIGINT NOT NULL DEFAULT nextval('numbers'),
    memory BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind BIGINT NOT NULL,
    spoken BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, memory, n),
    FOREIGN KEY (tenant, persona, memory) REFERENCES atoms (tenant, persona, id) ON DELETE CASCADE
) /*by tenant*/;

CREATE TABLE timeline (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    sequence BIGINT NOT NULL,
    id UUID NOT NULL,
    revision BIGINT NOT NULL,
    event_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    memory_type BIGINT NOT NULL,
    strength DOUBLE PRECISION NOT NULL,
    superseded_at BIGINT,
    superseded_by UUID,
    revises UUID,
    key BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    reason BYTEA,
    PRIMARY KEY (tenant, persona, sequence),
    UNIQUE (tenant, persona, id),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX timeline_by_key ON timeline (tenant, persona, key);

CREATE TABLE tombstones (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    kind BIGINT NOT NULL,
    id BYTEA NOT NULL,
    at BIGINT NOT NULL,
    reason_code BIGINT NOT NULL,
    sequence BIGINT,
    PRIMARY KEY (tenant, persona, kind, id)
) /*by tenant*/;

CREATE TABLE removed (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    kind BIGINT NOT NULL,
    id BYTEA NOT NULL,
    revision BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant, persona, kind, id)
) /*by tenant*/;

CREATE TABLE sessions (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    n BIGINT NOT NULL DEFAULT nextval('numbers'),
    revision BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    key BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, n),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX sessions_by_key ON sessions (tenant, persona, key);
CREATE INDEX sessions_by_revision ON sessions (tenant, persona, revision);

CREATE TABLE turns (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    id UUID NOT NULL,
    session BIGINT NOT NULL,
    position BIGINT NOT NULL,
    speaker BIGINT NOT NULL,
    at BIGINT NOT NULL,
    state BIGINT NOT NULL,
    formation BIGINT NOT NULL,
    key BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, id),
    FOREIGN KEY (tenant, persona, session) REFERENCES sessions (tenant, persona, n) ON DELETE CASCADE,
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX turns_by_session ON turns (tenant, persona, session);
CREATE INDEX turns_by_formation ON turns (tenant, persona, formation) WHERE formation = 1;
CREATE INDEX turns_by_key ON turns (tenant, persona, key);

CREATE TABLE traces (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    recall UUID NOT NULL,
    at BIGINT NOT NULL,
    key BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, recall),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX traces_by_key ON traces (tenant, persona, key);
CREATE INDEX traces_by_time ON traces (tenant, persona, at);

CREATE TABLE trace_memories (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    recall UUID NOT NULL,
    position BIGINT NOT NULL,
    memory BIGINT NOT NULL,
    PRIMARY KEY (tenant, persona, recall, position),
    FOREIGN KEY (tenant, persona, recall) REFERENCES traces (tenant, persona, recall) ON DELETE CASCADE
) /*by tenant*/;
CREATE INDEX traces_by_memory ON trace_memories (tenant, persona, memory);

CREATE TABLE documents (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    key BIGINT NOT NULL,
    name TEXT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, key, name),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;

-- What a home on disk has as files. Each version is sealed under a key of its own, which dies with it.
CREATE TABLE home_documents (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    name TEXT NOT NULL,
    key_ref BYTEA NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, name)
) /*by tenant*/;

CREATE TABLE requests (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    tag BYTEA NOT NULL,
    fingerprint BYTEA NOT NULL,
    status BIGINT NOT NULL,
    resource TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant, persona, tag)
) /*by tenant*/;

CREATE TABLE events (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    seq BIGINT NOT NULL,
    about TEXT,
    body TEXT NOT NULL,
    key BIGINT,
    part BYTEA,
    PRIMARY KEY (tenant, persona, seq),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;
CREATE INDEX events_by_key ON events (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX events_by_about ON events (tenant, persona, about) WHERE part IS NOT NULL;

CREATE TABLE checkpoints (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    size BIGINT NOT NULL,
    at BIGINT NOT NULL,
    keyring_counter BIGINT,
    note TEXT NOT NULL,
    PRIMARY KEY (tenant, persona, size)
) /*by tenant*/;

CREATE TABLE api_keys (
    tenant TEXT NOT NULL,
    public_id TEXT NOT NULL,
    tag BYTEA NOT NULL,
    scopes BIGINT NOT NULL,
    speaks BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (tenant, public_id)
) /*by tenant*/;
CREATE INDEX api_keys_by_public_id ON api_keys (public_id);

CREATE TABLE settings (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant, name)
) /*by tenant*/;

CREATE TABLE persona_checkpoints (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    size BIGINT NOT NULL,
    at BIGINT NOT NULL,
    keyring_counter BIGINT,
    note TEXT NOT NULL,
    PRIMARY KEY (tenant, persona, size)
) /*by tenant*/;

-- Requests to be forgotten. Whom one is about stands only in `payload`, sealed under a key of its own.
CREATE TABLE erasures (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    id UUID NOT NULL,
    status BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    acknowledge_by BIGINT NOT NULL,
    complete_by BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    progress TEXT NOT NULL,
    key BIGINT,
    payload BYTEA,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;

-- Keyed hashes of what forgotten people were known by, so that no import brings them back.
CREATE TABLE erased (
    tenant TEXT NOT NULL,
    tag BYTEA NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant, tag)
) /*by tenant*/;

-- What happens by itself, again and again. A job's name is ours or a keyed hash, its report is codes and counts.
CREATE TABLE jobs (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    name TEXT NOT NULL,
    schedule TEXT NOT NULL,
    -- Nothing that was due up to here is owed.
    since BIGINT NOT NULL,
    paused_at BIGINT,
    holder UUID,
    leased_due BIGINT,
    leased_until BIGINT,
    last_due BIGINT,
    started_at BIGINT,
    finished_at BIGINT,
    outcome BIGINT,
    report TEXT,
    PRIMARY KEY (tenant, persona, name)
) /*by tenant*/;

-- The deployment's own log is one for all tenants. Each line belongs to one of them.
CREATE TABLE deployment_events (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    seq BIGINT NOT NULL,
    about TEXT,
    body TEXT NOT NULL,
    key BIGINT,
    part BYTEA,
    PRIMARY KEY (tenant, seq),
    FOREIGN KEY (tenant, persona, key) REFERENCES keys (tenant, persona, n)
) /*by tenant*/;

CREATE TABLE deployment_log (
    single BOOLEAN PRIMARY KEY CHECK (single),
    frontier BYTEA NOT NULL
);
INSERT INTO deployment_log (single, frontier) VALUES (TRUE, '');

CREATE TABLE deployment_checkpoints (
    size BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    note TEXT NOT NULL
);

-- The nodes that hold keys in memory. One whose lease has run out holds none, and answers nothing.
CREATE TABLE nodes (
    node UUID PRIMARY KEY,
    lease_until TIMESTAMPTZ NOT NULL,
    -- The last rotation this node has followed: it holds no key that died before it.
    generation BIGINT NOT NULL
);

CREATE TABLE rotations (
    single BOOLEAN PRIMARY KEY CHECK (single),
    generation BIGINT NOT NULL
);
INSERT INTO rotations (single, generation) VALUES (TRUE, 0);
