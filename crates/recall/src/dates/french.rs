//! French words for times.

use text::Language;

use super::calendar::{Part, Season, Unit};
use super::holiday;
use super::vocabulary::{Meaning, Table};

pub(super) const TABLE: Table = Table {
    language: Language::French,
    words: &[
        (Meaning::Season(Season::Spring), "printemps"),
        (Meaning::Season(Season::Summer), "ete"),
        (Meaning::Season(Season::Autumn), "automne"),
        (Meaning::Season(Season::Winter), "hiver"),
        (Meaning::Holiday(holiday::NEW_YEAR), "nouvel an|jour de l an|premier de l an"),
        (Meaning::Holiday(holiday::EPIPHANY), "epiphanie|fete des rois"),
        (Meaning::Holiday(holiday::VALENTINE), "saint valentin|saint - valentin"),
        (Meaning::Holiday(holiday::CARNIVAL), "carnaval|mardi gras"),
        (Meaning::Holiday(holiday::ASH_WEDNESDAY), "mercredi des cendres"),
        (Meaning::Holiday(holiday::HOLY_WEEK), "semaine sainte"),
        (Meaning::Holiday(holiday::GOOD_FRIDAY), "vendredi saint"),
        (Meaning::Holiday(holiday::EASTER), "paques|week - end de paques"),
        (Meaning::Holiday(holiday::EASTER_SUNDAY), "dimanche de paques"),
        (Meaning::Holiday(holiday::EASTER_MONDAY), "lundi de paques"),
        (Meaning::Holiday(holiday::ASCENSION), "ascension"),
        (Meaning::Holiday(holiday::PENTECOST), "pentecote"),
        (Meaning::Holiday(holiday::WHIT_MONDAY), "lundi de pentecote"),
        (Meaning::Holiday(holiday::HALLOWEEN), "halloween"),
        (Meaning::Holiday(holiday::ALL_SAINTS), "toussaint"),
        (Meaning::Holiday(holiday::SAINT_NICHOLAS), "saint nicolas|saint - nicolas"),
        (Meaning::Holiday(holiday::CHRISTMAS_EVE), "veille de noel|reveillon de noel"),
        (Meaning::Holiday(holiday::CHRISTMAS), "noel|fetes de fin d annee"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "saint sylvestre|saint - sylvestre|reveillon"),
        (Meaning::Holiday(holiday::NEW_YEARS_EVE), "reveillon du nouvel an"),
        (Meaning::Unit(Unit::PartOfDay), "matin|matinee|apres midi|apres - midi|soir|soiree|nuit"),
        (Meaning::Unit(Unit::Day), "jour|jours"),
        (Meaning::Unit(Unit::Week), "semaine|semaines"),
        (Meaning::Unit(Unit::Weekend), "weekend|weekends|week end|week - end|week - ends"),
        (Meaning::Unit(Unit::Month), "mois"),
        (Meaning::Unit(Unit::Year), "an|ans|annee|annees"),
        (Meaning::FromToday(-10, -1), "autre jour"),
        (Meaning::FromToday(-2, -2), "avant hier|avant - hier"),
        (Meaning::FromToday(-1, -1), "hier"),
        (Meaning::FromToday(0, 0), "aujourd hui"),
        (Meaning::FromToday(1, 1), "demain"),
        (Meaning::FromToday(2, 2), "apres demain|apres - demain"),
        (Meaning::Count(2, 5), "quelques"),
        (Meaning::Count(3, 6), "plusieurs"),
        (Meaning::Count(10, 10), "une dizaine de"),
        (Meaning::Count(15, 15), "une quinzaine de"),
        (Meaning::DayOfMonth(1), "premier"),
        (Meaning::WhichAfter(-2), "avant - dernier|avant - derniere"),
        (Meaning::WhichAfter(-1), "dernier|derniere|derniers|dernieres|passe|passee"),
        (Meaning::Which(0), "ce|cet|cette|ces"),
        (Meaning::WhichAfter(1), "prochain|prochaine|prochains|prochaines|qui vient"),
        (Meaning::WeeksLater(1), "en huit"),
        (Meaning::WeeksLater(2), "en quinze"),
        (Meaning::Part(Part::Early), "debut"),
        (Meaning::Part(Part::Middle), "mi|milieu"),
        (Meaning::Part(Part::Late), "fin"),
        (Meaning::In, "en|au|aux|le|pendant|durant|depuis|jusqu|des|a|pour|courant"),
        (Meaning::Of, "de|d|du"),
        (Meaning::Link, "et|ou"),
        (Meaning::Shortly, "juste|peu"),
        (Meaning::Before, "avant"),
        (Meaning::After, "apres"),
        (Meaning::Around, "vers|autour de|aux alentours de|environ"),
        (Meaning::Ago, "il y a|y a|ya"),
        (Meaning::AgoAfter, "plus tot"),
        (Meaning::Ahead, "dans|d ici"),
        (Meaning::Filler, "la|les|l|presque|plus de"),
        (Meaning::Other, "par an|par mois|par jour|par semaine|a la fin|enfin"),
    ],
    only_supported: "janv|fevr|mars|avr|mai|juil|oct|nov|dec|printemps|ete|automne|hiver",
    frequent: "je|j|tu|il|elle|on|nous|vous|ils|me|m|te|mon|ma|mes|que|qu|qui|quoi|quand|ou|comment|est|etait|\
        ai|as|avons|avez|ont|avait|ne|n|pas|avec|mais|ici|c|s|se|son|sa|fait|suis|sommes|va|vas|bien|tres",
};

#[cfg(test)]
mod tests {
    use crate::dates::tests::check;

    #[test]
    fn exact_dates_are_understood() {
        check(&[
            ("le 8 mai 2023", &["2023-05-08"]),
            ("le 8 mai", &["2025-05-08", "2026-05-08"]),
            ("vendredi 1er mai 2026", &["2026-05-01"]),
            ("le premier mars", &["2026-03-01"]),
            ("le 8/3", &["2026-03-08"]),
            ("3-8 mars 2023", &["2023-03-03..2023-03-08"]),
            ("le 8 mai de l'année dernière", &["2025-05-08"]),
        ]);
    }

    #[test]
    fn months_seasons_and_years_are_understood() {
        check(&[
            ("en avril", &["2026-04-01..2026-04-30"]),
            ("au mois d'avril", &["2026-04-01..2026-04-30"]),
            ("début avril", &["2026-04-01..2026-04-10"]),
            ("mi-mars", &["2026-03-11..2026-03-21"]),
            ("avril dernier", &["2025-04-01..2025-04-30"]),
            ("l'été dernier", &["2025-06-01..2025-08-31"]),
            ("cet hiver", &["2025-12-01..2026-02-28"]),
            ("au printemps 2024", &["2024-03-01..2024-05-31"]),
            ("en début d'année", &["2026-01-01..2026-05-01"]),
            ("en mai de l'an dernier", &["2025-05-01..2025-05-31"]),
            ("en 2022", &["2022-01-01..2022-12-31"]),
        ]);
    }

    #[test]
    fn times_relative_to_today_are_understood() {
        check(&[
            ("qu'est-ce que j'ai dit hier ?", &["2026-04-21"]),
            ("avant-hier", &["2026-04-20"]),
            ("ce matin", &["2026-04-22"]),
            ("demain soir", &["2026-04-23"]),
            ("il y a trois jours", &["2026-04-19"]),
            ("il y a environ deux semaines", &["2026-04-05..2026-04-11"]),
            ("il y a deux mois", &["2026-02-08..2026-03-08"]),
            ("il y a quelques jours", &["2026-04-17..2026-04-20"]),
            ("ces deux dernières semaines", &["2026-04-08..2026-04-22"]),
            ("la semaine dernière", &["2026-04-08..2026-04-21"]),
            ("le mois prochain", &["2026-05-01..2026-05-31"]),
            ("dans deux semaines", &["2026-05-03..2026-05-09"]),
            ("le week-end dernier", &["2026-04-18..2026-04-19"]),
            ("mardi dernier", &["2026-04-21"]),
            ("vendredi", &["2026-04-17", "2026-04-24"]),
        ]);
    }

    #[test]
    fn holidays_and_the_days_around_them_are_understood() {
        check(&[
            ("juste après Pâques", &["2026-04-06..2026-04-16"]),
            ("deux semaines avant Pâques", &["2026-03-19..2026-03-25"]),
            ("à Noël l'année dernière", &["2025-12-24..2025-12-26"]),
            ("Noël dernier", &["2025-12-24..2025-12-26"]),
            ("au nouvel an 2025", &["2024-12-30..2025-01-02"]),
            ("vers la Pentecôte 2025", &["2025-06-02..2025-06-14"]),
        ]);
    }

    #[test]
    fn words_that_only_look_like_times_are_none() {
        check(&[
            ("J'ai été très content de mes vacances", &[]),
            ("Il y a un problème avec mes clés", &[]),
            ("Nous sommes restés deux semaines", &[]),
            ("C'est à la fin du livre", &[]),
        ]);
    }
}
