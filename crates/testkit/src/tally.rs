//! Counting tries and failures, and what a build must show: none, or, when it is broken on purpose, some.

/// Which mechanism is broken in this run, if the build lets one be.
fn broken() -> Option<String> {
    std::env::var("TRUST_BROKEN").ok().filter(|_| cfg!(feature = "broken"))
}

/// How a gate went.
#[derive(Debug)]
pub struct Tally {
    gate: &'static str,
    /// The mechanism the gate guards, by the name under which a control breaks it.
    control: &'static str,
    tries: u64,
    failures: Vec<String>,
    notes: Vec<String>,
}

impl Tally {
    /// A count that starts at zero, for a gate and the mechanism it guards.
    pub fn new(gate: &'static str, control: &'static str) -> Self {
        Self { gate, control, tries: 0, failures: Vec::new(), notes: Vec::new() }
    }

    /// Counts one try, which failed if anything is wrong with it.
    pub fn count(&mut self, name: &str, wrong: &[String]) {
        self.tries += 1;
        if !wrong.is_empty() {
            self.failures.push(format!("{name}: {}", wrong.join("; ")));
        }
    }

    /// Something worth knowing beside the result.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints the line that `cargo xtask trust` puts into its table, and ends the test if the gate does
    /// not hold; or, in a build that is broken on purpose, if nothing was noticed.
    pub fn close(self) {
        let Self { gate, control, tries, failures, notes } = self;
        let broken = broken();
        let build = broken.as_deref().map_or("sound".to_owned(), |named| format!("broken {named}"));
        println!("trust | {gate} | {build} | {tries} | {} | {}", failures.len(), notes.join(", "));
        if broken.as_deref() == Some(control) {
            assert!(!failures.is_empty(), "{gate}: {tries} tries on a broken build, and nothing was noticed");
        } else {
            let first: Vec<&String> = failures.iter().take(5).collect();
            assert!(failures.is_empty(), "{gate}: {} of {tries} failed: {first:#?}", failures.len());
        }
    }
}

/// How often to try: `usual`, unless `TRUST_TRIES` says another number.
pub fn tries(usual: u64) -> u64 {
    std::env::var("TRUST_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(usual)
}
