//! Romanian words for times.

use text::Language;

use super::calendar::{Part, Season, Unit};
use super::holiday;
use super::vocabulary::{Meaning, Table};

pub(super) const TABLE: Table = Table {
    language: Language::Romanian,
    words: &[
        (Meaning::Season(Season::Spring), "primavara|primaverii"),
        (Meaning::Season(Season::Summer), "vara|verii"),
        (Meaning::Season(Season::Autumn), "toamna|toamnei"),
        (Meaning::Season(Season::Winter), "iarna|iernii"),
        (Meaning::MondayOrMonths, "luni"),
        (Meaning::Holiday(holiday::NEW_YEAR), "anul nou|anului nou"),
        (Meaning::Holiday(holiday::EPIPHANY), "boboteaza"),
        (Meaning::Holiday(holiday::VALENTINE), "valentine s day|sfantul valentin"),
        (Meaning::Holiday(holiday::CARNIVAL), "carnaval|carnavalul|carnavalului"),
        (Meaning::Holiday(holiday::ORTHODOX_GOOD_FRIDAY), "vinerea mare"),
        (Meaning::Holiday(holiday::ORTHODOX_EASTER), "paste|pasti|pastele|pastile|pastelui|pastilor"),
        (Meaning::Holiday(holiday::ORTHODOX_EASTER), "pastele ortodox"),
        (
            Meaning::Holiday(holiday::ORTHODOX_EASTER_SUNDAY),
            "duminica de paste|duminica pastelui|prima zi de paste|ziua de paste",
        ),
        (Meaning::Holiday(holiday::EASTER), "pastele catolic|pastelui catolic"),
        (Meaning::Holiday(holiday::ORTHODOX_PENTECOST), "rusalii|rusaliile|rusaliilor"),
        (Meaning::Holiday(holiday::HALLOWEEN), "halloween"),
        (Meaning::Holiday(holiday::SAINT_NICHOLAS), "mos nicolae|sfantul nicolae"),
        (Meaning::Holiday(holiday::CHRISTMAS_EVE), "ajun|ajunul craciunului"),
        (Meaning::Holiday(holiday::CHRISTMAS), "craciun|craciunul|craciunului"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "revelion|revelionul|revelionului"),
        (Meaning::Unit(Unit::PartOfDay), "dimineata|seara|noaptea|noapte|amiaza"),
        (Meaning::Unit(Unit::Day), "zi|zile|ziua|zilele|zilei"),
        (Meaning::Unit(Unit::Week), "saptamana|saptamani|saptamanii|saptamanile"),
        (Meaning::Unit(Unit::Weekend), "weekend|weekendul|weekendului|week - end|sfarsit de saptamana"),
        (Meaning::Unit(Unit::Weekend), "sfarsitul de saptamana"),
        (Meaning::Unit(Unit::Month), "luna|lunii|lunile"),
        (Meaning::Unit(Unit::HalfYear), "jumatate de an"),
        (Meaning::Unit(Unit::Year), "an|ani|anul|anului|anii"),
        (Meaning::FromToday(-10, -1), "zilele trecute|deunazi"),
        (Meaning::FromToday(-2, -2), "alaltaieri|alaltaseara"),
        (Meaning::FromToday(-1, -1), "ieri|aseara"),
        (Meaning::FromToday(-1, 0), "asta noapte|asta - noapte"),
        (Meaning::FromToday(0, 0), "azi|astazi|diseara"),
        (Meaning::FromToday(1, 1), "maine"),
        (Meaning::FromToday(2, 2), "poimaine"),
        (Meaning::FromToday(3, 3), "raspoimaine"),
        (Meaning::Count(2, 5), "cateva|cativa"),
        (Meaning::Count(3, 6), "mai multe|mai multi"),
        (Meaning::DayOfMonth(1), "intai"),
        (Meaning::WhichAfter(-1), "trecut|trecuta|trecute|trecuti|ultimul|ultima|ultimele|ultimii"),
        (Meaning::WhichAfter(0), "asta|aceasta|acesta|acest|acestei|acestui|astea"),
        (
            Meaning::WhichAfter(1),
            "viitor|viitoare|viitorului|urmatoare|urmatoarea|urmatorul|urmatoarele|urmatorii",
        ),
        (Meaning::WhichAfter(1), "care vine"),
        (Meaning::StepYear(1), "la anul"),
        (Meaning::Part(Part::Early), "inceputul|inceput|inceput de"),
        (Meaning::Part(Part::Middle), "mijlocul|mijloc|mijloc de"),
        (Meaning::Part(Part::Late), "sfarsitul|sfarsit|sfarsit de|finalul|final de"),
        (Meaning::In, "pe|la|din|prin|de|pana|pentru|timpul"),
        (Meaning::InOrAhead, "in"),
        (Meaning::Of, "lui|al|ale"),
        (Meaning::Link, "si|sau|ori"),
        (Meaning::Shortly, "chiar|imediat|putin|scurt timp"),
        (Meaning::Before, "inainte de|inaintea"),
        (Meaning::After, "dupa"),
        (Meaning::Around, "in jurul|in preajma|pe la|cam|aproximativ"),
        (Meaning::Ago, "acum"),
        (Meaning::AgoAfter, "in urma"),
        (Meaning::Ahead, "peste"),
        (Meaning::Filler, "vreo|vreun|aproape|mai bine de"),
        (
            Meaning::Other,
            "mai mult|mai putin|mai putine|mai mare|mai mic|mai mici|mai bun|mai bine|mai tarziu",
        ),
        (
            Meaning::Other,
            "mai sus|mai jos|mai ales|mai devreme|mai repede|mai des|mai nou|mai vechi|mai departe",
        ),
        (Meaning::Other, "buna dimineata|buna seara|noapte buna|la multi ani|pe zi|pe luna|pe an"),
    ],
    only_supported: "mai|primavara|primaverii|vara|verii|toamna|toamnei|iarna|iernii|paste|ajun|lunea|martea|\
        miercurea|joia|vinerea",
    frequent: "eu|tu|el|ea|noi|voi|ei|ma|mi|te|ti|ne|ce|cine|cand|unde|cum|este|e|era|am|ai|ati|au|nu|cu|dar|\
        aici|sunt|fost|facut|meu|mea|mele|sa|se|le|imi|iti|care|fac|spus|suntem|bine",
};

#[cfg(test)]
mod tests {
    use crate::dates::tests::check;

    #[test]
    fn exact_dates_are_understood() {
        check(&[
            ("pe 8 mai 2023", &["2023-05-08"]),
            ("pe 8 mai", &["2025-05-08", "2026-05-08"]),
            ("vineri, 8 mai 2026", &["2026-05-08"]),
            ("la întâi martie", &["2026-03-01"]),
            ("08.05.2023", &["2023-05-08"]),
            ("pe 8 mai anul trecut", &["2025-05-08"]),
        ]);
    }

    #[test]
    fn months_seasons_and_years_are_understood() {
        check(&[
            ("în aprilie", &["2026-04-01..2026-04-30"]),
            ("în luna martie", &["2026-03-01..2026-03-31"]),
            ("la începutul lui aprilie", &["2026-04-01..2026-04-10"]),
            ("la sfârșitul lunii martie", &["2026-03-22..2026-03-31"]),
            ("vara trecută", &["2025-06-01..2025-08-31"]),
            ("iarna asta", &["2025-12-01..2026-02-28"]),
            ("în primăvara lui 2024", &["2024-03-01..2024-05-31"]),
            ("la începutul anului", &["2026-01-01..2026-05-01"]),
            ("în mai anul trecut", &["2025-05-01..2025-05-31"]),
            ("în anul 2022", &["2022-01-01..2022-12-31"]),
        ]);
    }

    #[test]
    fn times_relative_to_today_are_understood() {
        check(&[
            ("ce am făcut ieri?", &["2026-04-21"]),
            ("alaltăieri", &["2026-04-20"]),
            ("azi dimineață", &["2026-04-22"]),
            ("mâine seară", &["2026-04-23"]),
            ("acum trei zile", &["2026-04-19"]),
            ("acum două luni", &["2026-02-08..2026-03-08"]),
            ("acum o lună", &["2026-03-09..2026-04-04"]),
            ("cu două săptămâni în urmă", &["2026-04-05..2026-04-11"]),
            ("acum câteva zile", &["2026-04-17..2026-04-20"]),
            ("ultimele două săptămâni", &["2026-04-08..2026-04-22"]),
            ("săptămâna trecută", &["2026-04-08..2026-04-21"]),
            ("luna viitoare", &["2026-05-01..2026-05-31"]),
            ("peste două săptămâni", &["2026-05-03..2026-05-09"]),
            ("weekendul trecut", &["2026-04-18..2026-04-19"]),
            ("marțea trecută", &["2026-04-21"]),
            ("luni", &["2026-04-20", "2026-04-27"]),
        ]);
    }

    #[test]
    fn holidays_follow_the_orthodox_calendar_and_the_western_one() {
        check(&[
            ("imediat după Paște", &["2026-04-13..2026-04-23", "2026-04-06..2026-04-16"]),
            ("de Paște în 2025", &["2025-04-18..2025-04-21"]),
            ("cu două săptămâni înainte de Paștele catolic", &["2026-03-19..2026-03-25"]),
            ("de Crăciun anul trecut", &["2025-12-24..2025-12-26"]),
            ("Crăciunul trecut", &["2025-12-24..2025-12-26"]),
            ("de revelion 2024", &["2024-12-31"]),
        ]);
    }

    #[test]
    fn words_that_only_look_like_times_are_none() {
        check(&[
            ("nu mai am timp", &[]),
            ("în mai multe rânduri", &[]),
            ("bună dimineața, ce faci?", &[]),
            ("am stat două săptămâni", &[]),
            ("ce faci acum?", &[]),
        ]);
    }
}
