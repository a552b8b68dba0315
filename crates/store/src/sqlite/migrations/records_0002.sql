-- Which memories are pinned, and since when. A table of its own: few memories are pinned, and the sum that vouches for
-- a row of `atoms` was fixed when that table was made.

CREATE TABLE pins (
    n INTEGER PRIMARY KEY REFERENCES atoms (n) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    checksum INTEGER GENERATED ALWAYS AS (row_sum(n, at)) STORED,
    sound INTEGER GENERATED ALWAYS AS (checksum = row_sum(n, at)) VIRTUAL
) STRICT;
