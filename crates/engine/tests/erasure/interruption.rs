//! An erasure that is broken off anywhere is finished by whoever opens the home next.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use domain::ErasureStatus;
use store::Upkeep;

use engine_testkit::planted::{plant, signed};
use engine_testkit::test_home::{TestHome, call, close, dump, only_persona};

/// How `work` ends, if it does before it was looked at `times` times; it is dropped otherwise.
async fn broken_off<T>(times: usize, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut left = times;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        work.as_mut().poll(context).map(Some)
    })
    .await
}

#[tokio::test]
async fn an_erasure_broken_off_anywhere_is_finished_after_a_restart() {
    let mut interruptions = 0;
    let mut expected = None;
    for times in (0..).step_by(7) {
        let test_home = TestHome::new();
        let engine = test_home.open("home").await;
        plant(&engine).await;
        let id = signed(&engine, &call(1)).await.erasure.id;
        let ended = Box::pin(broken_off(times, engine.execute_erasure(&call(1), id))).await;
        // Whatever a thread was about to write is written; then the process is gone.
        engine.store().close(call(1).now).await.unwrap();
        drop(engine);
        let engine = test_home.open("home").await;
        let before = engine.show_erasure(&call(2), id).await.unwrap().erasure.status;
        engine.resume_erasures(call(2).now).await.unwrap();
        if before == ErasureStatus::Signed {
            engine.execute_erasure(&call(1), id).await.unwrap();
        }
        let job = engine.show_erasure(&call(2), id).await.unwrap().erasure;
        assert_eq!((job.status, job.counts.residue), (ErasureStatus::Done, Some(0)), "after {times} looks");
        engine.erasure_certificate(&call(2), id).await.unwrap();
        let scope = only_persona(&engine).await.scope();
        assert!(engine.store().integrity(&scope).await.unwrap().is_whole());
        assert!(engine.store().deployment_integrity().await.unwrap().is_whole());
        let left = without_chance(dump(&engine).await);
        assert_eq!(*expected.get_or_insert_with(|| left.clone()), left, "after {times} looks");
        close(engine).await;
        if ended.is_some() {
            break;
        }
        interruptions += 1;
    }
    assert!(interruptions > 5, "{interruptions}");
}

/// What is remembered, without ids that chance gave and numbers that count attempts.
fn without_chance(mut dump: serde_json::Value) -> serde_json::Value {
    let object = dump.as_object_mut().unwrap();
    for member in ["revision", "events"] {
        object.remove(member);
    }
    let mut gists: Vec<String> = object["atoms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stored| stored["atom"]["gist"].as_str().unwrap().to_owned())
        .collect();
    gists.sort();
    let tombstones = object["tombstones"].as_array().unwrap().len();
    serde_json::json!({ "gists": gists, "tombstones": tombstones, "sessions": object["sessions"], "subjects": object["subjects"], "traces": object["traces"] })
}
