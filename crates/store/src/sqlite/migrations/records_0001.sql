-- The records of one persona. Words are only in sealed columns: `label`, `payload`, `reason`, `part`.
--
-- No seal vouches for what is in clear, so each row carries a sum of its clear columns: `checksum` is written
-- with the row, `sound` says whether the two still agree. Lines of the log need none, their tree is one;
-- rows that hold nothing but a sealed blob and its key neither, since the blob opens in its place only.

CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    tenant TEXT NOT NULL,
    persona TEXT NOT NULL,
    revision INTEGER NOT NULL,
    forgotten_removals INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(only, tenant, persona, revision, forgotten_removals)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(only, tenant, persona, revision, forgotten_removals)) VIRTUAL
) STRICT;

-- Which data keys seal something here. The label says whose key it is, sealed under that very key.
CREATE TABLE keys (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    key_ref BLOB NOT NULL UNIQUE,
    -- When it was decided that the key dies; from then until it is in the register of destroyed keys.
    dying INTEGER,
    label BLOB NOT NULL
) STRICT;

-- What changes about a memory, apart from its words, so that a change touches a narrow row.
CREATE TABLE atoms (
    n INTEGER PRIMARY KEY,
    id INTEGER NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    class INTEGER NOT NULL,
    status INTEGER NOT NULL,
    trust INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_rehearsed_at INTEGER NOT NULL,
    rehearsal_count INTEGER NOT NULL,
    salience REAL NOT NULL,
    valence REAL NOT NULL,
    decay_function INTEGER NOT NULL,
    half_life REAL NOT NULL,
    boost REAL NOT NULL,
    protection REAL NOT NULL,
    minimum REAL NOT NULL,
    detail_rate REAL NOT NULL,
    archived_at INTEGER,
    released_at INTEGER,
    review INTEGER,
    audit_hold INTEGER NOT NULL,
    revises INTEGER,
    anchors BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, id, revision, kind, class, status, trust, created_at, last_rehearsed_at, rehearsal_count, salience, valence, decay_function, half_life, boost, protection, minimum, detail_rate, archived_at, released_at, review, audit_hold, revises, anchors)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, id, revision, kind, class, status, trust, created_at, last_rehearsed_at, rehearsal_count, salience, valence, decay_function, half_life, boost, protection, minimum, detail_rate, archived_at, released_at, review, audit_hold, revises, anchors)) VIRTUAL
) STRICT;
CREATE INDEX atoms_by_revision ON atoms (revision);

CREATE TABLE payloads (
    n INTEGER PRIMARY KEY REFERENCES atoms (n) ON DELETE CASCADE,
    key INTEGER NOT NULL REFERENCES keys (n),
    payload BLOB NOT NULL
) STRICT;
CREATE INDEX payloads_by_key ON payloads (key);

CREATE TABLE lineage (
    child INTEGER NOT NULL REFERENCES atoms (n) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(child, position, parent)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(child, position, parent)) VIRTUAL,
    PRIMARY KEY (child, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE rehearsals (
    n INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES atoms (n) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    spoken BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, memory, at, kind, spoken)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, memory, at, kind, spoken)) VIRTUAL
) STRICT;
CREATE INDEX rehearsals_by_memory ON rehearsals (memory);

CREATE TABLE timeline (
    sequence INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    event_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    memory_type INTEGER NOT NULL,
    strength REAL NOT NULL,
    superseded_at INTEGER,
    superseded_by BLOB,
    revises BLOB,
    key INTEGER NOT NULL REFERENCES keys (n),
    payload BLOB NOT NULL,
    reason BLOB,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(sequence, id, revision, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(sequence, id, revision, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key)) VIRTUAL
) STRICT;
CREATE INDEX timeline_by_key ON timeline (key);

CREATE TABLE tombstones (
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    at INTEGER NOT NULL,
    reason_code INTEGER NOT NULL,
    sequence INTEGER,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(kind, id, at, reason_code, sequence)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(kind, id, at, reason_code, sequence)) VIRTUAL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE removed (
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    revision INTEGER NOT NULL,
    at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(kind, id, revision, at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(kind, id, revision, at)) VIRTUAL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    key INTEGER NOT NULL REFERENCES keys (n),
    payload BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, started_at, last_at, key)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, started_at, last_at, key)) VIRTUAL
) STRICT;
CREATE INDEX sessions_by_key ON sessions (key);

CREATE TABLE turns (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    speaker INTEGER NOT NULL,
    at INTEGER NOT NULL,
    state INTEGER NOT NULL,
    formation INTEGER NOT NULL,
    key INTEGER NOT NULL REFERENCES keys (n),
    payload BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, id, session, position, speaker, at, state, formation, key)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, id, session, position, speaker, at, state, formation, key)) VIRTUAL
) STRICT;
CREATE INDEX turns_by_session ON turns (session);
CREATE INDEX turns_by_formation ON turns (formation) WHERE formation = 1;
CREATE INDEX turns_by_key ON turns (key);

CREATE TABLE traces (
    n INTEGER PRIMARY KEY,
    recall BLOB NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    key INTEGER NOT NULL REFERENCES keys (n),
    payload BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, recall, at, key)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, recall, at, key)) VIRTUAL
) STRICT;
CREATE INDEX traces_by_key ON traces (key);

CREATE TABLE trace_memories (
    trace INTEGER NOT NULL REFERENCES traces (n) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(trace, position, memory)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(trace, position, memory)) VIRTUAL,
    PRIMARY KEY (trace, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX traces_by_memory ON trace_memories (memory);

CREATE TABLE documents (
    n INTEGER PRIMARY KEY,
    key INTEGER NOT NULL REFERENCES keys (n),
    name TEXT NOT NULL,
    payload BLOB NOT NULL,
    UNIQUE (key, name)
) STRICT;

CREATE TABLE requests (
    tag BLOB PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL,
    resource TEXT,
    at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tag, fingerprint, status, resource, at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tag, fingerprint, status, resource, at)) VIRTUAL
) STRICT, WITHOUT ROWID;

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
