//! What a sentence states, once what it asks is set aside.

use std::ops::Range;

use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::sentence::Sentence;
use crate::word::Word;

/// A run of clauses that tells something.
pub(crate) struct Statement<'a> {
    /// Its words as they were said, without the greeting or the "remember that" before them.
    pub(crate) text: &'a str,
    /// Its words.
    pub(crate) words: &'a [Word],
    /// What is recognised in it; places count from the sentence's first word.
    pub(crate) hits: Vec<Hit>,
    /// Which words of the sentence it covers.
    pub(crate) run: Range<usize>,
    /// Whether its sentence asks for it to be remembered.
    pub(crate) is_asked_for: bool,
}

/// The most words a name may have.
const LONGEST_NAME: usize = 3;

impl<'a> Statement<'a> {
    /// A whole sentence as one statement, whatever it asks.
    pub(crate) fn whole(sentence: &'a Sentence<'a>) -> Option<Self> {
        state(sentence, 0..sentence.words.len())
    }

    /// Whether any of `cues` stands in it.
    pub(crate) fn has(&self, cues: &[Cue]) -> bool {
        self.hits.iter().any(|hit| cues.contains(&hit.cue))
    }

    /// Whether it begins with a phrase of one of `cues`.
    pub(crate) fn opens_with(&self, cues: &[Cue]) -> bool {
        self.hits.iter().any(|hit| hit.words.start == self.run.start && cues.contains(&hit.cue))
    }

    /// Whether it only gives the speaker's name: "I'm Tessa", "I am Ana Popescu".
    pub(crate) fn introduces(&self) -> bool {
        let openings =
            self.hits.iter().filter(|hit| hit.cue == Cue::Introduction && hit.words.start == self.run.start);
        let Some(opening) = openings.map(|hit| hit.words.end).max() else { return false };
        let is_other =
            |at: usize| self.hits.iter().any(|hit| hit.words.contains(&at) && hit.cue != Cue::Name);
        let rest: Vec<(usize, &Word)> =
            (self.run.start..).zip(self.words).filter(|(at, _)| *at >= opening).collect();
        (1..=LONGEST_NAME).contains(&rest.len())
            && rest.iter().all(|(at, word)| word.is_capital && word.folded.len() > 1 && !is_other(*at))
    }

    /// How many phrases of this cue stand in it.
    pub(crate) fn count(&self, cue: Cue) -> usize {
        self.hits.iter().filter(|hit| hit.cue == cue).count()
    }

    /// Whether it names a day or a month.
    pub(crate) fn is_dated(&self) -> bool {
        self.hits.iter().any(|hit| {
            matches!(
                hit.cue,
                Cue::Weekday(_)
                    | Cue::Month(_)
                    | Cue::Today
                    | Cue::Tomorrow
                    | Cue::Overmorrow
                    | Cue::Yesterday
            )
        })
    }

    /// Whether it names a day of the week or of a month, and an hour or a number with it.
    pub(crate) fn is_appointed(&self) -> bool {
        self.hits.iter().any(|hit| matches!(hit.cue, Cue::Weekday(_) | Cue::Month(_))) && self.has_number()
    }

    /// Whether a number stands in it.
    pub(crate) fn has_number(&self) -> bool {
        self.words.iter().any(Word::is_number)
            || self.hits.iter().any(|hit| matches!(hit.cue, Cue::Count(count) if count > 1))
    }

    /// Whether it goes on about what was said before.
    pub(crate) fn goes_on(&self) -> bool {
        self.hits.iter().any(|hit| hit.cue == Cue::Anaphora && hit.words.start == self.run.start)
    }

    /// Whether it begins with a name, as far as one can tell: a word of its own that no list knows.
    pub(crate) fn begins_with_name(&self) -> bool {
        self.words.first().is_some_and(|word| word.is_capital && word.folded.len() > 2)
            && !self.is_listed(self.run.start)
    }

    /// Whether a named person likes or dislikes something.
    pub(crate) fn tells_taste_of_named(&self) -> bool {
        let is_name = |at: usize| {
            at.checked_sub(self.run.start)
                .and_then(|place| self.words.get(place))
                .is_some_and(|word| word.is_capital && word.folded.len() > 2 && !self.is_listed(at))
        };
        let tastes = self.hits.iter().filter(|hit| hit.cue == Cue::Preference);
        tastes.filter_map(|hit| hit.words.start.checked_sub(1)).any(is_name)
    }

    /// Whether a list knows a word for something else than a name.
    fn is_listed(&self, at: usize) -> bool {
        self.hits.iter().any(|hit| hit.cue != Cue::Name && hit.words.contains(&at))
    }

    /// How many of its words no list knows as a mere function word.
    pub(crate) fn content(&self) -> usize {
        let is_function = |at: usize| {
            self.hits.iter().any(|hit| {
                matches!(hit.cue, Cue::Function | Cue::Myself | Cue::Link) && hit.words.contains(&at)
            })
        };
        self.run.clone().filter(|at| !is_function(*at)).count()
    }
}

/// What `sentence` tells.
pub(crate) fn statements<'a>(sentence: &'a Sentence<'a>) -> Vec<Statement<'a>> {
    let clauses = sentence.clauses();
    let last = clauses.len().saturating_sub(1);
    let mut stated: Vec<Range<usize>> = Vec::new();
    let mut was_asking = false;
    for (place, clause) in clauses.into_iter().enumerate() {
        let hits = sentence.hits_in(&clause);
        let is_asked_for = asked_for(sentence, &hits, clause.start).is_some();
        let closes_question = sentence.is_question && place == last;
        let asks = !is_asked_for
            && !is_occasion(&hits)
            && (closes_question
                || is_asking(&hits, &clause, sentence)
                || (was_asking && !stands_alone(&hits, &clause)));
        was_asking = asks;
        match stated.last_mut() {
            _ if asks || is_courtesy(&hits, &clause) || sentence.is_withheld(&clause) => {}
            Some(before) if before.end == clause.start => before.end = clause.end,
            _ => stated.push(clause),
        }
    }
    stated.into_iter().filter_map(|run| state(sentence, run)).collect()
}

fn state<'a>(sentence: &'a Sentence<'a>, mut run: Range<usize>) -> Option<Statement<'a>> {
    let mut hits = sentence.hits_in(&run);
    hits.retain(|hit| hit.cue != Cue::Filler || fills(sentence, hit));
    if !is_distance(sentence, &hits, run.start) {
        run.start = after(&hits, run.start, &[Cue::Link]);
    }
    let asked_for = asked_for(sentence, &hits, run.start);
    if let Some(end) = asked_for {
        run.start = after(&hits, end, &[Cue::That]);
    }
    hits.retain(|hit| hit.words.start >= run.start || hit.cue == Cue::Correction);
    let words = sentence.words.get(run.clone())?;
    let (first, last) = (words.first()?, words.last()?);
    let end = if run.end == sentence.words.len() { sentence.text.len() } else { last.range.end };
    let text = sentence.text.get(first.range.start..end)?;
    let is_asked_for = asked_for.is_some() || asks_to_remember(sentence);
    Some(Statement { text, words, hits, run, is_asked_for })
}

/// Whether a number follows a word for "ago", which is a mere link elsewhere: Romanian `acum două zile`, `acum, da`.
fn is_distance(sentence: &Sentence<'_>, hits: &[Hit], start: usize) -> bool {
    let ends =
        hits.iter().filter(|hit| hit.cue == Cue::Ago && hit.words.start == start).map(|hit| hit.words.end);
    let is_count = |at: usize| {
        sentence.words.get(at).is_some_and(Word::is_number)
            || hits.iter().any(|hit| hit.words.start == at && matches!(hit.cue, Cue::Count(_)))
    };
    ends.max().is_some_and(is_count)
}

/// Whether a phrase fills a clause: "I'm here" does, and "for every day I'm here" does not.
fn fills(sentence: &Sentence<'_>, filler: &Hit) -> bool {
    let at = filler.words.start;
    let is_own = sentence.hits.iter().any(|hit| hit.cue == Cue::Myself && hit.words.start == at);
    let opens = |clause: &Range<usize>| {
        let hits = sentence.hits_in(clause);
        clause.contains(&at) && after(&hits, clause.start, &[Cue::Link, Cue::SmallTalk, Cue::Thanks]) >= at
    };
    !is_own || sentence.clauses().iter().any(opens)
}

/// Where the words after an explicit request to remember begin. "Can you remember that …" is a request; "do you
/// remember …", "can you remember what …" and "remember when we met?" ask for a memory.
fn asked_for(sentence: &Sentence<'_>, hits: &[Hit], start: usize) -> Option<usize> {
    let lead = after(hits, start, &[Cue::Link, Cue::SmallTalk]);
    let request = hits.iter().find(|hit| hit.words.start == lead && is_please(hit));
    let lead = request.map_or(lead, |hit| hit.words.end);
    let asked = hits.iter().filter(|hit| hit.cue == Cue::Remember && hit.words.start == lead);
    let asked = asked.max_by_key(|hit| hit.words.end)?;
    let follows = |cue: Cue| hits.iter().any(|hit| hit.cue == cue && hit.words.start == asked.words.end);
    let is_asking = sentence.is_question && (sentence.clauses().len() == 1 || follows(Cue::Question));
    let is_verb_of_question = request.is_some_and(|hit| hit.words.len() > 1) || is_asking;
    let is_request = asked.words.len() > 1 || !is_verb_of_question || follows(Cue::That);
    is_request.then_some(asked.words.end)
}

/// Whether a sentence asks, anywhere in it, for something to be remembered: one word has to open a clause, so "I hope
/// you remember me" doesn't.
fn asks_to_remember(sentence: &Sentence<'_>) -> bool {
    let opens = |hit: &Hit| {
        let is_lead = |clause: Range<usize>| asked_for(sentence, &sentence.hits_in(&clause), clause.start);
        sentence.clauses().into_iter().any(|clause| is_lead(clause) == Some(hit.words.end))
    };
    let asks = |hit: &Hit| hit.cue == Cue::Remember && (hit.words.len() > 1 || opens(hit));
    !sentence.is_question && sentence.hits.iter().any(asks)
}

/// The word after all phrases of `cues` that stand at `from`.
fn after(hits: &[Hit], mut from: usize, cues: &[Cue]) -> usize {
    loop {
        let here = hits.iter().filter(|hit| hit.words.start == from && cues.contains(&hit.cue));
        match here.map(|hit| hit.words.end).max() {
            Some(end) => from = end,
            None => return from,
        }
    }
}

fn is_please(hit: &Hit) -> bool {
    hit.cue == Cue::Request && hit.words.len() <= 3
}

/// Whether a sentence asks for something to be done with the words after its colon.
pub(crate) fn hands_over(sentence: &Sentence<'_>) -> bool {
    let Some(first) = sentence.clauses().into_iter().next() else { return false };
    let hits = sentence.hits_in(&first);
    let is_handed = sentence.text.trim_end().ends_with(':') || sentence.text.contains(": ");
    is_handed && !asks_to_remember(sentence) && is_asking(&hits, &first, sentence)
}

/// Whether a clause asks for something or for an answer.
fn is_asking(hits: &[Hit], clause: &Range<usize>, sentence: &Sentence<'_>) -> bool {
    let lead = after(hits, clause.start, &[Cue::Link, Cue::SmallTalk, Cue::Thanks]);
    if hits.iter().any(|hit| matches!(hit.cue, Cue::Standing | Cue::Called))
        || is_arranged(hits, lead, sentence)
    {
        return false;
    }
    let longest = |cue: Cue| {
        let here = hits.iter().filter(|hit| hit.words.start == lead && hit.cue == cue);
        here.map(|hit| hit.words.len()).max().unwrap_or(0)
    };
    let named =
        [Cue::Property, Cue::Fact, Cue::Plan, Cue::Preference].map(longest).into_iter().max().unwrap_or(0);
    let is_request = longest(Cue::Request) > named;
    let courteous = |hit: &Hit| {
        let word = sentence.words.get(hit.words.start).map_or("", |word| word.folded.as_str());
        hit.cue == Cue::Request && (hit.words.len() > 1 || ["please", "bitte", "svp", "stp"].contains(&word))
    };
    let after_question = lead + longest(Cue::Question);
    let is_question = after_question > lead
        && longest(Cue::Question) > named
        && !hits.iter().any(|hit| hit.words.start == after_question && hit.cue == Cue::Myself)
        && !hits.iter().any(|hit| hit.cue == Cue::HowTo);
    is_request || is_question || hits.iter().any(courteous)
}

/// Whether a clause wishes for something on a day to come: that is an arrangement, and worth knowing.
fn is_arranged(hits: &[Hit], lead: usize, sentence: &Sentence<'_>) -> bool {
    let begins = |cue| hits.iter().any(|hit| hit.cue == cue && hit.words.start == lead);
    let is_dated = sentence.hits.iter().any(|hit| matches!(hit.cue, Cue::Weekday(_) | Cue::Month(_)));
    begins(Cue::Myself) && is_dated && !sentence.is_question
}

/// Whether a clause after a question is a statement again.
fn stands_alone(hits: &[Hit], clause: &Range<usize>) -> bool {
    let lead = after(hits, clause.start, &[Cue::Link, Cue::Because]);
    lead > clause.start && hits.iter().any(|hit| hit.cue == Cue::Because && hit.words.start == clause.start)
        || hits.iter().any(|hit| hit.cue == Cue::Myself && hit.words.start == lead)
}

/// Someone's feast is worth knowing even from within a request.
fn is_occasion(hits: &[Hit]) -> bool {
    let has = |cue| hits.iter().any(|hit| hit.cue == cue);
    has(Cue::Tag("celebration")) && has(Cue::Kin) && has(Cue::Myself)
}

/// Whether nothing but greetings and thanks stands in a clause.
fn is_courtesy(hits: &[Hit], clause: &Range<usize>) -> bool {
    let polite = |at: usize| {
        hits.iter()
            .any(|hit| matches!(hit.cue, Cue::SmallTalk | Cue::Thanks | Cue::Link) && hit.words.contains(&at))
    };
    clause.clone().all(polite)
}
