//! The aliases of subjects.

use std::sync::PoisonError;

use domain::SubjectRef;

use super::OpenPersona;

impl OpenPersona {
    /// The main reference of a person who may have been named by an alias.
    pub(crate) fn known_as(&self, named: SubjectRef) -> SubjectRef {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        aliases.get(&named).cloned().unwrap_or(named)
    }

    /// The aliases of `subject`.
    pub(crate) fn aliases_of(&self, subject: &SubjectRef) -> Vec<SubjectRef> {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        aliases.iter().filter(|(_, main)| *main == subject).map(|(alias, _)| alias.clone()).collect()
    }

    /// The people with an alias for which `is_named` holds.
    pub(crate) fn people_with_alias(&self, is_named: impl Fn(&str) -> bool) -> Vec<SubjectRef> {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let mut people: Vec<SubjectRef> = aliases
            .iter()
            .filter(|(alias, _)| is_named(alias.as_str()))
            .map(|(_, main)| main.clone())
            .collect();
        people.dedup();
        people
    }
}
