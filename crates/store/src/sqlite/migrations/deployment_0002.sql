-- Requests to be forgotten. Whom one is about stands only in `payload`, sealed under a key of its own.

CREATE TABLE erasures (
    id BLOB PRIMARY KEY,
    tenant TEXT NOT NULL REFERENCES tenants (name),
    status INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    acknowledge_by INTEGER NOT NULL,
    complete_by INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    progress TEXT NOT NULL,
    key INTEGER REFERENCES keys (n),
    payload BLOB,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key)) VIRTUAL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_by_tenant ON erasures (tenant, received_at);

-- Keyed hashes of what forgotten people were known by, so that no import brings them back.
CREATE TABLE erased (
    tenant TEXT NOT NULL REFERENCES tenants (name),
    tag BLOB NOT NULL,
    at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(tenant, tag, at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(tenant, tag, at)) VIRTUAL,
    PRIMARY KEY (tenant, tag)
) STRICT, WITHOUT ROWID;
