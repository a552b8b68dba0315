//! Finding what was said, and nothing that somebody else said.

use domain::Text;
use engine::converse::Utterance;
use serde_json::json;
use wire::read::read_value;
use wire::search::{FoundTurn, SearchAnswer};

use super::fixture::{Fixture, guest, in_session};

async fn search(fixture: &Fixture, who: &str, q: &str) -> SearchAnswer {
    let asked = read_value(json!({ "q": q, "persona": "nora", "subject": who, "limit": 100 })).unwrap();
    fixture.engine.search_sessions(&fixture.call(), &fixture.persona, asked).await.unwrap()
}

fn results(answer: &SearchAnswer) -> Vec<&FoundTurn> {
    answer.days.iter().flat_map(|day| &day.results).collect()
}

#[tokio::test]
async fn words_in_any_form_and_things_that_mean_the_same_are_found_and_strangers_words_are_not() {
    let mut fixture = Fixture::new("2026-05-01T22:30:00Z").await;
    fixture.say(in_session("s1", guest("ana", "My sailing boats are moored in the harbour."))).await;
    fixture.say(in_session("s2", guest("bob", "I sold my boat last year."))).await;
    fixture.later(60 * 24);
    fixture.say(in_session("s1", guest("ana", "The doctor said that I should rest at home."))).await;
    let found = search(&fixture, "ana", "boat").await;
    let said =
        results(&found).into_iter().find(|turn| turn.excerpt.as_str().starts_with("My sailing")).unwrap();
    assert!(said.html.as_str().contains("<mark>boats</mark>"), "{}", said.html.as_str());
    assert!(results(&found).iter().all(|turn| !turn.excerpt.as_str().contains("sold")));
    assert!(results(&search(&fixture, "carl", "boat").await).is_empty());
    let by_meaning = search(&fixture, "ana", "physician").await;
    let excerpts: Vec<&str> = results(&by_meaning).iter().map(|turn| turn.excerpt.as_str()).collect();
    println!("physician: {excerpts:?}");
    let nothing = search(&fixture, "ana", "quarterly tax report").await;
    assert_eq!(
        nothing.total,
        0,
        "{:?}",
        results(&nothing).iter().map(|t| t.excerpt.as_str()).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn what_is_found_is_grouped_by_the_persona_s_day_and_paged() {
    let mut fixture = Fixture::new("2026-05-01T10:00:00Z").await;
    for n in 0..6 {
        fixture
            .say(in_session("s1", Utterance::new(Text::new(format!("The lighthouse again, visit {n}.")))))
            .await;
        fixture.later(60 * 12);
    }
    let asked = |limit: usize, offset: usize| {
        read_value(json!({ "q": "lighthouse visit", "persona": "nora", "limit": limit, "offset": offset }))
            .unwrap()
    };
    let call = fixture.call();
    let first = fixture.engine.search_sessions(&call, &fixture.persona, asked(4, 0)).await.unwrap();
    let second = fixture.engine.search_sessions(&call, &fixture.persona, asked(100, 4)).await.unwrap();
    let days: Vec<&str> = first.days.iter().chain(&second.days).map(|day| day.date.as_str()).collect();
    assert!(days.is_sorted_by(|a, b| a >= b), "latest first: {days:?}");
    assert_eq!(first.total, second.total);
    assert_eq!(results(&first).len() + results(&second).len(), first.total);
    assert_eq!(results(&first).len(), 4);
}
