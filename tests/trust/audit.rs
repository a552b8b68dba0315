//! Somebody with the database in hand changes the audit log, drops, swaps, repeats or cuts lines, or
//! forges a checkpoint. All of it is found, by the log's own proof or against the checkpoints that were
//! handed to the deployment.

use std::path::Path;

use domain::AuditEvent;
use rusqlite::{Connection, params};
use store::{Deployment as _, Upkeep as _, log_origin};
use vault::audit::{Checkpoint, Frontier, leaf_of_bytes};
use vault::canonical::canonicalize_serializable;
use vault::key::Secret;
use vault::signature::SigningKey;

use crate::copying::{copy, lived};
use crate::world::{INARA, TENANT, block_on, open, records, scope};
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

const STEPS: u64 = 60;

type Forgery = fn(&mut Forger) -> String;
const FORGERIES: [Forgery; 9] = [
    Forger::change_a_line,
    Forger::change_a_line_and_the_end,
    Forger::drop_a_line,
    Forger::swap_two_lines,
    Forger::repeat_a_line,
    Forger::cut_the_end,
    Forger::cut_the_end_and_its_checkpoints,
    Forger::forge_a_checkpoint,
    Forger::change_a_checkpoint,
];

#[test]
fn every_change_to_the_log_is_found() {
    let mut tally = Tally::new("audit mutations", "audit");
    let home = block_on(lived(STEPS));
    assert!(!block_on(is_found(copy(home.path()).path())), "an unchanged log counts as changed");
    for seed in tries(500) {
        let copied = copy(home.path());
        let connection = Connection::open(records(copied.path(), INARA)).unwrap();
        let mut forger = Forger { connection, dice: Dice::new(seed) };
        let forgery = FORGERIES[forger.dice.position(FORGERIES.len())];
        let done = forgery(&mut forger);
        drop(forger);
        let wrong = if block_on(is_found(copied.path())) { vec![] } else { vec!["not found".to_owned()] };
        tally.count(&format!("seed {seed}, {done}"), &wrong);
    }
    tally.close();
}

async fn is_found(directory: &Path) -> bool {
    let (Ok(store), tenant) = (open(directory).await, TENANT.parse().unwrap()) else { return true };
    let Ok(integrity) = store.integrity(&scope(INARA)).await else { return true };
    let handed_out = store.persona_checkpoints(&tenant).await.unwrap();
    let longest = handed_out.iter().map(|(_, signed)| signed.size).max().unwrap_or(0);
    !integrity.is_whole() || longest > integrity.events
}

/// Somebody who can write to the database, and has no key to sign with.
struct Forger {
    connection: Connection,
    dice: Dice,
}

impl Forger {
    fn change_a_line(&mut self) -> String {
        let seq = self.any_line();
        let mut event = self.event(seq);
        match self.dice.below(5) {
            3 => {
                self.run("UPDATE events SET about = 'mem:0' WHERE seq = ?1", seq);
                return format!("what line {seq} is about changed");
            }
            0 => event.ts += 1,
            1 => event.id = Some("mem:000000000001".to_owned()).filter(|id| event.id.as_ref() != Some(id)),
            2 => event.commit = event.commit.chars().rev().collect(),
            _ => event.batch = Some("another".to_owned()),
        }
        self.put(seq, &event);
        format!("line {seq} changed")
    }

    fn change_a_line_and_the_end(&mut self) -> String {
        let done = self.change_a_line();
        self.recompute_the_end();
        format!("{done}, end recomputed")
    }

    fn drop_a_line(&mut self) -> String {
        let seq = self.any_line();
        self.run("DELETE FROM events WHERE seq = ?1", seq);
        if self.dice.happens(50) {
            for later in seq + 1..=self.last_line() {
                let event = AuditEvent { seq: later - 1, ..self.event(later) };
                self.connection
                    .execute(
                        "UPDATE events SET seq = ?2, body = ?3 WHERE seq = ?1",
                        params![later, later - 1, body(&event)],
                    )
                    .unwrap();
            }
            self.recompute_the_end();
        }
        format!("line {seq} dropped")
    }

    fn swap_two_lines(&mut self) -> String {
        let one = self.any_line();
        let other = (one + 1 + self.dice.below(self.last_line())) % (self.last_line() + 1);
        let (first, second) = (self.event(one), self.event(other));
        if self.dice.happens(50) {
            self.put(one, &AuditEvent { seq: one, ..second });
            self.put(other, &AuditEvent { seq: other, ..first });
            self.recompute_the_end();
        } else {
            self.put(one, &second);
            self.put(other, &first);
        }
        format!("lines {one} and {other} swapped")
    }

    fn repeat_a_line(&mut self) -> String {
        let (seq, next) = (self.any_line(), self.last_line() + 1);
        let event = AuditEvent { seq: next, ..self.event(seq) };
        self.connection
            .execute("INSERT INTO events (seq, body) VALUES (?1, ?2)", params![next, body(&event)])
            .unwrap();
        format!("line {seq} repeated at the end")
    }

    fn cut_the_end(&mut self) -> String {
        let from = self.any_line();
        self.run("DELETE FROM events WHERE seq >= ?1", from);
        if self.dice.happens(50) {
            self.recompute_the_end();
        }
        format!("cut from line {from} on")
    }

    fn cut_the_end_and_its_checkpoints(&mut self) -> String {
        let done = self.cut_the_end();
        let left: u64 =
            self.connection.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
        self.run("DELETE FROM checkpoints WHERE size > ?1", left);
        self.recompute_the_end();
        format!("{done}, checkpoints too")
    }

    fn forge_a_checkpoint(&mut self) -> String {
        self.change_a_line_and_the_end();
        let nobody = SigningKey::from_seed(&Secret::from_bytes([9; 32]));
        let origin = log_origin(Some(&scope(INARA)));
        let frontier = self.frontier();
        let forged = Checkpoint { origin, size: frontier.size(), root: frontier.root(), keyring: Some(1) };
        self.connection.execute("DELETE FROM checkpoints", []).unwrap();
        self.connection
            .execute(
                "INSERT INTO checkpoints (size, at, keyring_counter, note) VALUES (?1, 0, 1, ?2)",
                params![frontier.size(), forged.sign(&nobody).unwrap()],
            )
            .unwrap();
        "all checkpoints replaced by a forged one".to_owned()
    }

    fn change_a_checkpoint(&mut self) -> String {
        let sizes: Vec<u64> = {
            let mut statement = self.connection.prepare("SELECT size FROM checkpoints").unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let size = sizes[self.dice.position(sizes.len())];
        let statement = match self.dice.below(3) {
            0 => "UPDATE checkpoints SET keyring_counter = keyring_counter + 1 WHERE size = ?1",
            1 => "UPDATE checkpoints SET note = replace(note, '— ', '— x') WHERE size = ?1",
            _ => {
                "UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size <> ?1 ORDER BY size LIMIT 1) WHERE size = ?1"
            }
        };
        self.run(statement, size);
        format!("the checkpoint over {size} events changed")
    }

    fn any_line(&mut self) -> u64 {
        let last = self.last_line();
        self.dice.below(last + 1)
    }

    fn last_line(&self) -> u64 {
        self.connection.query_row("SELECT max(seq) FROM events", [], |row| row.get(0)).unwrap()
    }

    fn event(&self, seq: u64) -> AuditEvent {
        let read = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let body = self.connection.query_row("SELECT body FROM events WHERE seq = ?1", [seq], read).unwrap();
        serde_json::from_str(&body).unwrap()
    }

    fn put(&self, seq: u64, event: &AuditEvent) {
        self.connection
            .execute("UPDATE events SET body = ?2 WHERE seq = ?1", params![seq, body(event)])
            .unwrap();
    }

    fn run(&self, statement: &str, number: u64) {
        self.connection.execute(statement, [number]).unwrap();
    }

    /// Makes the end of the log that of its lines, as a forger without a signing key can.
    fn recompute_the_end(&self) {
        self.connection.execute("UPDATE tree SET frontier = ?1", [self.frontier().to_bytes()]).unwrap();
    }

    fn frontier(&self) -> Frontier {
        let mut frontier = Frontier::default();
        let mut statement = self.connection.prepare("SELECT body FROM events ORDER BY seq").unwrap();
        let bodies = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        bodies.for_each(|body| frontier.append(leaf_of_bytes(body.unwrap().as_bytes())));
        frontier
    }
}

fn body(event: &AuditEvent) -> String {
    String::from_utf8(canonicalize_serializable(event).unwrap()).unwrap()
}
