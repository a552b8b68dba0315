//! Trust: what holds when the machine, the disk or somebody's hand does its worst.
//!
//! Each harness counts its tries and its failures and prints one line. Each also runs on a build that is
//! broken on purpose (a cargo feature), where it must fail: a harness that can't notice proves nothing.
//! `cargo test -p tests --test trust` runs the numbers of every change, `cargo xtask trust` those of a
//! release with all controls; `docs/trust.md` keeps the results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a harness that can't go on ends the test"
)]

mod world;
mod workload;
mod reference;
mod invariants;

mod disk;
mod platter;
mod outage;
mod copying;
mod erasing;

mod crash;
mod power_loss;
mod backups;
mod flips;
mod audit;
mod residue;
mod faults;
mod clock;
mod forgotten;
mod erasure;
mod full_disk;
mod audience;
mod messages;
mod stage;
mod hostile;
mod load;
