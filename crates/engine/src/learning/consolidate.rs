//! Derives facts from repetition: repeated episodes of one person become one semantic memory, which names its
//! sources and has the strictest privacy class among them. It is a memory like any other and doesn't change
//! the persona's traits.

use std::collections::BTreeSet;

use domain::derivation::inherit;
use domain::{Atom, Kind, MemoryId, PrivacyClass, RedactionStatus, Salience, Text, Valence};
use recall::words::{Lexicon, Term};
use serde_json::json;
use store::{Batch, JobOutcome, Records};
use wire::Problem;

use crate::Engine;
use crate::call::Call;
use crate::jobs::scheduler::JobResult;
use crate::persona::registry::PersonaContext;

/// How many similar episodes, on as many days, make a fact.
const OFTEN: usize = 3;
/// The share of common words at which two episodes are similar, and the least number of them.
const SAME: f64 = 0.6;
const LEAST_WORDS: usize = 3;
/// How much heavier the derived memory is.
const WEIGHTIER: f64 = 0.1;
const LONGEST_GIST: usize = 280;
const DAY_MILLIS: i64 = 86_400_000;

/// Similar episodes.
struct Alike<'a> {
    words: BTreeSet<Term>,
    episodes: Vec<&'a Atom>,
}

impl Engine {
    /// Derives facts from a persona's repeated episodes.
    pub(crate) async fn consolidate(
        &self,
        call: &Call,
        persona: &PersonaContext,
    ) -> Result<JobResult, Problem> {
        let scope = persona.entry.scope();
        if let Some(reason) = persona.loaded.without_memory() {
            let report = json!({ "reason": reason });
            return Ok(JobResult { outcome: JobOutcome::Refused, report, distilled: Vec::new() });
        }
        self.flush_writes(&scope).await?;
        let loaded = self.store.load(&scope).await?;
        let atoms: Vec<&Atom> = loaded.atoms.iter().map(|stored| &stored.atom).collect();
        let (mut formed, mut refused) = (0, 0);
        for alike in repeated(&atoms, &persona.loaded.document.identity.language) {
            let (open, _) = self.view(persona).await?;
            let id = self.new_memory_id(|id| open.cards().contains_key(&id))?;
            let Some(atom) = knowledge(&alike, id, call.now) else { continue };
            match self.keep(call, persona, &open, atom, Batch::at(call.now)).await {
                Ok(()) => formed += 1,
                Err(_) => refused += 1,
            }
        }
        let outcome = if formed > 0 { JobOutcome::Done } else { JobOutcome::Nothing };
        let report = json!({ "formed": formed, "refused": refused });
        Ok(JobResult { outcome, report, distilled: Vec::new() })
    }
}

/// The groups of similar episodes that are frequent enough and were not consolidated before.
fn repeated<'a>(atoms: &[&'a Atom], language: &str) -> Vec<Vec<&'a Atom>> {
    let mut lexicon = Lexicon::new(language);
    let mut groups: Vec<Alike<'a>> = Vec::new();
    let mut episodes: Vec<&Atom> = atoms.iter().copied().filter(|atom| is_episode(atom)).collect();
    episodes.sort_by_key(|atom| (atom.created_at, atom.id));
    for atom in episodes {
        let words: BTreeSet<Term> = lexicon.terms(atom.gist.as_str()).into_iter().collect();
        let is_like = |group: &&mut Alike<'_>| {
            group.episodes.first().is_some_and(|first| first.subject == atom.subject)
                && are_alike(&group.words, &words)
        };
        match groups.iter_mut().find(is_like) {
            Some(group) => group.episodes.push(atom),
            None => groups.push(Alike { words, episodes: vec![atom] }),
        }
    }
    let days = |group: &Alike<'_>| -> usize {
        let of = |atom: &&Atom| atom.created_at.as_millis().div_euclid(DAY_MILLIS);
        group.episodes.iter().map(of).collect::<BTreeSet<_>>().len()
    };
    let is_often = |group: &Alike<'_>| group.episodes.len() >= OFTEN && days(group) >= OFTEN;
    let groups = groups.into_iter().filter(|group| is_often(group) && !is_known(group, atoms));
    groups.map(|group| group.episodes).collect()
}

fn is_episode(atom: &Atom) -> bool {
    atom.kind == Kind::Episodic
        && atom.redaction_status == RedactionStatus::Active
        && atom.archived_at.is_none()
        && atom.review.is_none()
        && atom.derived_from.is_empty()
}

#[expect(clippy::cast_precision_loss, reason = "a gist has far fewer words than 2^52")]
fn are_alike(one: &BTreeSet<Term>, other: &BTreeSet<Term>) -> bool {
    let shared = one.intersection(other).count();
    let least = one.len().max(other.len()).max(1);
    shared >= LEAST_WORDS && shared as f64 / least as f64 >= SAME
}

/// Whether most of these episodes are sources of an existing memory, including one that was set aside: a
/// redacted memory must not be derived again.
fn is_known(group: &Alike<'_>, atoms: &[&Atom]) -> bool {
    let ids: BTreeSet<MemoryId> = group.episodes.iter().map(|atom| atom.id).collect();
    let behind = |atom: &&&Atom| atom.derived_from.iter().filter(|source| ids.contains(source)).count();
    atoms.iter().any(|atom| behind(&atom) * 2 >= ids.len() && !atom.derived_from.is_empty())
}

/// The fact derived from the episodes; `None` if they may not be combined.
fn knowledge(episodes: &[&Atom], id: MemoryId, now: domain::Timestamp) -> Option<Atom> {
    let sources: Vec<Atom> = episodes.iter().map(|atom| (*atom).clone()).collect();
    let inherited = inherit(&sources).ok()?;
    let (first, last) = (episodes.first()?, episodes.last()?);
    let weightiest = episodes.iter().max_by(|a, b| a.salience.get().total_cmp(&b.salience.get()))?;
    // Staff may see one and the person the other: nobody could see a memory made of both.
    let is_confidential = |atom: &&&Atom| atom.privacy_class == PrivacyClass::CommercialConfidential;
    let confidential = episodes.iter().filter(is_confidential).count();
    if confidential > 0 && confidential < episodes.len() {
        return None;
    }
    let strictest = episodes.iter().max_by_key(|atom| atom.privacy_class)?;
    let day = |atom: &Atom| atom.created_at.to_string().chars().take(10).collect::<String>();
    let gist = format!(
        "Again and again, {} times from {} to {}: {}",
        episodes.len(),
        day(first),
        day(last),
        last.gist.as_str()
    );
    let count = f64::from(u32::try_from(episodes.len()).unwrap_or(u32::MAX));
    let felt: f64 = episodes.iter().map(|atom| atom.emotional_valence.get()).sum();
    let in_all = |tag: &Text| episodes.iter().all(|atom| atom.tags.contains(tag));
    Some(Atom {
        id,
        kind: Kind::Semantic,
        created_at: now,
        last_rehearsed_at: now,
        rehearsal_count: 0,
        gist: Text::new(gist.chars().take(LONGEST_GIST).collect::<String>()),
        details: Vec::new(),
        cues: Vec::new(),
        pinned: false,
        pinned_at: None,
        event_date: None,
        said_by: None,
        salience: Salience::clamped(weightiest.salience.get() + WEIGHTIER),
        emotional_valence: Valence::clamped(felt / count),
        privacy_class: inherited.privacy_class,
        consent_basis: strictest.consent_basis.clone(),
        tags: first.tags.iter().filter(|tag| in_all(tag)).cloned().collect(),
        derived_from: inherited.derived_from,
        subject: inherited.subject,
        mentions: inherited.mentions,
        trust: inherited.trust,
        revises: None,
        released_at: None,
        review: None,
        audit_hold: false,
        ..(*last).clone()
    })
}
