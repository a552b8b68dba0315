//! The limit on open files: every connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files needed for databases, logs and models.
const OTHERS: u64 = 512;

/// Raises the limit on open files as far as the system grants, and returns how many of `wanted` connections
/// fit. A process without free file descriptors can't accept a connection at all, not even a probe.
pub(crate) fn make_room_for(wanted: u32) -> u32 {
    let limit = getrlimit(Resource::Nofile);
    let needed = u64::from(wanted) + OTHERS;
    if limit.current.is_some_and(|current| current < needed) {
        let current = limit.maximum.map_or(needed, |most| most.min(needed.max(limit.current.unwrap_or(0))));
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum: limit.maximum });
    }
    let fitting = fitting(wanted, getrlimit(Resource::Nofile).current);
    if fitting < wanted {
        tracing::warn!(
            wanted,
            fitting,
            "the system allows too few open files for so many connections; see `ulimit -n`"
        );
    }
    fitting
}

fn fitting(wanted: u32, files: Option<u64>) -> u32 {
    let Some(files) = files else { return wanted };
    let room = files.saturating_sub(OTHERS).max(files / 2);
    wanted.min(u32::try_from(room).unwrap_or(u32::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_everything_else() {
        for (wanted, files, expected) in
            [(1024, None, 1024), (1024, Some(20_000), 1024), (1024, Some(1024), 512), (1024, Some(256), 128)]
        {
            assert_eq!(fitting(wanted, files), expected, "{files:?}");
        }
    }
}
