-- The sentence vectors of memories and of timeline entries, sealed under the key that seals the record itself. They are
-- made after the record was written and go with it; `revision` says when they came, so that readers learn of them
-- without the record having changed.

CREATE TABLE atom_vectors (
    n INTEGER PRIMARY KEY REFERENCES atoms (n) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    payload BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, revision)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, revision)) VIRTUAL
) STRICT;
CREATE INDEX atom_vectors_by_revision ON atom_vectors (revision);

CREATE TABLE entry_vectors (
    sequence INTEGER PRIMARY KEY REFERENCES timeline (sequence) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    payload BLOB NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(sequence, revision)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(sequence, revision)) VIRTUAL
) STRICT;
