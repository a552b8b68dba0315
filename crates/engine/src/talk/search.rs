//! `GET /sessions/search`: searches a speaker's conversations with the persona by words, by parts of words,
//! and by meaning.
//!
//! There is no index on disk: the speaker's turns are read and compared at each search, so there is nothing
//! to leak from and nothing to erase. They are compared off the async workers, a bounded piece of the record at a
//! time, so that other work gets its turn in between; the search ends when its client leaves.

mod excerpt;
mod literal;

use std::cmp::Reverse;
use std::collections::HashSet;

use domain::{SubjectRef, Text};
use jiff::tz::TimeZone;
use recall::embed::{self, embed};
use recall::words::{Lexicon, Term};
use store::{Records, Session, Turn};
use wire::search::{FoundOnDay, FoundTurn, SearchAnswer, SearchSessions};
use wire::{Code, Problem};

use super::without_refused::without_refused;
use crate::call::{Call, PersonaKey};
use crate::cpu_pool::{Cancellation, CpuOwner};
use crate::persona::registry::PersonaContext;
use crate::talk::sessions::{stands, title_of, turn_view};
use crate::{Engine, boxed};
use excerpt::Reading;
use literal::Literal;

/// The default page size.
const PAGE: usize = 20;
/// The share of the search words that a turn must contain, unless its meaning matches.
const SHARE: f32 = 0.5;
/// The least similarity of meaning, unless the words match.
const NEAR: f32 = 0.5;
/// The weight of the words; the rest is meaning.
const WORDS: f32 = 0.7;
/// How many bytes of conversations are compared at once; a longer conversation is compared as a whole.
const AT_ONCE: usize = 256 * 1024;

/// A prepared search.
pub(crate) struct SessionQuery {
    terms: HashSet<Term>,
    meaning: embed::Vector,
    lexicon: Lexicon,
    literal: Literal,
    language: String,
}

impl Engine {
    /// Searches the speaker's conversations with the persona.
    #[boxed]
    pub async fn search_sessions(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: SearchSessions,
    ) -> Result<SearchAnswer, Problem> {
        if asked.q.trimmed().length() == 0 {
            return Err(Problem::new(Code::ValidationFailed, "`q` is empty; give a search text"));
        }
        let persona = self.find(call, key).await?;
        let speaker = self.speaker(call, &persona, asked.subject, None).await?.subject;
        let turns = self.turns_found(&persona, speaker, &asked.q).await?;
        let (limit, offset) = (asked.limit.unwrap_or(PAGE), asked.offset.unwrap_or(0));
        let zone = zone(&persona);
        let total = turns.len();
        let mut days: Vec<FoundOnDay> = Vec::new();
        for turn in turns.into_iter().skip(offset).take(limit) {
            let date = date(&turn, &zone);
            match days.last_mut().filter(|day| day.date == date) {
                Some(day) => day.results.push(turn),
                None => days.push(FoundOnDay { date, results: vec![turn] }),
            }
        }
        Ok(SearchAnswer { days, total, limit, offset })
    }

    /// The turns of `speaker`'s conversations that match `query`: latest day first, best of a day first.
    pub(crate) async fn turns_found(
        &self,
        persona: &PersonaContext,
        speaker: Option<SubjectRef>,
        query: &Text,
    ) -> Result<Vec<FoundTurn>, Problem> {
        let scope = persona.entry.scope();
        let (mut sessions, mut results) = (self.sessions_of(persona, speaker).await?.into_iter(), Vec::new());
        let mut sought = SessionQuery::new(query.as_str(), &persona.loaded.document.identity.language);
        loop {
            let (mut talks, mut bytes) = (Vec::new(), 0);
            while bytes < AT_ONCE
                && let Some(session) = sessions.next()
            {
                let turns = self.store.turns(&scope, &session.id).await?;
                bytes += turns.iter().map(|turn| size_of::<Turn>() + turn.text.as_str().len()).sum::<usize>();
                talks.push((session, turns));
            }
            if talks.is_empty() {
                break;
            }
            let owner = CpuOwner { tenant: scope.tenant.clone(), persona: Some(scope.persona) };
            let compared = self.cpu.run(owner, move |cancellation| {
                let results = sought.matches(&talks, cancellation);
                (sought, results)
            });
            let (query, found) = compared.await?;
            sought = query;
            results.extend(found);
        }
        let zone = zone(persona);
        results.sort_by(|a, b| {
            let by_day = Reverse(date(a, &zone)).cmp(&Reverse(date(b, &zone)));
            by_day.then(b.score.total_cmp(&a.score)).then(b.at.cmp(&a.at)).then(a.turn_id.cmp(&b.turn_id))
        });
        Ok(results)
    }
}

impl SessionQuery {
    fn new(query: &str, language: &str) -> Self {
        let mut lexicon = Lexicon::new(language);
        let terms = lexicon.terms(query).into_iter().collect();
        Self {
            terms,
            meaning: embed(query),
            lexicon,
            literal: Literal::of(query),
            language: language.to_owned(),
        }
    }

    /// The turns that match; not all of them if nobody waits for them any more.
    fn matches(&mut self, talks: &[(Session, Vec<Turn>)], cancellation: &Cancellation) -> Vec<FoundTurn> {
        let language = self.language.clone();
        let mut results = Vec::new();
        for (session, turns) in talks {
            for turn in turns.iter().filter(|turn| stands(turn)) {
                if cancellation.is_cancelled() {
                    return results;
                }
                // Judging a text costs more than comparing it, so only what matches is judged.
                if self.compare(session, turns, turn, turn.text.as_str()).is_some() {
                    let text = without_refused(turn, turns, &language);
                    results.extend(text.and_then(|text| self.compare(session, turns, turn, &text)));
                }
            }
        }
        results
    }

    /// The turn as a search result, if it matches.
    fn compare(&mut self, session: &Session, turns: &[Turn], turn: &Turn, text: &str) -> Option<FoundTurn> {
        let reading = Reading::of(text, &self.terms, &mut self.lexicon, &self.literal);
        let share =
            share(reading.met.len(), self.terms.len()).max(if reading.is_literal { 1.0 } else { 0.0 });
        let near = self.meaning.cosine(&embed(text)).max(0.0);
        if share < SHARE && near < NEAR {
            return None;
        }
        let excerpt = reading.excerpt();
        let view = turn_view(turn);
        Some(FoundTurn {
            session_id: session.id.clone(),
            title: title_of(session, turns),
            turn_id: turn.id,
            speaker: view.speaker,
            at: turn.at,
            score: WORDS * share + (1.0 - WORDS) * near,
            html: Text::new(excerpt.html()),
            marks: excerpt.marks,
            excerpt: Text::new(excerpt.text),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "a query has a few hundred words at most")]
fn share(met: usize, all: usize) -> f32 {
    if all == 0 { 0.0 } else { met as f32 / all as f32 }
}

fn zone(persona: &PersonaContext) -> TimeZone {
    TimeZone::get(&persona.loaded.document.identity.timezone).unwrap_or(TimeZone::UTC)
}

fn date(turn: &FoundTurn, zone: &TimeZone) -> String {
    turn.at.to_jiff().to_zoned(zone.clone()).date().to_string()
}
