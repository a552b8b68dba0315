//! Turns a text into a memory: its first sentences become the gist, the rest becomes details, and the
//! whole text is kept.

use domain::{
    Atom, Brightness, ConsentBasis, Detail, Kind, PrivacyClass, Provenance, RedactionStatus, Salience, Text,
    Trust, Valence,
};
use formation::special_category_of;
use formats::gist;
use wire::transfer::TextLine;
use wire::{Pointed, Problem};

use super::Terms;
use crate::Engine;
use crate::call::Call;
use crate::memory::remember::creation_time;
use crate::persona::registry::PersonaContext;

/// The weight of a text about which nothing else is known.
const NOTED: f64 = 0.6;
/// The brightness of the details made from a long text.
const FRESH: f64 = 0.8;
const MOST_TAGS: usize = 16;
const LONGEST_TAG: usize = 64;
/// The property that holds the whole text if it is longer than a gist.
const WHOLE: &str = "x-text";

impl Engine {
    /// The memory made from a text. Unless it is said to be by the author it is about a person, and a
    /// special category in it makes it sensitive, so that the rules of creation apply.
    pub(super) fn text_atom(
        &self,
        call: &Call,
        persona: &PersonaContext,
        from: &Provenance,
        line: TextLine,
        terms: &Terms,
    ) -> Result<Atom, Problem> {
        let document = &persona.loaded.document;
        let created_at = creation_time(call, line.created_at)?;
        let parts = gist::split(line.text.as_str());
        if parts.gist.is_empty() {
            let detail = "must have at least 1 character that isn't a space".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: "/text".to_owned(), detail }]));
        }
        let (privacy_class, consent_basis) = self.class_of(&line, &document.identity.language);
        let kind = line.kind.unwrap_or(Kind::Semantic);
        let detail = |content: String| Detail {
            content: Text::new(content),
            brightness: Brightness::clamped(FRESH),
            brightened_at: None,
        };
        let extensions = line.extensions;
        Ok(Atom {
            id: self.new_memory_id(|_| false)?,
            kind,
            created_at,
            last_rehearsed_at: created_at,
            rehearsal_count: 0,
            gist: Text::new(parts.gist),
            details: parts.details.into_iter().map(detail).collect(),
            cues: allowed_cues(&line.cues),
            salience: Salience::clamped(NOTED),
            emotional_valence: Valence::clamped(0.0),
            decay_profile: document.memory_policy.decay_profile(kind),
            privacy_class,
            consent_basis,
            redaction_status: RedactionStatus::Active,
            provenance: from.clone(),
            tags: lawful_tags(&line.tags),
            derived_from: Vec::new(),
            subject: if line.authored { None } else { line.subject.or_else(|| terms.subject.clone()) },
            mentions: Vec::new(),
            trust: if line.authored { Trust::Operator } else { Trust::Import },
            pinned: false,
            pinned_at: None,
            event_date: None,
            language: None,
            said_by: None,
            archived_at: None,
            revises: None,
            released_at: None,
            review: None,
            audit_hold: false,
            extensions: if parts.is_long { extensions.with(WHOLE, line.text.as_str()) } else { extensions },
        })
    }

    fn class_of(&self, line: &TextLine, language: &str) -> (PrivacyClass, ConsentBasis) {
        if line.authored {
            (PrivacyClass::NonPii, ConsentBasis::not_applicable())
        } else if special_category_of(line.text.as_str(), language).is_some() {
            (PrivacyClass::SensitivePii, ConsentBasis::explicit_consent())
        } else {
            (PrivacyClass::GuestPii, self.consent.formation.clone())
        }
    }
}

/// The first cues that fit. Regular expressions of other programs are dropped: they match nothing here.
fn allowed_cues(cues: &[Text]) -> Vec<Text> {
    let fits = |cue: &Text| (1..=Atom::CUE_LENGTH).contains(&cue.length()) && !cue.as_str().starts_with('/');
    let mut lawful: Vec<Text> = Vec::new();
    for cue in cues.iter().map(Text::trimmed).filter(fits) {
        if lawful.len() < Atom::MOST_CUES && !lawful.contains(&cue) {
            lawful.push(cue);
        }
    }
    lawful
}

fn lawful_tags(tags: &[Text]) -> Vec<Text> {
    let mut lawful: Vec<Text> = Vec::new();
    for tag in tags.iter().map(Text::trimmed).filter(|tag| (1..=LONGEST_TAG).contains(&tag.length())) {
        if lawful.len() < MOST_TAGS && !lawful.contains(&tag) {
            lawful.push(tag);
        }
    }
    lawful
}
