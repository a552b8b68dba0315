//! The subjects, sessions and decay profiles that rows refer to by number, and the names of subjects.

use std::sync::Arc;

use domain::{Atom, DecayProfile, SessionId, SubjectRef};

use crate::index::chunk::{Belonging, Chunk};
use crate::index::register::{Numbering, Register};

/// All subjects, names, sessions and decay profiles with their numbers.
#[derive(Clone, Default)]
pub(crate) struct People {
    subjects: Numbering<SubjectRef>,
    sessions: Numbering<SessionId>,
    profiles: Vec<DecayProfile>,
    names: Register<String, Vec<u32>>,
}

impl People {
    pub(crate) fn subject(&self, subject: &SubjectRef) -> Option<u32> {
        self.subjects.find(subject)
    }

    pub(crate) fn session(&self, session: &SessionId) -> Option<u32> {
        self.sessions.find(session)
    }

    pub(crate) fn profile(&self, profile: &DecayProfile) -> Option<u32> {
        let place = self.profiles.iter().position(|known| known == profile)?;
        u32::try_from(place).ok()
    }

    pub(crate) fn profile_numbered(&self, number: u32) -> Option<&DecayProfile> {
        self.profiles.get(number as usize)
    }

    /// The subjects with this `name`, which must be in lower case.
    pub(crate) fn called(&self, name: &str) -> &[u32] {
        self.names.get(&name.to_owned()).map_or(&[], Vec::as_slice)
    }

    /// Assigns numbers to the subject, session and profile of `atom`.
    pub(crate) fn assign_numbers(&mut self, atom: &Atom) -> Belonging {
        let subject = atom.subject.as_ref().map_or(0, |subject| self.assign_subject(subject));
        let session = self.sessions.number(&atom.provenance.session_id);
        let profile = self.profile(&atom.decay_profile).unwrap_or_else(|| {
            self.profiles.push(atom.decay_profile);
            u32::try_from(self.profiles.len() - 1).unwrap_or(u32::MAX)
        });
        Belonging { subject, session, profile }
    }

    /// Drops the subjects, names and sessions that no row of `chunks` refers to.
    pub(crate) fn keep_only(&mut self, chunks: &[Arc<Chunk>]) {
        let used = |column: fn(&Chunk) -> &Vec<u32>| -> std::collections::HashSet<u32> {
            chunks.iter().flat_map(|chunk| column(chunk).iter().copied()).collect()
        };
        let subjects = used(|chunk| &chunk.subjects);
        let sessions = used(|chunk| &chunk.sessions);
        self.subjects.retain(|number| subjects.contains(&number));
        self.sessions.retain(|number| sessions.contains(&number));
        self.names.retain(|_, called| {
            called.retain(|number| subjects.contains(number));
            !called.is_empty()
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        self.subjects.len() * 96
            + self.sessions.len() * 96
            + self.names.len() * 96
            + self.profiles.capacity() * 48
    }

    fn assign_subject(&mut self, subject: &SubjectRef) -> u32 {
        if let Some(number) = self.subjects.find(subject) {
            return number;
        }
        let number = self.subjects.number(subject);
        for name in names(subject) {
            let mut called = self.names.get(&name).cloned().unwrap_or_default();
            called.push(number);
            self.names.insert(name, called);
        }
        number
    }
}

/// The words of a reference that may be a person's name: `guest:ana-maria` gives `ana` and `maria`.
///
/// The part before a colon is the kind of reference, the part after an `@` is a mail server, and words with
/// digits are numbers and keys, not names.
fn names(subject: &SubjectRef) -> Vec<String> {
    let words = subject.as_str().rsplit(':').next().unwrap_or_default();
    let words = words.split('@').next().unwrap_or_default();
    let mut names: Vec<String> = words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 2 && word.chars().all(char::is_alphabetic))
        .map(str::to_lowercase)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_called_by_the_words_of_their_reference() {
        for (subject, expected) in [
            ("guest:ana", vec!["ana"]),
            ("Caroline", vec!["caroline"]),
            ("guest:Ana-Maria Popescu", vec!["ana", "maria", "popescu"]),
            ("jane.doe@example.com", vec!["doe", "jane"]),
            ("user:0198c0de", vec![]),
            ("guest:42", vec![]),
        ] {
            assert_eq!(names(&subject.parse().unwrap()), expected, "{subject}");
        }
    }

    #[test]
    fn a_subject_that_no_row_refers_to_is_dropped_with_its_name() {
        let mut people = People::default();
        let mut atom = domain::example::guest_atom();
        let mut chunk = Chunk::default();
        chunk.push(&atom, people.assign_numbers(&atom));
        atom.subject = "guest:bogdan".parse().ok();
        people.assign_numbers(&atom);
        assert_eq!(people.called("bogdan").len(), 1);
        people.keep_only(&[Arc::new(chunk)]);
        assert!(
            people.called("bogdan").is_empty() && people.subject(&"guest:bogdan".parse().unwrap()).is_none()
        );
        assert_eq!(people.called("ana").len(), 1);
    }
}
