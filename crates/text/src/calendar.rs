//! The names of months and weekdays in the languages we know, as [`crate::folded`] writes them.
//!
//! Short names are listed apart, because many are other words too: German `Jan` is a first name, French `sept`
//! is seven. Whether one is a month depends on its neighbours, so each reader decides whether it takes them.

use crate::language::Language;

impl Language {
    /// The names of the months, each with its number from 1.
    pub fn months(self) -> impl Iterator<Item = (i8, &'static str)> {
        numbered(1, &self.calendar().months)
    }

    /// The abbreviations of the months, each with its number from 1.
    pub fn short_months(self) -> impl Iterator<Item = (i8, &'static str)> {
        numbered(1, &self.calendar().short_months)
    }

    /// The names of the weekdays, each with the days after Monday.
    pub fn weekdays(self) -> impl Iterator<Item = (i8, &'static str)> {
        numbered(0, &self.calendar().weekdays)
    }

    /// The abbreviations of the weekdays, each with the days after Monday.
    pub fn short_weekdays(self) -> impl Iterator<Item = (i8, &'static str)> {
        numbered(0, &self.calendar().short_weekdays)
    }

    /// The words for every Monday, every Tuesday and so on, each with the days after Monday. They name no date.
    pub fn repeated_weekdays(self) -> impl Iterator<Item = (i8, &'static str)> {
        numbered(0, &self.calendar().repeated_weekdays)
    }

    /// The number of the month of this name, from 1; abbreviations are no names.
    #[must_use]
    pub fn month_named(self, folded: &str) -> Option<i8> {
        self.months().find(|(_, name)| *name == folded).map(|(month, _)| month)
    }

    /// The days after Monday of the weekday of this name; abbreviations are no names.
    #[must_use]
    pub fn weekday_named(self, folded: &str) -> Option<i8> {
        self.weekdays().find(|(_, name)| *name == folded).map(|(day, _)| day)
    }

    const fn calendar(self) -> &'static Calendar {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
            Self::French => &FRENCH,
            Self::Spanish => &SPANISH,
            Self::Romanian => &ROMANIAN,
        }
    }
}

fn numbered(first: i8, names: &'static [&'static str]) -> impl Iterator<Item = (i8, &'static str)> {
    let split = |(number, names): (i8, &&'static str)| names.split('|').map(move |name| (number, name));
    (first..).zip(names).flat_map(split).filter(|(_, name)| !name.is_empty())
}

/// The names of one language; several for one month or day are separated by `|`.
struct Calendar {
    months: [&'static str; 12],
    short_months: [&'static str; 12],
    weekdays: [&'static str; 7],
    short_weekdays: [&'static str; 7],
    repeated_weekdays: [&'static str; 7],
}

#[rustfmt::skip]
static ENGLISH: Calendar = Calendar {
    months: [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ],
    short_months: ["jan", "feb", "mar", "apr", "", "jun", "jul", "aug", "sept|sep", "oct", "nov", "dec"],
    weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    short_weekdays: ["", "tues", "", "thurs", "", "", ""],
    repeated_weekdays: ["mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"],
};

#[rustfmt::skip]
static GERMAN: Calendar = Calendar {
    months: [
        "januar|janner|jaenner", "februar|feber", "marz|maerz", "april", "mai", "juni", "juli", "august",
        "september", "oktober", "november", "dezember",
    ],
    short_months: ["jan", "feb", "mrz", "apr", "", "jun", "jul", "aug", "sept|sep", "okt", "nov", "dez"],
    weekdays: ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"],
    short_weekdays: [""; 7],
    repeated_weekdays: ["montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags"],
};

#[rustfmt::skip]
static FRENCH: Calendar = Calendar {
    months: [
        "janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre",
        "novembre", "decembre",
    ],
    short_months: ["janv", "fevr", "", "avr", "", "", "juil", "", "", "oct", "nov", "dec"],
    weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    short_weekdays: [""; 7],
    repeated_weekdays: ["lundis", "mardis", "mercredis", "jeudis", "vendredis", "samedis", "dimanches"],
};

#[rustfmt::skip]
static SPANISH: Calendar = Calendar {
    months: [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre|setiembre",
        "octubre", "noviembre", "diciembre",
    ],
    short_months: [""; 12],
    weekdays: ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"],
    short_weekdays: [""; 7],
    repeated_weekdays: ["", "", "", "", "", "sabados", "domingos"],
};

/// `lunea` is Monday with its article, which is every Monday or a certain one: `lunea viitoare`.
#[rustfmt::skip]
static ROMANIAN: Calendar = Calendar {
    months: [
        "ianuarie", "februarie", "martie", "aprilie", "mai", "iunie", "iulie", "august", "septembrie",
        "octombrie", "noiembrie", "decembrie",
    ],
    short_months: [""; 12],
    weekdays: [
        "luni|lunea", "marti|martea", "miercuri|miercurea", "joi|joia", "vineri|vinerea", "sambata", "duminica",
    ],
    short_weekdays: [""; 7],
    repeated_weekdays: [""; 7],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folded;

    #[test]
    fn every_language_names_twelve_months_and_seven_days_in_folded_form() {
        for language in Language::ALL {
            for month in 1..=12 {
                assert!(language.months().any(|(number, _)| number == month), "{language:?}: {month}");
            }
            for day in 0..7 {
                assert!(language.weekdays().any(|(number, _)| number == day), "{language:?}: {day}");
            }
            let short = language.short_months().chain(language.short_weekdays());
            let names = language.months().chain(language.weekdays()).chain(language.repeated_weekdays());
            for (_, name) in names.chain(short) {
                assert_eq!(folded(name), name);
            }
        }
    }

    #[test]
    fn a_name_has_one_number_and_an_abbreviation_is_no_name() {
        assert_eq!(Language::English.month_named("march"), Some(3));
        assert_eq!(Language::English.month_named("mar"), None);
        assert_eq!(Language::German.month_named("janner"), Some(1));
        assert_eq!(Language::German.weekday_named("sonnabend"), Some(5));
        assert_eq!(Language::Romanian.weekday_named("duminica"), Some(6));
    }
}
