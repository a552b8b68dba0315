//! The languages whose words for months, weekdays and numbers are known, and language tags.

/// A language we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `en`.
    English,
    /// `de`.
    German,
    /// `fr`.
    French,
    /// `es`.
    Spanish,
    /// `ro`.
    Romanian,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::English, Self::German, Self::French, Self::Spanish, Self::Romanian];

    /// The language of a tag such as `en` or `de-AT`; `None` for one we don't know.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = primary_tag(tag);
        Self::ALL.into_iter().find(|language| language.tag() == primary)
    }

    /// Its primary tag.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Romanian => "ro",
        }
    }
}

/// The part of a language tag that names the language, in lower case: `pt` of `pt-BR`.
#[must_use]
pub fn primary_tag(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_its_language_with_or_without_a_region() {
        for (tag, expected) in [
            ("en", Some(Language::English)),
            ("EN_gb", Some(Language::English)),
            ("ro-RO", Some(Language::Romanian)),
            ("pt-BR", None),
            ("", None),
        ] {
            assert_eq!(Language::of_tag(tag), expected, "{tag}");
        }
        assert_eq!(primary_tag("pt-BR"), "pt");
    }
}
