-- What an API key is bound to, and what people call it. Whom a key speaks for is not here: that is sealed, in a
-- document of that person, in the persona `subject_in`.

ALTER TABLE api_keys ADD COLUMN persona UUID, ADD COLUMN subject_in UUID, ADD COLUMN label TEXT;
