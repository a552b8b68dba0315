//! The tenants of a soak: what each of them has and asks, and how quickly it was answered.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, Request};
use crate::stage::{ChoreResult, Serving, Stage};

/// How many memories each tenant keeps.
const MEMORIES: usize = 100;
/// How often each tenant asks.
const PACE: Duration = Duration::from_secs(1);

/// A tenant with a persona, its key, and the memories it has now.
pub(super) struct Tenant {
    key: String,
    memories: VecDeque<String>,
    asked: u64,
}

/// What is measured while the tenants ask.
#[derive(Default)]
pub(super) struct Traffic {
    stopped: AtomicBool,
    requests: AtomicU64,
    since_last: Mutex<Times>,
}

/// What was answered since the last sample.
#[derive(Debug, Default)]
pub(super) struct Times {
    pub(super) took: Vec<Duration>,
    pub(super) refused: Vec<String>,
}

impl Tenant {
    /// Makes a tenant on the running server, and fills its persona.
    pub(super) fn new(stage: &Stage, serving: &Serving, number: u32) -> ChoreResult<Self> {
        let tenant = format!("soak{number:02}");
        let words = ["--tenant", &tenant, "key", "new", "--new-tenant", "--speaks", "owner"];
        let key = stage.run(&[&words[..], &["--scope", "read,write,erase,admin", "-o", "quiet"]].concat())?;
        let mut tenant = Self { key, memories: VecDeque::new(), asked: 0 };
        let mut client = Client::connect(&serving.address)?;
        let persona = r#"{"name":"inara"}"#;
        tenant.send(&mut client, "POST", "/setup/persona", persona)?;
        for _ in 0..MEMORIES {
            tenant.remember(&mut client)?;
        }
        Ok(tenant)
    }

    /// The next request of this tenant: recalls mostly, then lists, contexts, and a memory in the place of the oldest one.
    fn ask(&mut self, client: &mut Client) -> ChoreResult<Vec<Duration>> {
        let turn = self.asked % 10;
        let cue = format!(r#"{{"cue":"What did the gardener say about ferry {}?"}}"#, self.asked % 500);
        let one = match turn {
            0 => {
                let forgotten = self.forget_oldest(client)?;
                return Ok(vec![forgotten, self.remember(client)?]);
            }
            1 => self.send(client, "GET", "/v1/personas/inara/memories?limit=50", "")?.1,
            2 => {
                let message = format!(r#"{{"message":"Tell me of ferry {}."}}"#, self.asked % 500);
                self.send(client, "POST", "/v1/personas/inara/context", &message)?.1
            }
            3 => self.send(client, "GET", "/personas", "")?.1,
            _ => self.send(client, "POST", "/v1/personas/inara/recall", &cue)?.1,
        };
        Ok(vec![one])
    }

    fn remember(&mut self, client: &mut Client) -> ChoreResult<Duration> {
        let memory = format!(
            r#"{{"kind":"episodic","gist":"On day {} the gardener took ferry {} to the market.","salience":0.6,"privacyClass":"non-pii","consentBasis":"not-applicable"}}"#,
            self.asked,
            self.asked % 500
        );
        let (body, took) = self.send(client, "POST", "/v1/personas/inara/memories", &memory)?;
        let id = body.split_once("\"id\":\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()));
        self.memories.push_back(id.ok_or("a memory without an id")?);
        Ok(took)
    }

    fn forget_oldest(&mut self, client: &mut Client) -> ChoreResult<Duration> {
        let id = self.memories.pop_front().ok_or("there is no memory left")?;
        let path = format!("/v1/personas/inara/memories/{id}/redact");
        Ok(self.send(client, "POST", &path, r#"{"mode":"hard"}"#)?.1)
    }

    fn send(
        &mut self,
        client: &mut Client,
        method: &str,
        path: &str,
        body: &str,
    ) -> ChoreResult<(String, Duration)> {
        self.asked += 1;
        let answer = client.send(&Request { key: &self.key, method, path, body }, self.asked)?;
        if (200..300).contains(&answer.status) {
            Ok((answer.body, answer.took))
        } else {
            Err(format!("{method} {path}: {} {}", answer.status, answer.body))
        }
    }
}

impl Traffic {
    /// Lets the tenants ask, each once a second, until it is stopped. After a refusal the connection is made again.
    pub(super) fn keep_up(&self, address: &str, tenants: &mut [Tenant]) {
        let mut client = Client::connect(address);
        while !self.stopped.load(Ordering::Relaxed) {
            let began = Instant::now();
            for tenant in &mut *tenants {
                let asked = match &mut client {
                    Ok(client) => tenant.ask(client),
                    Err(why) => Err(why.clone()),
                };
                if asked.is_err() {
                    client = Client::connect(address);
                }
                self.note(asked);
            }
            thread::sleep(PACE.saturating_sub(began.elapsed()));
        }
    }

    fn note(&self, asked: ChoreResult<Vec<Duration>>) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut times) = self.since_last.lock() {
            match asked {
                Ok(took) => times.took.extend(took),
                Err(why) => times.refused.push(why),
            }
        }
    }

    /// What was answered since this was asked last.
    pub(super) fn since_last(&self) -> Times {
        self.since_last.lock().map(|mut times| std::mem::take(&mut *times)).unwrap_or_default()
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}
