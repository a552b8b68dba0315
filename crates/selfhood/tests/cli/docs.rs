//! The guide tells the truth: every `sh` block of its tutorials and the README's tour are run, and what they print is
//! what the page shows. So is what the README shows of the first start and of a memory.
//!
//! A `text` block right after an `sh` block is its output. `…` stands for anything within a line, and alone for any
//! number of lines. A block that begins with `selfhood serve` runs until the page ends, as in a terminal of its own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

fn root() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..")
}

/// A block between fences.
struct Block {
    language: String,
    text: String,
    line: usize,
    /// Whether only empty lines stand between it and the block before.
    follows: bool,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut open, mut follows): (Vec<Block>, Option<Block>, bool) = (Vec::new(), None, false);
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let language = language.trim().to_owned();
                open = Some(Block { language, text: String::new(), line: number + 2, follows });
            }
            (Some(_), Some(block)) => {
                found.push(block);
                follows = true;
            }
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => follows = follows && line.trim().is_empty(),
        }
    }
    found
}

/// A reader's machine: a user folder, the program on the path, a free port, a shell that remembers its variables.
struct Reader {
    folder: TempDir,
    port: u16,
    server: Option<Child>,
}

impl Reader {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_selfhood"), folder.path().join("bin/selfhood")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, port, server: None }
    }

    fn command(&self, script: &str) -> Command {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.folder.path().join("bin").display());
        let mut command = Command::new("bash");
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", path)
            .env("LANG", "C.UTF-8")
            .env("SELFHOOD_OUTPUT", "table")
            .env("SELFHOOD_SERVER_PORT", self.port.to_string())
            .env("SELFHOOD_SERVER_MODEL_PORTS", "")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .args(["-euo", "pipefail", "-c", &script.replace("7337", &self.port.to_string())]);
        command
    }

    /// Types a block, and gives what it printed.
    fn type_in(&mut self, block: &str, place: &str) -> String {
        if block.starts_with("selfhood serve") && !block.contains("--check") {
            self.serve(block, place);
            return String::new();
        }
        let script = format!("if [ -f .state ]; then . ./.state; fi\n{block}\nexport -p > .state\n");
        let ran = self.command(&script).output().unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{place} failed:\n{block}\n{stderr}");
        String::from_utf8(ran.stdout).unwrap()
    }

    fn serve(&mut self, block: &str, place: &str) {
        self.stop();
        let script = format!("if [ -f .state ]; then . ./.state; fi\nexec {block}");
        let mut child = self.command(&script).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("listening on") {
            assert!(stderr.read_line(&mut said).unwrap() > 0, "{place}: the server did not start: {said}");
        }
        self.server = Some(child);
        // What it logs later is not read, and must not block it.
        std::thread::spawn(move || stderr.lines().count());
    }

    fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = Command::new("kill").arg(server.id().to_string()).status();
            let _ = server.wait();
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether `actual` is what `expected` shows.
fn is_shown(expected: &[&str], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], rest) => rest.iter().all(|line| line.trim().is_empty()),
        (["…", rest @ ..], _) => (0..=actual.len()).any(|skipped| is_shown(rest, &actual[skipped..])),
        ([first, rest @ ..], [line, more @ ..]) => {
            is_like(first.trim_end(), line.trim_end()) && is_shown(rest, more)
        }
        ([first, rest @ ..], []) => first.trim().is_empty() && is_shown(rest, &[]),
    }
}

/// Whether `line` is `pattern`, in which `…` stands for anything.
fn is_like(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_like(after, &rest[at..]))
        }),
    }
}

fn follow(page: &Path) {
    let name = page.strip_prefix(root()).unwrap_or(page).display().to_string();
    let (text, mut reader, mut typed) = (fs::read_to_string(page).unwrap(), Reader::new(), 0);
    let blocks = blocks(&text);
    for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
        let place = format!("{name}:{}", block.line);
        let printed = reader.type_in(&block.text, &place).replace(&reader.port.to_string(), "7337");
        typed += 1;
        if let Some(shown) = blocks.get(number + 1).filter(|next| next.language == "text" && next.follows) {
            let (expected, actual): (Vec<&str>, Vec<&str>) =
                (shown.text.lines().collect(), printed.lines().collect());
            assert!(
                is_shown(&expected, &actual),
                "{place} prints\n{printed}\nand line {} shows\n{}",
                shown.line,
                shown.text
            );
        }
    }
    assert!(typed > 1, "{name} has no commands; does the test still read it right?");
}

macro_rules! followed {
    ($($test:ident $page:literal;)+) => {
        $(#[test] fn $test() { follow(&root().join($page)); })+
        const FOLLOWED: &[&str] = &[$($page,)+];
    };
}

followed! {
    the_start_works_as_written "docs/start.md";
    the_companion_works_as_written "docs/guides/companion.md";
    the_hotel_works_as_written "docs/guides/hotel.md";
    the_game_works_as_written "docs/guides/game.md";
    the_research_works_as_written "docs/guides/research.md";
    the_officers_guide_works_as_written "docs/guides/gdpr.md";
}

#[test]
fn every_guide_is_followed() {
    for entry in fs::read_dir(root().join("docs/guides")).unwrap() {
        let name = format!("docs/guides/{}", entry.unwrap().file_name().into_string().unwrap());
        assert!(FOLLOWED.contains(&name.as_str()), "no test follows {name}");
    }
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// The first block of the README after `words`.
fn block_after(words: &str) -> Block {
    let readme = readme();
    let rest = readme.split_once(words).unwrap_or_else(|| panic!("the README says no more: {words}")).1;
    blocks(rest).into_iter().next().unwrap()
}

/// What is written about days, which differs from one to the next: `30 October` and `2 January 2027` become `…`.
fn without_days(text: &str) -> String {
    let day = regex_lite::Regex::new(r"\b\d{1,2} [A-Z][a-z]{2,8}\b( \d{4})?").unwrap();
    let spaces = regex_lite::Regex::new(r"(\S) {2,}").unwrap();
    spaces.replace_all(&day.replace_all(text, "DAY"), "$1 ").into_owned()
}

fn assert_shown(shown: &str, printed: &str) {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (shown.lines().collect(), printed.lines().collect());
    assert!(is_shown(&expected, &actual), "printed is\n{printed}\nand shown is\n{shown}");
}

#[test]
fn the_demo_starts_on_a_terminal_as_the_readme_shows() {
    let mut reader = Reader::new();
    let program = "target/release/selfhood";
    fs::create_dir_all(reader.folder.path().join("target/release")).unwrap();
    symlink(env!("CARGO_BIN_EXE_selfhood"), reader.folder.path().join(program)).unwrap();
    let start = format!("exec timeout --foreground 60 script -qefc '{program} serve --demo' /dev/null");
    let mut command = reader.command(&start);
    let mut child = command.env("NO_COLOR", "1").stdout(Stdio::piped()).spawn().unwrap();
    let (mut printed, mut lines) = (String::new(), BufReader::new(child.stdout.take().unwrap()));
    while !printed.contains("listening on") {
        assert!(lines.read_line(&mut printed).unwrap() > 0, "the server did not start: {printed}");
    }
    reader.server = Some(child);
    let home = reader.folder.path().display().to_string();
    let printed =
        printed.replace('\r', "").replace(&home, "/home/you").replace(&reader.port.to_string(), "7337");
    assert_shown(&block_after("No model, account or network is needed:").text, &printed);
}

#[test]
fn a_memory_is_shown_as_the_readme_shows_it() {
    let mut reader = Reader::new();
    reader.type_in("selfhood init --demo > init.txt", "the demo");
    let inspect = "selfhood memory inspect 2bbf --home ~/.local/share/selfhood-demo";
    let printed = reader.type_in(inspect, inspect);
    let shown = block_after("`memory inspect` shows a memory, what has faded of it, and when the rest will:");
    assert_shown(&without_days(&shown.text), &without_days(&printed));
}

#[test]
fn every_line_of_the_tour_works_and_prints_something() {
    let tour = block_after("## A short tour");
    let mut reader = Reader::new();
    reader.type_in("selfhood init --demo > init.txt", "the demo");
    let mut typed = 0;
    for line in tour.text.lines() {
        // Some commands have nothing to list and say so on stderr.
        let printed = reader.type_in(&format!("{{\n{line}\n}} 2>&1"), line);
        assert!(line.starts_with("export ") || !printed.trim().is_empty(), "`{line}` prints nothing");
        typed += 1;
    }
    assert!(typed > 15, "the tour has {typed} lines; does the test still read it right?");
    reader.type_in("selfhood serve", "the server of the tour");
    let recall = block_after("A program asks over HTTP;");
    let answer = reader.type_in(&recall.text, "the request over HTTP");
    assert!(recall.text.contains("curl ") && answer.contains("sauna opens at seven"), "{answer}");
}

#[test]
fn what_is_shown_may_leave_parts_out() {
    for (expected, actual, fits) in [
        ("a\nb", "a\nb\n", true),
        ("a…c", "abbc", true),
        ("a…c", "abb", false),
        ("…\nz", "a\nb\nz", true),
        ("a\n…", "a", true),
        ("a\n…", "b", false),
        ("a", "a\nb", false),
    ] {
        let (shown, printed): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
        assert_eq!(is_shown(&shown, &printed), fits, "{expected:?} and {actual:?}");
    }
}
