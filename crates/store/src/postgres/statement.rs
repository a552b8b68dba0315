//! All statements by name. `$1` is the tenant and, for records of a place, `$2` the persona. A test
//! prepares each.
//!
//! Queries for many records at once use one subquery per record (`LATERAL`, kept apart by `OFFSET 0`), so
//! that the server finds each by its key: otherwise it would estimate their number, and might scan the
//! table. Queries for changes since a revision are sorted by an expression (`+ 0`), or the server would
//! scan the table in that order.

macro_rules! statements {
    ($(#[$doc:meta])* $module:ident { $($name:ident = $sql:literal;)+ }) => {
        $(#[$doc])*
        pub(crate) mod $module {
            $(pub(crate) const $name: &str = $sql;)+

            #[cfg(test)]
            pub(in crate::postgres) const ALL: &[&str] = &[$($name,)+];
        }
    };
}

statements! {
    /// Places, their keys and their logs.
    common {
        PLACE = "SELECT revision, forgotten_removals, keys_changed, keys_struck, frontier, checkpoint_size, checkpoint_at FROM places WHERE tenant = $1 AND persona = $2";
        LOCK_PLACE = "SELECT revision, forgotten_removals, keys_changed, keys_struck, frontier, checkpoint_size, checkpoint_at FROM places WHERE tenant = $1 AND persona = $2 FOR UPDATE";
        PUT_PLACE = "INSERT INTO places (tenant, persona, revision, forgotten_removals, keys_changed, keys_struck, frontier) VALUES ($1, $2, 0, 0, 0, 0, '') ON CONFLICT (tenant, persona) DO NOTHING";
        UPDATE_PLACE = "UPDATE places SET revision = $3, forgotten_removals = $4, keys_changed = $5, keys_struck = $6, frontier = $7, checkpoint_size = $8, checkpoint_at = $9 WHERE tenant = $1 AND persona = $2";
        DELETE_PLACE = "DELETE FROM places WHERE tenant = $1 AND persona = $2";
        REVISION = "SELECT revision FROM places WHERE tenant = $1 AND persona = $2";

        KEYS_SINCE = "SELECT k.n, k.key_ref, k.label, r.epoch, r.wrapped, d.at FROM keys k LEFT JOIN keyring r ON r.tenant = k.tenant AND r.key_ref = k.key_ref LEFT JOIN destroyed_keys d ON d.tenant = k.tenant AND d.key_ref = k.key_ref WHERE k.tenant = $1 AND k.persona = $2 AND k.revision > $3 ORDER BY k.n + 0";
        PUT_KEYS = "INSERT INTO keys (tenant, persona, revision, key_ref, label) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BYTEA[], $5::BYTEA[]) RETURNING key_ref, n";
        LABEL_KEY = "UPDATE keys SET label = $4, revision = $5 WHERE tenant = $1 AND persona = $2 AND n = $3";
        DELETE_KEY = "DELETE FROM keys WHERE tenant = $1 AND persona = $2 AND n = $3";
        KEY_REFS = "SELECT key_ref FROM keys WHERE tenant = $1 AND persona = $2";

        PUT_EVENTS = "INSERT INTO events (tenant, persona, seq, about, body, key, part) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], $7::BYTEA[])";
        EVENTS = "SELECT seq, body, key, part, about FROM events WHERE tenant = $1 AND persona = $2 AND seq >= $3 AND seq < $4 ORDER BY seq";
        PARTS_OF_KEY = "SELECT seq, part FROM events WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_PART = "UPDATE events SET key = $4, part = $5 WHERE tenant = $1 AND persona = $2 AND seq = $3";
        DROP_PARTS_OF_KEY = "UPDATE events SET key = NULL, part = NULL WHERE tenant = $1 AND persona = $2 AND key = $3";
        KEYS_OF_PARTS_ABOUT = "SELECT DISTINCT key FROM events WHERE tenant = $1 AND persona = $2 AND about = $3 AND part IS NOT NULL";
        DROP_PARTS_ABOUT = "UPDATE events SET key = NULL, part = NULL WHERE tenant = $1 AND persona = $2 AND about = $3 AND part IS NOT NULL";
        PUT_CHECKPOINT = "INSERT INTO checkpoints (tenant, persona, size, at, keyring_counter, note) VALUES ($1, $2, $3, $4, $5, $6)";
        CHECKPOINTS = "SELECT size, at, keyring_counter, note FROM checkpoints WHERE tenant = $1 AND persona = $2 ORDER BY size";
    }
}

statements! {
    /// The records of a persona.
    records {
        PUT_ATOMS = "INSERT INTO atoms (tenant, persona, id, revision, kind, class, status, trust, created_at, last_rehearsed_at, rehearsal_count, salience, valence, decay_function, half_life, boost, protection, minimum, detail_rate, archived_at, released_at, review, audit_hold, revises, anchors, pinned_at) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[], $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::DOUBLE PRECISION[], $13::DOUBLE PRECISION[], $14::BIGINT[], $15::DOUBLE PRECISION[], $16::DOUBLE PRECISION[], $17::DOUBLE PRECISION[], $18::DOUBLE PRECISION[], $19::DOUBLE PRECISION[], $20::BIGINT[], $21::BIGINT[], $22::BIGINT[], $23::BOOLEAN[], $24::BIGINT[], $25::BYTEA[], $26::BIGINT[])";
        PUT_PAYLOADS = "INSERT INTO payloads (tenant, persona, id, key, payload) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BYTEA[])";
        PUT_LINEAGE = "INSERT INTO lineage (tenant, persona, child, position, parent) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BIGINT[])";
        ATOMS = "SELECT a.id, a.revision, a.kind, a.class, a.status, a.trust, a.created_at, a.last_rehearsed_at, a.rehearsal_count, a.salience, a.valence, a.decay_function, a.half_life, a.boost, a.protection, a.minimum, a.detail_rate, a.archived_at, a.released_at, a.review, a.audit_hold, a.revises, a.anchors, coalesce(p.key, 0), coalesce(p.payload, ''), a.pinned_at FROM atoms a LEFT JOIN payloads p ON p.tenant = a.tenant AND p.persona = a.persona AND p.id = a.id WHERE a.tenant = $1 AND a.persona = $2 ORDER BY a.id";
        ATOM = "SELECT a.id, a.revision, a.kind, a.class, a.status, a.trust, a.created_at, a.last_rehearsed_at, a.rehearsal_count, a.salience, a.valence, a.decay_function, a.half_life, a.boost, a.protection, a.minimum, a.detail_rate, a.archived_at, a.released_at, a.review, a.audit_hold, a.revises, a.anchors, coalesce(p.key, 0), coalesce(p.payload, ''), a.pinned_at FROM atoms a LEFT JOIN payloads p ON p.tenant = a.tenant AND p.persona = a.persona AND p.id = a.id WHERE a.tenant = $1 AND a.persona = $2 AND a.id = $3";
        ATOMS_NAMED = "SELECT found.* FROM unnest($3::BIGINT[]) WITH ORDINALITY AS named (id, place) CROSS JOIN LATERAL (SELECT a.id, a.revision, a.kind, a.class, a.status, a.trust, a.created_at, a.last_rehearsed_at, a.rehearsal_count, a.salience, a.valence, a.decay_function, a.half_life, a.boost, a.protection, a.minimum, a.detail_rate, a.archived_at, a.released_at, a.review, a.audit_hold, a.revises, a.anchors, coalesce(p.key, 0), coalesce(p.payload, ''), a.pinned_at FROM atoms a LEFT JOIN payloads p ON p.tenant = a.tenant AND p.persona = a.persona AND p.id = a.id WHERE a.tenant = $1 AND a.persona = $2 AND a.id = named.id OFFSET 0) found ORDER BY named.place";
        LINEAGE = "SELECT child, parent FROM lineage WHERE tenant = $1 AND persona = $2 ORDER BY child, position";
        LINEAGE_NAMED = "SELECT found.* FROM unnest($3::BIGINT[]) AS named (id) CROSS JOIN LATERAL (SELECT child, parent FROM lineage WHERE tenant = $1 AND persona = $2 AND child = named.id ORDER BY position OFFSET 0) found";
        ATOM_STATE = "SELECT status, revision FROM atoms WHERE tenant = $1 AND persona = $2 AND id = $3";
        UPDATE_ATOM = "UPDATE atoms SET revision = $4, status = $5, last_rehearsed_at = $6, rehearsal_count = $7, archived_at = $8, released_at = $9, review = $10, audit_hold = $11, pinned_at = $12, anchors = $13 WHERE tenant = $1 AND persona = $2 AND id = $3";
        UPDATE_DECAY = "UPDATE atoms SET decay_function = $4, half_life = $5, boost = $6, protection = $7, minimum = $8, detail_rate = $9 WHERE tenant = $1 AND persona = $2 AND id = $3";
        UPDATE_PAYLOAD = "UPDATE payloads SET payload = $4 WHERE tenant = $1 AND persona = $2 AND id = $3";
        ATOM_KEY = "SELECT key FROM payloads WHERE tenant = $1 AND persona = $2 AND id = $3";
        DELETE_ATOM = "DELETE FROM atoms WHERE tenant = $1 AND persona = $2 AND id = $3";
        ATOMS_OF_KEY = "SELECT id FROM payloads WHERE tenant = $1 AND persona = $2 AND key = $3 ORDER BY id";
        TOUCH_ATOMS_OF_KEY = "UPDATE atoms SET revision = $4 WHERE tenant = $1 AND persona = $2 AND id IN (SELECT id FROM payloads WHERE tenant = $1 AND persona = $2 AND key = $3)";
        PAYLOADS_OF_KEY = "SELECT id, payload FROM payloads WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_PAYLOAD = "UPDATE payloads SET key = $4, payload = $5 WHERE tenant = $1 AND persona = $2 AND id = $3";

        ATOMS_TO_ENCODE = "SELECT found.* FROM unnest($3::BIGINT[]) AS named (id) CROSS JOIN LATERAL (SELECT a.id, p.key, a.revision FROM atoms a JOIN payloads p ON p.tenant = a.tenant AND p.persona = a.persona AND p.id = a.id WHERE a.tenant = $1 AND a.persona = $2 AND a.id = named.id OFFSET 0) found";
        ENTRIES_TO_ENCODE = "SELECT found.* FROM unnest($3::UUID[]) AS named (id) CROSS JOIN LATERAL (SELECT id, sequence, key, revision FROM timeline WHERE tenant = $1 AND persona = $2 AND id = named.id OFFSET 0) found";
        PUT_ATOM_VECTORS = "INSERT INTO atom_vectors (tenant, persona, id, revision, payload) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BYTEA[]) ON CONFLICT (tenant, persona, id) DO UPDATE SET revision = excluded.revision, payload = excluded.payload";
        PUT_ENTRY_VECTORS = "INSERT INTO entry_vectors (tenant, persona, sequence, revision, payload) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BYTEA[]) ON CONFLICT (tenant, persona, sequence) DO UPDATE SET revision = excluded.revision, payload = excluded.payload";
        ATOM_VECTORS = "SELECT v.id, p.key, v.payload FROM atom_vectors v JOIN payloads p ON p.tenant = v.tenant AND p.persona = v.persona AND p.id = v.id WHERE v.tenant = $1 AND v.persona = $2";
        ENTRY_VECTORS = "SELECT t.id, t.key, v.payload FROM entry_vectors v JOIN timeline t ON t.tenant = v.tenant AND t.persona = v.persona AND t.sequence = v.sequence WHERE v.tenant = $1 AND v.persona = $2";
        ATOM_VECTORS_NAMED = "SELECT found.* FROM unnest($3::BIGINT[]) AS named (id) CROSS JOIN LATERAL (SELECT v.id, p.key, v.payload FROM atom_vectors v JOIN payloads p ON p.tenant = v.tenant AND p.persona = v.persona AND p.id = v.id WHERE v.tenant = $1 AND v.persona = $2 AND v.id = named.id OFFSET 0) found";
        ENTRY_VECTORS_NAMED = "SELECT found.* FROM unnest($3::UUID[]) AS named (id) CROSS JOIN LATERAL (SELECT t.id, t.key, v.payload FROM timeline t JOIN entry_vectors v ON t.tenant = v.tenant AND t.persona = v.persona AND t.sequence = v.sequence WHERE t.tenant = $1 AND t.persona = $2 AND t.id = named.id OFFSET 0) found";
        DELETE_ATOM_VECTORS = "DELETE FROM atom_vectors WHERE tenant = $1 AND persona = $2 AND id = $3";
        DELETE_ENTRY_VECTORS = "DELETE FROM entry_vectors WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        ATOM_VECTORS_OF_KEY = "SELECT v.id, v.payload FROM atom_vectors v JOIN payloads p ON p.tenant = v.tenant AND p.persona = v.persona AND p.id = v.id WHERE v.tenant = $1 AND v.persona = $2 AND p.key = $3";
        ENTRY_VECTORS_OF_KEY = "SELECT v.sequence, t.id, v.payload FROM entry_vectors v JOIN timeline t ON t.tenant = v.tenant AND t.persona = v.persona AND t.sequence = v.sequence WHERE v.tenant = $1 AND v.persona = $2 AND t.key = $3";
        RESEAL_ATOM_VECTORS = "UPDATE atom_vectors SET payload = $4 WHERE tenant = $1 AND persona = $2 AND id = $3";
        RESEAL_ENTRY_VECTORS = "UPDATE entry_vectors SET payload = $4 WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        LEASE_VECTORS = "INSERT INTO vector_leases (tenant, persona, holder, until) SELECT tenant, persona, $3, now() + make_interval(secs => $4) FROM places WHERE tenant = $1 AND persona = $2 ON CONFLICT (tenant, persona) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE vector_leases.holder = excluded.holder OR vector_leases.until < now()";
        RELEASE_VECTORS = "DELETE FROM vector_leases WHERE tenant = $1 AND persona = $2 AND holder = $3";

        PUT_REHEARSALS = "INSERT INTO rehearsals (tenant, persona, memory, at, kind, spoken) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BYTEA[])";
        TRIM_REHEARSALS = "DELETE FROM rehearsals WHERE tenant = $1 AND persona = $2 AND memory = $3 AND n <= (SELECT n FROM rehearsals WHERE tenant = $1 AND persona = $2 AND memory = $3 ORDER BY n DESC LIMIT 1 OFFSET $4)";
        REHEARSALS = "SELECT at, kind, spoken FROM rehearsals WHERE tenant = $1 AND persona = $2 AND memory = $3 ORDER BY n";

        PUT_ENTRY = "INSERT INTO timeline (tenant, persona, sequence, id, revision, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key, payload, reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
        ENTRIES = "SELECT sequence, id, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key, payload, reason FROM timeline WHERE tenant = $1 AND persona = $2 ORDER BY sequence";
        ENTRY_STATE = "SELECT sequence, key, superseded_at FROM timeline WHERE tenant = $1 AND persona = $2 AND id = $3";
        ENTRY_WORDS = "SELECT payload FROM timeline WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        UPDATE_ENTRY_WORDS = "UPDATE timeline SET payload = $4 WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        SUPERSEDE_ENTRY = "UPDATE timeline SET superseded_at = $4, superseded_by = $5, reason = $6 WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        TOUCH_ENTRY = "UPDATE timeline SET revision = $4 WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        DELETE_ENTRY = "DELETE FROM timeline WHERE tenant = $1 AND persona = $2 AND sequence = $3";
        TIMELINE_HEAD = "SELECT greatest(coalesce((SELECT max(sequence) FROM timeline WHERE tenant = $1 AND persona = $2), 0), coalesce((SELECT max(sequence) FROM tombstones WHERE tenant = $1 AND persona = $2), 0))";
        NUMBER_TAKEN = "SELECT 1 FROM timeline WHERE tenant = $1 AND persona = $2 AND sequence = $3 UNION ALL SELECT 1 FROM tombstones WHERE tenant = $1 AND persona = $2 AND sequence = $3 LIMIT 1";
        ENTRIES_OF_KEY = "SELECT sequence, id, payload, reason FROM timeline WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_ENTRY = "UPDATE timeline SET key = $4, payload = $5, reason = $6 WHERE tenant = $1 AND persona = $2 AND sequence = $3";

        PUT_TOMBSTONE = "INSERT INTO tombstones (tenant, persona, kind, id, at, reason_code, sequence) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        TOMBSTONES = "SELECT kind, id, at, reason_code, sequence FROM tombstones WHERE tenant = $1 AND persona = $2 ORDER BY kind, id";
        HAS_TOMBSTONE = "SELECT 1::BIGINT FROM tombstones WHERE tenant = $1 AND persona = $2 AND kind = $3 AND id = $4";
        EXPIRE_TOMBSTONES = "DELETE FROM tombstones WHERE tenant = $1 AND persona = $2 AND at < $3 AND sequence IS NULL";
        PUT_REMOVED = "INSERT INTO removed (tenant, persona, kind, id, revision, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, persona, kind, id) DO UPDATE SET revision = excluded.revision, at = excluded.at";
        ID_STATES = "SELECT named.id, atom.known IS NOT NULL, tombstone.known IS NOT NULL, removal.known IS NOT NULL FROM unnest($3::BIGINT[], $4::BYTEA[]) AS named (id, bytes) LEFT JOIN LATERAL (SELECT TRUE AS known FROM atoms WHERE tenant = $1 AND persona = $2 AND id = named.id OFFSET 0) atom ON TRUE LEFT JOIN LATERAL (SELECT TRUE AS known FROM tombstones WHERE tenant = $1 AND persona = $2 AND kind = $5 AND id = named.bytes OFFSET 0) tombstone ON TRUE LEFT JOIN LATERAL (SELECT TRUE AS known FROM removed WHERE tenant = $1 AND persona = $2 AND kind = $5 AND id = named.bytes OFFSET 0) removal ON TRUE";
        CLEAR_REMOVED = "DELETE FROM removed WHERE tenant = $1 AND persona = $2 AND kind = $3 AND id = ANY($4::BYTEA[])";
        REMOVED_SINCE = "SELECT kind, id FROM removed WHERE tenant = $1 AND persona = $2 AND revision > $3 ORDER BY kind, id";
        LAST_EXPIRING_REMOVAL = "SELECT max(revision) FROM removed WHERE tenant = $1 AND persona = $2 AND at < $3";
        EXPIRE_REMOVED = "DELETE FROM removed WHERE tenant = $1 AND persona = $2 AND at < $3";
        ATOMS_SINCE = "SELECT id FROM (SELECT id FROM atoms WHERE tenant = $1 AND persona = $2 AND revision > $3 UNION SELECT id FROM atom_vectors WHERE tenant = $1 AND persona = $2 AND revision > $3) since ORDER BY id + 0";
        ENTRIES_SINCE = "SELECT id FROM timeline WHERE tenant = $1 AND persona = $2 AND revision > $3 UNION SELECT t.id FROM entry_vectors v JOIN timeline t ON t.tenant = v.tenant AND t.persona = v.persona AND t.sequence = v.sequence WHERE v.tenant = $1 AND v.persona = $2 AND v.revision > $3 ORDER BY id";

        PUT_SESSION = "INSERT INTO sessions (tenant, persona, revision, started_at, last_at, key, payload) VALUES ($1, $2, $3, $4, $5, $6, '') RETURNING n";
        UPDATE_SESSION = "UPDATE sessions SET revision = $4, started_at = $5, last_at = $6, payload = $7 WHERE tenant = $1 AND persona = $2 AND n = $3";
        SESSIONS = "SELECT n, started_at, last_at, key, payload FROM sessions WHERE tenant = $1 AND persona = $2";
        SESSIONS_SINCE = "SELECT n, started_at, last_at, key, payload FROM sessions WHERE tenant = $1 AND persona = $2 AND revision > $3";
        SESSION = "SELECT n, started_at, last_at, key, payload FROM sessions WHERE tenant = $1 AND persona = $2 AND n = $3";
        DELETE_SESSION = "DELETE FROM sessions WHERE tenant = $1 AND persona = $2 AND n = $3";
        SESSIONS_OF_KEY = "SELECT n, payload FROM sessions WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_SESSION = "UPDATE sessions SET key = $4, payload = $5 WHERE tenant = $1 AND persona = $2 AND n = $3";

        PUT_TURN = "INSERT INTO turns (tenant, persona, id, session, position, speaker, at, state, formation, key, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        TURNS = "SELECT id, session, position, speaker, at, state, formation, key, payload FROM turns WHERE tenant = $1 AND persona = $2 AND session = $3 ORDER BY position, at, id";
        UNFORMED_TURNS = "SELECT id, session, position, speaker, at, state, formation, key, payload FROM turns WHERE tenant = $1 AND persona = $2 AND formation = 1 ORDER BY at, position, id";
        TURN = "SELECT id, session, position, speaker, at, state, formation, key, payload FROM turns WHERE tenant = $1 AND persona = $2 AND id = $3";
        TURN_PAYLOAD = "SELECT key, payload FROM turns WHERE tenant = $1 AND persona = $2 AND id = $3";
        TURN_KEY = "SELECT key FROM turns WHERE tenant = $1 AND persona = $2 AND id = $3";
        TURN_STATE = "SELECT state FROM turns WHERE tenant = $1 AND persona = $2 AND id = $3";
        KEYS_OF_SESSION = "SELECT key FROM turns WHERE tenant = $1 AND persona = $2 AND session = $3 UNION SELECT key FROM sessions WHERE tenant = $1 AND persona = $2 AND n = $3";
        SESSION_LENGTH = "SELECT count(*) FROM turns WHERE tenant = $1 AND persona = $2 AND session = $3";
        MARK_TURN_STATE = "UPDATE turns SET state = $4 WHERE tenant = $1 AND persona = $2 AND id = $3";
        MARK_TURN_FORMATION = "UPDATE turns SET formation = $4 WHERE tenant = $1 AND persona = $2 AND id = $3";
        DELETE_TURN = "DELETE FROM turns WHERE tenant = $1 AND persona = $2 AND id = $3";
        TURNS_OF_KEY = "SELECT id, payload FROM turns WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_TURN = "UPDATE turns SET key = $4, payload = $5 WHERE tenant = $1 AND persona = $2 AND id = $3";
        DELETE_SESSIONS_OF_KEY = "DELETE FROM sessions WHERE tenant = $1 AND persona = $2 AND key = $3";
        DELETE_TURNS_OF_KEY = "DELETE FROM turns WHERE tenant = $1 AND persona = $2 AND key = $3";

        PUT_TRACE = "INSERT INTO traces (tenant, persona, recall, at, key, payload) VALUES ($1, $2, $3, $4, $5, $6)";
        PUT_TRACE_MEMORIES = "INSERT INTO trace_memories (tenant, persona, recall, position, memory) SELECT $1, $2, * FROM unnest($3::UUID[], $4::BIGINT[], $5::BIGINT[])";
        TRACE = "SELECT recall, at, key, payload FROM traces WHERE tenant = $1 AND persona = $2 AND recall = $3";
        TRACES = "SELECT recall, at, key, payload FROM traces WHERE tenant = $1 AND persona = $2 ORDER BY at, recall";
        TRACE_MEMORIES = "SELECT memory FROM trace_memories WHERE tenant = $1 AND persona = $2 AND recall = $3 ORDER BY position";
        ALL_TRACE_MEMORIES = "SELECT recall, memory FROM trace_memories WHERE tenant = $1 AND persona = $2 ORDER BY recall, position";
        TRACES_SHOWING = "SELECT DISTINCT t.recall, t.key FROM trace_memories m JOIN traces t ON t.tenant = m.tenant AND t.persona = m.persona AND t.recall = m.recall WHERE m.tenant = $1 AND m.persona = $2 AND m.memory = $3";
        EXPIRE_TRACES = "DELETE FROM traces WHERE tenant = $1 AND persona = $2 AND at < $3";
        DELETE_TRACE = "DELETE FROM traces WHERE tenant = $1 AND persona = $2 AND recall = $3";
        DELETE_TRACES_OF_KEY = "DELETE FROM traces WHERE tenant = $1 AND persona = $2 AND key = $3";
        TRACES_OF_KEY = "SELECT recall, payload FROM traces WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_TRACE = "UPDATE traces SET key = $4, payload = $5 WHERE tenant = $1 AND persona = $2 AND recall = $3";

        PUT_DOCUMENT = "INSERT INTO documents (tenant, persona, key, name, payload) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, persona, key, name) DO UPDATE SET payload = excluded.payload";
        DOCUMENT = "SELECT payload FROM documents WHERE tenant = $1 AND persona = $2 AND key = $3 AND name = $4";
        DOCUMENT_NAMES = "SELECT name FROM documents WHERE tenant = $1 AND persona = $2 AND key = $3";
        DELETE_DOCUMENT = "DELETE FROM documents WHERE tenant = $1 AND persona = $2 AND key = $3 AND name = $4";
        DELETE_DOCUMENTS_OF_KEY = "DELETE FROM documents WHERE tenant = $1 AND persona = $2 AND key = $3";
        DOCUMENTS_OF_KEY = "SELECT name, payload FROM documents WHERE tenant = $1 AND persona = $2 AND key = $3";
        RESEAL_DOCUMENT = "UPDATE documents SET key = $5, payload = $6 WHERE tenant = $1 AND persona = $2 AND key = $3 AND name = $4";

        HOME_DOCUMENT = "SELECT d.name, d.key_ref, d.payload, r.epoch, r.wrapped FROM home_documents d LEFT JOIN keyring r ON r.tenant = d.tenant AND r.key_ref = d.key_ref WHERE d.tenant = $1 AND d.persona = $2 AND d.name = $3";
        HOME_DOCUMENTS = "SELECT d.name, d.key_ref, d.payload, r.epoch, r.wrapped FROM home_documents d LEFT JOIN keyring r ON r.tenant = d.tenant AND r.key_ref = d.key_ref WHERE d.tenant = $1 AND d.persona = $2 ORDER BY d.name";
        HOME_DOCUMENT_NAMES = "SELECT name FROM home_documents WHERE tenant = $1 AND persona = $2";
        PUT_HOME_DOCUMENT = "INSERT INTO home_documents (tenant, persona, name, key_ref, payload) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, persona, name) DO UPDATE SET key_ref = excluded.key_ref, payload = excluded.payload";
        DELETE_HOME_DOCUMENT = "DELETE FROM home_documents WHERE tenant = $1 AND persona = $2 AND name = $3";
        HOME_KEY_REFS = "SELECT key_ref FROM home_documents WHERE tenant = $1 AND persona = $2";

        PUT_REQUEST = "INSERT INTO requests (tenant, persona, tag, fingerprint, status, resource, at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        REQUEST = "SELECT tag, fingerprint, status, resource, at FROM requests WHERE tenant = $1 AND persona = $2 AND tag = $3";
        REQUESTS = "SELECT tag, fingerprint, status, resource, at FROM requests WHERE tenant = $1 AND persona = $2 ORDER BY tag";
        EXPIRE_REQUESTS = "DELETE FROM requests WHERE tenant = $1 AND persona = $2 AND at < $3";

        CLEAR_ATOMS = "DELETE FROM atoms WHERE tenant = $1 AND persona = $2";
        CLEAR_VECTOR_LEASES = "DELETE FROM vector_leases WHERE tenant = $1 AND persona = $2";
        CLEAR_TIMELINE = "DELETE FROM timeline WHERE tenant = $1 AND persona = $2";
        CLEAR_TOMBSTONES = "DELETE FROM tombstones WHERE tenant = $1 AND persona = $2";
        CLEAR_ALL_REMOVED = "DELETE FROM removed WHERE tenant = $1 AND persona = $2";
        CLEAR_TURNS = "DELETE FROM turns WHERE tenant = $1 AND persona = $2";
        CLEAR_SESSIONS = "DELETE FROM sessions WHERE tenant = $1 AND persona = $2";
        CLEAR_TRACES = "DELETE FROM traces WHERE tenant = $1 AND persona = $2";
        CLEAR_DOCUMENTS = "DELETE FROM documents WHERE tenant = $1 AND persona = $2";
        CLEAR_HOME_DOCUMENTS = "DELETE FROM home_documents WHERE tenant = $1 AND persona = $2";
        CLEAR_REQUESTS = "DELETE FROM requests WHERE tenant = $1 AND persona = $2";
        CLEAR_EVENTS = "DELETE FROM events WHERE tenant = $1 AND persona = $2";
        CLEAR_CHECKPOINTS = "DELETE FROM checkpoints WHERE tenant = $1 AND persona = $2";
        CLEAR_KEYS = "DELETE FROM keys WHERE tenant = $1 AND persona = $2";
    }
}

statements! {
    /// The deployment's records of one tenant, and the tenant's keyring.
    tenant {
        PUT_TENANT = "INSERT INTO tenants (tenant, created_at, epoch) VALUES ($1, $2, $3) ON CONFLICT (tenant) DO NOTHING";
        EPOCH = "SELECT epoch FROM tenants WHERE tenant = $1";
        LOCK_EPOCH = "SELECT epoch FROM tenants WHERE tenant = $1 FOR SHARE";
        TAKE_EPOCH = "SELECT epoch FROM tenants WHERE tenant = $1 FOR UPDATE";
        PUT_EPOCH = "UPDATE tenants SET epoch = $2 WHERE tenant = $1";

        PUT_WRAPPED = "INSERT INTO keyring (tenant, key_ref, epoch, wrapped) SELECT $1, * FROM unnest($2::BYTEA[], $3::BIGINT[], $4::BYTEA[])";
        WRAPPED = "SELECT key_ref, epoch, wrapped FROM keyring WHERE tenant = $1 ORDER BY key_ref";
        REWRAP = "UPDATE keyring SET epoch = $3, wrapped = $4 WHERE tenant = $1 AND key_ref = $2";
        DROP_WRAPPED = "DELETE FROM keyring WHERE tenant = $1 AND key_ref = $2";
        PUT_DESTROYED = "INSERT INTO destroyed_keys (tenant, key_ref, at) VALUES ($1, $2, $3) ON CONFLICT (tenant, key_ref) DO NOTHING";
        KEYRING_COUNTER = "SELECT greatest(coalesce((SELECT max(change) FROM keyring WHERE tenant = $1), 0), coalesce((SELECT max(change) FROM destroyed_keys WHERE tenant = $1), 0))";
        KEYRING_STATUS = "SELECT (SELECT count(*) FROM keyring WHERE tenant = $1), (SELECT count(*) FROM destroyed_keys WHERE tenant = $1), greatest(coalesce((SELECT max(change) FROM keyring WHERE tenant = $1), 0), coalesce((SELECT max(change) FROM destroyed_keys WHERE tenant = $1), 0))";

        PUT_PERSONA = "INSERT INTO personas (tenant, persona, name, created_at) VALUES ($1, $2, $3, $4)";
        PERSONAS = "SELECT persona, name, created_at FROM personas WHERE tenant = $1 ORDER BY name";
        PERSONA_NAMED = "SELECT persona, name, created_at FROM personas WHERE tenant = $1 AND name = $2";
        PERSONA_WITH_ID = "SELECT persona, name, created_at FROM personas WHERE tenant = $1 AND persona = $2";
        DELETE_PERSONA = "DELETE FROM personas WHERE tenant = $1 AND persona = $2";

        PUT_API_KEY = "INSERT INTO api_keys (tenant, public_id, tag, scopes, speaks, created_at, expires_at, revoked_at, persona, subject_in, label) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        API_KEYS = "SELECT public_id, tenant, tag, scopes, speaks, created_at, expires_at, revoked_at, persona, subject_in, label FROM api_keys WHERE tenant = $1 ORDER BY public_id";
        REVOKE_API_KEY = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE tenant = $1 AND public_id = $2";
        PUT_SETTING = "INSERT INTO settings (tenant, name, value) VALUES ($1, $2, $3) ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value";
        SETTINGS = "SELECT name, value FROM settings WHERE tenant = $1 ORDER BY name";
        SETTING = "SELECT value FROM settings WHERE tenant = $1 AND name = $2";
        PUT_PERSONA_CHECKPOINT = "INSERT INTO persona_checkpoints (tenant, persona, size, at, keyring_counter, note) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, persona, size) DO NOTHING";
        PERSONA_CHECKPOINTS = "SELECT size, at, keyring_counter, note, persona FROM persona_checkpoints WHERE tenant = $1 ORDER BY persona, size";
        PUT_ERASURE = "INSERT INTO erasures (tenant, persona, id, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (tenant, id) DO UPDATE SET status = excluded.status, received_at = excluded.received_at, acknowledge_by = excluded.acknowledge_by, complete_by = excluded.complete_by, changed_at = excluded.changed_at, progress = excluded.progress, key = excluded.key, payload = excluded.payload";
        ERASURE_KEY = "SELECT key FROM erasures WHERE tenant = $1 AND id = $2";
        ERASURES = "SELECT id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload FROM erasures WHERE tenant = $1 ORDER BY received_at, id";
        ERASURE = "SELECT id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload FROM erasures WHERE tenant = $1 AND id = $2";
        PUT_ERASED = "INSERT INTO erased (tenant, tag, at) VALUES ($1, $2, $3) ON CONFLICT (tenant, tag) DO UPDATE SET at = greatest(erased.at, excluded.at)";
        ERASED = "SELECT tag, at FROM erased WHERE tenant = $1";
        EXPIRE_ERASED = "DELETE FROM erased WHERE tenant = $1 AND at < $2";

        PUT_JOB = "INSERT INTO jobs (tenant, persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (tenant, persona, name) DO UPDATE SET schedule = excluded.schedule, since = excluded.since, paused_at = excluded.paused_at, holder = excluded.holder, leased_due = excluded.leased_due, leased_until = excluded.leased_until, last_due = excluded.last_due, started_at = excluded.started_at, finished_at = excluded.finished_at, outcome = excluded.outcome, report = excluded.report";
        JOB = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report FROM jobs WHERE tenant = $1 AND persona = $2 AND name = $3";
        LOCK_JOB = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report FROM jobs WHERE tenant = $1 AND persona = $2 AND name = $3 FOR UPDATE SKIP LOCKED";
        JOBS = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report FROM jobs WHERE tenant = $1 ORDER BY persona, name";
        DELETE_JOB = "DELETE FROM jobs WHERE tenant = $1 AND persona = $2 AND name = $3";
        DELETE_JOBS_OF = "DELETE FROM jobs WHERE tenant = $1 AND persona = $2";

        PUT_DEPLOYMENT_EVENTS = "INSERT INTO deployment_events (tenant, persona, seq, about, body, key, part) SELECT $1, $2, * FROM unnest($3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], $7::BYTEA[])";
        DEPLOYMENT_EVENTS = "SELECT seq, body, key, part, about FROM deployment_events WHERE tenant = $1 AND seq >= $2 AND seq < $3 ORDER BY seq";
    }
}

statements! {
    /// Records without a tenant.
    deployment {
        TENANTS = "SELECT tenant, created_at FROM tenants ORDER BY tenant";
        API_KEY = "SELECT public_id, tenant, tag, scopes, speaks, created_at, expires_at, revoked_at, persona, subject_in, label FROM api_keys WHERE public_id = $1";
        LOG = "SELECT frontier FROM deployment_log";
        LOCK_LOG = "SELECT frontier FROM deployment_log FOR UPDATE";
        PUT_LOG = "UPDATE deployment_log SET frontier = $1";
        PUT_CHECKPOINT = "INSERT INTO deployment_checkpoints (size, at, note) VALUES ($1, $2, $3)";
        CHECKPOINTS = "SELECT size, at, note FROM deployment_checkpoints ORDER BY size";
        LAST_CHECKPOINT = "SELECT size, at, note FROM deployment_checkpoints ORDER BY size DESC LIMIT 1";
        SERVER = "SELECT current_setting('synchronous_standby_names') <> '', current_setting('data_checksums') = 'on', current_setting('fsync') = 'on'";
        RENEW_LEASE = "INSERT INTO nodes (node, lease_until, generation) VALUES ($1, now() + make_interval(secs => $2), $3) ON CONFLICT (node) DO UPDATE SET lease_until = excluded.lease_until, generation = excluded.generation";
        END_LEASE = "DELETE FROM nodes WHERE node = $1";
        FORGET_EXPIRED = "DELETE FROM nodes WHERE lease_until < now() - interval '1 hour'";
        GENERATION = "SELECT generation FROM rotations";
        NEXT_GENERATION = "UPDATE rotations SET generation = generation + 1 RETURNING generation";
        BEHIND = "SELECT count(*) FROM nodes WHERE lease_until > now() AND generation < $1 AND node <> $2";
    }
}

#[cfg(test)]
mod tests {
    use super::super::address::Address;
    use super::super::migration::{Partitions, migrate};
    use super::*;
    use testkit::cluster::Cluster;

    #[test]
    fn every_statement_fits_the_schema() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let address = Address::parse(&Cluster::shared().database()).unwrap();
            migrate(&address, Partitions::default()).await.unwrap();
            let (client, driver) = address.connect().await.unwrap();
            tokio::spawn(driver.drive());
            client.batch_execute("SET search_path TO selfhood").await.unwrap();
            for statement in [common::ALL, records::ALL, tenant::ALL, deployment::ALL].concat() {
                if let Err(error) = client.prepare(statement).await {
                    panic!("{statement}: {error}");
                }
            }
        });
    }
}
