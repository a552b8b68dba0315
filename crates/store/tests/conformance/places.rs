//! Writes canaries through every operation: every place that holds text must be in the register, and a
//! place registered as holding none must hold none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use domain::{EventKind, RecallId, example};
use rusqlite::Connection;
use store::{
    Batch, Change, Day, Decision, Deployment, DeploymentChange, DocumentName, Documents, ErasureRecord,
    Holds, NewVectors, RecordId, Records, Rewording, Subject, Superseding, Trace, Vector, WrittenJson,
    home_places, place_of_file,
};
use uuid::Uuid;

use crate::world::{World, atom, event, in_a_home, remembering, session, subject, turn, vector};

pub(crate) const CANARY: &str = "canary-4711";

/// Writes a canary into every text field of every writing operation.
pub(crate) async fn write_canaries(world: &World) {
    let (store, scope) = (&world.store, &world.scope);
    let guest = format!("guest:{CANARY}");
    let private = || serde_json::json!({ CANARY: CANARY }).into();
    let mut memory = atom(1, Some(&guest), CANARY);
    memory.details[0].content = CANARY.into();
    memory.cues = vec![CANARY.into()];
    memory.said_by = Some(CANARY.into());
    memory.language = Some(CANARY.into());
    (memory.pinned, memory.pinned_at) = (true, Some(example::day(0)));
    memory.tags = vec![CANARY.into()];
    memory.mentions = vec![subject(CANARY)];
    memory.provenance.session_id = CANARY.parse().unwrap();
    memory.consent_basis = domain::ConsentBasis::new(CANARY);
    let mut batch = remembering(0, memory.clone());
    batch.events[0] = batch.events[0].clone().privately(Some(subject(&guest)), private());
    store.commit(scope, batch).await.unwrap();
    let details = memory.details.clone();
    let rewording = Rewording {
        id: memory.id,
        gist: CANARY.into(),
        details,
        cues: memory.cues,
        tags: memory.tags,
        vector: Some(vector(1)),
    };
    let mut entry = example::entry(1, CANARY, 0);
    (entry.persona_id, entry.tenant_id) = (scope.persona, scope.tenant.clone());
    entry.event.metadata.insert(CANARY.to_owned(), CANARY.into());
    let cued = entry.id;
    let superseding = Superseding { id: entry.id, reason: Some(CANARY.into()), by: None };
    let mut talk = session(CANARY, &guest, 0);
    talk.title = Some(CANARY.into());
    talk.state = private();
    let known = Subject {
        subject: subject(&guest),
        aliases: vec![subject(CANARY)],
        since: example::day(0),
        held_since: None,
    };
    let trace = Trace {
        recall: RecallId(Uuid::from_u128(1)),
        at: example::day(0),
        subject: Some(subject(&guest)),
        shown: vec![memory.id],
        body: WrittenJson::of(&private()).unwrap(),
    };
    let batch = Batch::at(example::day(1))
        .with(Change::RewordAtom(Box::new(rewording)))
        .with(Change::AppendEntry(Box::new(entry)))
        .with(Change::CueEntry(cued, vec![CANARY.into()]))
        .with(Change::SupersedeEntry(superseding))
        .with(Change::PutSubject(known))
        .with(Change::PutSession(Box::new(talk)))
        .with(Change::AppendTurn(Box::new(turn(0, CANARY, CANARY))))
        .with(Change::PutTrace(Box::new(trace)))
        .with(Change::PutDocument(subject(&guest), DocumentName::MemoryShort, CANARY.into()))
        .with_event(event(EventKind::MemoryFlagged, memory.id).privately(None, private()));
    store.commit(scope, batch).await.unwrap();
    let of = |record| NewVectors {
        record,
        read_at: u64::MAX,
        vectors: Vector { embedder: CANARY.to_owned(), bytes: CANARY.into() },
    };
    let vectors = vec![of(RecordId::Atom(memory.id)), of(RecordId::Entry(cued))];
    store.commit(scope, Batch::at(example::day(1)).with(Change::PutVectors(vectors))).await.unwrap();
    let logged = event(EventKind::KeyCreated, "k").privately(None, private());
    let change = DeploymentChange::PutSetting("name".into(), "value".into());
    let decision = Decision {
        now: example::day(1),
        tenant: scope.tenant.clone(),
        changes: vec![change],
        events: vec![logged],
    };
    store.decide(decision).await.unwrap();
    let asked = ErasureRecord {
        id: domain::ErasureId(Uuid::from_u128(2)),
        tenant: scope.tenant.clone(),
        status: domain::ErasureStatus::Received,
        deadlines: domain::Deadlines::of(example::day(1), domain::ForgettingDeadlines::default()),
        changed_at: example::day(1),
        progress: serde_json::Value::Null,
        private: Some(private()),
    };
    let decision = Decision {
        now: example::day(1),
        tenant: scope.tenant.clone(),
        changes: vec![DeploymentChange::PutErasure(Box::new(asked))],
        events: Vec::new(),
    };
    store.decide(decision).await.unwrap();
    store.write(scope, DocumentName::Soul, None, CANARY.into()).await.unwrap();
    let log = DocumentName::DayLog(Day::new(2026, 4, 22).unwrap());
    store.append(scope, log, CANARY.into()).await.unwrap();
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn holds_canary(bytes: &[u8]) -> bool {
    bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes())
}

#[test]
fn every_file_has_its_place_and_words_lie_open_only_where_the_register_says_so() {
    in_a_home(|world| async move {
        write_canaries(&world).await;
        let home = world.directory.path().join("home");
        let mut open = 0;
        for file in files(&home) {
            let inside = file.strip_prefix(&home).unwrap();
            let place = place_of_file(inside).unwrap_or_else(|| panic!("{inside:?} is in no register"));
            let found = holds_canary(&fs::read(&file).unwrap());
            assert!(!found || place.holds == Holds::PlainWords, "{inside:?} holds words in clear");
            open += usize::from(found);
        }
        assert_eq!(open, 2, "the document and the day log are plain text");
        assert!(
            files(&world.directory.path().join("keys"))
                .iter()
                .all(|file| !holds_canary(&fs::read(file).unwrap()))
        );
    });
}

#[test]
fn every_table_and_column_has_its_place() {
    in_a_home(|world| async move {
        write_canaries(&world).await;
        let home = world.directory.path().join("home");
        let registered: BTreeMap<&str, BTreeSet<&str>> = home_places()
            .filter(|place| place.name.contains(".db:"))
            .map(|place| {
                (place.name, place.sealed_columns.iter().chain(place.clear_columns).copied().collect())
            })
            .collect();
        let mut found = BTreeMap::new();
        for (name, path) in
            [("memory.db", "marriott/persona/inara/memory.db"), ("deployment.db", "deployment.db")]
        {
            let connection = Connection::open(home.join(path)).unwrap();
            let sql = "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'";
            let mut statement = connection.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            for (table, column) in rows.map(|row: rusqlite::Result<(String, String)>| row.unwrap()) {
                found.entry(format!("{name}:{table}")).or_insert_with(BTreeSet::new).insert(column);
            }
        }
        let found: BTreeMap<&str, BTreeSet<&str>> = found
            .iter()
            .map(|(table, columns)| (table.as_str(), columns.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(found, registered);
    });
}

#[test]
fn every_sealed_column_was_written_by_a_verb_and_opens_only_with_its_key() {
    in_a_home(|world| async move {
        write_canaries(&world).await;
        let home = world.directory.path().join("home");
        for place in home_places().filter(|place| !place.sealed_columns.is_empty()) {
            let (database, table) = place.name.split_once(':').unwrap();
            let path = if database == "memory.db" { "marriott/persona/inara/memory.db" } else { database };
            let connection = Connection::open(home.join(path)).unwrap();
            for column in place.sealed_columns {
                let sql = format!("SELECT count({column}), max(length({column})) FROM {table}");
                let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
                let (count, longest): (i64, Option<i64>) = connection.query_row(&sql, [], read).unwrap();
                assert!(count > 0, "no verb of this test wrote {}.{column}", place.name);
                assert!(longest.unwrap() > 73, "{}.{column} is no sealed blob", place.name);
            }
        }
    });
}
