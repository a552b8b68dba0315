//! What must hold of the memories that rules form from talk.

use formation::number::{NumberKind, numbers};
use formation::{Exchange, Formed, form};

/// Forms memories from `bytes`, said alone and as a part of a talk, in five languages.
pub fn form_all(bytes: &[u8]) {
    let said = String::from_utf8_lossy(bytes);
    let today = jiff::civil::date(2026, 4, 22);
    for language in ["en", "ro", "de", "fr", "es"] {
        let alone = Exchange { reply: Some(&said), ..Exchange::new(&said, language, today) };
        let within = Exchange { before: Some(&said), ..alone };
        for formed in form(&alone).into_iter().chain(form(&within)) {
            let Formed::Remember(draft) = formed else { continue };
            assert!((1..=280).contains(&draft.gist.length()));
            assert!(draft.details.iter().all(|(detail, _)| (1..=200).contains(&detail.length())));
            let is_payment = |kind| matches!(kind, NumberKind::Card | NumberKind::Account);
            assert!(!numbers(draft.gist.as_str()).iter().any(|number| is_payment(number.kind)));
        }
    }
}
