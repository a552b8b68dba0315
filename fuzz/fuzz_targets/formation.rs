//! Any words form memories within their bounds, and none holds a card or an account.
#![no_main]

use formation::number::{NumberKind, numbers};
use formation::{Exchange, Formed, form};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let said = String::from_utf8_lossy(bytes);
    for language in ["en", "ro", "de", "fr", "es"] {
        let today = jiff::civil::date(2026, 4, 22);
        let exchange = Exchange { before: Some(&said), reply: Some(&said), ..Exchange::new(&said, language, today) };
        for formed in form(&Exchange { before: None, ..exchange }).into_iter().chain(form(&exchange)) {
            let Formed::Remember(draft) = formed else { continue };
            assert!((1..=280).contains(&draft.gist.length()));
            assert!(draft.details.iter().all(|(detail, _)| (1..=200).contains(&detail.length())));
            let is_payment = |kind| matches!(kind, NumberKind::Card | NumberKind::Account);
            assert!(!numbers(draft.gist.as_str()).iter().any(|number| is_payment(number.kind)));
        }
    }
});
