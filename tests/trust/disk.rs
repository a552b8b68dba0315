//! A disk whose failures we choose.
//!
//! The functions at the end take the place of the C library's in this test binary, for SQLite and the
//! standard library alike, so whatever is written under a watched directory (databases, logs, keyring,
//! key files, documents) passes here first. Everything else goes straight to the kernel.
#![expect(unsafe_code, reason = "standing in for functions of the C library, which the linker finds by name")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the kernel answers every call with one word, which holds what these functions return"
)]

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use libc::{c_int, c_long, c_void, off_t, size_t, ssize_t};

/// What is about to happen to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// Bytes are written, or the file is cut.
    Write,
    /// The file, or the directory, is forced to the disk.
    Sync,
}

/// What the disk makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It happens.
    Pass,
    /// It seems to happen.
    Pretend,
    /// It fails with this number.
    Fail(c_int),
}

type Hand = Arc<Mutex<dyn FnMut(Call, &Path) -> Verdict + Send>>;

/// A directory that is watched until this is dropped.
pub(crate) struct Watch {
    root: PathBuf,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);
static WATCHES: Mutex<Vec<(PathBuf, Hand)>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread is deciding about a call; what it writes meanwhile is its own.
    static DECIDING: Cell<bool> = const { Cell::new(false) };
}

/// Lets `hand` decide about every write and flush under `root`.
pub(crate) fn watch(root: &Path, hand: impl FnMut(Call, &Path) -> Verdict + Send + 'static) -> Watch {
    let root = root.canonicalize().unwrap();
    watches().push((root.clone(), Arc::new(Mutex::new(hand))));
    COUNT.fetch_add(1, Ordering::AcqRel);
    Watch { root }
}

impl Drop for Watch {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::AcqRel);
        watches().retain(|(root, _)| *root != self.root);
    }
}

fn watches() -> std::sync::MutexGuard<'static, Vec<(PathBuf, Hand)>> {
    WATCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn decide(call: Call, fd: c_int) -> Verdict {
    let idle = COUNT.load(Ordering::Acquire) == 0;
    if idle || DECIDING.try_with(|deciding| deciding.replace(true)).unwrap_or(true) {
        return Verdict::Pass;
    }
    let verdict = ask(call, fd);
    DECIDING.set(false);
    verdict
}

fn ask(call: Call, fd: c_int) -> Verdict {
    let Ok(path) = fs::read_link(format!("/proc/self/fd/{fd}")) else { return Verdict::Pass };
    let hand = watches().iter().find(|(root, _)| path.starts_with(root)).map(|(_, hand)| Arc::clone(hand));
    match hand {
        Some(hand) => (hand.lock().unwrap_or_else(PoisonError::into_inner))(call, &path),
        None => Verdict::Pass,
    }
}

/// Asks for a verdict, and calls the kernel if it may.
fn pass(call: Call, fd: c_int, pretended: c_long, kernel: impl FnOnce() -> c_long) -> c_long {
    match decide(call, fd) {
        Verdict::Pass => kernel(),
        Verdict::Pretend => pretended,
        Verdict::Fail(number) => {
            // SAFETY: the C library keeps the number of the last failure per thread at this address.
            unsafe { *libc::__errno_location() = number };
            -1
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn fsync(fd: c_int) -> c_int {
    // SAFETY: the call takes a number and nothing else.
    pass(Call::Sync, fd, 0, || unsafe { libc::syscall(libc::SYS_fsync, fd) }) as c_int
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(fd: c_int) -> c_int {
    // SAFETY: the call takes a number and nothing else.
    pass(Call::Sync, fd, 0, || unsafe { libc::syscall(libc::SYS_fdatasync, fd) }) as c_int
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate(fd: c_int, length: off_t) -> c_int {
    // SAFETY: the call takes numbers and nothing else.
    pass(Call::Write, fd, 0, || unsafe { libc::syscall(libc::SYS_ftruncate, fd, length) }) as c_int
}

#[unsafe(no_mangle)]
extern "C" fn ftruncate64(fd: c_int, length: off_t) -> c_int {
    ftruncate(fd, length)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(fd: c_int, bytes: *const c_void, count: size_t) -> ssize_t {
    // SAFETY: the caller vouches for the bytes, as it does to the function we stand in for.
    pass(Call::Write, fd, count as c_long, || unsafe { libc::syscall(libc::SYS_write, fd, bytes, count) })
        as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(fd: c_int, bytes: *const c_void, count: size_t, at: off_t) -> ssize_t {
    // SAFETY: the caller vouches for the bytes, as it does to the function we stand in for.
    let kernel = || unsafe { libc::syscall(libc::SYS_pwrite64, fd, bytes, count, at) };
    pass(Call::Write, fd, count as c_long, kernel) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite(fd: c_int, bytes: *const c_void, count: size_t, at: off_t) -> ssize_t {
    // SAFETY: the two are one function here, where offsets have 64 bits.
    unsafe { pwrite64(fd, bytes, count, at) }
}
