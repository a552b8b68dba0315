//! The first run: the owner's key, shown once, and where everything is.

use std::fmt::Write as _;
use std::path::Path;

use domain::KeyScope;
use wire::Problem;
use wire::fields::{fields, list};
use wire::key::{KeyList, NewKey, NewKeyAnswer};
use wire::verb;

use crate::config::Settings;
use crate::home_client::HomeClient;
use crate::request::Request;

/// The id prefix of a partly faded memory of the demo.
const SHOWPIECE: &str = "2bbf";

/// What is printed when a home is opened.
pub(crate) struct Welcome {
    /// The owner's key, if it was just created.
    pub(crate) key: Option<String>,
    /// Whether the tenant had no key before.
    pub(crate) is_first: bool,
    home: String,
    keys: String,
    commands: Vec<String>,
}

/// Who reads what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The person who started the program.
    Person,
    /// A file or a service's journal, where no key belongs.
    Log,
}

/// Creates the owner's key if the tenant has never had one and a person reads it.
pub(crate) fn greet(
    client: &HomeClient,
    settings: &Settings,
    tries: Tries,
    reader: Reader,
) -> Result<Welcome, Problem> {
    let KeyList { keys } = client.ask(Request::<verb::ListKeys>::to(&[])?)?;
    let key = if keys.is_empty() && reader == Reader::Person { Some(owner_key(client)?) } else { None };
    Ok(Welcome {
        is_first: keys.is_empty(),
        key,
        home: shown(&settings.home),
        keys: shown(&settings.keys),
        // A home in use needs no first steps.
        commands: if keys.is_empty() || tries == Tries::Demo { tries.commands(settings) } else { Vec::new() },
    })
}

/// What to try first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tries {
    /// With the example persona.
    Demo,
    /// In an empty home.
    Empty,
}

impl Tries {
    fn commands(self, settings: &Settings) -> Vec<String> {
        let program = std::env::args().next().unwrap_or_else(|| "selfhood".to_owned());
        let home = format!("--home {}", quoted(&settings.home));
        match self {
            Self::Demo => vec![
                format!("{program} memory search \"seafood\" --subject ana {home}"),
                format!("{program} memory inspect {SHOWPIECE} {home}"),
                format!("{program} timeline list {home}"),
            ],
            Self::Empty => vec![
                format!("{program} persona new inara {home}"),
                format!("{program} memory add \"The sauna opens at seven.\" {home}"),
                format!("{program} memory search \"sauna\" {home}"),
            ],
        }
    }
}

impl Welcome {
    /// The text for people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("  data   {}\n  keys   {}\n", self.home, self.keys);
        text.push_str("         without the keys the data is lost: keep a copy of them in another place\n");
        match &self.key {
            Some(key) => {
                let _ = writeln!(text, "  key    {key}\n         gives full access, and is shown only now");
            }
            None if !self.is_first => text.push_str(
                "  key    was shown when it was created; `selfhood key new` creates \
                another\n",
            ),
            None => {
                let scopes = KeyScope::ALL.map(KeyScope::as_str).join(",");
                let _ = writeln!(
                    text,
                    "  key    none yet, because this may be a log; this creates one with full access:\n         \
                     selfhood key new --speaks owner --scope {scopes}"
                );
            }
        }
        if !self.commands.is_empty() {
            text.push_str("\nTo try:\n\n");
        }
        for command in &self.commands {
            let _ = writeln!(text, "  {command}");
        }
        text.push('\n');
        text
    }
}

fn owner_key(client: &HomeClient) -> Result<String, Problem> {
    let scopes = KeyScope::ALL.map(KeyScope::as_str);
    let body = fields!(NewKey { scopes: list(&scopes), speaks: Some("owner") });
    let made: NewKeyAnswer = client.ask(Request::<verb::NewKey>::to(&[])?.with_body(body))?;
    Ok(made.secret.unwrap_or_default())
}

fn shown(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// The path quoted for a shell.
fn quoted(path: &Path) -> String {
    let path = shown(path);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+@".contains(c);
    if path.chars().all(plain) { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
