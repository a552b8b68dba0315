//! Spanish words for times.

use text::Language;

use super::calendar::{Part, Season, Unit};
use super::holiday;
use super::vocabulary::{Meaning, Table};

pub(super) const TABLE: Table = Table {
    language: Language::Spanish,
    words: &[
        (Meaning::Season(Season::Spring), "primavera"),
        (Meaning::Season(Season::Summer), "verano"),
        (Meaning::Season(Season::Autumn), "otono"),
        (Meaning::Season(Season::Winter), "invierno"),
        (Meaning::Holiday(holiday::NEW_YEAR), "ano nuevo"),
        (Meaning::Holiday(holiday::EPIPHANY), "dia de reyes|reyes magos|reyes"),
        (Meaning::Holiday(holiday::VALENTINE), "san valentin"),
        (Meaning::Holiday(holiday::CARNIVAL), "carnaval|carnavales"),
        (Meaning::Holiday(holiday::ASH_WEDNESDAY), "miercoles de ceniza"),
        (Meaning::Holiday(holiday::HOLY_WEEK), "semana santa"),
        (Meaning::Holiday(holiday::GOOD_FRIDAY), "viernes santo"),
        (Meaning::Holiday(holiday::EASTER), "pascua"),
        (Meaning::Holiday(holiday::EASTER_SUNDAY), "domingo de pascua|domingo de resurreccion"),
        (Meaning::Holiday(holiday::EASTER_MONDAY), "lunes de pascua"),
        (Meaning::Holiday(holiday::PENTECOST), "pentecostes"),
        (Meaning::Holiday(holiday::HALLOWEEN), "halloween"),
        (Meaning::Holiday(holiday::ALL_SAINTS), "todos los santos"),
        (Meaning::Holiday(holiday::ADVENT), "adviento"),
        (Meaning::Holiday(holiday::CHRISTMAS_EVE), "nochebuena|noche buena"),
        (Meaning::Holiday(holiday::CHRISTMAS), "navidad|navidades"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "nochevieja|noche vieja|fin de ano"),
        (Meaning::Unit(Unit::PartOfDay), "tarde|noche|madrugada"),
        (Meaning::Unit(Unit::Day), "dia|dias"),
        (Meaning::Unit(Unit::Week), "semana|semanas"),
        (Meaning::Unit(Unit::Weekend), "fin de semana|finde|fines de semana"),
        (Meaning::Unit(Unit::Month), "mes|meses"),
        (Meaning::Unit(Unit::HalfYear), "medio ano"),
        (Meaning::Unit(Unit::Year), "ano|anos"),
        (Meaning::FromToday(-10, -1), "otro dia"),
        (Meaning::FromToday(-2, -2), "anteayer|antes de ayer|antier|anteanoche"),
        (Meaning::FromToday(-1, -1), "ayer|anoche"),
        (Meaning::FromToday(0, 0), "hoy|esta manana"),
        (Meaning::FromToday(1, 1), "manana"),
        (Meaning::FromToday(2, 2), "pasado manana|pasao manana"),
        (Meaning::Count(2, 3), "un par de|par de"),
        (Meaning::Count(2, 5), "unos|unas|algunos|algunas|unos cuantos|unas cuantas|pocos|pocas"),
        (Meaning::Count(3, 6), "varios|varias"),
        (Meaning::DayOfMonth(1), "primero|primer"),
        (Meaning::WhichAfter(-2), "antepasado|antepasada"),
        (Meaning::WhichAfter(-1), "pasado|pasada|pasados|pasadas|ultimo|ultima|ultimos|ultimas"),
        (Meaning::Which(0), "este|esta|estos|estas"),
        (Meaning::WhichAfter(1), "proximo|proxima|proximos|proximas|que viene|que vienen|que entra"),
        (Meaning::Part(Part::Early), "principios|comienzos|inicios|principio|inicio|comienzo"),
        (Meaning::Part(Part::Middle), "mediados"),
        (Meaning::Part(Part::Late), "finales|fines|final|fin"),
        (Meaning::In, "el|al|durante|desde|hasta|por|para|a"),
        (Meaning::InOrAhead, "en"),
        (Meaning::Of, "de|del"),
        (Meaning::Link, "y|o|u"),
        (Meaning::Shortly, "justo|poco|recien"),
        (Meaning::Before, "antes de|antes del"),
        (Meaning::After, "despues de|despues del|tras"),
        (Meaning::Around, "alrededor de|alrededor del|hacia|sobre|en torno a"),
        (Meaning::Ago, "hace"),
        (Meaning::AgoAfter, "atras"),
        (Meaning::Ahead, "dentro de"),
        (Meaning::Filler, "la|lo|casi|mas de|aproximadamente"),
        (Meaning::Other, "por la manana|de la manana|cada manana|todas las mananas|al dia|al mes|al ano"),
        (Meaning::Other, "los lunes|los martes|los miercoles|los jueves|los viernes|cada lunes|cada viernes"),
    ],
    only_supported: "primavera|verano|otono|invierno|reyes",
    frequent: "yo|tu|ella|nosotros|ellos|me|te|se|mi|mis|que|quien|cuando|donde|como|es|era|fue|he|has|ha|\
        hemos|habia|no|con|pero|aqui|los|las|hice|hiciste|hicimos|voy|vas|estoy|esta|muy|nos|le|su|dije|tengo",
};

#[cfg(test)]
mod tests {
    use crate::dates::tests::check;

    #[test]
    fn exact_dates_are_understood() {
        check(&[
            ("el 8 de mayo de 2023", &["2023-05-08"]),
            ("el 8 de mayo", &["2025-05-08", "2026-05-08"]),
            ("el viernes 8 de mayo del 2026", &["2026-05-08"]),
            ("el primero de marzo", &["2026-03-01"]),
            ("del 3 al 8 de marzo", &["2026-03-03..2026-03-08"]),
            ("el 8 de mayo del año pasado", &["2025-05-08"]),
            ("el 8/3", &["2026-03-08"]),
        ]);
    }

    #[test]
    fn months_seasons_and_years_are_understood() {
        check(&[
            ("en abril", &["2026-04-01..2026-04-30"]),
            ("a principios de abril", &["2026-04-01..2026-04-10"]),
            ("a finales de marzo", &["2026-03-22..2026-03-31"]),
            ("el verano pasado", &["2025-06-01..2025-08-31"]),
            ("este invierno", &["2025-12-01..2026-02-28"]),
            ("en la primavera de 2024", &["2024-03-01..2024-05-31"]),
            ("a principios de año", &["2026-01-01..2026-05-01"]),
            ("en mayo del año pasado", &["2025-05-01..2025-05-31"]),
            ("en el año 2022", &["2022-01-01..2022-12-31"]),
        ]);
    }

    #[test]
    fn times_relative_to_today_are_understood() {
        check(&[
            ("¿qué hice ayer?", &["2026-04-21"]),
            ("anteayer", &["2026-04-20"]),
            ("esta mañana", &["2026-04-22"]),
            ("mañana por la mañana", &["2026-04-23"]),
            ("pasado mañana", &["2026-04-24"]),
            ("hace tres días", &["2026-04-19"]),
            ("hace un año", &["2025-01-22..2025-07-21"]),
            ("hace un par de semanas", &["2026-04-01..2026-04-08"]),
            ("hace unos días", &["2026-04-17..2026-04-20"]),
            ("las últimas dos semanas", &["2026-04-08..2026-04-22"]),
            ("la semana pasada", &["2026-04-08..2026-04-21"]),
            ("la semana que viene", &["2026-04-27..2026-05-03"]),
            ("el próximo mes", &["2026-05-01..2026-05-31"]),
            ("dentro de dos semanas", &["2026-05-03..2026-05-09"]),
            ("el fin de semana pasado", &["2026-04-18..2026-04-19"]),
            ("el martes pasado", &["2026-04-21"]),
            ("el viernes", &["2026-04-17", "2026-04-24"]),
        ]);
    }

    #[test]
    fn holidays_and_the_days_around_them_are_understood() {
        check(&[
            ("justo después de Semana Santa", &["2026-04-05..2026-04-15"]),
            ("dos semanas antes de Pascua", &["2026-03-19..2026-03-25"]),
            ("en Navidad del año pasado", &["2025-12-24..2025-12-26"]),
            ("la Navidad pasada", &["2025-12-24..2025-12-26"]),
            ("en Nochevieja de 2024", &["2024-12-31"]),
            ("antes del carnaval de 2025", &["2025-02-06..2025-02-27"]),
        ]);
    }

    #[test]
    fn words_that_only_look_like_times_are_none() {
        check(&[
            ("son las ocho de la mañana", &[]),
            ("los viernes como pescado", &[]),
            ("al final me quedé dos semanas", &[]),
            ("hace mucho calor", &[]),
        ]);
    }
}
