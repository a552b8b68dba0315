//! A bar for long work: on stderr, and only when that is a terminal, so that pipes and logs stay clean.

use indicatif::{ProgressBar, ProgressStyle};

/// Fewer steps than this are over before a bar could be read.
const WORTH_SHOWING: usize = 20;

/// A bar over `steps` steps of `work`; hidden when the work is short or nobody watches.
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
