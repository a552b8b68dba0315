-- The sentence vectors of memories and of timeline entries, sealed under the key that seals the record itself. They are
-- made after the record was written and go with it; `revision` says when they came, so that other nodes learn of them
-- without the record having changed.

CREATE TABLE atom_vectors (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    id BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, id),
    FOREIGN KEY (tenant, persona, id) REFERENCES atoms (tenant, persona, id) ON DELETE CASCADE
) /*by tenant*/;
CREATE INDEX atom_vectors_by_revision ON atom_vectors (tenant, persona, revision) WHERE revision IS NOT NULL;

CREATE TABLE entry_vectors (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    sequence BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    payload BYTEA NOT NULL,
    PRIMARY KEY (tenant, persona, sequence),
    FOREIGN KEY (tenant, persona, sequence) REFERENCES timeline (tenant, persona, sequence) ON DELETE CASCADE
) /*by tenant*/;

-- Which node makes the vectors of a persona now, and until when the others leave it to that node.
CREATE TABLE vector_leases (
    tenant TEXT NOT NULL,
    persona UUID NOT NULL,
    holder UUID NOT NULL,
    until TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (tenant, persona)
) /*by tenant*/;
