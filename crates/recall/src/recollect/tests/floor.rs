//! One floor for personas of every size: what has nothing to do with a memory does not bring it back, and
//! what has does.

use domain::MemoryType;

use super::chatter::{TOPICS, chatter};
use super::unrelated::UNRELATED;
use super::{event, fire, hotel};
use crate::asking::remembering;

#[test]
fn unrelated_cues_bring_back_nothing_that_is_not_vivid() {
    for memories in [0, 1, 3, 10] {
        let mut asking = remembering(&hotel()[..memories]);
        asking.life = vec![
            fire(MemoryType::Normal, 90.0),
            event(2, "First day", "I started at the desk.", MemoryType::Normal, 60.0),
        ];
        for cue in UNRELATED {
            assert_eq!(asking.ask(cue).rendered, "", "{memories} memories: {cue}");
        }
    }
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
    ] {
        assert_eq!(asking.told(cue).first(), Some(&first), "{cue}");
    }
}

#[test]
fn small_talk_of_any_length_answers_related_questions_and_no_others() {
    for turns in [10, 600, 6_000] {
        let asking = remembering(&chatter(turns));
        for cue in UNRELATED {
            assert_eq!(asking.ask(cue).rendered, "", "{turns} turns: {cue}");
        }
        let talked_about = usize::try_from(turns.div_ceil(7)).unwrap().min(TOPICS.len());
        let missed: Vec<&str> = TOPICS[..talked_about]
            .iter()
            .filter(|(said, question)| {
                let told = asking.ask(question).memories;
                !told.first().is_some_and(|memory| memory.gist.as_str().contains(said))
            })
            .map(|(_, question)| *question)
            .collect();
        assert!(missed.len() * 100 <= talked_about * 15, "{turns} turns: {missed:?}");
    }
}
