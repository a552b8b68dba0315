-- What an API key is bound to, and what people call it. A table of its own: few keys are bound, and the sum that
-- vouches for a row of `api_keys` was fixed when that table was made. Whom a key speaks for is not here: that is
-- sealed, in a document of that person, in the persona `subject_in`.

CREATE TABLE key_bounds (
    public_id TEXT PRIMARY KEY REFERENCES api_keys (public_id),
    persona BLOB,
    subject_in BLOB,
    label TEXT,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(public_id, persona, subject_in, label)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(public_id, persona, subject_in, label)) VIRTUAL
) STRICT, WITHOUT ROWID;
