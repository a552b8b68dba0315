//! The built-in voice: forty questions written by someone who has not seen it.

use serde_json::{Value, json};

use super::fixture::{Fixture, at, guest, in_session, privately};
use domain::Text;
use engine::converse::Utterance;

#[tokio::test]
async fn forty_questions_are_answered_hedged_or_declined() {
    let file: Value = serde_json::from_str(include_str!("../data/offline-questions.json")).unwrap();
    let mut fixture = Fixture::new("2026-04-01T00:00:00Z").await;
    let mut memories = file["memories"].as_array().unwrap().clone();
    memories.sort_by_key(|memory| memory["createdAt"].as_str().unwrap().to_owned());
    for memory in &memories {
        fixture.now = at(memory["createdAt"].as_str().unwrap());
        let class = memory["privacyClass"].as_str().unwrap();
        let basis =
            if class.ends_with("-pii") && class != "non-pii" { "service-delivery" } else { "not-applicable" };
        fixture
            .remember(json!({
                "kind": "episodic", "gist": memory["gist"], "details": memory["details"],
                "salience": memory["salience"], "emotionalValence": memory["emotionalValence"],
                "privacyClass": class, "consentBasis": basis, "subject": memory["subject"],
            }))
            .await;
    }
    fixture.now = at(file["now"].as_str().unwrap());
    fixture.engine.vectors_settled(&fixture.call(), &fixture.persona).await.unwrap();
    let mut wrong = Vec::new();
    for question in file["questions"].as_array().unwrap() {
        let (ask, expect) = (question["ask"].as_str().unwrap(), question["expect"].as_str().unwrap());
        let said = match question["speaker"].as_str().unwrap() {
            "owner" => Utterance::new(Text::new(ask)),
            speaker => guest(speaker, ask),
        };
        let answer = fixture.say(privately(said)).await.to_lowercase();
        let words: Vec<String> = question["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_lowercase())
            .collect();
        let says_any = words.iter().any(|word| answer.contains(word));
        let is_hedged = ["faintly", "as far as i remember", "not sure", "soweit ich mich erinnere"]
            .iter()
            .any(|hedge| answer.contains(hedge));
        let is_declined = answer.contains("don't have a memory");
        let is_right = match expect {
            "answered" => says_any && !is_declined,
            "hedged" => says_any && is_hedged,
            _ => is_declined && !says_any,
        };
        if !is_right {
            wrong.push(format!("{expect}: {ask} → {answer}"));
        }
        assert!(expect != "declined" || !says_any, "somebody else's words: {ask} → {answer}");
    }
    println!("{} of 40 questions as expected\n{}", 40 - wrong.len(), wrong.join("\n"));
    assert!(wrong.len() <= 2, "{} wrong", wrong.len());
}

#[tokio::test]
async fn a_polite_request_to_remember_is_answered_with_a_yes_and_kept_as_a_statement() {
    let fixture = Fixture::new("2026-11-16T09:00:00Z").await;
    let answer =
        fixture.say(guest("alva", "Could you remember that I take the window seat on trains?")).await;
    assert!(answer.starts_with("I'll remember that."), "{answer}");
    assert_eq!(fixture.gists().await, ["I take the window seat on trains."]);
}

#[tokio::test]
async fn a_correction_says_whom_it_means_and_what_it_corrects_is_not_quoted() {
    let mut fixture = Fixture::new("2026-11-16T09:00:00Z").await;
    for said in [
        "My mother-in-law arrives Friday the 27th and stays until Tuesday.",
        "Actually she arrives on Saturday the 28th, they changed her train.",
    ] {
        fixture.later(1);
        fixture.say(in_session("sess:train", guest("rowan", said))).await;
    }
    let gists = fixture.gists().await;
    assert_eq!(gists, ["My mother-in-law arrives on Saturday the 28th, they changed her train."]);
    fixture.later(1);
    let answer =
        fixture.say(in_session("sess:train", guest("rowan", "When does my mother-in-law arrive?"))).await;
    assert!(answer.contains("28th") && !answer.contains("27th"), "{answer}");
}

#[tokio::test]
async fn a_person_whom_an_answer_named_is_spoken_of() {
    let mut fixture = Fixture::new("2026-11-16T09:00:00Z").await;
    for (said, expected) in [
        ("My daughter Ida is nine and plays the cello.", "remember"),
        ("what's my daughters name?", "Ida"),
        ("how old is she", "nine"),
    ] {
        fixture.later(1);
        let answer = fixture.say(in_session("sess:cello", guest("tomas", said))).await;
        assert!(answer.contains(expected), "{said} → {answer}");
    }
}

#[tokio::test]
async fn careless_questions_are_answered_with_what_the_speaker_said() {
    let mut fixture = Fixture::new("2026-11-16T09:00:00Z").await;
    for said in
        ["i work as a vet, mostly horses", "my daugther lena is 8 and shes mad about otters", "thx, bye"]
    {
        fixture.later(1);
        fixture.say(in_session("sess:first", guest("petra", said))).await;
    }
    for (asked, expected) in [
        ("do u remember what my daughter likes", "otters"),
        ("how old is she", "8"),
        ("and what's she mad about", "otters"),
        ("what did i say i do for work", "vet"),
        ("Morning! Lovely sun today, isn't it?", "Hello"),
        ("did Bram say something? she looked upset", "what others may tell me"),
    ] {
        fixture.later(1);
        let answer = fixture.say(in_session("sess:second", guest("petra", asked))).await;
        assert!(answer.contains(expected), "{asked} → {answer}");
        assert!(!answer.contains("“do u"), "{asked} → {answer}");
    }
}
