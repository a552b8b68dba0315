//! Taking in many lines, also from two sides at once.

use serde_json::{Value, json};
use wire::read::read_value;
use wire::transfer::Import;

use engine_testkit::test_home::{TestHome, call, close, maya};

fn lines(range: std::ops::Range<usize>) -> Import {
    let line = |n: usize| {
        json!({
            "kind": "semantic", "gist": format!("Shelf {n} holds {} jars.", n * 7 % 90), "salience": 0.5,
            "privacyClass": "non-pii", "consentBasis": "not-applicable"
        })
    };
    let lines: Vec<Value> = range.map(line).collect();
    read_value(json!({ "lines": lines })).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_lines_from_several_sides_at_once_are_taken_in_once() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let take = |from: usize| {
        let (engine, persona) = (&engine, &persona);
        async move { engine.import(&call(1), persona, lines(from..from + 300)).await.unwrap() }
    };
    let (a, b, c) = tokio::join!(take(0), take(0), take(150));
    let taken: Vec<usize> = [&a, &b, &c].iter().map(|answer| answer.memories).collect();
    assert_eq!(taken.iter().sum::<usize>(), 450, "{taken:?}");
    assert_eq!([a, b, c].iter().map(|answer| answer.duplicates).sum::<usize>(), 450);
    close(engine).await;
}

#[tokio::test]
async fn a_line_that_comes_again_another_day_changes_nothing_unless_it_says_when() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let line = |at: Option<Value>| {
        let mut line = json!({
            "kind": "episodic", "gist": "The lift was out of order.", "salience": 0.5,
            "privacyClass": "non-pii", "consentBasis": "not-applicable"
        });
        line.as_object_mut().unwrap().extend(at.map(|at| ("createdAt".to_owned(), at)));
        read_value::<Import>(json!({ "lines": [line] })).unwrap()
    };
    let monday = || Some(json!("2020-03-02T08:00:00.000Z"));
    let friday = Some(json!("2020-03-06T08:00:00.000Z"));
    for (day, at, taken) in [
        (1, None, 1),
        (2, None, 0),
        (2, monday(), 1),
        (3, monday(), 0),
        (3, friday, 1),
        (4, None, 0),
        (4, Some(Value::Null), 0),
    ] {
        let answer = engine.import(&call(day), &persona, line(at.clone())).await.unwrap();
        assert_eq!((answer.memories, answer.duplicates), (taken, 1 - taken), "on day {day}, dated {at:?}");
    }
    close(engine).await;
}

#[tokio::test]
async fn a_refused_line_tells_everything_that_is_wrong_with_it() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let asked =
        read_value(json!({ "lines": [{ "gist": "Half a memory.", "privacyClass": "secret" }] })).unwrap();
    let answer = engine.import(&call(1), &persona, asked).await.unwrap();
    for place in ["/kind", "/privacyClass", "/consentBasis", "/salience"] {
        assert!(answer.refused[0].detail.contains(place), "{place}: {}", answer.refused[0].detail);
    }
    close(engine).await;
}

#[tokio::test]
async fn the_events_of_one_call_carry_on_one_life() {
    let test_home = TestHome::new();
    let engine = test_home.open("home").await;
    let persona = maya(&engine).await;
    let event = |day: u32, label: &str| {
        json!({
            "eventAt": format!("2020-03-{day:02}T12:00:00.000Z"), "eventLabel": label, "facts": "I was there.",
            "feelings": "Calm.", "interpretation": "It was time.", "memoryType": "normal", "memoryStrength": 0.8,
            "emotionTags": ["calm"]
        })
    };
    let lines = vec![
        event(1, "Arrived"),
        event(5, "Stayed"),
        event(3, "Rested"),
        event(1, "Arrived"),
        event(9, "Left"),
    ];
    let asked = || read_value::<Import>(json!({ "lines": lines })).unwrap();
    let first = engine.import(&call(1), &persona, asked()).await.unwrap();
    assert_eq!(
        (first.events, first.duplicates, first.refused.len()),
        (4, 1, 0),
        "brought into order by time"
    );
    let again = engine.import(&call(2), &persona, asked()).await.unwrap();
    assert_eq!((again.events, again.duplicates, again.refused.len()), (0, 5, 0));
    let life = engine.list_timeline(&call(2), &persona, read_value(json!({})).unwrap()).await.unwrap();
    let listed: Vec<_> =
        life.timeline.iter().map(|entry| (entry.sequence, entry.event.event_label.as_str())).collect();
    assert_eq!(listed, [(1, "Born"), (2, "Arrived"), (3, "Rested"), (4, "Stayed"), (5, "Left")]);
    close(engine).await;
}

#[test]
fn the_files_that_are_no_notes_are_those_a_persona_has() {
    let documents = store::DocumentName::NAMED.iter().map(ToString::to_string);
    let mut expected: Vec<String> =
        documents.filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "md")).collect();
    expected.push("README.md".to_owned());
    let mut listed = formats::PERSONA_FILES.to_vec();
    expected.sort();
    listed.sort_unstable();
    assert_eq!(listed, expected);
}
