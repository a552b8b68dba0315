//! No core dumps: a dump of this process would hold keys and people's words in clear, and no erasure
//! reaches it.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Switches core dumps off for this process and its children. Where the system refuses, the process
/// runs on: what is not promised stands in `docs/not-promised.md`.
pub(crate) fn switch_off() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // Holds also where the system pipes dumps to a program, which a limit of 0 does not stop everywhere.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}
