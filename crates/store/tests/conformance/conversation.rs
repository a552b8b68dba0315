//! Sessions, turns, traces and answered requests.

use domain::{RecallId, example};
use store::{
    AnsweredRequest, Batch, Change, Conflict, Expect, Expiry, Formation, FormationResult, NotKept, Passage,
    Records, RequestTag, SessionCheckpoint, StoreError, Trace, TurnMark, TurnState, Withheld, WrittenJson,
};
use uuid::Uuid;

use crate::world::{World, in_every_world, session, subject, turn};

async fn put_conversation(world: &World, id: &str, of: &str, turns: std::ops::Range<u32>) {
    let mut batch = Batch::at(example::day(0)).with(Change::PutSession(Box::new(session(id, of, 0))));
    for number in turns {
        batch = batch.with(Change::AppendTurn(Box::new(turn(number, id, &format!("words {number}")))));
    }
    world.store.commit(&world.scope, batch).await.unwrap();
}

#[test]
fn conversations_read_as_written_and_sessions_belong_to_their_subject() {
    in_every_world(|world| async move {
        put_conversation(&world, "sess:one", "guest:ana", 0..3).await;
        put_conversation(&world, "sess:two", "guest:bo", 10..11).await;
        let mut changed = session("sess:one", "guest:ana", 0);
        changed.last_at = example::day(5);
        changed.checkpoint = Some(SessionCheckpoint { through: 1, text: "she likes fish".into() });
        let batch = Batch::at(example::day(5)).with(Change::PutSession(Box::new(changed.clone())));
        world.store.commit(&world.scope, batch).await.unwrap();
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let all = store.sessions(scope, None).await.unwrap();
        assert_eq!(all, [changed.clone(), session("sess:two", "guest:bo", 0)]);
        let bos = store.sessions(scope, Some(&subject("guest:bo"))).await.unwrap();
        assert_eq!(bos, [session("sess:two", "guest:bo", 0)]);
        assert_eq!(store.session(scope, &changed.id).await.unwrap(), Some(changed.clone()));
        assert_eq!(store.session(scope, &"sess:no".parse().unwrap()).await.unwrap(), None);
        let turns = store.turns(scope, &changed.id).await.unwrap();
        let expected: Vec<_> = (0..3).map(|n| turn(n, "sess:one", &format!("words {n}"))).collect();
        assert_eq!(turns, expected);
        for one in expected {
            assert_eq!(store.turn(scope, one.id).await.unwrap(), Some(one));
        }
        assert_eq!(store.turn(scope, turn(7, "sess:one", "never said").id).await.unwrap(), None);
    });
}

#[test]
fn a_session_does_not_change_hands_and_a_turn_needs_one() {
    in_every_world(|world| async move {
        put_conversation(&world, "sess:one", "guest:ana", 0..1).await;
        let stolen = Change::PutSession(Box::new(session("sess:one", "guest:bo", 1)));
        let refused = world.store.commit(&world.scope, Batch::at(example::day(1)).with(stolen)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(Conflict::RecordDiffers { .. }))));
        let stray = Change::AppendTurn(Box::new(turn(5, "sess:nowhere", "hello?")));
        let refused = world.store.commit(&world.scope, Batch::at(example::day(1)).with(stray)).await;
        assert!(matches!(refused, Err(StoreError::NotFound { .. })));
        let twice = Change::AppendTurn(Box::new(turn(0, "sess:one", "words 0")));
        let refused = world.store.commit(&world.scope, Batch::at(example::day(1)).with(twice)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(Conflict::RecordDiffers { .. }))));
        let id: domain::SessionId = "sess:one".parse().unwrap();
        for (length, fits) in [(0, false), (1, true), (2, false)] {
            let batch = Batch::at(example::day(1)).expecting(Expect::SessionLength(id.clone(), length));
            let answer = world.store.commit(&world.scope, batch).await;
            assert_eq!(answer.is_ok(), fits, "{length} turns");
        }
    });
}

#[test]
fn formation_stays_pending_until_it_is_done() {
    in_every_world(|world| async move {
        put_conversation(&world, "sess:one", "guest:ana", 0..3).await;
        let second = turn(1, "sess:one", "").id;
        let batch = Batch::at(example::day(1))
            .with(Change::MarkTurn(second, TurnMark::Formation(Formation::Done)))
            .with(Change::MarkTurn(second, TurnMark::State(TurnState::Superseded)));
        world.store.commit(&world.scope, batch).await.unwrap();
        let world = world.reopened().await;
        let pending = world.store.unformed_turns(&world.scope).await.unwrap();
        assert_eq!(pending.iter().map(|turn| turn.index).collect::<Vec<_>>(), [0, 2]);
        let turns = world.store.turns(&world.scope, &"sess:one".parse().unwrap()).await.unwrap();
        assert_eq!((turns[1].state, turns[1].formation), (TurnState::Superseded, Formation::Done));
        let absent = Change::MarkTurn(turn(9, "sess:one", "").id, TurnMark::State(TurnState::Whole));
        assert!(world.store.commit(&world.scope, Batch::at(example::day(1)).with(absent)).await.is_err());
    });
}

#[test]
fn what_formation_made_of_a_turn_is_kept_with_it_and_its_words_stay() {
    in_every_world(|world| async move {
        put_conversation(&world, "sess:one", "guest:ana", 0..2).await;
        let first = turn(0, "sess:one", "").id;
        let result = FormationResult {
            remembered: vec![example::memory_id(3)],
            not_kept: vec![NotKept {
                reason: "sensitive_forbidden".to_owned(),
                category: Some("health".to_owned()),
            }],
            withheld: Withheld::Passages(vec![Passage { start: 0, end: 4 }]),
        };
        let mark = Change::MarkTurn(first, TurnMark::Formed(result.clone()));
        world.store.commit(&world.scope, Batch::at(example::day(1)).with(mark.clone())).await.unwrap();
        let world = world.reopened().await;
        let turns = world.store.turns(&world.scope, &"sess:one".parse().unwrap()).await.unwrap();
        assert_eq!((turns[0].formation, turns[0].formed.as_ref()), (Formation::Done, Some(&result)));
        assert_eq!((turns[0].text.as_str(), &turns[1].formed), ("words 0", &None));
        let pending = world.store.unformed_turns(&world.scope).await.unwrap();
        assert_eq!(pending.iter().map(|turn| turn.index).collect::<Vec<_>>(), [1]);
        let absent = Change::MarkTurn(turn(9, "sess:one", "").id, TurnMark::Formed(result));
        assert!(world.store.commit(&world.scope, Batch::at(example::day(1)).with(absent)).await.is_err());
    });
}

#[test]
fn traces_explain_a_recall_until_they_expire() {
    in_every_world(|world| async move {
        let trace = |number: u128, day, of: Option<&str>| Trace {
            recall: RecallId(Uuid::from_u128(number)),
            at: example::day(day),
            subject: of.map(subject),
            shown: vec![example::memory_id(2), example::memory_id(1)],
            body: WrittenJson::of(&serde_json::json!({ "rendered": "She said the seafood was excellent." }))
                .unwrap(),
        };
        let nothing_came_back = Trace { shown: Vec::new(), ..trace(6, 1, Some("guest:ana")) };
        let traces = [trace(7, 0, Some("guest:ana")), trace(5, 1, None), nothing_came_back];
        for trace in &traces {
            let batch = Batch::at(trace.at).with(Change::PutTrace(Box::new(trace.clone())));
            world.store.commit(&world.scope, batch).await.unwrap();
        }
        let world = world.reopened().await;
        assert_eq!(world.store.traces(&world.scope).await.unwrap(), traces);
        let found = world.store.trace(&world.scope, traces[0].recall).await.unwrap();
        assert_eq!(found, Some(traces[0].clone()));
        let sweep = Batch::at(example::day(31)).with(Change::Expire(Expiry::Traces(example::day(1))));
        world.store.commit(&world.scope, sweep).await.unwrap();
        assert_eq!(world.store.traces(&world.scope).await.unwrap(), traces[1..]);
    });
}

#[test]
fn a_request_is_answered_once_and_forgotten_after_its_time() {
    in_every_world(|world| async move {
        let answered = AnsweredRequest {
            tag: RequestTag([1; 32]),
            fingerprint: RequestTag([2; 32]),
            status: 201,
            resource: Some("mem:000000000001".into()),
            at: example::day(0),
        };
        let batch = || Batch::at(example::day(0)).with(Change::RecordRequest(answered.clone()));
        world.store.commit(&world.scope, batch()).await.unwrap();
        for again in [batch(), Batch::at(example::day(0)).expecting(Expect::RequestUnanswered(answered.tag))]
        {
            let refused = world.store.commit(&world.scope, again).await;
            assert!(matches!(refused, Err(StoreError::Conflict(Conflict::RequestAnswered))));
        }
        let world = world.reopened().await;
        let found = world.store.request(&world.scope, answered.tag).await.unwrap();
        assert_eq!(found, Some(answered.clone()));
        let sweep = Batch::at(example::day(2)).with(Change::Expire(Expiry::Requests(example::day(1))));
        world.store.commit(&world.scope, sweep).await.unwrap();
        assert_eq!(world.store.request(&world.scope, answered.tag).await.unwrap(), None);
    });
}
