//! An address that a person gives is noted, also within a conversation.

use encoders::Encoders;
use formation::{Exchange, Formed, form};
use jiff::civil::date;

#[test]
fn an_address_that_is_given_within_a_conversation_is_noted() {
    let encoders = Encoders::built_in().unwrap();
    for (language, said, is_noted) in [
        ("en", "The bill should go to roz.teague@tynepost.example", true),
        ("de", "Die Rechnung geht an j.brandt@werft.example", true),
        ("es", "La factura va a marta.rios@taller.example", true),
        ("en", "The bill should go to the office as usual", false),
    ] {
        let formed = form(&Exchange {
            before: Some("Of course."),
            encoders: Some(&encoders),
            ..Exchange::new(said, language, date(2026, 11, 15))
        });
        let has_memory = formed.iter().any(|formed| matches!(formed, Formed::Remember(_)));
        assert_eq!(has_memory, is_noted, "{said}");
    }
}
