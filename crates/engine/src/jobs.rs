//! Scheduled work: digests, sweeps, cron jobs and the notifications they send.

pub(crate) mod scheduler;
pub(crate) mod crons;
pub(crate) mod list;
pub(crate) mod notifications;

use domain::PersonaId;

use crons::PeopleWithCrons;

/// What the scheduler holds in memory. Its fields are visible in this room only.
#[derive(Default)]
pub(crate) struct JobState {
    people_with_crons: PeopleWithCrons,
}

impl JobState {
    /// Drops what is held of a persona.
    pub(crate) fn evict(&self, persona: PersonaId) {
        self.people_with_crons.forget(persona);
    }

    /// Drops what is held of all personas.
    pub(crate) fn evict_all(&self) {
        self.people_with_crons.forget_all();
    }
}
