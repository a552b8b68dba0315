-- Since when a memory is pinned, if it is.

ALTER TABLE atoms ADD COLUMN pinned_at BIGINT;
