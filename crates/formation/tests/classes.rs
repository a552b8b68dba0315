//! How private what people say is, held to statements in four languages.
//!
//! The models saw these among others, so they only show that nothing gets worse. In doubt a statement is the guest's:
//! a class that is withheld from the person who said it needs certainty, which costs some of the other classes.

use formation::{Exchange, Formed, form};
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
        encoders: encoders::Encoders::built_in().ok().as_ref(),
        ..Exchange::new(&format!("{asked}{}", said.said), &said.language, date(2026, 11, 15))
    });
    formed.iter().find_map(|formed| match formed {
        Formed::Remember(draft) => Some(draft.privacy_class.as_str()),
        Formed::Refused { .. } | Formed::Dropped(_) => None,
    })
}

#[test]
fn what_is_said_of_guests_staff_business_and_the_world_is_distinguished_in_every_language() {
    let path = format!("{}/tests/classes-development.json", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let all: Vec<Example> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (language, enough) in [("de", 0.75), ("es", 0.75), ("fr", 0.7), ("ro", 0.6)] {
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
        assert!(kept.len() > 140, "{language}: {} kept", kept.len());
        println!(
            "{language}: {} right, of guests {}",
            share(&|_| true),
            share(&|said| said.class == "guest-pii")
        );
        assert!(share(&|_| true) >= enough, "{language}: {} {missed:#?}", share(&|_| true));
        assert!(share(&|said| said.class == "guest-pii") >= 0.97, "{language}: {missed:#?}");
    }
}
