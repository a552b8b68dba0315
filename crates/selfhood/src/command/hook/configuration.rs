//! Which persona is used in which folder: `hooks.toml` in the user's own configuration.
//!
//! Only the user decides whose memory a folder uses. A file in the folder itself, which may come from
//! anybody, can only switch the hooks off.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use wire::{Code, Problem};

/// A file of this name, in a folder or above it, switches the hooks off there.
const OFF: &str = ".selfhood-off";

/// The persona to use, and its home.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Choice {
    pub(super) persona: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) home: Option<String>,
    pub(super) keys: Option<String>,
    pub(super) store: Option<String>,
    pub(super) tenant: Option<String>,
    off: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Configuration {
    default: Choice,
    folders: BTreeMap<PathBuf, Choice>,
}

/// Where the file is.
pub(crate) fn file() -> Result<PathBuf, Problem> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")));
    let folder =
        folder.ok_or_else(|| Problem::new(Code::Usage, "neither XDG_CONFIG_HOME nor HOME is set"))?;
    Ok(folder.join("selfhood").join("hooks.toml"))
}

/// The persona to use in `folder`; `None` if the hooks are off there, or none is configured.
pub(super) fn choice(folder: &Path) -> Option<Choice> {
    if folder.ancestors().any(|above| above.join(OFF).exists()) {
        return None;
    }
    chosen(&fs::read_to_string(file().ok()?).ok()?, folder)
}

/// The entry of the nearest configured folder, with defaults for the rest.
fn chosen(configuration: &str, folder: &Path) -> Option<Choice> {
    let Configuration { default, folders } = toml::from_str(configuration).ok()?;
    let within = folders.into_iter().filter(|(own, _)| folder.starts_with(own));
    let nearest = within.max_by_key(|(own, _)| own.components().count()).map(|(_, choice)| choice);
    let own = nearest.unwrap_or_else(|| default.clone());
    let choice = Choice {
        subject: own.subject.or_else(|| default.subject.filter(|_| own.persona.is_none())),
        persona: own.persona.or(default.persona),
        home: own.home.or(default.home),
        keys: own.keys.or(default.keys),
        store: own.store.or(default.store),
        tenant: own.tenant.or(default.tenant),
        off: own.off,
    };
    (!choice.off).then_some(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
        [default]
        persona = \"nora\"
        subject = \"ana\"
        home = \"/data\"

        [folders.\"/code\"]
        persona = \"inara\"

        [folders.\"/code/secret\"]
        off = true
    ";

    #[test]
    fn the_folder_nearest_to_the_work_says_whose_memory_is_used() {
        let whose = |folder: &str| {
            let choice = chosen(FILE, Path::new(folder))?;
            Some((choice.persona?, choice.subject, choice.home?))
        };
        let of = |persona: &str, subject: Option<&str>| {
            Some((persona.to_owned(), subject.map(str::to_owned), "/data".to_owned()))
        };
        for (folder, expected) in [
            ("/home/you", of("nora", Some("ana"))),
            ("/code", of("inara", None)),
            ("/code/site", of("inara", None)),
            ("/codeshop", of("nora", Some("ana"))),
            ("/code/secret/plans", None),
        ] {
            assert_eq!(whose(folder), expected, "{folder}");
        }
        assert_eq!(chosen("", Path::new("/")).and_then(|choice| choice.persona), None);
        assert_eq!(chosen("[folders.x]\nmodel = 1", Path::new("/")), None, "a misspelt file chooses nobody");
    }
}
