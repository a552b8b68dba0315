-- Every index beside a primary key begins with the same two columns as that key. While a table is small and nobody
-- has counted what is in it, both look equally good to the server for finding one row by its key; and what it chose
-- then, a connection keeps, also for the checks of foreign keys, when finding one row by the wrong index means
-- reading all rows of a persona. An index that has only rows with a value in its last column, which all have, can be
-- used for nothing but what compares that column, so there is no choice left to be made.

DROP INDEX keys_by_revision, atoms_by_revision, payloads_by_key, timeline_by_key, sessions_by_key,
    sessions_by_revision, turns_by_session, turns_by_key, traces_by_key, traces_by_time, traces_by_memory;

CREATE INDEX keys_by_revision ON keys (tenant, persona, revision) WHERE revision IS NOT NULL;
CREATE INDEX atoms_by_revision ON atoms (tenant, persona, revision) WHERE revision IS NOT NULL;
CREATE INDEX payloads_by_key ON payloads (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX timeline_by_key ON timeline (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX sessions_by_key ON sessions (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX sessions_by_revision ON sessions (tenant, persona, revision) WHERE revision IS NOT NULL;
CREATE INDEX turns_by_session ON turns (tenant, persona, session) WHERE session IS NOT NULL;
CREATE INDEX turns_by_key ON turns (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX traces_by_key ON traces (tenant, persona, key) WHERE key IS NOT NULL;
CREATE INDEX traces_by_time ON traces (tenant, persona, at) WHERE at IS NOT NULL;
CREATE INDEX traces_by_memory ON trace_memories (tenant, persona, memory) WHERE memory IS NOT NULL;
