//! English words for times.

use text::Language;

use super::calendar::{Part, Season, Unit};
use super::holiday;
use super::vocabulary::{Meaning, Table};

pub(super) const TABLE: Table = Table {
    language: Language::English,
    words: &[
        (Meaning::Season(Season::Spring), "spring|springtime"),
        (Meaning::Season(Season::Summer), "summer|summertime"),
        (Meaning::Season(Season::Autumn), "autumn|fall"),
        (Meaning::Season(Season::Winter), "winter|wintertime"),
        (Meaning::Holiday(holiday::NEW_YEAR), "new year|new years|new year s|new years day|new year s day"),
        (Meaning::Holiday(holiday::EPIPHANY), "epiphany|twelfth night"),
        (Meaning::Holiday(holiday::VALENTINE), "valentine s day|valentines day|valentine s|valentines"),
        (Meaning::Holiday(holiday::CARNIVAL), "carnival|mardi gras|shrove tuesday|pancake day"),
        (Meaning::Holiday(holiday::ASH_WEDNESDAY), "ash wednesday"),
        (Meaning::Holiday(holiday::HOLY_WEEK), "holy week"),
        (Meaning::Holiday(holiday::GOOD_FRIDAY), "good friday"),
        (Meaning::Holiday(holiday::EASTER), "easter|easter weekend"),
        (Meaning::Holiday(holiday::EASTER_SUNDAY), "easter sunday"),
        (Meaning::Holiday(holiday::EASTER_MONDAY), "easter monday"),
        (Meaning::Holiday(holiday::ORTHODOX_EASTER), "orthodox easter|greek easter"),
        (Meaning::Holiday(holiday::ASCENSION), "ascension day"),
        (Meaning::Holiday(holiday::PENTECOST), "pentecost|whitsun|whit sunday"),
        (Meaning::Holiday(holiday::WHIT_MONDAY), "whit monday"),
        (Meaning::Holiday(holiday::HALLOWEEN), "halloween|hallowe en"),
        (Meaning::Holiday(holiday::ALL_SAINTS), "all saints|all saints day"),
        (Meaning::Holiday(holiday::THANKSGIVING), "thanksgiving|thanksgiving day"),
        (Meaning::Holiday(holiday::ADVENT), "advent"),
        (Meaning::Holiday(holiday::CHRISTMAS_EVE), "christmas eve"),
        (Meaning::Holiday(holiday::CHRISTMAS), "christmas|christmas day|christmastime|xmas"),
        (Meaning::Holiday(holiday::BOXING_DAY), "boxing day"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "new years eve|new year s eve"),
        (Meaning::Unit(Unit::PartOfDay), "morning|afternoon|evening|night"),
        (Meaning::Unit(Unit::Day), "day|days"),
        (Meaning::Unit(Unit::Week), "week|weeks"),
        (Meaning::Unit(Unit::Weekend), "weekend|weekends|week - end"),
        (Meaning::Unit(Unit::Fortnight), "fortnight"),
        (Meaning::Unit(Unit::Month), "month|months"),
        (Meaning::Unit(Unit::HalfYear), "half year|half a year"),
        (Meaning::Unit(Unit::Year), "year|years"),
        (Meaning::FromToday(-10, -1), "other day|other night|other evening"),
        (Meaning::FromToday(-1, -1), "yesterday"),
        (Meaning::FromToday(0, 0), "today|tonight"),
        (Meaning::FromToday(1, 1), "tomorrow|tmrw|tomoz"),
        (Meaning::Count(2, 3), "a couple of|a couple|couple of|couple"),
        (Meaning::Count(2, 5), "a few|few|some"),
        (Meaning::Count(3, 6), "several"),
        (Meaning::DayOfMonth(1), "first"),
        (Meaning::DayOfMonth(2), "second"),
        (Meaning::DayOfMonth(3), "third"),
        (Meaning::DayOfMonth(4), "fourth"),
        (Meaning::DayOfMonth(5), "fifth"),
        (Meaning::DayOfMonth(6), "sixth"),
        (Meaning::DayOfMonth(7), "seventh"),
        (Meaning::DayOfMonth(8), "eighth"),
        (Meaning::DayOfMonth(9), "ninth"),
        (Meaning::DayOfMonth(10), "tenth"),
        (Meaning::Which(-1), "last|past|previous"),
        (Meaning::Which(0), "this|current"),
        (Meaning::Which(1), "next|coming|upcoming|following"),
        (Meaning::WhichAfter(-1), "just gone|just past"),
        (Meaning::Part(Part::Early), "early|early in|beginning of|start of"),
        (Meaning::Part(Part::Middle), "mid|middle of"),
        (Meaning::Part(Part::Late), "late|late in|end of"),
        (Meaning::In, "on|at|during|since|until|till|by|over|from|through|throughout|for"),
        (Meaning::InOrAhead, "in|within"),
        (Meaning::Of, "of"),
        (Meaning::Link, "to|and|or"),
        (Meaning::Shortly, "just|shortly|right|soon"),
        (Meaning::Before, "before"),
        (Meaning::After, "after"),
        (Meaning::Around, "around|round about"),
        (Meaning::AgoAfter, "ago|back"),
        (Meaning::AheadAfter, "from now|from today"),
        (Meaning::Filler, "the|s|about|roughly|almost|nearly|exactly|more than"),
        (Meaning::Other, "good morning|good afternoon|good evening|good night|may be|may have"),
        (Meaning::Other, "new year s resolution|new year s resolutions|spring roll|spring rolls"),
    ],
    only_supported: "jan|feb|mar|apr|may|jun|jul|aug|sept|sep|oct|nov|dec|\
        spring|springtime|summer|summertime|autumn|fall|winter|wintertime",
    frequent: "i|you|he|she|it|we|they|me|my|your|our|what|who|when|where|how|did|do|does|was|were|is|are|\
        have|has|had|will|would|can|not|that|with|but|there|now|went|go|going|tell|know|remember",
};

#[cfg(test)]
mod tests {
    use crate::dates::tests::check;

    #[test]
    fn exact_dates_are_understood() {
        check(&[
            ("on Friday, the 8th of May 2026", &["2026-05-08"]),
            ("May 8th, 2023", &["2023-05-08"]),
            ("the first of May 2023", &["2023-05-01"]),
            ("the ninth of May 2023", &["2023-05-09"]),
            ("from 3 to 8 May 2023", &["2023-05-03..2023-05-08"]),
            ("3–8 May 2023", &["2023-05-03..2023-05-08"]),
            ("on 5/28/2023", &["2023-05-28"]),
            ("our trip on 8/5/2023", &["2023-05-08"]),
            ("What is planned on 11 December?", &["2025-12-11", "2026-12-11"]),
            ("8 May last year", &["2025-05-08"]),
        ]);
    }

    #[test]
    fn months_seasons_and_years_are_understood() {
        check(&[
            ("in early April", &["2026-04-01..2026-04-10"]),
            ("mid-March", &["2026-03-11..2026-03-21"]),
            ("at the end of last month", &["2026-03-22..2026-03-31"]),
            ("in the spring of 2024", &["2024-03-01..2024-05-31"]),
            ("last spring", &["2025-03-01..2025-05-31"]),
            ("this winter", &["2025-12-01..2026-02-28"]),
            ("next summer", &["2026-06-01..2026-08-31"]),
            ("in the fall", &["2025-09-01..2025-11-30", "2026-09-01..2026-11-30"]),
            ("at the beginning of the year", &["2026-01-01..2026-05-01"]),
            ("at the end of the year", &["2025-09-02..2025-12-31", "2026-09-02..2026-12-31"]),
            ("last year in May", &["2025-05-01..2025-05-31"]),
            ("in May of last year", &["2025-05-01..2025-05-31"]),
            ("this year", &["2026-01-01..2026-12-31"]),
            ("next April", &["2027-04-01..2027-04-30"]),
        ]);
    }

    #[test]
    fn times_relative_to_today_are_understood() {
        check(&[
            ("the day before yesterday", &["2026-04-20"]),
            ("tomorrow evening", &["2026-04-23"]),
            ("what I said this morning", &["2026-04-22"]),
            ("last night", &["2026-04-21..2026-04-22"]),
            ("three days ago", &["2026-04-19"]),
            ("two weeks ago", &["2026-04-05..2026-04-11"]),
            ("about 2 weeks ago", &["2026-04-05..2026-04-11"]),
            ("a couple of weeks ago", &["2026-04-01..2026-04-08"]),
            ("two or three weeks ago", &["2026-04-01..2026-04-08"]),
            ("a month ago", &["2026-03-09..2026-04-04"]),
            ("a year ago", &["2025-01-22..2025-07-21"]),
            ("in two weeks", &["2026-05-03..2026-05-09"]),
            ("the last few days", &["2026-04-17..2026-04-22"]),
            ("over the next two weeks", &["2026-04-22..2026-05-06"]),
            ("this week", &["2026-04-20..2026-04-26"]),
            ("next week", &["2026-04-27..2026-05-03"]),
            ("the week before last", &["2026-04-06..2026-04-12"]),
            ("last weekend", &["2026-04-18..2026-04-19"]),
            ("next month", &["2026-05-01..2026-05-31"]),
            ("last Tuesday", &["2026-04-21"]),
            ("on Friday", &["2026-04-17", "2026-04-24"]),
            ("this Friday", &["2026-04-24"]),
            ("next Friday", &["2026-04-24", "2026-05-01"]),
            ("Friday next week", &["2026-05-01"]),
        ]);
    }

    #[test]
    fn holidays_and_the_days_around_them_are_understood() {
        check(&[
            ("just after Easter", &["2026-04-06..2026-04-16"]),
            ("at Easter 2024", &["2024-03-29..2024-04-01"]),
            ("a couple of weeks before Easter", &["2026-03-15..2026-03-22"]),
            ("the day after Christmas last year", &["2025-12-26"]),
            ("before Christmas", &["2025-12-03..2025-12-24", "2026-12-03..2026-12-24"]),
            ("last Christmas", &["2025-12-24..2025-12-26"]),
            ("over New Year", &["2025-12-30..2026-01-02", "2026-12-30..2027-01-02"]),
            ("around Halloween", &["2025-10-26..2025-11-05", "2026-10-26..2026-11-05"]),
            ("last Thanksgiving", &["2025-11-27..2025-11-30"]),
            ("the weekend after Easter", &["2026-04-11..2026-04-12"]),
        ]);
    }

    #[test]
    fn words_that_only_look_like_times_are_none() {
        check(&[
            ("good morning, how are you?", &[]),
            ("she may have a point, she may be right", &[]),
            ("I fall asleep in a spring of joy", &[]),
            ("two weeks is long, a year is longer", &[]),
            ("at last, one more thing", &[]),
            ("before I forget, after all", &[]),
            ("she sat in the sun at 12:30 with 8.5 points", &[]),
            ("we live in Maine now", &[]),
            ("what is the last one?", &[]),
        ]);
    }
}
