//! The parts of a day a text names: rain in the morning and sun in the afternoon are no contradiction.

use crate::clause::Word;

/// Some parts of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DayParts(u8);

impl DayParts {
    const MORNING: u8 = 1;
    const AFTERNOON: u8 = 2;
    const EVENING: u8 = 4;

    /// The parts the words name.
    pub(crate) fn of<'w>(words: impl Iterator<Item = &'w Word>) -> Self {
        Self(words.fold(0, |parts, word| parts | Self::named(&word.lower)))
    }

    fn named(lower: &str) -> u8 {
        match lower {
            "morning" | "breakfast" => Self::MORNING,
            "afternoon" | "lunch" | "noon" | "midday" => Self::AFTERNOON,
            "evening" | "night" | "tonight" | "supper" | "dinner" | "dusk" | "sunset" | "midnight" => {
                Self::EVENING
            }
            "day" => Self::MORNING | Self::AFTERNOON | Self::EVENING,
            _ => 0,
        }
    }

    /// Whether both name parts of the day and none of them is the same.
    pub(crate) const fn is_apart_from(self, other: Self) -> bool {
        self.0 != 0 && other.0 != 0 && self.0 & other.0 == 0
    }
}
