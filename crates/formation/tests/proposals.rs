//! What a model proposes is compared with what was known in the same way as what the rules find.
#![expect(clippy::unwrap_used, reason = "a test may stop where its expectation ends")]

use formation::{Exchange, Formed, Verdict, judged, proposals};
use jiff::civil::date;

/// The gists that are kept of a model's answer.
fn kept(exchange: &Exchange<'_>, gist: &str) -> Vec<String> {
    let answer = serde_json::json!({ "memories": [{
        "gist": gist, "kind": "semantic", "details": [], "salience": 0.5, "valence": 0.0, "class": "guest-pii",
        "whose": "speaker", "cues": [], "tags": [] }] });
    let verdicts = judged(exchange, &proposals(&answer.to_string()).unwrap(), &[]);
    let gist = |verdict| match verdict {
        Verdict::Formed(Formed::Remember(draft)) => Some(draft.gist.as_str().to_owned()),
        Verdict::Formed(Formed::Refused { .. } | Formed::Dropped(_)) | Verdict::Refused(_) => None,
    };
    verdicts.into_iter().filter_map(gist).collect()
}

#[test]
fn what_people_say_of_themselves_is_kept_though_it_resembles_a_memory_in_the_prompt() {
    let prompted = ["Guests who ask for a quiet room usually mean one away from the lift."];
    let exchange = Exchange {
        reminded: &prompted,
        ..Exchange::new("I prefer a quiet room away from the lift.", "en", date(2026, 11, 15))
    };
    let gist = "The guest prefers a quiet room away from the lift.";
    assert_eq!(kept(&exchange, gist), [gist]);
    let asked = Exchange { said: "Is the quiet room away from the lift free?", ..exchange };
    assert!(kept(&asked, gist).is_empty(), "a question tells nothing of the speaker");
    let house = Exchange { said: "The quiet room is away from the lift.", ..exchange };
    let gist = "A quiet room is away from the lift.";
    assert!(kept(&house, gist).is_empty(), "nor does what is known of the house");
}
