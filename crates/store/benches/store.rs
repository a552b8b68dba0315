//! How fast the store is, beside what the disk can do.

fn main() {}
