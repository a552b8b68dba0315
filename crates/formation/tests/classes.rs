//! How private what people say is, held to statements in the languages without examples.
//!
//! The word lists were widened with these before the eyes, so they only show that nothing gets worse. Of 324 further
//! ones by the same writers, of which only totals were looked at, .76 were told right (.59 before), and of those of guests .95.

use formation::{Exchange, Formed, Speaker, form};
use jiff::civil::date;
use serde::Deserialize;

#[derive(Deserialize)]
struct Example {
    language: String,
    class: String,
    said: String,
}

/// The class of what is kept of a statement, if anything is.
fn class(said: &Example) -> Option<&'static str> {
    let asked = match said.language.as_str() {
        "de" => "Merk dir: ",
        "es" => "Recuerda: ",
        "fr" => "Retiens que : ",
        _ => "Ține minte: ",
    };
    let formed = form(&Exchange {
        said: &format!("{asked}{}", said.said),
        before: None,
        language: &said.language,
        today: date(2026, 11, 15),
        speaker: Speaker::Guest,
        reminded: &[],
    });
    formed.iter().find_map(|formed| match formed {
        Formed::Remember(draft) => Some(draft.privacy_class.as_str()),
        Formed::Refused(_) => None,
    })
}

#[test]
fn what_is_said_of_guests_staff_business_and_the_world_is_told_apart_in_every_language() {
    let path = format!("{}/tests/classes-development.json", env!("CARGO_MANIFEST_DIR"));
    let all: Vec<Example> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (language, enough) in [("de", 0.95), ("es", 0.98), ("fr", 0.92), ("ro", 0.96)] {
        let own = all.iter().filter(|said| said.language == language);
        let kept: Vec<(&Example, &str)> = own.filter_map(|said| Some((said, class(said)?))).collect();
        let share = |of: &dyn Fn(&Example) -> bool| {
            let asked = kept.iter().filter(|(said, _)| of(said));
            let right = asked.clone().filter(|(said, class)| said.class == *class);
            f64::from(u32::try_from(right.count()).unwrap())
                / f64::from(u32::try_from(asked.count()).unwrap())
        };
        let wrong: Vec<_> = kept.iter().filter(|(said, class)| said.class != *class).collect();
        let missed: Vec<_> = wrong.iter().map(|(said, class)| format!("{class}: {}", said.said)).collect();
        assert!(kept.len() > 150, "{language}: {} kept", kept.len());
        assert!(share(&|_| true) >= enough, "{language}: {} {missed:#?}", share(&|_| true));
        assert!(share(&|said| said.class == "guest-pii") >= 0.97, "{language}: {missed:#?}");
    }
}
