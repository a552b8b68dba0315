//! Event streams that stay open as long as a world lasts: one for each kind of caller of each tenant, all of whose
//! frames are searched.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use tokio::task::JoinHandle;
use tower::ServiceExt;

use super::canary::{Viewer, foreign};
use super::people::{ADMIN, GUESTS, OWNER, STAFF, Town, is_staff};
use super::village::ADDRESS;

/// Somebody whose key is a guest's, and whom nobody names.
const NOBODY: u32 = 99;

/// The open streams of a world.
#[derive(Default)]
pub(super) struct Followers {
    open: Vec<JoinHandle<()>>,
    /// How many frames said what was formed of an exchange.
    formed: Arc<AtomicU64>,
    wrong: Arc<Mutex<Vec<String>>>,
}

impl Followers {
    /// Opens a stream for everybody of `town` who has a key or a name.
    pub(super) fn follow(&mut self, public: &Router, town: &Town) {
        for person in [OWNER, ADMIN, STAFF, *GUESTS.start(), *GUESTS.end(), NOBODY] {
            let mut request =
                Request::get("/v1/events").header("host", ADDRESS).header("x-api-key", town.key(person));
            if let Some(name) = town.reference(person).filter(|_| !matches!(person, OWNER | NOBODY)) {
                request = request.header("x-user-id", name);
            }
            let sees_everybody = matches!(person, OWNER | ADMIN);
            // What was said to staff is their record, and whoever sees everybody's records sees it.
            let staff = is_staff(person) || sees_everybody;
            let viewer = Viewer { tenant: town.number, person, staff, sees_everybody };
            let stream = public.clone().oneshot(request.body(Body::empty()).unwrap());
            let (formed, wrong) = (Arc::clone(&self.formed), Arc::clone(&self.wrong));
            self.open.push(tokio::spawn(async move {
                let answer = stream.await.unwrap();
                assert!(answer.status().is_success(), "the events are refused: {}", answer.status());
                let mut body = answer.into_body();
                while let Some(Ok(frame)) = body.frame().await {
                    let bytes = frame.into_data().unwrap_or_default();
                    let text = String::from_utf8_lossy(&bytes);
                    formed.fetch_add(text.matches("event: formed").count() as u64, Ordering::Relaxed);
                    let found = foreign(&text, &viewer);
                    if !found.is_empty() {
                        wrong
                            .lock()
                            .unwrap()
                            .push(format!("the events of person {person} have {found:?}: {text}"));
                    }
                }
            }));
        }
    }

    /// Closes the streams: how many frames said what was formed, and what was wrong with any of them.
    pub(super) fn close(&mut self) -> (u64, Vec<String>) {
        for stream in self.open.drain(..) {
            stream.abort();
        }
        (self.formed.load(Ordering::Relaxed), self.wrong.lock().unwrap().drain(..).collect())
    }
}
