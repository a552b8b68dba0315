//! What holds for any text whatever: no panic, bounds kept, and never a card or an account in a draft.

use formation::number::{NumberKind, numbers};
use formation::{Draft, Formed};
use proptest::prelude::*;

use crate::formed;

fn texts(draft: &Draft) -> Vec<String> {
    let details = draft.details.iter().map(|(detail, _)| detail.as_str().to_owned());
    [draft.gist.as_str().to_owned()].into_iter().chain(details).collect()
}

fn check(said: &str, language: &str) -> Result<(), TestCaseError> {
    for formed in formed(said, language) {
        let Formed::Remember(draft) = formed else { continue };
        prop_assert!((1..=280).contains(&draft.gist.length()));
        prop_assert!(draft.details.iter().all(|(detail, _)| (1..=200).contains(&detail.length())));
        prop_assert!(draft.salience.get() >= 0.3);
        for text in texts(&draft) {
            let is_payment = |kind| matches!(kind, NumberKind::Card | NumberKind::Account);
            prop_assert!(
                !numbers(&text).iter().any(|number| is_payment(number.kind)),
                "a payment number stayed"
            );
        }
    }
    Ok(())
}

/// A card of 16 digits with the right check digit.
fn card() -> impl Strategy<Value = String> {
    (4_u32..6, prop::collection::vec(0_u32..10, 14)).prop_map(|(first, rest)| {
        let digits: Vec<u32> = [first].into_iter().chain(rest).collect();
        let weigh = |(place, digit): (usize, &u32)| {
            if place % 2 == 0 { (digit * 2) / 10 + (digit * 2) % 10 } else { *digit }
        };
        let sum: u32 = digits.iter().enumerate().map(weigh).sum();
        digits.iter().chain([&((10 - sum % 10) % 10)]).map(ToString::to_string).collect()
    })
}

proptest! {
    #[test]
    fn any_text_forms_within_bounds(said in any::<String>(), language in "(en|ro|de|fr|es|tlh)") {
        check(&said, &language)?;
    }

    #[test]
    fn any_sentence_forms_within_bounds(
        said in "(I |my |we |remember that |my wife |live |love |don't |next |Friday |12 |, |\\. |\\? |\" |room |Ana ){1,60}",
    ) {
        check(&said, "en")?;
    }

    #[test]
    fn a_card_is_never_kept(card in card(), apart in "[ .-]?", before in "(I love jazz and |my card: |, |x)", after in "( 12/27| and my dog is called Rex|\\. I live in Rome\\.)") {
        let groups: Vec<&str> = (0..4).map(|at| &card[at * 4..at * 4 + 4]).collect();
        let said = format!("{before}{}{after}", groups.join(&apart));
        check(&said, "en")?;
        for formed in formed(&said, "en") {
            let Formed::Remember(draft) = formed else { continue };
            let digits = |text: String| text.chars().filter(char::is_ascii_digit).collect::<String>();
            prop_assert!(texts(&draft).into_iter().all(|text| !digits(text).contains(&card)));
        }
    }
}

fn time(said: &str) -> u128 {
    let start = std::time::Instant::now();
    assert!(formed(said, "en").len() <= 8);
    start.elapsed().as_millis()
}

#[test]
fn a_very_long_turn_is_read_in_bounded_time() {
    // The best of five, since a busy machine may stop the test for a while.
    let limit = if cfg!(debug_assertions) { 3000 } else { 50 };
    for said in [
        "I live in Cluj and my wife Ana loves the seafood there. ".repeat(1800),
        "my wife, ".repeat(11_000),
        "4111 ".repeat(20_000),
        "@".repeat(100_000),
        "A1".repeat(50_000),
        "RO49 AAAA ".repeat(10_000),
        "\"".repeat(100_000),
        "ș".repeat(50_000),
    ] {
        let took = (0..5).map(|_| time(&said)).min().unwrap();
        assert!(took < limit, "{took} ms for {:?}…", &said[..10]);
    }
}
