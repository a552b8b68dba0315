//! Dropping a response stops the server.

use std::time::Duration;

use llm::Complete;
use tokio::time::timeout;

use crate::server::{Act, Server, chunk, head};
use crate::{openai, question};

const HELLO: &[u8] = b"data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";
const SOON: Duration = Duration::from_secs(2);

#[tokio::test]
async fn dropping_a_stream_closes_the_connection() {
    let mut server = Server::play(vec![vec![head(), chunk(HELLO), Act::UntilClosed]]).await;
    let mut events = openai(&server).stream(&question()).await.unwrap();
    events.next().await.unwrap().unwrap();
    drop(events);
    timeout(SOON, server.closed.recv()).await.expect("the server still waits").unwrap();
}

#[tokio::test]
async fn no_longer_waiting_for_the_first_byte_closes_the_connection() {
    let mut server = Server::play(vec![vec![Act::UntilClosed]]).await;
    let model = openai(&server);
    assert!(timeout(Duration::from_millis(100), model.stream(&question())).await.is_err());
    timeout(SOON, server.closed.recv()).await.expect("the server still waits").unwrap();
}

#[tokio::test]
async fn a_piece_is_not_lost_when_waiting_for_it_was_given_up() {
    let rest = Act::Pause(Duration::from_millis(60));
    let script = vec![head(), chunk(HELLO), rest.clone(), chunk(HELLO), rest, chunk(HELLO), Act::UntilClosed];
    let server = Server::play(vec![script]).await;
    let mut events = openai(&server).stream(&question()).await.unwrap();
    let mut heard = 0;
    for _ in 0..100 {
        if timeout(Duration::from_millis(7), events.next()).await.is_ok() {
            heard += 1;
        }
        if heard == 3 {
            return;
        }
    }
    panic!("heard only {heard} of 3");
}
