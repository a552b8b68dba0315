//! Progress bars: on stderr, and only on a terminal, so that pipes and logs stay clean.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Fewer steps than this are over before a bar could be read.
const WORTH_SHOWING: usize = 20;
/// The interval of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// A bar over `steps` steps of `work`; hidden if the work is short or stderr is not a terminal.
pub(crate) fn bar(steps: usize, work: &'static str) -> ProgressBar {
    if steps < WORTH_SHOWING {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64).with_message(work);
    match ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar over `steps` steps of `work`, some of them done before, with a count.
pub(crate) fn counted(steps: usize, work: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64).with_message(work);
    match ProgressStyle::with_template("{msg} {wide_bar} {human_pos} of {human_len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A spinner for `work` without known progress.
pub(crate) fn waiting(work: &'static str) -> ProgressBar {
    let sign = ProgressBar::new_spinner().with_message(work);
    sign.enable_steady_tick(TICK);
    sign
}

/// A bar over `bytes` bytes of `work`.
pub(crate) fn bytes(bytes: u64, work: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(bytes).with_message(work);
    match ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
