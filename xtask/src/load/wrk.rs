//! `wrk`, the load generator: one burst of requests, and what it measured.

use std::process::{Command, Stdio};

use crate::stage::{ChoreResult, Serving, Stage};

/// How long a burst lasts.
const SECONDS: u32 = 5;

/// Requests that are sent as fast as answers come.
pub(super) struct Burst<'a> {
    pub(super) key: &'a str,
    pub(super) path: &'a str,
    /// Sent in turn.
    pub(super) bodies: &'a str,
    pub(super) connections: u32,
}

/// What came of a burst; times in milliseconds.
pub(super) struct Measured {
    pub(super) requests: f64,
    pub(super) per_second: f64,
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) refused: f64,
    /// The median of what the server says its verb alone took.
    pub(super) verb_p50: f64,
}

/// Makes sure that `wrk` is there, and installs it where that is a matter of one command.
pub(super) fn demand() -> ChoreResult<()> {
    let is_there =
        || Command::new("wrk").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if is_there() {
        return Ok(());
    }
    eprintln!("wrk is not installed; trying `apt-get install -y wrk`");
    let _ = Command::new("apt-get").args(["install", "-y", "wrk"]).stdout(Stdio::null()).status();
    if is_there() { Ok(()) } else { Err("needs wrk; on Debian, `sudo apt install wrk`".to_owned()) }
}

impl Burst<'_> {
    /// Sends the requests for as long as a burst lasts.
    pub(super) fn send(&self, serving: &Serving, stage: &Stage) -> ChoreResult<Measured> {
        self.send_for(serving, stage, SECONDS)
    }

    /// Sends the requests, one thread for all connections: the other core is the server's.
    pub(super) fn send_for(&self, serving: &Serving, stage: &Stage, seconds: u32) -> ChoreResult<Measured> {
        let script = stage.write("burst.lua", &self.script())?;
        let done = Command::new("wrk")
            .args(["--threads", "1", "--connections", &self.connections.to_string(), "--duration"])
            .arg(format!("{seconds}s"))
            .arg("--script")
            .arg(script)
            .arg(format!("http://{}{}", serving.address, self.path))
            .output()
            .map_err(|error| format!("can't start wrk: {error}"))?;
        let said = String::from_utf8_lossy(&done.stdout);
        measured(&said).ok_or_else(|| format!("wrk measured nothing: {said}"))
    }

    fn script(&self) -> String {
        format!(
            "wrk.method = 'POST'\n\
             wrk.headers['content-type'] = 'application/json'\n\
             wrk.headers['x-api-key'] = '{}'\n\
             local bodies, sent, thread = {{ {} }}, 0, nil\n\
             verbs = {{}}\n\
             function setup(only)\n\
             thread = only\n\
             end\n\
             function request()\n\
             sent = sent + 1\n\
             return wrk.format(nil, nil, nil, (bodies[sent % #bodies + 1]:gsub('#', sent .. '-{}')))\n\
             end\n\
             function response(status, headers, body)\n\
             local took = (headers['server-timing'] or ''):match('dur=([%d.]+)')\n\
             verbs[#verbs + 1] = tonumber(took)\n\
             end\n\
             function done(summary, latency, requests)\n\
             local verbs = thread:get('verbs')\n\
             table.sort(verbs)\n\
             print(string.format('measured %d %d %d %d %d %d', summary.requests, summary.duration,\n\
             latency:percentile(50), latency:percentile(99), summary.errors.status,\n\
             (verbs[math.floor(#verbs / 2) + 1] or 0) * 1000))\n\
             end\n",
            self.key, self.bodies, self.connections
        )
    }
}

/// Reads the line our script prints at the end; `wrk` counts in microseconds.
fn measured(said: &str) -> Option<Measured> {
    let numbers = said.lines().find_map(|line| line.strip_prefix("measured "))?;
    let numbers: Vec<f64> = numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let [requests, duration, p50, p99, refused, verb_p50] = numbers.as_slice() else { return None };
    let millis = |micros: &f64| micros / 1e3;
    Some(Measured {
        requests: *requests,
        per_second: requests / (duration / 1e6),
        p50: millis(p50),
        p99: millis(p99),
        refused: *refused,
        verb_p50: millis(verb_p50),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_script_is_read_in_milliseconds() {
        let read = measured("Running 5s test\nmeasured 5000 5000000 1200 3400 0 900\n").unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(
            close(read.per_second, 1000.0)
                && close(read.p50, 1.2)
                && close(read.p99, 3.4)
                && close(read.refused, 0.0)
                && close(read.verb_p50, 0.9)
        );
        assert!(measured("Requests/sec: 5").is_none());
    }
}
