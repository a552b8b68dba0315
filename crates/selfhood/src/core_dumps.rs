//! Disables core dumps: a dump of this process would contain keys and people's words in clear, and no erasure
//! reaches it.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Disables core dumps for this process and its children. If the system refuses, the process continues:
/// `docs/not-promised.md` says so.
pub(crate) fn switch_off() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // Also works where the system pipes dumps to a program, which a limit of 0 does not stop everywhere.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}
