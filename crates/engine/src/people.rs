//! Subjects: list, merge and export the people a persona knows.

pub(crate) mod subjects;
pub(crate) mod merge;
mod joined_documents;
pub(crate) mod person_documents;
pub(crate) mod export;
