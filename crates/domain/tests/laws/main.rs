//! The laws as tables and properties: no I/O, no clock, nothing to wait for.

mod decay;
mod documents;
mod schemas;
