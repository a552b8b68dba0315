//! The best memories are rendered, not those above a minimum relevance; and what makes one of them the
//! best.

use domain::{Days, DecayFunction, MemoryType, Salience, example};

use super::chatter::{TOPICS, chatter};
use super::{event, fire, hotel};
use crate::asking::{memory, remembering};
use crate::sentences::Part;
use crate::{Outcome, Reason, Recollection};

fn traced(recollection: &Recollection, number: u64) -> Outcome {
    let id = domain::MemoryId::from_u64(number);
    recollection.trace.candidates.iter().find(|candidate| candidate.id == id).unwrap().outcome
}

#[test]
fn a_handful_of_memories_comes_back_when_it_is_asked_for() {
    let asking = remembering(&hotel());
    for (cue, first) in [
        ("Thank you for the restaurant suggestion!", 1),
        ("I need a quiet place to work", 2),
        ("Which colour do you like?", 3),
        ("How was the anniversary of the couple?", 4),
        ("Which room does Mr Ionescu like?", 5),
        ("Do you have a room far from the lift?", 5),
        ("Is there trout on Friday?", 6),
        ("Did anybody find my umbrella?", 7),
        ("Who needs extra blankets?", 8),
        ("When does the tour group want breakfast?", 9),
        ("Does anyone have a walnut allergy?", 10),
        ("Can she eat this cake with nuts in it?", 10),
        ("It is raining and I have nothing to hold over my head.", 7),
    ] {
        assert_eq!(asking.rendered_ids(cue).first(), Some(&first), "{cue}");
    }
}

#[test]
fn small_talk_of_any_length_answers_related_questions() {
    for turns in [10, 600, 6_000] {
        let asking = remembering(&chatter(turns));
        let talked_about = usize::try_from(turns.div_ceil(7)).unwrap().min(TOPICS.len());
        let missed: Vec<&str> = TOPICS[..talked_about]
            .iter()
            .filter(|(said, question)| {
                let rendered = asking.ask(question).memories;
                !rendered.first().is_some_and(|memory| memory.gist.as_str().contains(said))
            })
            .map(|(_, question)| *question)
            .collect();
        assert!(missed.len() * 100 <= talked_about * 15, "{turns} turns: {missed:?}");
    }
}

#[test]
fn the_places_are_filled_whatever_is_said_unless_the_policy_asks_for_relevance() {
    let mut asking = remembering(&hotel());
    let unrelated = "What is the capital of Mongolia?";
    assert_eq!(asking.rendered_ids(unrelated).len(), 5);
    // The value that templates used to write counts as unset.
    asking.policy.ranking.min_relevance = 0.3;
    assert_eq!(asking.rendered_ids(unrelated).len(), 5);
    asking.policy.ranking.min_relevance = 0.4;
    assert!(asking.rendered_ids(unrelated).is_empty());
}

#[test]
fn a_greeting_brings_back_what_weighs_most_and_a_question_what_it_asks_for() {
    let mut atoms = hotel();
    atoms[4].salience = Salience::clamped(0.95);
    let asking = remembering(&atoms);
    for greeting in ["Hi, it's me again!", "Good morning", "Hallo, da bin ich wieder", "Hola, ¿qué tal?"] {
        assert_eq!(asking.rendered_ids(greeting).first(), Some(&5), "{greeting}");
    }
    assert_eq!(asking.rendered_ids("Did anybody find my umbrella?").first(), Some(&7));
}

#[test]
fn a_faded_memory_comes_back_by_its_gist_when_the_cue_is_clearly_about_it() {
    let mut atom = example::guest_atom();
    (atom.privacy_class, atom.trust) = (domain::PrivacyClass::NonPii, domain::Trust::Operator);
    atom.emotional_valence = domain::Valence::clamped(0.0);
    let mut asking = remembering(&[atom]);
    asking.now = example::day(1).plus(Days(200.0));
    let cue = "Do you remember the returning guest who thanked you for the restaurant suggestion?";
    assert!(asking.ask(cue).memories.is_empty());
    asking.policy.ranking.cued_recall = true;
    let recollection = asking.ask(cue);
    let [rendered] = recollection.memories.as_slice() else { panic!("one memory") };
    assert!(rendered.details.is_empty() && rendered.vividness == domain::Vividness::Faded);
    assert!(recollection.rendered.contains("(faint)"), "{}", recollection.rendered);
    assert!(asking.ask("Which wine goes with cheese?").memories.is_empty());
}

#[test]
fn a_cue_that_is_clearly_about_a_resting_memory_brings_it_back() {
    let mut asking = remembering(&hotel());
    asking.session.turn = 4;
    asking.session.rendered.extend((1..=10).map(|number| (domain::MemoryId::from_u64(number), 3)));
    let asked = asking.ask("Did somebody forget an umbrella with a wooden handle in the lobby?");
    assert_eq!((traced(&asked, 7), traced(&asked, 3)), (Outcome::Rendered, Outcome::Resting));
    assert_eq!(asked.memories.len(), 1);
}

#[test]
fn a_memory_that_says_the_same_does_not_take_a_second_place() {
    let mut atoms = hotel();
    atoms.push(memory(11, "Somebody forgot an umbrella with a wooden handle in the lobby."));
    atoms.push(memory(12, "Someone forgot an umbrella with a wooden handle in the lobby."));
    let asked = remembering(&atoms).ask("Did anybody find my umbrella?");
    let outcomes = [7, 11, 12].map(|number| traced(&asked, number));
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Rendered).count(), 1, "{outcomes:?}");
    assert_eq!(asked.trace.rejected.repeated, 2);
}

#[test]
fn a_memory_derived_again_does_not_repeat_its_sources() {
    let gist = "Somebody forgot an umbrella with a wooden handle in the lobby.";
    let mut derived = example::atom("Guests forget things in the lobby.", &[(gist, 0.9), ("a scarf", 0.9)]);
    (derived.privacy_class, derived.trust) = (domain::PrivacyClass::NonPii, domain::Trust::Operator);
    let mut atoms = hotel();
    atoms.push(derived);
    let asked = remembering(&atoms).ask("Did somebody forget an umbrella or a scarf in the lobby?");
    assert_eq!(asked.rendered.matches("wooden handle").count(), 1, "{}", asked.rendered);
    assert!(asked.rendered.contains("A scarf."), "{}", asked.rendered);
}

#[test]
fn a_cue_of_a_memory_finds_it_and_the_trace_names_it() {
    let mut atoms = hotel();
    let asking = remembering(&atoms);
    let said = "my bus to the airport leaves before sunrise";
    assert_ne!(asking.rendered_ids(said).first(), Some(&3));
    atoms[2].cues = vec!["a present for a birthday".into(), "the early bus to the airport".into()];
    let asked = remembering(&atoms).ask(said);
    assert_eq!(asked.memories[0].id.as_u64(), 3);
    assert_eq!(asked.trace.candidates[0].closest, Part::Cue(1));
}

#[test]
fn the_trace_says_in_one_word_why_each_memory_was_rendered_or_left_out() {
    let asking = remembering(&hotel());
    let asked = asking.ask("Did somebody forget an umbrella with a wooden handle in the lobby?");
    let best = &asked.trace.candidates[0];
    assert_eq!((best.id.as_u64(), best.reason), (7, Reason::AskedFor));
    assert!(best.words.iter().any(|word| word == "umbrella"), "{:?}", best.words);
    assert_eq!(asked.trace.candidates[4].reason, Reason::PlaceFree);
    assert_eq!(asked.trace.candidates[5].reason, Reason::Outranked);
    let greeted = asking.ask("Hello, here I am again");
    assert!(greeted.trace.specificity < 0.3);
    assert_eq!(greeted.trace.candidates[0].reason, Reason::MattersMost);
}

#[test]
fn a_person_named_by_a_relation_is_found_by_name() {
    let gists = [
        "His wife Clara is a vet.",
        "Clara's flight lands on Thursday at noon.",
        "He keeps bees behind the barn.",
        "He likes his steak rare.",
        "The barn roof leaks.",
        "He sleeps with the window open.",
        "He once sang in a choir.",
    ];
    let atoms: Vec<_> = (1..).zip(gists).map(|(n, gist)| memory(n, gist)).collect();
    let mut rendered = remembering(&atoms).rendered_ids("When do I fetch my wife?");
    rendered.truncate(2);
    rendered.sort_unstable();
    assert_eq!(rendered, [1, 2]);
}

#[test]
fn a_cue_that_names_a_time_finds_what_was_then_or_is_planned_for_then() {
    let mut atoms = hotel();
    atoms.push(memory(11, "We had a long talk about his father."));
    atoms[10].created_at = "2026-01-12T10:00:00.000Z".parse().unwrap();
    atoms[10].last_rehearsed_at = atoms[10].created_at;
    atoms.push(memory(12, "He has an appointment with the surgeon on 14 September 2026."));
    for atom in &mut atoms {
        atom.decay_profile.function = DecayFunction::None;
    }
    let asking = remembering(&atoms);
    assert_eq!(asking.rendered_ids("What did we talk about in January?").first(), Some(&11));
    assert_eq!(asking.rendered_ids("What is on in mid-September?").first(), Some(&12));
}

#[test]
fn events_of_a_life_come_up_when_they_are_related_and_by_their_meaning() {
    let mut asking = remembering(&[]);
    asking.life = vec![
        fire(MemoryType::Normal, 90.0),
        event(
            2,
            "Childhood by the sea",
            "We lived in a fishing village in Norway.",
            MemoryType::Normal,
            60.0,
        ),
        event(3, "Won the baking contest", "My rye loaf took first prize.", MemoryType::Pride, 60.0),
    ];
    for (cue, label) in [
        ("Where did you grow up?", "Childhood by the sea"),
        ("What are you proud of?", "Won the baking contest"),
        ("Did your kitchen ever burn down in a fire?", "The kitchen fire"),
    ] {
        let events = asking.ask(cue).events;
        assert_eq!(events.first().map(|event| event.label.as_str()), Some(label), "{cue}");
    }
    assert!(asking.ask("Hello!").events.is_empty());
}
