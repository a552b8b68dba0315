//! Ranking is exact, repeatable, independent of memories the listener may not hear, and sensible at the
//! edges.

use domain::{Atom, DecayFunction, Salience, Text, Timestamp, example};

use super::*;
use crate::asking::{Asking, indexed, memory, remembering};

fn order(asking: &Asking, cue: &str) -> Vec<u64> {
    rank(&asking.index.snapshot(), &asking.question(cue))
        .best
        .iter()
        .map(|scored| scored.id.as_u64())
        .collect()
}

fn hotel() -> Vec<Atom> {
    vec![
        memory(1, "A guest thanked me for the seafood restaurant I suggested."),
        memory(2, "A child asked me what my favourite colour was."),
        memory(3, "The kitchen closes at ten on Sundays."),
        memory(4, "Somebody needed a quiet place to work with his laptop."),
    ]
}

#[test]
fn what_a_cue_is_about_comes_first() {
    let asking = remembering(&hotel());
    for (cue, best) in [
        ("Which restaurant did you recommend for fish?", 1),
        ("What colour do you like best?", 2),
        ("When does the kitchen close?", 3),
        ("I need somewhere quiet to work", 4),
    ] {
        assert_eq!(order(&asking, cue).first(), Some(&best), "{cue}");
    }
}

#[test]
fn equal_scores_go_to_the_newer_and_then_to_the_smaller_id() {
    let mut atoms: Vec<Atom> = (1..=4).map(|n| memory(n, "The same words.")).collect();
    for (atom, day) in atoms.iter_mut().zip([0, -2, 0, -1]) {
        atom.decay_profile.function = DecayFunction::None;
        atom.created_at = example::day(day);
        atom.last_rehearsed_at = example::day(0);
    }
    atoms.reverse();
    assert_eq!(order(&remembering(&atoms), "same words"), [1, 3, 4, 2]);
}

#[test]
fn every_memory_is_weighed_by_the_law_of_decay() {
    let mut atoms = hotel();
    for (atom, function) in
        atoms.iter_mut().zip([DecayFunction::Ebbinghaus, DecayFunction::Power, DecayFunction::None])
    {
        atom.decay_profile.function = function;
        atom.rehearsal_count = 1;
    }
    let mut asking = remembering(&atoms);
    asking.now = example::day(20);
    let ranked = rank(&asking.index.snapshot(), &asking.question("guest"));
    assert_eq!(ranked.best.len(), 4);
    for scored in ranked.best {
        let atom = atoms.iter().find(|atom| atom.id == scored.id).unwrap();
        let law = atom.salience_at(asking.now).get();
        assert!((f64::from(scored.parts.salience) - law).abs() < 1e-6, "{:?}", atom.decay_profile.function);
    }
}

#[test]
fn a_memory_exactly_at_the_threshold_is_a_candidate_and_one_just_below_is_not() {
    let mut asking = remembering(&[]);
    asking.now = example::day(0);
    for (salience, candidates) in [(0.15, 1), (0.149_999, 0)] {
        let mut atom = memory(1, "A weak memory.");
        atom.salience = Salience::clamped(salience);
        asking.index = indexed(&[atom]);
        let ranked = rank(&asking.index.snapshot(), &asking.question("weak"));
        assert_eq!((ranked.best.len(), ranked.rejected.faded), (candidates, 1 - candidates), "{salience}");
    }
}

#[test]
fn what_others_said_does_not_change_the_scores_of_what_i_may_hear() {
    let mut asking = remembering(&hotel());
    let alone = rank(&asking.index.snapshot(), &asking.question("the seafood restaurant")).best;
    let mut atoms = hotel();
    for n in 100..140 {
        let mut secret = memory(n, "Seafood restaurant, said the other guest of the seafood restaurant.");
        secret.privacy_class = domain::PrivacyClass::GuestPii;
        secret.subject = "guest:seafood".parse().ok();
        atoms.push(secret);
    }
    asking.index = indexed(&atoms);
    let among_others = rank(&asking.index.snapshot(), &asking.question("the seafood restaurant"));
    let scores = |best: &[Scored]| best.iter().map(|s| (s.id, s.score.to_bits())).collect::<Vec<_>>();
    assert_eq!(scores(&among_others.best), scores(&alone));
    assert_eq!(among_others.rejected.other_subject, 40);
}

#[test]
fn a_named_person_and_a_named_day_bring_their_memories_forward() {
    let mut atoms: Vec<Atom> = (0..6).map(|n| memory(n, "We talked about the trip to the lake.")).collect();
    for (atom, subject) in atoms.iter_mut().zip(["guest:ana", "guest:bogdan"].into_iter().cycle()) {
        atom.subject = subject.parse().ok();
    }
    atoms[4].created_at = example::day(-60);
    atoms[4].last_rehearsed_at = example::day(0);
    let asking = remembering(&atoms);
    assert!(order(&asking, "What did Bogdan say about the lake?")[..3].iter().all(|id| id % 2 == 1));
    assert_eq!(order(&asking, "What about the lake in February?").first(), Some(&4));
}

#[test]
fn the_answer_borrows_from_the_question_it_followed() {
    let mut atoms = vec![
        memory(1, "Which instrument did you learn as a girl?"),
        memory(2, "Oh, it was mostly the violin, my aunt had one."),
        memory(3, "The weather was mild."),
        memory(4, "Nothing else happened."),
    ];
    for (turn, atom) in (0..).zip(&mut atoms) {
        atom.provenance.session_id = "sess:shared".parse().unwrap();
        atom.provenance.turn_index = turn;
        atom.subject = ["guest:ana", "guest:bogdan"][turn as usize % 2].parse().ok();
    }
    let place = |atoms: &[Atom]| {
        let asking = remembering(atoms);
        let ranked = rank(&asking.index.snapshot(), &asking.question("instrument learnt by the girl"));
        ranked.best.iter().find(|scored| scored.id.as_u64() == 2).unwrap().grounds.circumstances
    };
    assert!(place(&atoms) > 0.1);
    for atom in &mut atoms {
        atom.subject = None;
    }
    assert!(place(&atoms).abs() < 1e-6, "one person's turns alone lend nothing");
}

#[test]
fn topics_are_matched_with_tags() {
    let mut atoms = hotel();
    atoms[2].tags = vec!["Parking".into(), "opening-hours".into()];
    let asking = remembering(&atoms);
    let topics: [Text; 1] = ["parking".into()];
    let question = Question { topics: &topics, ..asking.question("hello") };
    let ranked = rank(&asking.index.snapshot(), &question);
    let topical = |id: u64| ranked.best.iter().find(|s| s.id.as_u64() == id).unwrap().parts.topical;
    assert!((topical(3) - 0.5).abs() < 1e-6 && topical(1).abs() < 1e-6);
    let by_words = rank(&asking.index.snapshot(), &asking.question("Where is parking?"));
    assert!(by_words.best.iter().any(|scored| scored.parts.topical > 0.2));
}

#[test]
fn empty_personas_empty_cues_and_strange_scripts_have_an_answer() {
    assert!(order(&remembering(&[]), "anything").is_empty());
    let mut atoms = hotel();
    atoms.push(memory(9, "東京で寿司を食べました"));
    atoms.push(memory(10, "🦑🍤 was all they wrote"));
    let asking = remembering(&atoms);
    assert_eq!(order(&asking, "").len(), 6);
    assert_eq!(order(&asking, "寿司")[0], 9);
    assert_eq!(order(&asking, "🙂\u{202e}\u{0}").len(), 6);
    assert_eq!(order(&asking, "they wrote 🦑")[0], 10);
}

#[test]
fn a_cue_of_a_megabyte_is_answered_in_bounded_time() {
    let asking = remembering(&hotel());
    for cue in ["seafood restaurant ".repeat(55_000), "ж".repeat(500_000), "a\u{301}".repeat(350_000)] {
        assert_eq!(order(&asking, &cue).len(), 4);
    }
}

#[test]
fn fifty_thousand_equal_memories_give_the_newest_ones() {
    let atoms: Vec<Atom> = (0..50_000_u64)
        .map(|n| {
            let mut atom = memory(n, "The same words.");
            atom.created_at =
                Timestamp::from_millis(example::day(0).as_millis() - i64::try_from(n % 1_000).unwrap());
            atom.last_rehearsed_at = example::day(0);
            atom
        })
        .collect();
    let best = order(&remembering(&atoms), "same words");
    let expected: Vec<u64> =
        (0..4).flat_map(|age| (0..50).map(move |nth| nth * 1_000 + age)).take(BEST).collect();
    assert_eq!(best, expected);
}

#[test]
fn a_language_that_no_encoder_knows_is_recalled_by_its_words() {
    for (gists, cue) in [
        (
            ["ანა ყოველ დილით ყავას სვამს", "ლიფტი კვირას არ მუშაობდა", "ზღვასთან თევზი მოვხარშეთ"],
            "ვინ სვამს ყავას?",
        ),
        (["አና በየቀኑ ቡና ትጠጣለች", "አሳንሰሩ እሁድ አልሰራም", "በባህር ዳር አሳ በላን"], "ቡና ማን ትጠጣለች?"),
    ] {
        let atoms: Vec<Atom> = (1..).zip(gists).map(|(number, gist)| memory(number, gist)).collect();
        assert_eq!(order(&remembering(&atoms), cue)[0], 1, "{cue}");
    }
}

#[test]
fn a_memory_of_280_characters_without_a_space_is_found_by_its_text_and_hides_no_other() {
    let long: String = "donaudampfschifffahrtsgesellschaft".chars().cycle().take(280).collect();
    let mut atoms = hotel();
    atoms.push(memory(9, &long));
    let asking = remembering(&atoms);
    assert_eq!(order(&asking, &long)[0], 9);
    let without = order(&remembering(&hotel()), "the seafood restaurant");
    let others: Vec<u64> =
        order(&asking, "the seafood restaurant").into_iter().filter(|id| *id != 9).collect();
    assert_eq!(others[0], without[0]);
}

#[test]
fn after_a_greeting_open_matters_come_before_standing_facts_of_the_same_weight() {
    let atoms = [
        memory(1, "Allergic to penicillin."),
        memory(2, "I promised to find out by Friday whether the boat can be repaired."),
        memory(3, "Prefers the window seat."),
        memory(4, "Her operation is on the 3rd of December and she is nervous about it."),
    ];
    let asking = remembering(&atoms);
    let mut first = order(&asking, "Hi, it's me again!")[..2].to_vec();
    first.sort_unstable();
    assert_eq!(first, [2, 4]);
    assert_eq!(order(&asking, "Can I take penicillin?")[0], 1);
    let ranked = rank(&asking.index.snapshot(), &asking.question("Hi, it's me again!"));
    assert!(ranked.best.iter().all(|scored| !scored.is_about && scored.about == 0.0));
}

#[test]
fn a_clock_set_back_neither_ages_nor_hides_a_memory() {
    let mut asking = remembering(&hotel());
    asking.now = example::day(-400);
    let ranked = rank(&asking.index.snapshot(), &asking.question("seafood"));
    assert_eq!(ranked.best.len(), 4);
    assert!(
        ranked
            .best
            .iter()
            .all(|scored| (scored.parts.recency - 1.0).abs() < 1e-6 && scored.parts.salience > 0.7)
    );
}

#[test]
fn a_week_is_found_by_what_happened_in_it() {
    let mut atoms = vec![
        memory(1, "Tomas moved into the flat by the canal."),
        memory(2, "Tomas had dinner with Clara at the harbour."),
        memory(3, "Tomas had dinner with Bram at the market."),
        memory(4, "Tomas had dinner with Noor at the castle."),
    ];
    for (atom, day) in atoms.iter_mut().zip([-60, -100, -59, -20]) {
        atom.decay_profile.function = DecayFunction::None;
        (atom.created_at, atom.last_rehearsed_at) = (example::day(day), example::day(day));
    }
    let asking = remembering(&atoms);
    let dinners = |cue: &str| order(&asking, cue).into_iter().find(|id| *id != 1);
    assert_eq!(dinners("Who did I have dinner with the week I moved into the flat?"), Some(3));
    assert_ne!(dinners("Who did I have dinner with the week I sold the boat?"), Some(3));
}
