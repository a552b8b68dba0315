//! What must hold of the notes that are read from a model's answer.

use formation::number::{NumberKind, numbers};
use formation::{Exchange, Formed, Verdict, judged, proposals};

/// Reads `bytes` as an answer, and judges what it proposes.
pub fn judge(bytes: &[u8]) {
    let answer = String::from_utf8_lossy(bytes);
    let Ok(proposed) = proposals(&answer) else { return };
    assert!(proposed.memories.len() + proposed.malformed <= 8);
    // Whatever is proposed was said, so that nothing is refused for not having been.
    let said = format!("I told you this. {answer}");
    for language in ["en", "de"] {
        let exchange = Exchange::new(&said, language, jiff::civil::date(2026, 4, 22));
        for verdict in judged(&exchange, &proposed, &[]) {
            let Verdict::Formed(Formed::Remember(draft)) = verdict else { continue };
            assert!((1..=280).contains(&draft.gist.length()));
            assert!(draft.details.iter().all(|(detail, _)| (1..=200).contains(&detail.length())));
            let is_payment = |kind| matches!(kind, NumberKind::Card | NumberKind::Account);
            let texts = draft.details.iter().map(|(detail, _)| detail).chain([&draft.gist]);
            assert!(!texts.flat_map(|text| numbers(text.as_str())).any(|number| is_payment(number.kind)));
        }
    }
}
