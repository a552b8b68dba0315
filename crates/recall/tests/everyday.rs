//! Everyday messages recall the expected memories: minimums slightly below the measured values
//! (`docs/recall.md`).
//!
//! The people in `data/everyday.json` were written by hand for this project; the cues next to them by a
//! language model that saw only the notes. Nothing was trained or tuned on the people in
//! `data/everyday_blind.json`, and nobody who works on recall has read them: they stand for people we don't
//! know.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test prints what it measured")]

use recall::eval::{Age, Answer, Person, ask_everyday, known_from_unknown, pooled, read_everyday};
use recall::sentences::Encoders;

const PEOPLE: &[u8] = include_bytes!("data/everyday.json");
const CUES: &[u8] = include_bytes!("data/everyday_cues.json");
const BLIND: &[u8] = include_bytes!("data/everyday_blind.json");

/// The mean recall of all messages but greetings and unknown topics, and that of greetings.
fn measured(cues: Option<&[u8]>, age: Age, places: u32, in_one: bool) -> (f64, f64) {
    measured_on(read_everyday(PEOPLE, cues).unwrap(), age, places, in_one)
}

fn measured_on(mut people: Vec<Person>, age: Age, places: u32, in_one: bool) -> (f64, f64) {
    let encoders = Encoders::built_in().unwrap();
    if in_one {
        people = pooled(people).into_iter().filter(|person| person.language == "en").collect();
    }
    let answers: Vec<Answer> =
        people.iter().flat_map(|person| ask_everyday(person, age, places, Some(&encoders))).collect();
    let mean = |wanted: &dyn Fn(&str) -> bool| {
        let recalled: Vec<f64> =
            answers.iter().filter(|answer| wanted(&answer.kind)).map(|answer| answer.recalled).collect();
        recalled.iter().sum::<f64>() / f64::from(u32::try_from(recalled.len()).unwrap())
    };
    let overall = mean(&|kind| kind != "greeting" && kind != "unknown");
    let greeting = mean(&|kind| kind == "greeting");
    let auc = known_from_unknown(&answers);
    println!(
        "{age:?} places {places} in one {in_one}: {overall:.3}, greetings {greeting:.3}, known {auc:.3}"
    );
    (overall, greeting)
}

#[test]
fn what_people_mean_comes_back_without_any_cues() {
    let (overall, greeting) = measured(None, Age::Fresh, 5, false);
    assert!(overall >= 0.79 && greeting >= 0.53, "{overall} {greeting}");
    assert!(measured(None, Age::Fresh, 12, false).0 >= 0.90);
}

#[test]
fn what_people_mean_comes_back_after_months() {
    let (overall, _) = measured(None, Age::AsStated, 5, false);
    assert!(overall >= 0.72, "{overall}");
}

#[test]
fn cues_bring_back_nearly_everything() {
    assert!(measured(Some(CUES), Age::Fresh, 5, false).0 >= 0.87);
    assert!(measured(Some(CUES), Age::Fresh, 12, false).0 >= 0.97);
}

#[test]
fn eight_people_in_one_are_distinguished() {
    assert!(measured(None, Age::Fresh, 12, true).0 >= 0.71);
}

#[test]
fn what_strangers_mean_comes_back_too() {
    let blind = || read_everyday(BLIND, None).unwrap();
    println!("pooled: {:?}", measured_on(blind(), Age::Fresh, 12, true));
    println!("aged: {:?}", measured_on(blind(), Age::AsStated, 5, false));
    let (overall, greeting) = measured_on(blind(), Age::Fresh, 5, false);
    assert!(overall >= 0.63 && greeting >= 0.45, "{overall} {greeting}");
    assert!(measured_on(blind(), Age::Fresh, 12, false).0 >= 0.83);
}
