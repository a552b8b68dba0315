//! The readers parse both files, and the evaluation finds obvious answers.

use serde_json::json;

use super::*;

fn locomo() -> Vec<u8> {
    json!([{
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana", "speaker_b": "Bogdan",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a puppy called Biscuit last week."},
                {"speaker": "Bogdan", "dia_id": "D1:2", "text": "Lovely! I have been learning the violin.", "blip_caption": "a violin on a chair"},
            ],
        },
        "qa": [
            {"question": "What is the name of Ana's dog?", "evidence": ["D1:1"], "category": 4},
            {"question": "Which instrument does Bogdan play?", "evidence": ["D1:2"], "category": 1},
            {"question": "What is Ana's cat called?", "evidence": ["D1:1"], "category": 5},
            {"question": "Nothing answers this", "evidence": [], "category": 3},
        ],
    }])
    .to_string()
    .into_bytes()
}

#[test]
fn a_locomo_file_becomes_memories_and_answerable_questions() {
    let conversations = read_locomo(&locomo()).unwrap();
    let [conversation] = conversations.as_slice() else { panic!("one conversation") };
    assert_eq!((conversation.memories.len(), conversation.questions.len()), (2, 2));
    assert_eq!(conversation.memories[1].details[0].content.as_str(), "a violin on a chair");
    for fading in [Fading::Off, Fading::On] {
        let measured = measure(conversation, fading, None);
        assert!(measured.values().all(|m| (m.means().recall[0] - 1.0).abs() < 1e-9), "{measured:?}");
        assert_eq!(measured.keys().collect::<Vec<_>>(), ["multi-hop", "single-hop"]);
    }
}

#[test]
fn a_longmemeval_file_becomes_a_haystack_for_each_answerable_question() {
    let sample = |id: &str| {
        json!({
            "question_id": id, "question_type": "single-session-user", "question": "What is my dog called?",
            "question_date": "2023/05/30 (Tue) 10:00", "haystack_dates": ["2023/05/20 (Sat) 02:21"],
            "haystack_sessions": [[
                {"role": "user", "content": "My dog is called Biscuit.", "has_answer": true},
                {"role": "assistant", "content": "What a lovely name!"},
            ]],
        })
    };
    let file = json!([sample("q1"), sample("q2_abs")]).to_string();
    let haystacks = read_longmemeval(file.as_bytes()).unwrap();
    assert_eq!(haystacks.iter().map(|haystack| haystack.name.as_str()).collect::<Vec<_>>(), ["q1"]);
    let measured = measure(&haystacks[0], Fading::Off, None);
    assert!((measured["single-session-user"].means().mrr - 1.0).abs() < 1e-9);
}

#[test]
fn a_file_of_another_kind_is_refused_with_a_hint() {
    assert!(matches!(read_locomo(b"hello"), Err(Unreadable::Json(_))));
    let error = read_locomo(br#"[{"sample_id": "x"}]"#).err().unwrap().to_string();
    assert_eq!(error, "`x` has no dated sessions; is this a file of the benchmark?");
}
