//! sequences
