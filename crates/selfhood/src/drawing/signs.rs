//! The characters of drawings: blocks and dots if the terminal supports them, plain ASCII elsewhere.

use crate::config::Environment;

/// A set of characters to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    pub(super) full: char,
    pub(super) empty: char,
    pub(super) threshold: char,
    pub(super) today: char,
    pub(super) wall: char,
    pub(super) corner: char,
    pub(super) floor: char,
    pub(super) rehearsal: char,
    /// Whether a cell can have eight dots.
    pub(super) has_dots: bool,
    /// How a text is quoted.
    pub(crate) quotes: [char; 2],
}

impl Signs {
    /// For terminals with Unicode.
    pub(crate) const UNICODE: Self = Self {
        full: '█',
        empty: '░',
        threshold: '┈',
        today: '╎',
        wall: '│',
        corner: '└',
        floor: '─',
        rehearsal: '▲',
        has_dots: true,
        quotes: ['“', '”'],
    };

    /// For all others.
    pub(crate) const ASCII: Self = Self {
        full: '#',
        empty: '.',
        threshold: '-',
        today: ':',
        wall: '|',
        corner: '+',
        floor: '-',
        rehearsal: '^',
        has_dots: false,
        quotes: ['"', '"'],
    };

    /// What the terminal of `environment` supports, by its locale.
    pub(crate) fn of(environment: &Environment) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| environment.get(name));
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") { Self::UNICODE } else { Self::ASCII }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_and_the_first_one_set_counts() {
        for (environment, expected) in [
            (Environment::from([("LANG", "en_GB.UTF-8")]), Signs::UNICODE),
            (Environment::from([("LANG", "C.utf8")]), Signs::UNICODE),
            (Environment::from([("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]), Signs::ASCII),
            (Environment::from([("LC_ALL", ""), ("LC_CTYPE", "ro_RO.UTF-8")]), Signs::UNICODE),
            (Environment::default(), Signs::ASCII),
        ] {
            assert_eq!(Signs::of(&environment), expected);
        }
    }
}
