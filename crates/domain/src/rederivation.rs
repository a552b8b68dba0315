//! Deriving a memory again from its remaining sources.
//!
//! Its old text may repeat what was forgotten, so none of it is kept: the new text is quoted from the
//! sources. An aggregate of five or more people quotes nobody, and contains only the tags that five of them
//! share.

use std::collections::{BTreeMap, BTreeSet};

use crate::derivation::inherit;
use crate::{
    Atom, Brightness, Detail, Extensions, MemoryId, PrivacyClass, SubjectRef, Text, Timestamp, Valence,
};

/// The maximum number of characters of a gist and of a detail.
const GIST: usize = 280;
const DETAIL: usize = 200;

/// Derives `old` again, with the id `id`, from the remaining `sources` as they are remembered at `now`;
/// `None` if nothing may be derived from them.
///
/// Weight, age and rehearsals are kept: it is the same conclusion, and forgetting a source must not make it
/// younger.
#[must_use]
pub fn rederive(old: &Atom, sources: &[Atom], id: MemoryId, now: Timestamp) -> Option<Atom> {
    let inherited = inherit(sources).ok()?;
    let mut heaviest_first: Vec<&Atom> = sources.iter().collect();
    heaviest_first.sort_by(|a, b| {
        let weights = b.salience_at(now).get().total_cmp(&a.salience_at(now).get());
        weights.then(a.id.cmp(&b.id))
    });
    let first = heaviest_first.first()?;
    let words = if owners(sources).len() >= PrivacyClass::AGGREGATE_SUBJECTS {
        shared_by_many(sources)?
    } else {
        quoted(&heaviest_first, now)
    };
    Some(Atom {
        id,
        gist: words.gist,
        details: words.details,
        // Cues and dates may come from the forgotten source; the nightly job writes new cues.
        cues: Vec::new(),
        event_date: None,
        said_by: None,
        tags: words.tags,
        emotional_valence: mean_valence(sources),
        privacy_class: old.privacy_class.max(inherited.privacy_class),
        provenance: first.provenance.clone(),
        derived_from: inherited.derived_from,
        subject: inherited.subject,
        mentions: inherited.mentions,
        trust: inherited.trust,
        revises: None,
        released_at: None,
        review: None,
        extensions: Extensions::default(),
        ..old.clone()
    })
}

struct Words {
    gist: Text,
    details: Vec<Detail>,
    tags: Vec<Text>,
}

/// The gist of the source with the highest weight, with the others' gists as details.
fn quoted(heaviest_first: &[&Atom], now: Timestamp) -> Words {
    let detail = |atom: &&Atom| Detail {
        content: cut(atom.gist.as_str(), DETAIL),
        brightness: Brightness::clamped(atom.salience_at(now).get()),
        brightened_at: Some(now),
    };
    let tags: BTreeSet<&str> = heaviest_first.iter().flat_map(|atom| &atom.tags).map(Text::as_str).collect();
    Words {
        gist: heaviest_first.first().map_or_else(|| Text::new(""), |atom| atom.gist.clone()),
        details: heaviest_first.iter().skip(1).map(detail).collect(),
        tags: tags.into_iter().map(Text::new).collect(),
    }
}

/// The tags that at least five people share, and nothing that only some of them said.
fn shared_by_many(sources: &[Atom]) -> Option<Words> {
    let mut people: BTreeMap<&str, BTreeSet<&SubjectRef>> = BTreeMap::new();
    for atom in sources {
        for tag in &atom.tags {
            people.entry(tag.as_str()).or_default().extend(atom.subject.as_ref());
        }
    }
    people.retain(|_, people| people.len() >= PrivacyClass::AGGREGATE_SUBJECTS);
    let tags: Vec<&str> = people.into_keys().collect();
    if tags.is_empty() {
        return None;
    }
    let gist = format!("At least {} people spoke of: {}.", PrivacyClass::AGGREGATE_SUBJECTS, tags.join(", "));
    Some(Words {
        gist: cut(&gist, GIST),
        details: Vec::new(),
        tags: tags.into_iter().map(Text::new).collect(),
    })
}

fn owners(sources: &[Atom]) -> BTreeSet<&SubjectRef> {
    sources.iter().filter_map(|atom| atom.subject.as_ref()).collect()
}

fn mean_valence(sources: &[Atom]) -> Valence {
    let sum: f64 = sources.iter().map(|atom| atom.emotional_valence.get()).sum();
    #[expect(clippy::cast_precision_loss, reason = "nothing has 2^52 sources")]
    let count = sources.len().max(1) as f64;
    Valence::clamped(sum / count)
}

/// The beginning of `words`, cut at a word boundary, if it is longer than `most` characters.
fn cut(words: &str, most: usize) -> Text {
    if words.chars().count() <= most {
        return Text::new(words);
    }
    let kept: String = words.chars().take(most - 1).collect();
    let whole = kept.rfind(char::is_whitespace).and_then(|end| kept.get(..end)).unwrap_or(&kept);
    Text::new(format!("{}…", whole.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn source(n: u64, who: &str, gist: &str, tags: &[&str]) -> Atom {
        Atom {
            id: MemoryId::from_u64(n),
            subject: who.parse().ok(),
            gist: Text::new(gist),
            tags: tags.iter().copied().map(Text::new).collect(),
            ..example::guest_atom()
        }
    }

    #[test]
    fn the_new_words_are_the_remaining_sources_own_and_none_of_the_old() {
        let mut heavy = source(2, "guest:ana", "Ana walks by the river.", &["walks"]);
        heavy.salience = crate::Salience::clamped(0.9);
        let light = source(3, "guest:ana", "Ana reads in the garden.", &["books"]);
        let old = Atom {
            gist: Text::new("Ana hides her letters; she walks and reads."),
            tags: vec![Text::new("letters")],
            rehearsal_count: 7,
            ..example::guest_atom()
        };
        let rederived = rederive(&old, &[light, heavy], MemoryId::from_u64(9), example::day(1)).unwrap();
        assert_eq!(rederived.gist.as_str(), "Ana walks by the river.");
        assert_eq!(rederived.details[0].content.as_str(), "Ana reads in the garden.");
        assert_eq!(rederived.tags, [Text::new("books"), Text::new("walks")]);
        assert_eq!((rederived.rehearsal_count, rederived.created_at), (7, old.created_at));
        assert_eq!(rederived.derived_from, [MemoryId::from_u64(3), MemoryId::from_u64(2)]);
    }

    #[test]
    fn an_aggregate_says_only_what_five_people_share() {
        let people = ["a", "b", "c", "d", "e"];
        let mut sources: Vec<Atom> = (1..)
            .zip(people)
            .map(|(n, who)| source(n, who, "Something only one of them said.", &["parking"]))
            .collect();
        sources[0].tags.push(Text::new("divorce"));
        let rederived =
            rederive(&example::guest_atom(), &sources, MemoryId::from_u64(9), example::day(1)).unwrap();
        assert_eq!(rederived.gist.as_str(), "At least 5 people spoke of: parking.");
        assert_eq!((rederived.subject, rederived.details.len()), (None, 0));
        sources[4].tags.clear();
        assert_eq!(rederive(&example::guest_atom(), &sources, MemoryId::from_u64(9), example::day(1)), None);
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let long = "word ".repeat(60);
        let short = cut(&long, DETAIL);
        assert!(short.length() <= DETAIL && short.as_str().ends_with("word…"));
    }
}
