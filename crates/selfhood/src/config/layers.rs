//! Resolves a setting from the layers, and records which layer decided.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use wire::{Code, Problem};

use crate::cli::Cli;
use crate::config::catalogue::{self, Entry};
use crate::config::dotenv::{self, Assignment};
use crate::config::environment::Environment;
use crate::config::file::{self, FileValue};
use crate::config::value::{Raw, Value};
use crate::config::{DOTENV_NAME, FILE_NAME};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A flag on the command line.
    Flag(&'static str),
    /// A variable of the process's environment.
    Environment(&'static str),
    /// A line in a file of the home.
    Line(PathBuf, usize),
    /// No layer set it.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "flag {flag}"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Line(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One setting as `config show` prints it, with secrets removed.
pub(crate) struct SettingRow {
    /// The setting's name.
    pub(crate) key: String,
    /// Its value, if it has one.
    pub(crate) value: Option<String>,
    /// Its origin.
    pub(crate) origin: Origin,
}

/// All layers in order, and what was read from them so far.
pub(super) struct Layers<'a> {
    cli: &'a Cli,
    environment: &'a Environment,
    home: PathBuf,
    dotenv: Vec<Assignment>,
    file: BTreeMap<String, FileValue>,
    shown: Vec<SettingRow>,
}

impl<'a> Layers<'a> {
    /// Flags and environment; the home's files are added once the home is known.
    pub(super) fn new(cli: &'a Cli, environment: &'a Environment) -> Self {
        Self {
            cli,
            environment,
            home: PathBuf::new(),
            dotenv: Vec::new(),
            file: BTreeMap::new(),
            shown: Vec::new(),
        }
    }

    /// Adds the files of the home; missing ones add nothing.
    pub(super) fn read_home(&mut self, home: &Path) -> Result<(), Problem> {
        home.clone_into(&mut self.home);
        if let Some(text) = read_if_there(&home.join(DOTENV_NAME))? {
            self.dotenv = dotenv::parse(&text)
                .map_err(|fault| self.fault(DOTENV_NAME, fault.line, "not a `NAME=value` line"))?;
            self.refuse_unknown_variables()?;
        }
        if let Some(text) = read_if_there(&home.join(FILE_NAME))? {
            self.file =
                file::parse(&text).map_err(|fault| self.fault(FILE_NAME, fault.line, &fault.message))?;
        }
        Ok(())
    }

    /// The value of the first layer that has one.
    pub(super) fn take<T: Value>(&mut self, entry: &Entry<'_>) -> Result<Option<T>, Problem> {
        let Some((raw, origin)) = self.find(entry) else {
            self.shown.push(SettingRow { key: entry.key.to_owned(), value: None, origin: Origin::Default });
            return Ok(None);
        };
        let mut value = T::read(&raw).map_err(|rule| wrong(entry, &origin, &rule))?;
        if matches!(origin, Origin::Line(..)) {
            value = value.written_in(&self.home);
        }
        self.shown.push(SettingRow { key: entry.key.to_owned(), value: Some(value.shown()), origin });
        Ok(Some(value))
    }

    /// The value of the first layer that has one, else `default`.
    pub(super) fn take_or<T: Value>(&mut self, entry: &Entry<'_>, default: T) -> Result<T, Problem> {
        Ok(self.take(entry)?.unwrap_or_else(|| self.default(entry, default)))
    }

    /// Records the default of a setting that no layer sets.
    pub(super) fn default<T: Value>(&mut self, entry: &Entry<'_>, value: T) -> T {
        if let Some(shown) = self.shown.iter_mut().find(|shown| shown.key == entry.key) {
            shown.value = Some(value.shown());
        }
        value
    }

    /// The names of the tables in `section` of the file.
    pub(super) fn names_below(&self, section: &str) -> BTreeSet<String> {
        let name =
            |key: &String| Some(key.strip_prefix(section)?.strip_prefix('.')?.split('.').next()?.to_owned());
        self.file.keys().filter_map(name).collect()
    }

    /// The value of a variable with a secret, which is never shown.
    pub(super) fn secret(&self, name: &str) -> Option<&str> {
        let of_home = || self.dotenv.iter().rev().find(|it| it.name == name && !it.value.is_empty());
        self.environment.get(name).or_else(|| of_home().map(|it| it.value.as_str()))
    }

    /// The origin of a setting that was read.
    pub(super) fn origin_of(&self, key: &str) -> &Origin {
        self.shown.iter().find(|shown| shown.key == key).map_or(&Origin::Default, |shown| &shown.origin)
    }

    /// Everything read, in order.
    pub(super) fn shown(self) -> Vec<SettingRow> {
        self.shown
    }

    fn find(&self, entry: &Entry<'_>) -> Option<(Raw, Origin)> {
        self.flag(entry)
            .or_else(|| self.variable(entry))
            .or_else(|| self.dotenv_line(entry))
            .or_else(|| self.file_line(entry))
    }

    fn flag(&self, entry: &Entry<'_>) -> Option<(Raw, Origin)> {
        let flag = entry.flag?;
        self.cli.given(flag).map(|text| (Raw::Text(text), Origin::Flag(flag)))
    }

    fn variable(&self, entry: &Entry<'_>) -> Option<(Raw, Origin)> {
        let set = |name: &&'static str| {
            self.environment.get(name).map(|text| (Raw::Text(text.to_owned()), Origin::Environment(name)))
        };
        entry.environment.iter().find_map(set)
    }

    fn dotenv_line(&self, entry: &Entry<'_>) -> Option<(Raw, Origin)> {
        let names_it =
            |it: &&Assignment| entry.environment.contains(&it.name.as_str()) && !it.value.is_empty();
        let last = self.dotenv.iter().rev().find(names_it)?;
        Some((Raw::Text(last.value.clone()), Origin::Line(self.home.join(DOTENV_NAME), last.line)))
    }

    fn file_line(&self, entry: &Entry<'_>) -> Option<(Raw, Origin)> {
        let written = self.file.get(entry.key)?;
        Some((written.raw.clone(), Origin::Line(self.home.join(FILE_NAME), written.line)))
    }

    /// Only names with our prefix are checked: a home's `.env` may serve other programs too.
    fn refuse_unknown_variables(&self) -> Result<(), Problem> {
        let ours = |it: &&Assignment| it.name.starts_with("SELFHOOD_");
        for it in self.dotenv.iter().filter(ours) {
            if !catalogue::home_variables().any(|known| known == it.name) {
                let way_out = catalogue::suggestion(&it.name, catalogue::home_variables());
                return Err(self.fault(
                    DOTENV_NAME,
                    it.line,
                    &format!("unknown setting `{}`; {way_out}", it.name),
                ));
            }
        }
        Ok(())
    }

    fn fault(&self, file: &str, line: usize, message: &str) -> Problem {
        Problem::new(
            Code::ConfigInvalid,
            format!("{}: line {line}: {message}", self.home.join(file).display()),
        )
    }
}

fn wrong(entry: &Entry<'_>, origin: &Origin, rule: &str) -> Problem {
    match origin {
        Origin::Flag(flag) => Problem::new(Code::Usage, format!("{flag}: {rule}")),
        Origin::Environment(_) | Origin::Line(..) | Origin::Default => {
            Problem::new(Code::ConfigInvalid, format!("{origin}: `{}`: {rule}", entry.key))
        }
    }
}

fn read_if_there(path: &Path) -> Result<Option<String>, Problem> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Problem::new(Code::IoFailed, format!("can't read {}: {error}", path.display()))),
    }
}
