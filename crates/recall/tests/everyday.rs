//! Everyday messages recall the expected memories: minimums slightly below the measured values
//! (`docs/recall.md`).
//!
//! The people in `data/everyday.json` were written by hand for this project; the cues next to them by a
//! language model that saw only the notes. Weights were chosen on them and on `data/everyday_validation.json`.
//! Nothing was trained or tuned on the people in `data/everyday_blind.json`, and nobody who works on recall
//! has read them: they stand for people we don't know.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test prints what it measured")]

use recall::eval::{Age, Answer, Person, ask_everyday, known_from_unknown, pooled, read_everyday};
use recall::sentences::Encoders;

const PEOPLE: &[u8] = include_bytes!("data/everyday.json");
const CUES: &[u8] = include_bytes!("data/everyday_cues.json");
const VALIDATION: &[u8] = include_bytes!("data/everyday_validation.json");
const BLIND: &[u8] = include_bytes!("data/everyday_blind.json");

/// What was measured on some people.
struct Scores {
    /// The mean recall of all messages but greetings and unknown topics.
    overall: f64,
    /// The mean recall of greetings.
    greetings: f64,
    /// The probability that a known topic is distinguished from an unknown one.
    known: f64,
}

fn people(file: &[u8], cues: Option<&[u8]>) -> Vec<Person> {
    read_everyday(file, cues).unwrap()
}

/// All English people of a file as one person.
fn in_one(people: Vec<Person>) -> Vec<Person> {
    pooled(people).into_iter().filter(|person| person.language == "en").collect()
}

fn scores(name: &str, people: &[Person], age: Age, places: u32) -> Scores {
    let encoders = Encoders::built_in().unwrap();
    let answers: Vec<Answer> =
        people.iter().flat_map(|person| ask_everyday(person, age, places, Some(&encoders), None)).collect();
    let mean = |wanted: &dyn Fn(&str) -> bool| {
        let recalled: Vec<f64> =
            answers.iter().filter(|answer| wanted(&answer.kind)).map(|answer| answer.recalled).collect();
        recalled.iter().sum::<f64>() / f64::from(u32::try_from(recalled.len()).unwrap())
    };
    let overall = mean(&|kind| kind != "greeting" && kind != "unknown");
    let (greetings, known) = (mean(&|kind| kind == "greeting"), known_from_unknown(&answers));
    println!("{name}, {age:?}, places {places}: {overall:.3}, greetings {greetings:.3}, known {known:.3}");
    Scores { overall, greetings, known }
}

#[test]
fn what_people_mean_comes_back_without_any_cues() {
    let people = people(PEOPLE, None);
    let five = scores("given", &people, Age::Fresh, 5);
    assert!(five.overall >= 0.82 && five.greetings >= 0.53 && five.known >= 0.93);
    let twelve = scores("given", &people, Age::Fresh, 12);
    assert!(twelve.overall >= 0.93 && twelve.greetings >= 0.85);
}

#[test]
fn what_people_mean_comes_back_after_months() {
    assert!(scores("given", &people(PEOPLE, None), Age::AsStated, 5).overall >= 0.77);
}

#[test]
fn cues_bring_back_nearly_everything() {
    let people = people(PEOPLE, Some(CUES));
    assert!(scores("given with cues", &people, Age::Fresh, 5).overall >= 0.88);
    assert!(scores("given with cues", &people, Age::Fresh, 12).overall >= 0.97);
    assert!(scores("given with cues in one", &in_one(people), Age::Fresh, 12).overall >= 0.85);
}

#[test]
fn eight_people_in_one_are_distinguished() {
    assert!(scores("given in one", &in_one(people(PEOPLE, None)), Age::Fresh, 12).overall >= 0.77);
}

#[test]
fn what_the_validation_people_mean_comes_back() {
    let people = people(VALIDATION, None);
    let five = scores("validation", &people, Age::Fresh, 5);
    assert!(five.overall >= 0.76 && five.greetings >= 0.65 && five.known >= 0.82);
    assert!(scores("validation", &people, Age::AsStated, 5).overall >= 0.66);
    scores("validation", &people, Age::Fresh, 12);
    scores("validation in one", &in_one(people), Age::Fresh, 12);
}

#[test]
fn what_strangers_mean_comes_back_too() {
    let blind = people(BLIND, None);
    let five = scores("blind", &blind, Age::Fresh, 5);
    scores("blind", &blind, Age::AsStated, 5);
    let twelve = scores("blind", &blind, Age::Fresh, 12);
    scores("blind in one", &in_one(blind), Age::Fresh, 12);
    assert!(five.overall >= 0.71 && five.greetings >= 0.53 && five.known >= 0.86 && twelve.overall >= 0.86);
}
