//! The list of routes, for the server, the OpenAPI description and the command line.

mod jobs;
mod conversation;
mod forgetting;
mod keeping;
mod lives;
mod memories;
mod page;
mod people;
mod personas;
mod proving;
mod talk;

use std::sync::Arc;

use serde_json::Value;

use crate::key::KeyScope;
use crate::verb::Verb;

/// One route.
#[derive(Clone, Copy)]
pub struct Route {
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: &'static str,
    /// With parameters in braces.
    pub path: &'static str,
    /// Its verb.
    pub verb: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The scope a key needs.
    pub scope: KeyScope,
    /// The status of a successful answer.
    pub status: u16,
    /// The schema of the body, if there is one.
    pub request: Option<fn() -> Arc<Value>>,
    /// Whether a body is required.
    pub body: Body,
    /// The schema of the query, if there is one.
    pub query: Option<fn() -> Arc<Value>>,
    /// The schema of the answer, if there is one.
    pub answer: Option<fn() -> Arc<Value>>,
    /// Whether an `Idempotency-Key` is required.
    pub once: KeyRequirement,
    /// Whether a POST only reads; every other POST honours `Idempotency-Key`.
    pub reads_only: bool,
    /// Whether the answer may be streamed.
    pub speech: Speech,
    /// Whether a person may do it for themselves.
    pub by_speaker: bool,
    /// Whether it can be asked for off the record.
    pub off_record: OffRecord,
}

/// Whether a request with `X-Off-The-Record` is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffRecord {
    /// It is refused if its purpose is to store something: see [`Route::is_refused_off_record`].
    Unsupported,
    /// It is answered, and stores nothing of what was said.
    Supported,
}

/// Whether a request needs a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Required, if the route takes one.
    Needed,
    /// Optional; an empty body means the defaults.
    Optional,
}

/// Whom a request concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Only the person it is made for; the verb itself makes sure of that.
    Speaker,
    /// The persona, and so everybody who talks with it, or other people.
    Everyone,
}

/// Whether an answer may be streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// It is never streamed.
    Whole,
    /// It is streamed as server-sent events, always or on request.
    InPieces,
}

/// What it takes to repeat a request without doing it twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Nothing: it only reads, or its method is idempotent by itself.
    Harmless,
    /// An `Idempotency-Key`: it is a POST that changes something.
    NeedsKey,
}

/// Whether a request needs an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRequirement {
    /// It is optional.
    IfAsked,
    /// It is required, because what is destroyed can't be requested again.
    Always,
}

impl Route {
    /// Whether the route belongs to one of the published designs, which answer 400 where `/v1` answers 422.
    #[must_use]
    pub fn is_seed(&self) -> bool {
        !self.path.starts_with("/v1/")
    }

    /// Whom a request to this route concerns. What changes something concerns everyone unless its row says otherwise,
    /// so that a new route is closed to guests at first.
    #[must_use]
    pub fn concern(&self) -> Concern {
        let changes = matches!(self.scope, KeyScope::Write | KeyScope::Erase);
        if changes && !self.by_speaker { Concern::Everyone } else { Concern::Speaker }
    }

    /// What it takes to repeat a request to this route.
    #[must_use]
    pub fn retry(&self) -> Retry {
        if self.method == "POST" && !self.reads_only { Retry::NeedsKey } else { Retry::Harmless }
    }

    /// Whether a request off the record is refused, because it would store what was said. This is the default
    /// of every route that needs the scope `write`, so that no route ignores the wish.
    #[must_use]
    pub fn is_refused_off_record(&self) -> bool {
        let stores = self.scope == KeyScope::Write && self.method != "DELETE";
        stores && self.off_record == OffRecord::Unsupported
    }

    const fn of<V: Verb>(
        method: &'static str,
        path: &'static str,
        scope: KeyScope,
        summary: &'static str,
    ) -> Self {
        Self {
            method,
            path,
            verb: V::NAME,
            summary,
            scope,
            status: 200,
            request: V::REQUEST,
            body: Body::Needed,
            query: V::QUERY,
            answer: V::ANSWER,
            once: KeyRequirement::IfAsked,
            reads_only: false,
            speech: Speech::Whole,
            by_speaker: false,
            off_record: OffRecord::Unsupported,
        }
    }

    const fn body_is_optional(mut self) -> Self {
        self.body = Body::Optional;
        self
    }

    const fn only_once(mut self) -> Self {
        self.once = KeyRequirement::Always;
        self
    }

    /// A POST that only reads: it has a body because a query would be too long, or would be logged.
    const fn reads(mut self) -> Self {
        self.reads_only = true;
        self
    }

    /// A person may do it for themselves: the verb touches nothing of anybody else.
    const fn by_speaker(mut self) -> Self {
        self.by_speaker = true;
        self
    }

    const fn gives(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    const fn speaks(mut self) -> Self {
        self.speech = Speech::InPieces;
        self
    }

    const fn off_record(mut self) -> Self {
        self.off_record = OffRecord::Supported;
        self
    }

    const fn gives_nothing(mut self) -> Self {
        self.status = 204;
        self
    }
}

const GROUPS: [&[Route]; 11] = [
    personas::ROUTES,
    lives::ROUTES,
    memories::ROUTES,
    talk::ROUTES,
    conversation::ROUTES,
    people::ROUTES,
    forgetting::ROUTES,
    jobs::ROUTES,
    keeping::ROUTES,
    proving::ROUTES,
    page::ROUTES,
];

#[expect(
    clippy::indexing_slicing,
    reason = "it runs when the program is compiled, and a slip would not compile"
)]
const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

/// Every route that needs a key.
pub const ROUTES: &[Route] = &joined();

#[expect(
    clippy::indexing_slicing,
    reason = "it runs when the program is compiled, and a slip would not compile"
)]
const fn joined() -> [Route; COUNT] {
    let mut all = [GROUPS[0][0]; COUNT];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut own = 0;
        while own < GROUPS[group].len() {
            all[next] = GROUPS[group][own];
            next += 1;
            own += 1;
        }
        group += 1;
    }
    all
}
