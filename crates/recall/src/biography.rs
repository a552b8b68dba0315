//! A persona's own timeline as a searchable index: the same semantic and word matching as for memories,
//! over the few hundred events of a timeline.

use std::collections::{BTreeMap, BTreeSet};

use domain::{DecayProfile, Salience, Text, TimelineEntry, TimelineId, Timestamp, Valence};

use crate::aboutness;
use crate::arithmetic::{count, single};
use crate::bm25::{Weighing, rarity};
use crate::dates::days_in;
use crate::embed::{Vector, embed};
use crate::fusion::Fusion;
use crate::index::sentence_chunk::SentenceChunk;
use crate::query::Query;
use crate::rank::{Parts, Question};
use crate::sentences::{Part, SentenceVectors};
use crate::similarity::{Similarity, single_row_similarity};
use crate::words::{Lexicon, Term, tag_term};

/// The active events of a timeline, in the order of their sequence.
#[derive(Default)]
pub struct Biography {
    language: String,
    events: Vec<IndexedEvent>,
    average_length: f32,
}

/// One event with its vectors and words.
struct IndexedEvent {
    entry: TimelineEntry,
    sentences: Option<SentenceChunk>,
    meanings: Vec<Vector>,
    terms: BTreeMap<Term, u8>,
    cue_terms: BTreeSet<Term>,
    length: u16,
    tags: Vec<Term>,
}

/// An event with its score.
#[derive(Clone, Copy)]
pub(crate) struct ScoredEvent<'b> {
    pub(crate) entry: &'b TimelineEntry,
    pub(crate) score: f32,
    pub(crate) parts: Parts,
    /// How clearly the cue is about it, from 0 to 1.
    pub(crate) about: f32,
}

/// The minimum specificity of a cue here: "Where did you grow up?" is small talk for a guest's memories,
/// but a question for the persona's timeline.
const LEAST_SPECIFIC: f32 = 0.6;

const MILLIS_PER_DAY: i64 = 86_400_000;

impl Biography {
    /// Builds the index from `entries`, leaving out superseded ones. `sentences` are the sentence vectors
    /// of those that have them; the others are matched by words and the built-in table.
    #[must_use]
    pub fn of(
        entries: &[TimelineEntry],
        language: &str,
        sentences: &BTreeMap<TimelineId, SentenceVectors>,
    ) -> Self {
        let mut lexicon = Lexicon::new(language);
        let active = entries.iter().filter(|entry| entry.superseded_at.is_none());
        let own = |entry: &TimelineEntry| sentences.get(&entry.id).filter(|of| of.are_of_entry(entry));
        let events: Vec<IndexedEvent> =
            active.map(|entry| IndexedEvent::of(entry, own(entry), &mut lexicon)).collect();
        let words: usize = events.iter().map(|event| usize::from(event.length)).sum();
        let average_length = count(words) / count(events.len().max(1));
        Self { language: language.to_owned(), events, average_length }
    }

    /// The number of events.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has no events.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Every event with its score, best first; equal ones by sequence, later first.
    pub(crate) fn rank(&self, question: &Question<'_>, fusion: &Fusion) -> Vec<ScoredEvent<'_>> {
        if self.is_empty() {
            return Vec::new();
        }
        let asked = EventQuery::of(self, question, fusion);
        let specificity = asked.query.specificity().max(LEAST_SPECIFIC);
        let fusion = fusion.of_cue(specificity, asked.query.language);
        let mut scored: Vec<ScoredEvent<'_>> = self
            .events
            .iter()
            .zip(&asked.row_similarities)
            .map(|(event, similarity)| asked.score(event, *similarity, question, &fusion))
            .collect();
        let order = |a: &ScoredEvent<'_>, b: &ScoredEvent<'_>| {
            b.score.total_cmp(&a.score).then(b.entry.sequence.cmp(&a.entry.sequence))
        };
        scored.sort_by(order);
        scored
    }
}

impl IndexedEvent {
    fn of(entry: &TimelineEntry, sentences: Option<&SentenceVectors>, lexicon: &mut Lexicon) -> Self {
        let event = &entry.event;
        let sentences = sentences.map(|vectors| {
            let mut one = SentenceChunk::default();
            one.set(0, vectors);
            one
        });
        let texts =
            [&event.event_label, &event.facts, &event.feelings, &event.interpretation].map(Text::as_str);
        let all = lexicon.terms(&texts.join("\n"));
        let length = u16::try_from(all.len()).unwrap_or(u16::MAX);
        let mut terms = BTreeMap::new();
        for term in all {
            let times: &mut u8 = terms.entry(term).or_default();
            *times = times.saturating_add(1);
        }
        let [label, facts, feelings, interpretation] = texts;
        let labelled = |text: &str| embed(&format!("{label}\n{text}"));
        let meanings = vec![embed(label), labelled(facts), labelled(feelings), labelled(interpretation)];
        let tags = event.emotion_tags.iter().map(|tag| tag_term(tag.as_str())).collect();
        let cue_terms = event.cues().flat_map(|cue| lexicon.terms(cue)).collect();
        Self { entry: entry.clone(), sentences, meanings, terms, cue_terms, length, tags }
    }
}

/// A cue prepared for matching against a timeline.
struct EventQuery {
    query: Query,
    /// The words of the cue, and how rare each is in this timeline.
    terms: Vec<(Term, f32)>,
    weighing: Weighing,
    topics: Vec<Term>,
    row_similarities: Vec<Similarity>,
}

impl EventQuery {
    fn of(biography: &Biography, question: &Question<'_>, fusion: &Fusion) -> Self {
        let mut query = Query::of_words(question.cue, &biography.language, question.encoder);
        query.days = days_in(question.cue, question.now);
        let rarity_of = |term: &Term| {
            let containing = biography.events.iter().filter(|event| event.terms.contains_key(term)).count();
            (*term, rarity(biography.len(), containing))
        };
        let topics: Vec<Term> = if question.topics.is_empty() {
            text::words(question.cue).map(|(_, word)| tag_term(word)).collect()
        } else {
            question.topics.iter().map(|topic| tag_term(topic.as_str())).collect()
        };
        let similarity = |event: &IndexedEvent| match (&event.sentences, &query.sentences) {
            (Some(sentences), Some(cue)) => single_row_similarity(sentences, cue, fusion),
            (Some(_) | None, _) => Similarity::default(),
        };
        Self {
            terms: query.terms.iter().map(rarity_of).collect(),
            weighing: Weighing::of_average(biography.average_length),
            topics,
            row_similarities: biography.events.iter().map(similarity).collect(),
            query,
        }
    }

    fn score<'b>(
        &self,
        event: &'b IndexedEvent,
        similarity: Similarity,
        question: &Question<'_>,
        fusion: &Fusion,
    ) -> ScoredEvent<'b> {
        let ranking = &question.policy.ranking;
        let parts = Parts {
            salience: single(
                strength_at(&event.entry, question.policy.timeline_decay.as_ref(), question.now).get(),
            ),
            relevance: fusion.relevance(self.evidence(event, similarity, fusion)),
            recency: recency(event.entry.event.event_at, question.now),
            topical: jaccard(&event.tags, &self.topics),
        };
        let score = single(ranking.salience_weight) * parts.salience
            + single(ranking.relevance_weight) * parts.relevance
            + single(ranking.recency_weight) * parts.recency
            + single(ranking.topical_weight) * parts.topical;
        let about = self.aboutness(event, similarity.best, parts.relevance);
        ScoredEvent { entry: &event.entry, score, parts, about }
    }

    fn aboutness(&self, event: &IndexedEvent, closest: Part, relevance: f32) -> f32 {
        let cue = self.query.sentences.as_ref().zip(event.sentences.as_ref());
        let learnt =
            cue.and_then(|(cue, sentences)| cue.about.aboutness(sentences, 0, closest, self.query.language));
        learnt.unwrap_or_else(|| aboutness::of_relevance(relevance))
    }

    fn evidence(&self, event: &IndexedEvent, similarity: Similarity, fusion: &Fusion) -> f32 {
        let meaning = &self.query.meaning;
        let table = event.meanings.iter().map(|part| part.cosine(meaning)).fold(0.0_f32, f32::max);
        let all: f32 = self.terms.iter().map(|(_, rarity)| rarity).sum();
        let shared = |(term, rarity): &(Term, f32)| {
            event.terms.get(term).map_or(0.0, |times| rarity * self.weighing.weigh(*times, event.length))
        };
        let in_cues = |(term, _): &&(Term, f32)| event.cue_terms.contains(term);
        let words: f32 = self.terms.iter().map(shared).sum();
        let cue_words: f32 = self.terms.iter().filter(in_cues).map(|(_, rarity)| rarity).sum();
        let words = words.max(cue_words * fusion.cue_words);
        let day =
            i32::try_from(event.entry.event.event_at.as_millis().div_euclid(MILLIS_PER_DAY)).unwrap_or(0);
        let fit = self.query.days.iter().fold(0.0_f32, |best, days| best.max(days.fit(day)));
        fusion.meaning(similarity.with_table(table))
            + fusion.words * if all > 0.0 { words / all } else { 0.0 }
            + fusion.date * fit
    }
}

/// How vividly an event is remembered, from 0 to 1; it fades only if the policy has a decay profile for it.
pub(crate) fn strength_at(entry: &TimelineEntry, decay: Option<&DecayProfile>, now: Timestamp) -> Salience {
    let authored = Salience::clamped(entry.event.memory_strength.get() / 100.0);
    decay.map_or(authored, |profile| {
        profile.salience(authored, 0, Valence::clamped(0.0), now.since(entry.created_at))
    })
}

fn recency(at: Timestamp, now: Timestamp) -> f32 {
    crate::arithmetic::exp2(single(now.since(at).0 * 24.0) * crate::rank::RECENCY_PER_HOUR)
}

fn jaccard(tags: &[Term], topics: &[Term]) -> f32 {
    let shared = tags.iter().filter(|tag| topics.contains(tag)).count();
    if shared == 0 { 0.0 } else { count(shared) / count(tags.len() + topics.len() - shared) }
}
