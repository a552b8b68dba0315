//! All statements by name. A test prepares each against its schema.
//!
//! If the last column of a query is `sound`, a row whose checksum is wrong is refused before it is read;
//! memories, entries and vectors call the column `whole` instead, and are reported one by one.
//!
//! The statements that PostgreSQL has too take the same parameters and give the same columns there; a
//! number left out stands for a value that only PostgreSQL stores in that row.

pub(super) const BEGIN_WRITING: &str = "BEGIN IMMEDIATE";
pub(super) const BEGIN_READING: &str = "BEGIN DEFERRED";
pub(super) const COMMIT: &str = "COMMIT";
pub(super) const ROLLBACK: &str = "ROLLBACK";
pub(super) const SAVE: &str = "SAVEPOINT batch";
pub(super) const KEEP: &str = "RELEASE batch";
pub(super) const DISCARD: &str = "ROLLBACK TO batch; RELEASE batch";
pub(super) const TAKE_SNAPSHOT: &str = "SELECT count(*) FROM tree";
pub(super) const QUICK_CHECK: &str = "PRAGMA quick_check";
pub(super) const INTEGRITY_CHECK: &str = "PRAGMA integrity_check";
pub(super) const FOREIGN_KEY_CHECK: &str = "PRAGMA foreign_key_check";
pub(super) const EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
pub(super) const REWRITE: &str = "VACUUM";

macro_rules! statements {
    ($(#[$doc:meta])* $module:ident { $($name:ident = $sql:literal;)+ }) => {
        $(#[$doc])*
        pub(crate) mod $module {
            $(pub(crate) const $name: &str = $sql;)+

            #[cfg(test)]
            pub(in crate::sqlite) const ALL: &[&str] = &[$($name,)+];
        }
    };
}

statements! {
    /// Keys and the audit log: the same in both databases.
    common {
        KEYS = "SELECT n, key_ref, label, dying IS NOT NULL FROM keys WHERE tenant = ?1 ORDER BY n";
        PUT_KEY = "INSERT INTO keys (tenant, key_ref, label) VALUES (?1, ?2, ?3)";
        LABEL_KEY = "UPDATE keys SET label = ?2 WHERE n = ?1";
        SCHEDULE_KEY_DESTRUCTION = "UPDATE keys SET dying = ?2 WHERE n = ?1";
        KEYS_TO_DESTROY = "SELECT n, tenant, key_ref, dying FROM keys WHERE dying IS NOT NULL";
        DELETE_KEY = "DELETE FROM keys WHERE n = ?1";
        ALL_KEY_REFS = "SELECT key_ref FROM keys";
        FRONTIER = "SELECT frontier FROM tree";
        PUT_FRONTIER = "INSERT INTO tree (only, frontier) VALUES (1, ?1) ON CONFLICT (only) DO UPDATE SET frontier = excluded.frontier";
        PUT_EVENT = "INSERT INTO events (seq, about, body, key, part) VALUES (?1, ?2, ?3, ?4, ?5)";
        EVENTS = "SELECT seq, body, key, part, about FROM events WHERE seq >= ?1 AND seq < ?2 ORDER BY seq";
        PARTS_OF_KEY = "SELECT seq, part FROM events WHERE key = ?1";
        RESEAL_PART = "UPDATE events SET key = ?2, part = ?3 WHERE seq = ?1";
        DROP_PARTS_OF_KEY = "UPDATE events SET key = NULL, part = NULL WHERE key = ?1";
        KEYS_OF_PARTS_ABOUT = "SELECT DISTINCT key FROM events WHERE about = ?1 AND part IS NOT NULL";
        DROP_PARTS_ABOUT = "UPDATE events SET key = NULL, part = NULL WHERE about = ?1 AND part IS NOT NULL";
        PUT_CHECKPOINT = "INSERT INTO checkpoints (size, at, keyring_counter, note) VALUES (?1, ?2, ?3, ?4)";
        CHECKPOINTS = "SELECT size, at, keyring_counter, note FROM checkpoints ORDER BY size";
        LAST_CHECKPOINT = "SELECT size, at, keyring_counter, note FROM checkpoints ORDER BY size DESC LIMIT 1";
    }
}

statements! {
    /// The records of a persona.
    records {
        DAMAGED_ROWS = "SELECT 'meta' FROM meta WHERE NOT sound UNION ALL SELECT 'atoms' FROM atoms WHERE NOT sound UNION ALL SELECT 'pins' FROM pins WHERE NOT sound UNION ALL SELECT 'atom_vectors' FROM atom_vectors WHERE NOT sound UNION ALL SELECT 'entry_vectors' FROM entry_vectors WHERE NOT sound UNION ALL SELECT 'lineage' FROM lineage WHERE NOT sound UNION ALL SELECT 'rehearsals' FROM rehearsals WHERE NOT sound UNION ALL SELECT 'timeline' FROM timeline WHERE NOT sound UNION ALL SELECT 'tombstones' FROM tombstones WHERE NOT sound UNION ALL SELECT 'removed' FROM removed WHERE NOT sound UNION ALL SELECT 'sessions' FROM sessions WHERE NOT sound UNION ALL SELECT 'turns' FROM turns WHERE NOT sound UNION ALL SELECT 'traces' FROM traces WHERE NOT sound UNION ALL SELECT 'trace_memories' FROM trace_memories WHERE NOT sound UNION ALL SELECT 'requests' FROM requests WHERE NOT sound";
        META = "SELECT tenant, persona, revision, forgotten_removals, sound FROM meta";
        PUT_META = "INSERT INTO meta (only, tenant, persona, revision, forgotten_removals) VALUES (1, ?1, ?2, 0, 0)";
        PUT_REVISION = "UPDATE meta SET revision = ?1";
        FORGET_REMOVALS = "UPDATE meta SET forgotten_removals = max(forgotten_removals, ?1)";

        PUT_ATOM = "INSERT INTO atoms (id, revision, kind, class, status, trust, created_at, last_rehearsed_at, rehearsal_count, salience, valence, decay_function, half_life, boost, protection, minimum, detail_rate, archived_at, released_at, review, audit_hold, revises, anchors) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)";
        PUT_PAYLOAD = "INSERT INTO payloads (n, key, payload) VALUES (?1, ?2, ?3)";
        PUT_LINEAGE = "INSERT INTO lineage (child, position, parent) VALUES (?1, ?2, ?3)";
        ATOMS = "SELECT a.id, a.revision, a.kind, a.class, a.status, a.trust, a.created_at, a.last_rehearsed_at, a.rehearsal_count, a.salience, a.valence, a.decay_function, a.half_life, a.boost, a.protection, a.minimum, a.detail_rate, a.archived_at, a.released_at, a.review, a.audit_hold, a.revises, a.anchors, coalesce(p.key, 0), coalesce(p.payload, zeroblob(0)), g.at, a.sound AND coalesce(g.sound, 1) AS whole FROM atoms a LEFT JOIN payloads p ON p.n = a.n LEFT JOIN pins g ON g.n = a.n ORDER BY a.n";
        ATOM = "SELECT a.id, a.revision, a.kind, a.class, a.status, a.trust, a.created_at, a.last_rehearsed_at, a.rehearsal_count, a.salience, a.valence, a.decay_function, a.half_life, a.boost, a.protection, a.minimum, a.detail_rate, a.archived_at, a.released_at, a.review, a.audit_hold, a.revises, a.anchors, coalesce(p.key, 0), coalesce(p.payload, zeroblob(0)), g.at, a.sound AND coalesce(g.sound, 1) AS whole FROM atoms a LEFT JOIN payloads p ON p.n = a.n LEFT JOIN pins g ON g.n = a.n WHERE a.id = ?1";
        LINEAGE = "SELECT a.id, l.parent, l.sound AS sound FROM lineage l CROSS JOIN atoms a ON a.n = l.child ORDER BY l.child, l.position";
        LINEAGE_OF = "SELECT a.id, l.parent, l.sound AS sound FROM atoms a JOIN lineage l ON l.child = a.n WHERE a.id = ?1 ORDER BY l.position";
        ATOM_STATE = "SELECT status, revision, sound FROM atoms WHERE id = ?1";
        UPDATE_ATOM = "UPDATE atoms SET revision = ?2, status = ?3, last_rehearsed_at = ?4, rehearsal_count = ?5, archived_at = ?6, released_at = ?7, review = ?8, audit_hold = ?9, anchors = ?11 WHERE id = ?1";
        UPDATE_DECAY = "UPDATE atoms SET decay_function = ?2, half_life = ?3, boost = ?4, protection = ?5, minimum = ?6, detail_rate = ?7 WHERE id = ?1";
        PUT_PIN = "INSERT INTO pins (n, at) SELECT n, ?2 FROM atoms WHERE id = ?1 ON CONFLICT (n) DO UPDATE SET at = excluded.at";
        REMOVE_PIN = "DELETE FROM pins WHERE n = (SELECT n FROM atoms WHERE id = ?1)";
        UPDATE_PAYLOAD = "UPDATE payloads SET payload = ?2 WHERE n = (SELECT n FROM atoms WHERE id = ?1)";
        ATOM_KEY = "SELECT p.key FROM atoms a JOIN payloads p ON p.n = a.n WHERE a.id = ?1";
        DELETE_ATOM = "DELETE FROM atoms WHERE id = ?1";
        ATOMS_OF_KEY = "SELECT a.id FROM atoms a JOIN payloads p ON p.n = a.n WHERE p.key = ?1 ORDER BY a.id";
        TOUCH_ATOMS_OF_KEY = "UPDATE atoms SET revision = ?2 WHERE n IN (SELECT n FROM payloads WHERE key = ?1)";
        PAYLOADS_OF_KEY = "SELECT a.id, p.payload FROM payloads p JOIN atoms a ON a.n = p.n WHERE p.key = ?1";
        RESEAL_PAYLOAD = "UPDATE payloads SET key = ?2, payload = ?3 WHERE n = (SELECT n FROM atoms WHERE id = ?1)";

        ATOM_TO_ENCODE = "SELECT a.n, p.key, a.revision, a.sound AS sound FROM atoms a JOIN payloads p ON p.n = a.n WHERE a.id = ?1";
        ENTRY_TO_ENCODE = "SELECT sequence, key, revision, sound FROM timeline WHERE id = ?1";
        PUT_ATOM_VECTORS = "INSERT INTO atom_vectors (n, revision, payload) VALUES (?1, ?2, ?3) ON CONFLICT (n) DO UPDATE SET revision = excluded.revision, payload = excluded.payload";
        PUT_ENTRY_VECTORS = "INSERT INTO entry_vectors (sequence, revision, payload) VALUES (?1, ?2, ?3) ON CONFLICT (sequence) DO UPDATE SET revision = excluded.revision, payload = excluded.payload";
        ATOM_VECTORS = "SELECT a.id, p.key, v.payload, v.sound AS whole FROM atom_vectors v JOIN atoms a ON a.n = v.n JOIN payloads p ON p.n = v.n ORDER BY v.n";
        ENTRY_VECTORS = "SELECT t.id, t.key, v.payload, v.sound AS whole FROM entry_vectors v JOIN timeline t ON t.sequence = v.sequence ORDER BY v.sequence";
        ATOM_VECTORS_NAMED = "SELECT a.id, p.key, v.payload, v.sound AS whole FROM atoms a JOIN atom_vectors v ON v.n = a.n JOIN payloads p ON p.n = a.n WHERE a.id = ?1";
        ENTRY_VECTORS_NAMED = "SELECT t.id, t.key, v.payload, v.sound AS whole FROM timeline t JOIN entry_vectors v ON v.sequence = t.sequence WHERE t.id = ?1";
        DELETE_ATOM_VECTORS = "DELETE FROM atom_vectors WHERE n = (SELECT n FROM atoms WHERE id = ?1)";
        DELETE_ENTRY_VECTORS = "DELETE FROM entry_vectors WHERE sequence = ?1";
        ATOM_VECTORS_OF_KEY = "SELECT a.id, v.payload FROM payloads p JOIN atom_vectors v ON v.n = p.n JOIN atoms a ON a.n = p.n WHERE p.key = ?1";
        ENTRY_VECTORS_OF_KEY = "SELECT v.sequence, t.id, v.payload FROM timeline t JOIN entry_vectors v ON v.sequence = t.sequence WHERE t.key = ?1";
        RESEAL_ATOM_VECTORS = "UPDATE atom_vectors SET payload = ?2 WHERE n = (SELECT n FROM atoms WHERE id = ?1)";
        RESEAL_ENTRY_VECTORS = "UPDATE entry_vectors SET payload = ?2 WHERE sequence = ?1";

        PUT_REHEARSALS = "INSERT INTO rehearsals (memory, at, kind, spoken) SELECT n, ?2, ?3, ?4 FROM atoms WHERE id = ?1";
        TRIM_REHEARSALS = "DELETE FROM rehearsals WHERE memory = (SELECT n FROM atoms WHERE id = ?1) AND n <= (SELECT n FROM rehearsals WHERE memory = (SELECT n FROM atoms WHERE id = ?1) ORDER BY n DESC LIMIT 1 OFFSET ?2)";
        REHEARSALS = "SELECT r.at, r.kind, r.spoken, r.sound AS sound FROM rehearsals r JOIN atoms a ON a.n = r.memory WHERE a.id = ?1 ORDER BY r.n";

        PUT_ENTRY = "INSERT INTO timeline (sequence, id, revision, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key, payload, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        ENTRIES = "SELECT sequence, id, event_at, created_at, memory_type, strength, superseded_at, superseded_by, revises, key, payload, reason, sound AS whole FROM timeline ORDER BY sequence";
        ENTRY_STATE = "SELECT sequence, key, superseded_at, sound FROM timeline WHERE id = ?1";
        ENTRY_WORDS = "SELECT payload FROM timeline WHERE sequence = ?1";
        UPDATE_ENTRY_WORDS = "UPDATE timeline SET payload = ?2 WHERE sequence = ?1";
        SUPERSEDE_ENTRY = "UPDATE timeline SET superseded_at = ?2, superseded_by = ?3, reason = ?4 WHERE sequence = ?1";
        TOUCH_ENTRY = "UPDATE timeline SET revision = ?2 WHERE sequence = ?1";
        DELETE_ENTRY = "DELETE FROM timeline WHERE sequence = ?1";
        TIMELINE_HEAD = "SELECT max(coalesce((SELECT max(sequence) FROM timeline), 0), coalesce((SELECT max(sequence) FROM tombstones), 0))";
        NUMBER_TAKEN = "SELECT 1 FROM timeline WHERE sequence = ?1 UNION ALL SELECT 1 FROM tombstones WHERE sequence = ?1 LIMIT 1";
        ENTRIES_OF_KEY = "SELECT sequence, id, payload, reason FROM timeline WHERE key = ?1";
        RESEAL_ENTRY = "UPDATE timeline SET key = ?2, payload = ?3, reason = ?4 WHERE sequence = ?1";

        PUT_TOMBSTONE = "INSERT INTO tombstones (kind, id, at, reason_code, sequence) VALUES (?1, ?2, ?3, ?4, ?5)";
        TOMBSTONES = "SELECT kind, id, at, reason_code, sequence, sound FROM tombstones ORDER BY kind, id";
        HAS_TOMBSTONE = "SELECT 1 FROM tombstones WHERE kind = ?1 AND id = ?2";
        EXPIRE_TOMBSTONES = "DELETE FROM tombstones WHERE at < ?1 AND sequence IS NULL";
        PUT_REMOVED = "INSERT OR REPLACE INTO removed (kind, id, revision, at) VALUES (?1, ?2, ?3, ?4)";
        IS_REMOVED = "SELECT 1 FROM tombstones WHERE kind = ?1 AND id = ?2 UNION ALL SELECT 1 FROM removed WHERE kind = ?1 AND id = ?2";
        CLEAR_REMOVED = "DELETE FROM removed WHERE kind = ?1 AND id = ?2";
        REMOVED_SINCE = "SELECT kind, id, sound FROM removed WHERE revision > ?1 ORDER BY kind, id";
        LAST_EXPIRING_REMOVAL = "SELECT max(revision) FROM removed WHERE at < ?1";
        EXPIRE_REMOVED = "DELETE FROM removed WHERE at < ?1";
        // Without an order, and with the indexes named: otherwise SQLite scans all rows in the order of
        // their ids instead of the few new ones.
        ATOMS_SINCE = "SELECT id FROM atoms INDEXED BY atoms_by_revision WHERE revision > ?1 UNION ALL SELECT a.id FROM atom_vectors v INDEXED BY atom_vectors_by_revision CROSS JOIN atoms a ON a.n = v.n WHERE v.revision > ?1";
        ENTRIES_SINCE = "SELECT id FROM timeline WHERE revision > ?1 UNION SELECT t.id FROM entry_vectors v JOIN timeline t ON t.sequence = v.sequence WHERE v.revision > ?1 ORDER BY 1";

        PUT_SESSION = "INSERT INTO sessions (started_at, last_at, key, payload) VALUES (?2, ?3, ?4, x'')";
        UPDATE_SESSION = "UPDATE sessions SET started_at = ?3, last_at = ?4, payload = ?5 WHERE n = ?1";
        SESSIONS = "SELECT n, started_at, last_at, key, payload, sound FROM sessions";
        SESSION = "SELECT n, started_at, last_at, key, payload, sound FROM sessions WHERE n = ?1";
        DELETE_SESSION = "DELETE FROM sessions WHERE n = ?1";
        SESSIONS_OF_KEY = "SELECT n, payload FROM sessions WHERE key = ?1";
        RESEAL_SESSION = "UPDATE sessions SET key = ?2, payload = ?3 WHERE n = ?1";

        PUT_TURN = "INSERT INTO turns (id, session, position, speaker, at, state, formation, key, payload) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        TURNS = "SELECT id, session, position, speaker, at, state, formation, key, payload, sound FROM turns WHERE session = ?1 ORDER BY position, at, id";
        UNFORMED_TURNS = "SELECT id, session, position, speaker, at, state, formation, key, payload, sound FROM turns WHERE formation = 1 ORDER BY at, position, id";
        TURN = "SELECT id, session, position, speaker, at, state, formation, key, payload, sound FROM turns WHERE id = ?1";
        TURN_PAYLOAD = "SELECT key, payload FROM turns WHERE id = ?1";
        TURN_KEY = "SELECT key FROM turns WHERE id = ?1";
        TURN_STATE = "SELECT state FROM turns WHERE id = ?1";
        KEYS_OF_SESSION = "SELECT key FROM turns WHERE session = ?1 UNION SELECT key FROM sessions WHERE n = ?1";
        SESSION_LENGTH = "SELECT count(*) FROM turns WHERE session = ?1";
        MARK_TURN_STATE = "UPDATE turns SET state = ?2 WHERE id = ?1";
        MARK_TURN_FORMATION = "UPDATE turns SET formation = ?2 WHERE id = ?1";
        DELETE_TURN = "DELETE FROM turns WHERE id = ?1";
        TURNS_OF_KEY = "SELECT id, payload FROM turns WHERE key = ?1";
        RESEAL_TURN = "UPDATE turns SET key = ?2, payload = ?3 WHERE id = ?1";
        DELETE_SESSIONS_OF_KEY = "DELETE FROM sessions WHERE key = ?1";
        DELETE_TURNS_OF_KEY = "DELETE FROM turns WHERE key = ?1";

        PUT_TRACE = "INSERT INTO traces (recall, at, key, payload) VALUES (?1, ?2, ?3, ?4)";
        PUT_TRACE_MEMORIES = "INSERT INTO trace_memories (trace, position, memory) SELECT n, ?2, ?3 FROM traces WHERE recall = ?1";
        TRACE = "SELECT recall, at, key, payload, sound FROM traces WHERE recall = ?1";
        TRACES = "SELECT recall, at, key, payload, sound FROM traces ORDER BY at, recall";
        TRACE_MEMORIES = "SELECT m.memory, m.sound AS sound FROM traces t JOIN trace_memories m ON m.trace = t.n WHERE t.recall = ?1 ORDER BY m.position";
        ALL_TRACE_MEMORIES = "SELECT t.recall, m.memory, m.sound AS sound FROM trace_memories m CROSS JOIN traces t ON t.n = m.trace ORDER BY m.trace, m.position";
        TRACES_SHOWING = "SELECT DISTINCT t.recall, t.key FROM trace_memories m JOIN traces t ON t.n = m.trace WHERE m.memory = ?1";
        EXPIRE_TRACES = "DELETE FROM traces WHERE at < ?1";
        DELETE_TRACE = "DELETE FROM traces WHERE recall = ?1";
        DELETE_TRACES_OF_KEY = "DELETE FROM traces WHERE key = ?1";
        TRACES_OF_KEY = "SELECT recall, payload FROM traces WHERE key = ?1";
        RESEAL_TRACE = "UPDATE traces SET key = ?2, payload = ?3 WHERE recall = ?1";

        PUT_DOCUMENT = "INSERT INTO documents (key, name, payload) VALUES (?1, ?2, ?3) ON CONFLICT (key, name) DO UPDATE SET payload = excluded.payload";
        DOCUMENT = "SELECT payload FROM documents WHERE key = ?1 AND name = ?2";
        DOCUMENT_NAMES = "SELECT name FROM documents WHERE key = ?1";
        DELETE_DOCUMENT = "DELETE FROM documents WHERE key = ?1 AND name = ?2";
        DELETE_DOCUMENTS_OF_KEY = "DELETE FROM documents WHERE key = ?1";
        DOCUMENTS_OF_KEY = "SELECT name, payload FROM documents WHERE key = ?1";
        RESEAL_DOCUMENT = "UPDATE documents SET key = ?3, payload = ?4 WHERE key = ?1 AND name = ?2";

        PUT_REQUEST = "INSERT INTO requests (tag, fingerprint, status, resource, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        REQUEST = "SELECT tag, fingerprint, status, resource, at, sound FROM requests WHERE tag = ?1";
        REQUESTS = "SELECT tag, fingerprint, status, resource, at, sound FROM requests ORDER BY tag";
        EXPIRE_REQUESTS = "DELETE FROM requests WHERE at < ?1";
    }
}

statements! {
    /// The deployment's own records.
    deployment {
        DAMAGED_ROWS = "SELECT 'tenants' FROM tenants WHERE NOT sound UNION ALL SELECT 'personas' FROM personas WHERE NOT sound UNION ALL SELECT 'api_keys' FROM api_keys WHERE NOT sound UNION ALL SELECT 'key_bounds' FROM key_bounds WHERE NOT sound UNION ALL SELECT 'requests' FROM requests WHERE NOT sound UNION ALL SELECT 'settings' FROM settings WHERE NOT sound UNION ALL SELECT 'persona_checkpoints' FROM persona_checkpoints WHERE NOT sound UNION ALL SELECT 'erasures' FROM erasures WHERE NOT sound UNION ALL SELECT 'erased' FROM erased WHERE NOT sound UNION ALL SELECT 'jobs' FROM jobs WHERE NOT sound";
        PUT_TENANT = "INSERT OR IGNORE INTO tenants (name, created_at) VALUES (?1, ?2)";
        TENANTS = "SELECT name, created_at, sound FROM tenants ORDER BY name";
        PUT_PERSONA = "INSERT INTO personas (id, tenant, name, created_at) VALUES (?1, ?2, ?3, ?4)";
        PERSONAS = "SELECT id, tenant, name, created_at, dying, sound FROM personas ORDER BY tenant, name";
        RENAME_PERSONA = "UPDATE personas SET name = ?3 WHERE tenant = ?1 AND id = ?2";
        SCHEDULE_PERSONA_DELETION = "UPDATE personas SET dying = 1 WHERE tenant = ?1 AND id = ?2";
        DELETE_PERSONA = "DELETE FROM personas WHERE tenant = ?1 AND id = ?2";
        PUT_API_KEY = "INSERT INTO api_keys (tenant, public_id, tag, scopes, speaks, created_at, expires_at, revoked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        PUT_KEY_BOUNDS = "INSERT INTO key_bounds (public_id, persona, subject_in, label) VALUES (?1, ?2, ?3, ?4)";
        API_KEY = "SELECT a.public_id, a.tenant, a.tag, a.scopes, a.speaks, a.created_at, a.expires_at, a.revoked_at, b.persona, b.subject_in, b.label, a.sound AND coalesce(b.sound, 1) AS sound FROM api_keys a LEFT JOIN key_bounds b ON b.public_id = a.public_id WHERE a.public_id = ?1";
        API_KEYS = "SELECT a.public_id, a.tenant, a.tag, a.scopes, a.speaks, a.created_at, a.expires_at, a.revoked_at, b.persona, b.subject_in, b.label, a.sound AND coalesce(b.sound, 1) AS sound FROM api_keys a LEFT JOIN key_bounds b ON b.public_id = a.public_id WHERE a.tenant = ?1 ORDER BY a.public_id";
        REVOKE_API_KEY = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant = ?1 AND public_id = ?2";
        PUT_REQUEST = "INSERT INTO requests (tenant, tag, fingerprint, status, resource, at) VALUES (?6, ?1, ?2, ?3, ?4, ?5)";
        REQUEST = "SELECT tag, fingerprint, status, resource, at, sound FROM requests WHERE tenant = ?1 AND tag = ?2";
        EXPIRE_REQUESTS = "DELETE FROM requests WHERE tenant = ?1 AND at < ?2";
        PUT_SETTING = "INSERT INTO settings (tenant, name, value) VALUES (?1, ?2, ?3) ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value";
        SETTINGS = "SELECT name, value, sound FROM settings WHERE tenant = ?1 ORDER BY name";
        SETTING = "SELECT value, sound FROM settings WHERE tenant = ?1 AND name = ?2";
        PUT_PERSONA_CHECKPOINT = "INSERT OR IGNORE INTO persona_checkpoints (tenant, persona, size, at, keyring_counter, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        PERSONA_CHECKPOINTS = "SELECT size, at, keyring_counter, note, persona, sound FROM persona_checkpoints WHERE tenant = ?1 ORDER BY persona, size";
        PUT_ERASURE = "INSERT OR REPLACE INTO erasures (tenant, id, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        ERASURE_KEY = "SELECT key FROM erasures WHERE id = ?1";
        ERASURES = "SELECT id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload, sound FROM erasures WHERE tenant = ?1 ORDER BY received_at, id";
        ERASURE = "SELECT id, tenant, status, received_at, acknowledge_by, complete_by, changed_at, progress, key, payload, sound FROM erasures WHERE tenant = ?1 AND id = ?2";
        PUT_ERASED = "INSERT INTO erased (tenant, tag, at) VALUES (?1, ?2, ?3) ON CONFLICT (tenant, tag) DO UPDATE SET at = max(at, excluded.at)";
        ERASED = "SELECT tag, at, sound FROM erased WHERE tenant = ?1";
        EXPIRE_ERASED = "DELETE FROM erased WHERE tenant = ?1 AND at < ?2";
        PUT_JOB = "INSERT OR REPLACE INTO jobs (tenant, persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
        JOB = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report, sound FROM jobs WHERE tenant = ?1 AND persona = ?2 AND name = ?3";
        LOCK_JOB = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report, sound FROM jobs WHERE tenant = ?1 AND persona = ?2 AND name = ?3";
        JOBS = "SELECT persona, name, schedule, since, paused_at, holder, leased_due, leased_until, last_due, started_at, finished_at, outcome, report, sound FROM jobs WHERE tenant = ?1 ORDER BY persona, name";
        DELETE_JOB = "DELETE FROM jobs WHERE tenant = ?1 AND persona = ?2 AND name = ?3";
        DELETE_JOBS_OF = "DELETE FROM jobs WHERE tenant = ?1 AND persona = ?2";
        KEYRING_COUNTER = "SELECT max(keyring_counter) FROM persona_checkpoints WHERE tenant = ?1 AND sound";
    }
}

#[cfg(test)]
mod tests {
    use super::super::connection::open_writer;
    use super::super::migration::{DEPLOYMENT, RECORDS, Schema};
    use super::*;

    fn check(schema: &Schema, own: &[&str]) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.db");
        let mut connection = open_writer(&path).unwrap();
        schema.migrate(&mut connection, &path).unwrap();
        let plain = [TAKE_SNAPSHOT, QUICK_CHECK, INTEGRITY_CHECK, FOREIGN_KEY_CHECK, EMPTY_LOG, REWRITE];
        for statement in own.iter().chain(common::ALL).chain(&plain) {
            if let Err(error) = connection.prepare(statement) {
                panic!("{statement}: {error}");
            }
        }
    }

    #[test]
    fn every_statement_fits_its_schema() {
        check(&RECORDS, records::ALL);
        check(&DEPLOYMENT, deployment::ALL);
    }

    /// Every request asks what changed since the last one, and a persona may have a million memories.
    #[test]
    fn changed_memories_are_found_without_a_scan_of_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.db");
        let mut connection = open_writer(&path).unwrap();
        RECORDS.migrate(&mut connection, &path).unwrap();
        let mut explained =
            connection.prepare(&format!("EXPLAIN QUERY PLAN {}", records::ATOMS_SINCE)).unwrap();
        let plan: Vec<String> =
            explained.query_map([0], |row| row.get(3)).unwrap().collect::<Result<_, _>>().unwrap();
        assert!(plan.iter().any(|step| step.contains("atoms_by_revision")), "{plan:?}");
        assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{plan:?}");
    }
}
