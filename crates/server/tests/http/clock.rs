//! The clock of the machine jumps under a server, back, forward and over both changes of daylight saving: nobody is locked
//! out, nothing is lost, and a request that is sent again is still the same one.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use domain::Timestamp;
use serde_json::json;
use server::{Config, Limits, Server};
use store::Upkeep as _;

use crate::fixture::{Fixture, memory};

/// Where the clock stands, one after the other. In Berlin 02:30 is skipped on 29 March and comes twice on 25 October.
const TIMES: [&str; 10] = [
    "2026-03-28T12:00:00Z",
    "2026-03-27T12:00:00Z",
    "2026-03-28T12:01:00Z",
    "2026-03-29T00:59:30Z",
    "2026-03-29T01:30:30Z",
    "2026-03-29T00:59:45Z",
    "2026-04-28T12:00:00Z",
    "2026-03-30T12:00:00Z",
    "2026-10-25T00:30:30Z",
    "2026-10-25T01:30:30Z",
];
/// How many requests are sent at each time. Three times as many are never admitted, unless the time between is counted.
const REQUESTS: u32 = 30;

fn millis(time: &str) -> i64 {
    time.parse::<Timestamp>().unwrap().as_millis()
}

/// A fixture with a clock that is set by hand.
async fn fixture() -> (Fixture, Arc<AtomicI64>) {
    let clock = Arc::new(AtomicI64::new(millis(TIMES[0])));
    let mut fixture = Fixture::new().await;
    let set = Arc::clone(&clock);
    let limits = Limits { requests_per_second: 1, burst: REQUESTS * 2, ..Limits::default() };
    let now = Arc::new(move || Timestamp::from_millis(set.load(Ordering::SeqCst)));
    fixture.server = Server::new(Arc::clone(&fixture.engine), now, Config { limits, ..Config::default() });
    fixture.public = fixture.server.public_router("127.0.0.1:7411".parse().unwrap());
    (fixture, clock)
}

#[tokio::test]
async fn a_clock_that_jumps_locks_nobody_out_and_loses_nothing() {
    let (fixture, clock) = fixture().await;
    let persona = fixture.maya().await;
    let berlin = fixture
        .ask("PATCH", &format!("/personas/{persona}"), Some(json!({ "timezone": "Europe/Berlin" })))
        .await;
    assert_eq!(berlin.status.as_u16(), 200, "{}", berlin.text);
    let memories = format!("/v1/personas/{persona}/memories");
    let mut kept = Vec::new();
    for (number, time) in TIMES.iter().enumerate() {
        clock.store(millis(time), Ordering::SeqCst);
        let gist = format!("At watch {number} the lake was calm.");
        let once = |gist: &str| {
            let mut request = fixture.request("POST", &memories, Some(memory(gist)));
            request.headers_mut().insert("idempotency-key", format!("watch-{number}").parse().unwrap());
            request
        };
        let (made, again) = (fixture.send(once(&gist)).await, fixture.send(once(&gist)).await);
        assert_eq!((made.status.as_u16(), again.status.as_u16()), (201, 201), "{time}: {}", made.text);
        assert_eq!(made.json()["memory"]["id"], again.json()["memory"]["id"], "{time}");
        kept.push((made.json()["memory"]["id"].as_str().unwrap().to_owned(), millis(time)));
        for request in 0..REQUESTS {
            let cue = json!({ "cue": "how was the lake?" });
            let recalled = fixture.ask("POST", &format!("/v1/personas/{persona}/recall"), Some(cue)).await;
            assert_eq!(recalled.status.as_u16(), 200, "{time}, request {request}: {}", recalled.text);
        }
        let listed = fixture.ask("GET", &format!("{memories}?limit=50"), None).await;
        // A list holds what there was at its time: a memory of tomorrow is in it tomorrow.
        for (id, _) in kept.iter().filter(|(_, made)| *made <= millis(time)) {
            assert!(listed.text.contains(id.as_str()), "{time}: {id} is not in the list");
        }
        assert_eq!(fixture.ask("GET", "/readyz", None).await.status.as_u16(), 200, "{time}");
    }
    clock.store(millis("2026-10-26T12:00:00Z"), Ordering::SeqCst);
    let all = fixture.ask("GET", &format!("{memories}?limit=50"), None).await.json();
    assert_eq!(all["data"].as_array().unwrap().len(), kept.len());
    assert!(fixture.engine.store().deployment_integrity().await.unwrap().is_whole());
}
