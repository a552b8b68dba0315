-- What happens by itself, again and again. A job's name is ours or a keyed hash, its report is codes and counts.

CREATE TABLE jobs (
    tenant TEXT NOT NULL REFERENCES tenants (name),
    persona BLOB NOT NULL,
    name TEXT NOT NULL,
    schedule TEXT NOT NULL,
    -- Nothing that was due up to here is owed.
    since INTEGER NOT NULL,
    paused_at INTEGER,
    holder BLOB,
    leased_due INTEGER,
    leased_until INTEGER,
    last_due INTEGER,
    started_at INTEGER,
    finished_at INTEGER,
    outcome INTEGER,
    report TEXT,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tenant, persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tenant, persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report)) VIRTUAL,
    PRIMARY KEY (tenant, persona, name)
) STRICT, WITHOUT ROWID;
