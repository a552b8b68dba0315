//! Subjects: list, merge and export the people a persona knows.

pub(crate) mod subjects;
pub(crate) mod merge;
pub(crate) mod export;
