//! German words for times.

use text::Language;

use super::calendar::{Part, Season, Unit};
use super::holiday;
use super::vocabulary::{Meaning, Table};

pub(super) const TABLE: Table = Table {
    language: Language::German,
    words: &[
        (Meaning::Season(Season::Spring), "fruhling|fruehling|fruhjahr|fruehjahr|fruhlings|fruhjahrs"),
        (Meaning::Season(Season::Summer), "sommer|sommers"),
        (Meaning::Season(Season::Autumn), "herbst|herbstes"),
        (Meaning::Season(Season::Winter), "winter|winters"),
        (Meaning::Holiday(holiday::NEW_YEAR), "neujahr|neujahrstag|jahreswechsel"),
        (Meaning::Holiday(holiday::EPIPHANY), "dreikonig|dreikonigstag|heilige drei konige"),
        (Meaning::Holiday(holiday::VALENTINE), "valentinstag"),
        (Meaning::Holiday(holiday::CARNIVAL), "karneval|fasching|fastnacht|fasnacht|fastelovend"),
        (Meaning::Holiday(holiday::ROSE_MONDAY), "rosenmontag"),
        (Meaning::Holiday(holiday::ASH_WEDNESDAY), "aschermittwoch"),
        (Meaning::Holiday(holiday::HOLY_WEEK), "karwoche"),
        (Meaning::Holiday(holiday::GOOD_FRIDAY), "karfreitag"),
        (Meaning::Holiday(holiday::EASTER), "ostern|osterwochenende|ostertage|osterfest"),
        (Meaning::Holiday(holiday::EASTER_SUNDAY), "ostersonntag"),
        (Meaning::Holiday(holiday::EASTER_MONDAY), "ostermontag"),
        (Meaning::Holiday(holiday::ASCENSION), "christi himmelfahrt|himmelfahrt|vatertag"),
        (Meaning::Holiday(holiday::PENTECOST), "pfingsten|pfingstsonntag|pfingstwochenende"),
        (Meaning::Holiday(holiday::WHIT_MONDAY), "pfingstmontag"),
        (Meaning::Holiday(holiday::HALLOWEEN), "halloween"),
        (Meaning::Holiday(holiday::ALL_SAINTS), "allerheiligen"),
        (Meaning::Holiday(holiday::SAINT_NICHOLAS), "nikolaustag|nikolaus"),
        (Meaning::Holiday(holiday::ADVENT), "advent|adventszeit"),
        (Meaning::Holiday(holiday::CHRISTMAS_EVE), "heiligabend|heiliger abend"),
        (Meaning::Holiday(holiday::CHRISTMAS), "weihnachten|weihnachtstage|weihnachtsfeiertage|weihnacht"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "silvester|sylvester"),
        (Meaning::Unit(Unit::PartOfDay), "nachmittag|abend|nacht|vormittag"),
        (Meaning::Unit(Unit::Day), "tag|tage|tagen|tages"),
        (Meaning::Unit(Unit::Week), "woche|wochen"),
        (Meaning::Unit(Unit::Weekend), "wochenende|wochenenden|wochenendes"),
        (Meaning::Unit(Unit::Month), "monat|monate|monaten|monats"),
        (Meaning::Unit(Unit::HalfYear), "halben jahr|halbes jahr|halbe jahr"),
        (Meaning::Unit(Unit::Year), "jahr|jahre|jahren|jahres|jahrs"),
        (Meaning::FromToday(-10, -1), "neulich"),
        (Meaning::FromToday(-2, -2), "vorgestern"),
        (Meaning::FromToday(-1, -1), "gestern|gestern morgen"),
        (Meaning::FromToday(0, 0), "heute|heute morgen|heut|diesen morgen"),
        (Meaning::FromToday(1, 1), "morgen|morgen fruh"),
        (Meaning::FromToday(2, 2), "ubermorgen|uebermorgen"),
        (Meaning::Count(2, 4), "ein paar|paar"),
        (Meaning::Count(2, 5), "einige|einigen|wenige|wenigen"),
        (Meaning::Count(3, 6), "mehrere|mehreren"),
        (Meaning::DayOfMonth(1), "erster|ersten|erste"),
        (Meaning::DayOfMonth(2), "zweiter|zweiten"),
        (Meaning::DayOfMonth(3), "dritter|dritten"),
        (Meaning::DayOfMonth(4), "vierter|vierten"),
        (Meaning::DayOfMonth(5), "funfter|funften|fuenften"),
        (Meaning::DayOfMonth(6), "sechster|sechsten"),
        (Meaning::DayOfMonth(7), "siebter|siebten"),
        (Meaning::DayOfMonth(8), "achter|achten"),
        (Meaning::DayOfMonth(9), "neunter|neunten"),
        (Meaning::DayOfMonth(10), "zehnter|zehnten"),
        (Meaning::Which(-2), "vorletzte|vorletzten|vorletzter|vorletztes"),
        (Meaning::Which(-1), "letzte|letzten|letzter|letztes|letztem|vorige|vorigen|voriges|voriger"),
        (Meaning::Which(-1), "vergangene|vergangenen|vergangenes|vergangener"),
        (Meaning::Which(0), "diese|diesen|dieser|dieses|diesem|heurige|heurigen"),
        (Meaning::Which(1), "nachste|nachsten|nachster|nachstes|naechste|naechsten|naechster|naechstes"),
        (Meaning::Which(1), "kommende|kommenden|kommendes|kommender"),
        (Meaning::Which(2), "ubernachste|ubernachsten|ubernachster|ubernachstes"),
        (Meaning::StepYear(0), "heuer"),
        (Meaning::Part(Part::Early), "anfang|beginn"),
        (Meaning::Part(Part::Middle), "mitte"),
        (Meaning::Part(Part::Late), "ende"),
        (Meaning::In, "im|am|an|zu|zum|zur|vom|von|seit|bis|ab|wahrend|uber|ueber|fur|fuer"),
        (Meaning::InOrAhead, "in|binnen"),
        (Meaning::Link, "und|oder"),
        (Meaning::Shortly, "kurz|direkt|gleich|unmittelbar"),
        (Meaning::BeforeOrAgo, "vor|vorm"),
        (Meaning::After, "nach"),
        (Meaning::Around, "um|gegen|rund um"),
        (Meaning::AgoAfter, "her"),
        (Meaning::Filler, "der|die|das|den|dem|des|etwa|ungefahr|circa|ca|fast|knapp|gut|mehr als"),
        (Meaning::Other, "guten morgen|am morgen|jeden morgen|gute nacht|guten abend|auf jeden fall"),
        (Meaning::Other, "vor allem|nach hause"),
    ],
    only_supported: "jan|feb|apr|mai|jun|jul|aug|sept|sep|okt|nov|dez|fruhling|fruehling|fruhjahr|fruehjahr|\
        fruhlings|fruhjahrs|sommer|sommers|herbst|herbstes|winter|winters",
    frequent: "ich|du|er|sie|es|wir|ihr|mich|mir|dir|mein|meine|was|wer|wann|wo|wie|ist|war|waren|hast|habe|\
        haben|hatte|hat|nicht|mit|aber|hier|da|noch|auch|wird|werde|kann|weisst|warst|bin|bist|guten|jeden|\
        wohnen|auf|dass",
};

#[cfg(test)]
mod tests {
    use crate::dates::tests::check;

    #[test]
    fn exact_dates_are_understood() {
        check(&[
            ("Was war am 8. Mai 2023?", &["2023-05-08"]),
            ("am 8. Mai", &["2025-05-08", "2026-05-08"]),
            ("Freitag, den 08.05.2023", &["2023-05-08"]),
            ("am 8.5.", &["2025-05-08", "2026-05-08"]),
            ("vom 3. bis 8. Mai 2023", &["2023-05-03..2023-05-08"]),
            ("3.-8. März 2023", &["2023-03-03..2023-03-08"]),
            ("am ersten Maerz", &["2026-03-01"]),
        ]);
    }

    #[test]
    fn months_seasons_and_years_are_understood() {
        check(&[
            ("im April", &["2026-04-01..2026-04-30"]),
            ("Anfang April", &["2026-04-01..2026-04-10"]),
            ("Ende März", &["2026-03-22..2026-03-31"]),
            ("Mitte letzten Monats", &["2026-03-11..2026-03-21"]),
            ("letzten Frühling", &["2025-03-01..2025-05-31"]),
            ("diesen Winter", &["2025-12-01..2026-02-28"]),
            ("Anfang des Jahres", &["2026-01-01..2026-05-01"]),
            ("im Mai letzten Jahres", &["2025-05-01..2025-05-31"]),
            ("letztes Jahr im Mai", &["2025-05-01..2025-05-31"]),
            ("im Jahr 2022", &["2022-01-01..2022-12-31"]),
            ("im Winter 2023/24", &["2022-12-01..2023-02-28", "2023-12-01..2024-02-29"]),
        ]);
    }

    #[test]
    fn times_relative_to_today_are_understood() {
        check(&[
            ("vorgestern", &["2026-04-20"]),
            ("gestern Abend", &["2026-04-21"]),
            ("heute Morgen", &["2026-04-22"]),
            ("morgen", &["2026-04-23"]),
            ("vor drei Tagen", &["2026-04-19"]),
            ("vor etwa zwei Wochen", &["2026-04-05..2026-04-11"]),
            ("vor ein paar Tagen", &["2026-04-18..2026-04-20"]),
            ("in den letzten zwei Wochen", &["2026-04-08..2026-04-22"]),
            ("letzte Woche", &["2026-04-08..2026-04-21"]),
            ("vorletzte Woche", &["2026-04-06..2026-04-12"]),
            ("nächsten Monat", &["2026-05-01..2026-05-31"]),
            ("in zwei Wochen", &["2026-05-03..2026-05-09"]),
            ("letztes Wochenende", &["2026-04-18..2026-04-19"]),
            ("letzten Dienstag", &["2026-04-21"]),
            ("am Freitag", &["2026-04-17", "2026-04-24"]),
            ("vor einem halben Jahr", &["2025-09-22..2025-11-21"]),
        ]);
    }

    #[test]
    fn holidays_and_the_days_around_them_are_understood() {
        check(&[
            ("kurz vor Karneval", &["2026-02-02..2026-02-12", "2027-01-25..2027-02-04"]),
            ("kurz nach Ostern", &["2026-04-06..2026-04-16"]),
            ("zwei Wochen vor Ostern", &["2026-03-19..2026-03-25"]),
            ("an Weihnachten letztes Jahr", &["2025-12-24..2025-12-26"]),
            ("die Woche vor Ostern", &["2026-03-29..2026-04-04"]),
            ("Silvester 2024", &["2024-12-31"]),
            ("letzte Pfingsten", &["2025-06-07..2025-06-09"]),
        ]);
    }

    #[test]
    fn words_that_only_look_like_times_are_none() {
        check(&[
            ("Was hast du hier gegessen?", &[]),
            ("Guten Morgen, wie geht es dir?", &[]),
            ("vor allem in diesem Fall", &[]),
            ("Wir sind zwei Wochen geblieben", &[]),
            ("Nach Hause um drei Uhr", &[]),
        ]);
    }
}
