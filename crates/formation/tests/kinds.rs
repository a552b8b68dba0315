//! What sort of memory a statement makes: what happened or will once, what lasts, and how something is done.

use formation::{Exchange, Formed, form};
use jiff::civil::date;
use serde::Deserialize;

#[derive(Deserialize)]
struct Example {
    language: String,
    kind: domain::Kind,
    said: String,
}

fn kind(example: &Example) -> Option<domain::Kind> {
    let asked = match example.language.as_str() {
        "de" => "Merk dir: ",
        "es" => "Recuerda: ",
        "fr" => "Retiens que : ",
        "ro" => "Ține minte: ",
        _ => "Remember: ",
    };
    let formed = form(&Exchange {
        encoders: encoders::Encoders::built_in().ok().as_ref(),
        ..Exchange::new(&format!("{asked}{}", example.said), &example.language, date(2026, 11, 15))
    });
    formed.iter().find_map(|formed| match formed {
        Formed::Remember(draft) => Some(draft.kind),
        Formed::Refused { .. } | Formed::Dropped(_) => None,
    })
}

#[test]
fn what_happened_once_what_lasts_and_how_it_is_done_are_distinguished() {
    let path = format!("{}/tests/kinds.json", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let all: Vec<Example> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let wrong: Vec<String> = all
        .iter()
        .filter(|example| kind(example) != Some(example.kind))
        .map(|example| format!("{:?}: {}", kind(example), example.said))
        .collect();
    assert_eq!(all.len(), 60);
    assert!(wrong.len() <= 3, "{wrong:#?}");
}
