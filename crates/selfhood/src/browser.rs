//! Opens the page in the user's browser.

use std::process::{Command, Stdio};

use crate::report;

/// The programs that open the default browser.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// Opens `url`, or asks to open it by hand.
pub(crate) fn open(url: &str) {
    let opened = OPENERS.iter().any(|opener| {
        let mut command = Command::new(opener);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    });
    if !opened {
        report::note("no browser was found to open the page with; open the link yourself");
    }
}
