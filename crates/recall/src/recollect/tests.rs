//! Complete recalls, as a user would describe them.

mod best;
mod chatter;

use domain::short_id::with_whole_ids;
use domain::{
    Atom, ConfabulationPolicy, Listener, MemoryId, MemoryType, Salience, Strength, TimelineEntry, Tokens,
    example,
};

use crate::asking::{Asking, memory, remembering};
use crate::{Outcome, Recollection, parse_rendered};

fn hotel() -> Vec<Atom> {
    let gists = [
        "A returning guest recognised me by name and thanked me for last week's restaurant suggestion.",
        "A guest mentioned needing a quiet workspace with good light.",
        "A child asked me what my favourite colour was.",
        "The couple in the garden room celebrated their tenth anniversary.",
        "Mr Ionescu prefers a room far from the lift because he sleeps badly.",
        "The trout sells out on Fridays before eight.",
        "Somebody forgot an umbrella with a wooden handle in the lobby.",
        "A family asked for a cot and extra blankets.",
        "The tour group from Graz wants breakfast at six tomorrow.",
        "A woman told me she is allergic to walnuts.",
    ];
    let mut atoms: Vec<Atom> = (1..).zip(gists).map(|(n, gist)| memory(n, gist)).collect();
    for atom in &mut atoms {
        atom.salience = Salience::clamped(0.6);
    }
    atoms
}

fn event(sequence: u64, label: &str, facts: &str, memory_type: MemoryType, strength: f64) -> TimelineEntry {
    let mut entry = example::entry(sequence, label, -400);
    entry.event.facts = facts.into();
    entry.event.feelings = "My hands shook.".into();
    entry.event.interpretation = "It made me who I am.".into();
    entry.event.memory_type = memory_type;
    entry.event.memory_strength = Strength::clamped(strength);
    entry
}

fn living(entries: Vec<TimelineEntry>) -> Asking {
    Asking { life: entries, ..remembering(&[]) }
}

fn fire(memory_type: MemoryType, strength: f64) -> TimelineEntry {
    let mut entry = event(1, "The kitchen fire", "The kitchen burned down one night.", memory_type, strength);
    entry.event.metadata.insert("triggers".into(), serde_json::json!(["smell of smoke"]));
    entry
}

const ABOUT_THE_FIRE: &str = "Did your kitchen ever burn down in a fire?";

#[test]
fn a_related_cue_brings_back_what_it_is_about_before_what_is_vivid() {
    let mut atoms = hotel();
    atoms[3].salience = Salience::clamped(0.95);
    let asking = remembering(&atoms);
    for (cue, first) in [
        ("I need a quiet place to work, do you remember?", 2),
        ("Did anybody find my umbrella?", 7),
        ("Is there trout on Friday?", 6),
        ("Which colour do you like?", 3),
        ("Does anyone have a walnut allergy?", 10),
    ] {
        assert_eq!(asking.rendered_ids(cue).first(), Some(&first), "{cue}");
    }
}

#[test]
fn a_guest_gets_only_their_own_memories() {
    let mut atom = example::guest_atom();
    atom.salience = Salience::clamped(0.9);
    let mut asking = remembering(&[atom]);
    let cue = "Thank you for the restaurant suggestion!";
    let recalled_for = |asking: &mut Asking, subject: &str| {
        asking.listener = Listener { subject: subject.parse().ok(), ..Listener::default() };
        asking.rendered_ids(cue).len()
    };
    assert_eq!(
        (
            recalled_for(&mut asking, "guest:ana"),
            recalled_for(&mut asking, "guest:bogdan"),
            recalled_for(&mut asking, "")
        ),
        (1, 0, 0)
    );
    assert_eq!(asking.ask(cue).trace.rejected.other_subject, 1);
}

#[test]
fn details_fade_one_by_one_and_the_gist_stays() {
    let mut atom = example::guest_atom();
    atom.privacy_class = domain::PrivacyClass::NonPii;
    atom.trust = domain::Trust::Operator;
    let mut asking = remembering(&[atom]);
    for (day, rendered) in [(9, vec![0, 1, 2]), (10, vec![0, 2]), (19, vec![2]), (29, vec![])] {
        asking.now = example::day(day);
        let recollection =
            asking.ask("Do you remember the returning guest who thanked you for the restaurant suggestion?");
        let [memory] = recollection.memories.as_slice() else { panic!("one memory on day {day}") };
        assert_eq!(
            memory.details.iter().map(|detail| detail.position).collect::<Vec<_>>(),
            rendered,
            "day {day}"
        );
        assert_eq!(
            recollection.rendered.contains("but I don't recall the details."),
            rendered.is_empty(),
            "day {day}"
        );
    }
}

#[test]
fn a_rendered_memory_is_skipped_for_some_turns() {
    let mut atoms = hotel();
    atoms[6].salience = Salience::clamped(0.9);
    let mut asking = remembering(&atoms);
    let id = example::memory_id(7);
    asking.session.rendered.insert(id, 3);
    for (turn, rendered) in [(4, false), (7, false), (8, true)] {
        asking.session.turn = turn;
        let recollection = asking.ask("Good morning!");
        assert_eq!(recollection.memories.iter().any(|memory| memory.id == id), rendered, "turn {turn}");
        let outcome =
            recollection.trace.candidates.iter().find(|candidate| candidate.id == id).unwrap().outcome;
        assert_eq!(outcome == Outcome::Resting, !rendered, "turn {turn}");
    }
}

fn crowded() -> Asking {
    let detail = "and a detail that takes its place in the prompt, number".to_owned();
    let who = [
        "an actor",
        "two nuns",
        "a choir",
        "my dentist",
        "the mayor",
        "a baker",
        "sailors",
        "a judge",
        "twins",
    ];
    let atom = |(n, who): (u64, &str)| {
        let details: Vec<(String, f64)> =
            (0..4_u32).map(|d| (format!("{detail} {d}"), 0.9 - f64::from(d) / 5.0)).collect();
        let details: Vec<(&str, f64)> =
            details.iter().map(|(content, brightness)| (content.as_str(), *brightness)).collect();
        let gist = format!("The seafood restaurant by the harbour was praised again by {who}.");
        let mut atom = example::atom(&gist, &details);
        atom.id = example::memory_id(n);
        atom.privacy_class = domain::PrivacyClass::NonPii;
        atom.trust = domain::Trust::Operator;
        atom
    };
    remembering(&(1..).zip(who).map(atom).collect::<Vec<_>>())
}

#[test]
fn no_more_is_rendered_than_the_policy_and_the_window_allow() {
    let mut asking = crowded();
    let cue = "the seafood restaurant by the harbour";
    let section = |asking: &Asking| asking.ask(cue);
    assert_eq!(section(&asking).memories.len(), 5);
    assert_eq!(section(&asking).trace.rejected.outranked, 4);
    let mut last = usize::MAX;
    for window in [8192, 4000, 3000, 2500, 2000, 1500, 500, 0] {
        asking.window = Tokens(window);
        let recollection = section(&asking);
        let budget = usize::try_from(window / 10).unwrap() * 4;
        assert!(recollection.rendered.chars().count() <= budget, "{window}");
        assert!(
            recollection.memories.iter().all(
                |memory| recollection.rendered.contains("was praised again") && memory.details.len() <= 4
            )
        );
        assert!(recollection.rendered.len() <= last);
        last = recollection.rendered.len();
    }
}

#[test]
fn the_faintest_details_go_first_and_a_gist_is_never_cut() {
    let mut asking = crowded();
    asking.window = Tokens(3_000);
    let recollection = asking.ask("the seafood restaurant by the harbour");
    assert_eq!(recollection.memories.len(), 5);
    let kept: Vec<usize> =
        recollection.memories.iter().flat_map(|memory| memory.details.iter().map(|d| d.position)).collect();
    assert!(kept.contains(&0) && !kept.contains(&3), "{kept:?}");
    assert!(!recollection.rendered.contains("don't recall"), "what was cut has not faded");
}

#[test]
fn the_rendered_memories_are_those_of_the_answer_and_of_the_trace() {
    let recollection = remembering(&hotel()).ask("the restaurant suggestion for the returning guest");
    let rendered: Vec<_> = recollection.memories.iter().map(|memory| memory.id).collect();
    let whole = with_whole_ids(&recollection.rendered, &rendered);
    let parsed: Vec<_> = parse_rendered(&whole)
        .unwrap()
        .into_iter()
        .map(|parsed| parsed.shown_id.parse::<MemoryId>().unwrap())
        .collect();
    let traced =
        recollection.trace.candidates.iter().filter(|candidate| candidate.outcome == Outcome::Rendered);
    assert_eq!(
        (parsed, traced.map(|candidate| candidate.id).collect::<Vec<_>>()),
        (rendered.clone(), rendered)
    );
    let written = serde_json::to_string(&recollection.trace).unwrap();
    assert_eq!(serde_json::from_str::<crate::Trace>(&written).unwrap(), recollection.trace);
    assert_eq!(recollection.trace.rendered, recollection.rendered);
}

#[test]
fn an_event_is_rendered_in_full_when_vivid_softly_when_moderate_and_by_name_when_faded() {
    for (strength, present, absent) in [
        (
            90.0,
            vec!["### Vivid", "burned down one night", "My hands shook", "coloured by joy", "who I am"],
            vec!["As far as"],
        ),
        (
            60.0,
            vec!["### Moderate", "As far as you remember: The kitchen burned"],
            vec!["My hands", "who I am"],
        ),
        (
            20.0,
            vec!["### Faded", "The kitchen fire", "do not rely on particulars"],
            vec!["burned", "My hands"],
        ),
    ] {
        let rendered = living(vec![fire(MemoryType::Normal, strength)]).ask(ABOUT_THE_FIRE).rendered;
        for words in present {
            assert!(rendered.contains(words), "{strength}: {words}\n{rendered}");
        }
        for words in absent {
            assert!(!rendered.contains(words), "{strength}: {words}\n{rendered}");
        }
    }
}

#[test]
fn a_shameful_event_is_mentioned_reluctantly_and_avoided_when_strong() {
    for (strength, avoided) in [(74.0, false), (75.0, true)] {
        let rendered = living(vec![fire(MemoryType::Shame, strength)]).ask(ABOUT_THE_FIRE).rendered;
        assert!(rendered.contains("be reluctant, minimise it or deflect"), "{rendered}");
        assert_eq!(rendered.contains("You avoid the whole subject"), avoided, "{strength}");
    }
}

#[test]
fn what_is_repressed_surfaces_under_pressure_or_by_its_trigger() {
    let mut asking = living(vec![fire(MemoryType::Repressed, 80.0)]);
    for turn in 1..=3 {
        let recollection = asking.ask(ABOUT_THE_FIRE);
        assert_eq!(recollection.pressed, [example::timeline_id(1)]);
        assert_eq!(recollection.events.len(), usize::from(turn == 3), "turn {turn}");
        *asking.session.pressure.entry(example::timeline_id(1)).or_default() += 1;
    }
    let fragment = asking.ask(ABOUT_THE_FIRE).rendered;
    assert!(fragment.contains("it resists") && !fragment.contains("burned"), "{fragment}");
    let calm = living(vec![fire(MemoryType::Repressed, 80.0)]);
    for (cue, surfaces) in
        [("That Smell  of smoke!", true), ("the smell of smoked fish", false), ("nice weather", false)]
    {
        assert_eq!(calm.ask(cue).events.len(), usize::from(surfaces), "{cue}");
    }
}

#[test]
fn a_vivid_pride_is_brought_up_unprompted_once() {
    let mut asking = living(vec![
        fire(MemoryType::Pride, 90.0),
        event(2, "Won the medal", "I won a medal.", MemoryType::Pride, 95.0),
    ]);
    let first = asking.ask("nice weather");
    assert_eq!(first.events.iter().map(|event| event.label.as_str()).collect::<Vec<_>>(), ["Won the medal"]);
    assert!(first.boasted && first.rendered.contains("a defining trait"), "{}", first.rendered);
    asking.session.boasted = true;
    assert!(asking.ask("nice weather").events.is_empty());
    assert_eq!(asking.ask(ABOUT_THE_FIRE).events.len(), 1);
    asking = living(vec![fire(MemoryType::Pride, 60.0)]);
    assert!(asking.ask("nice weather").events.is_empty());
}

#[test]
fn exaggeration_adds_no_facts_under_strict_confabulation() {
    let mut asking = living(vec![fire(MemoryType::Exaggerated, 90.0)]);
    for (policy, words) in [
        (ConfabulationPolicy::Strict, "emphasis only, no new fact"),
        (ConfabulationPolicy::Moderate, "hedge where you embellish"),
        (ConfabulationPolicy::Permissive, "say in the same sentence that you are not sure"),
    ] {
        asking.policy.confabulation_policy = policy;
        let rendered = asking.ask(ABOUT_THE_FIRE).rendered;
        assert!(rendered.contains(words), "{rendered}");
    }
}

#[test]
fn a_revision_stands_in_for_what_it_corrects() {
    let mut original = fire(MemoryType::Normal, 80.0);
    let mut revision = event(
        2,
        "The kitchen fire",
        "It was the shed that burned down, not the kitchen.",
        MemoryType::Revised,
        80.0,
    );
    revision.revises_timeline_id = Some(original.id);
    original.supersede(None, Some(revision.id), example::day(0));
    let recollection = living(vec![original, revision]).ask(ABOUT_THE_FIRE);
    assert_eq!(
        recollection.events.iter().map(|event| event.id).collect::<Vec<_>>(),
        [example::timeline_id(2)]
    );
    assert!(recollection.rendered.contains("the shed") && !recollection.rendered.contains("one night"));
}

#[test]
fn three_events_at_most_are_rendered_and_long_ones_are_cut_at_the_ends_of_sentences() {
    let long = "The kitchen burned down in the great fire that night. ".repeat(80);
    let entries = (1..=5).map(|n| event(n, "The kitchen fire", &long, MemoryType::Normal, 90.0)).collect();
    let asking = living(entries);
    let Recollection { events, rendered, trace, .. } = asking.ask(ABOUT_THE_FIRE);
    assert_eq!((events.len(), trace.life.len()), (3, 5));
    assert!(rendered.chars().count() <= 819 * 4, "{}", rendered.chars().count());
    assert!(
        rendered
            .lines()
            .filter(|line| line.starts_with("The kitchen burned"))
            .all(|line| line.ends_with("that night."))
    );
}

#[test]
fn a_life_fades_only_if_the_policy_says_how() {
    let mut asking = living(vec![fire(MemoryType::Normal, 90.0)]);
    asking.now = example::day(400);
    assert!(asking.ask(ABOUT_THE_FIRE).rendered.contains("### Vivid"));
    asking.policy.timeline_decay =
        Some(domain::DecayProfile { half_life_days: 400.0, ..domain::DecayProfile::default() });
    assert!(asking.ask(ABOUT_THE_FIRE).rendered.contains("### Faded"));
}

#[test]
fn a_persona_whose_memory_is_off_remembers_nothing() {
    let mut asking = remembering(&hotel());
    asking.policy.enabled = false;
    assert_eq!(asking.ask("Did anybody find my umbrella?").rendered, "");
}
