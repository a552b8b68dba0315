//! A short fact is noted within a conversation as it is in a first message.

use encoders::Encoders;
use formation::{Exchange, Formed, form};
use jiff::civil::date;

#[test]
fn a_short_fact_is_noted_in_the_middle_of_a_conversation_too() {
    let encoders = Encoders::built_in().unwrap();
    for (said, is_noted) in [
        ("I moved to York.", true),
        ("My cat is called Bruno.", true),
        ("My dog Bruno hates thunder.", true),
        ("I love hiking in the Alps.", true),
        ("My sister Clara breeds horses near Trier.", true),
        ("That sounds lovely.", false),
        ("What a day it was.", false),
    ] {
        for before in [None, Some("Thank you for telling me.")] {
            let exchange = Exchange {
                before,
                encoders: Some(&encoders),
                ..Exchange::new(said, "en", date(2026, 11, 15))
            };
            let has_memory = form(&exchange).iter().any(|formed| matches!(formed, Formed::Remember(_)));
            assert_eq!(has_memory, is_noted, "{said} after {before:?}");
        }
    }
}
