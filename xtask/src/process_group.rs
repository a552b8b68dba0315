//! A command in a process group of its own, with a deadline: when the time is over, or when this program ends for
//! whatever reason, everything that the command started is killed.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cargo::Stream;

/// How often it is looked whether the command has ended.
const LOOK: Duration = Duration::from_millis(200);
/// How long the last lines are waited for after the command has ended.
const LAST_LINES: Duration = Duration::from_secs(5);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Succeeded,
    Failed,
    TimedOut,
    /// It could not be started.
    NotStarted,
}

/// How a command went.
pub(crate) struct Ended {
    pub(crate) end: End,
    /// What it printed on the stream that was listened to.
    pub(crate) lines: Vec<String>,
    /// How long it took.
    pub(crate) took: Duration,
}

/// Runs `command` until it ends or `deadline` has passed. What it prints on `stream` is kept and passed on;
/// `meanwhile` is called again and again with the time that has passed.
pub(crate) fn run(
    command: &mut Command,
    stream: Stream,
    deadline: Duration,
    mut meanwhile: impl FnMut(Duration),
) -> Ended {
    let began = Instant::now();
    command.stdin(Stdio::null()).process_group(0);
    match stream {
        Stream::Stdout => command.stdout(Stdio::piped()),
        Stream::Stderr => command.stderr(Stdio::piped()),
    };
    let mut lines = Vec::new();
    let end = match command.spawn().and_then(watched) {
        Ok((watch, mut child)) => {
            let printed = printed_by(&mut child);
            let status = loop {
                listen(&printed, LOOK, &mut lines);
                meanwhile(began.elapsed());
                match child.try_wait() {
                    Ok(None) if began.elapsed() < deadline => {}
                    Ok(status) => break status,
                    Err(_) => break None,
                }
            };
            let end = close(watch, &mut child, status);
            while listen(&printed, LAST_LINES, &mut lines) {}
            end
        }
        Err(error) => {
            eprintln!("can't start {}: {error}", command.get_program().to_string_lossy());
            End::NotStarted
        }
    };
    Ended { end, lines, took: began.elapsed() }
}

fn watched(mut child: Child) -> std::io::Result<(Watch, Child)> {
    match Watch::over(&child) {
        Ok(watch) => Ok((watch, child)),
        Err(error) => {
            let _ = child.kill();
            Err(error)
        }
    }
}

/// Ends the watch, and the group with it unless the command has ended by itself.
fn close(watch: Watch, child: &mut Child, status: Option<ExitStatus>) -> End {
    if let Some(status) = status {
        watch.leave_alone();
        if status.success() { End::Succeeded } else { End::Failed }
    } else {
        watch.kill();
        let _ = child.kill();
        let _ = child.wait();
        End::TimedOut
    }
}

/// A shell that kills a process group once nobody is there any more to tell it otherwise.
struct Watch(Child);

impl Watch {
    fn over(child: &Child) -> std::io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", "read ended || kill -s KILL -- \"-$1\"", "watch", &child.id().to_string()]);
        // In a group of its own, so that what interrupts this program does not interrupt the watch.
        shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().map(Self)
    }

    /// The group has ended by itself.
    fn leave_alone(mut self) {
        if let Some(input) = self.0.stdin.as_mut() {
            let _ = input.write_all(b"ended\n");
        }
        let _ = self.0.wait();
    }

    fn kill(mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The lines that a child prints, read by a thread: a pipe can't be asked whether there is something in it.
fn printed_by(child: &mut Child) -> Receiver<String> {
    let (send, receive) = mpsc::channel();
    let stdout = child.stdout.take().map(|output| Box::new(output) as Box<dyn Read + Send>);
    let stderr = child.stderr.take().map(|output| Box::new(output) as Box<dyn Read + Send>);
    for output in stdout.into_iter().chain(stderr) {
        let send = send.clone();
        thread::spawn(move || {
            let (mut reader, mut bytes) = (BufReader::new(output), Vec::new());
            while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                if send.send(line).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
    }
    receive
}

/// Takes what was printed until nothing comes for a `moment`; says whether more may come.
fn listen(printed: &Receiver<String>, moment: Duration, lines: &mut Vec<String>) -> bool {
    match printed.recv_timeout(moment) {
        Ok(line) => {
            eprintln!("{line}");
            lines.push(line);
            true
        }
        Err(RecvTimeoutError::Timeout) => false,
        Err(RecvTimeoutError::Disconnected) => {
            thread::sleep(LOOK.min(moment));
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, deadline: Duration) -> Ended {
        run(Command::new("sh").args(["-c", script]), Stream::Stdout, deadline, |_| {})
    }

    #[test]
    fn what_a_command_prints_is_kept_and_its_end_is_known() {
        let well = shell("echo one; echo two", Duration::from_mins(1));
        assert_eq!((well.end, well.lines), (End::Succeeded, vec!["one".to_owned(), "two".to_owned()]));
        assert_eq!(shell("exit 3", Duration::from_mins(1)).end, End::Failed);
    }

    #[test]
    fn after_the_deadline_everything_the_command_started_is_killed() {
        let ended = shell("sleep 600 & echo $!; wait", Duration::from_millis(500));
        assert_eq!(ended.end, End::TimedOut);
        let child = ended.lines.first().unwrap();
        // Who adopts the killed process may take a moment to bury it.
        let is_running = || {
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
        };
        assert!(!is_running(), "process {child} was left running");
    }

    #[test]
    fn a_program_that_is_not_there_was_not_started() {
        let ended = run(&mut Command::new("/no/such"), Stream::Stdout, Duration::from_secs(1), |_| {});
        assert_eq!(ended.end, End::NotStarted);
    }
}
