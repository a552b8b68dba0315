//! Writes the published JSON Schemas into `schemas/`: `cargo run -p domain --example schemas`.
#![expect(clippy::expect_used, reason = "a developer's tool that may stop with a message")]

use std::{fs, path::Path};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    for name in domain::schema::NAMES {
        let schema = domain::schema::named(name).expect("every published name has a schema");
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
        fs::write(folder.join(format!("{name}.json")), text + "\n").expect("schemas/ can be written");
    }
}
