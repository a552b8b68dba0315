//! Subjects: the people a persona has met, merged and exported.

pub(crate) mod subjects;
pub(crate) mod merge;
pub(crate) mod export;
