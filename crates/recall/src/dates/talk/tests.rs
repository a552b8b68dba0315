use jiff::civil::date;

use super::*;

#[track_caller]
fn check(cases: &[(&str, &str, Option<&str>)]) {
    // A Monday.
    let today = date(2026, 3, 2);
    for (language, text, expected) in cases {
        let found = date_in_talk(text, language, today).map(|date| date.to_string());
        assert_eq!(found.as_deref(), *expected, "{text}");
    }
}

#[test]
fn a_weekday_a_number_and_a_month_are_a_date_only_when_they_agree() {
    check(&[
        ("en", "We arrive on Friday the 27th.", Some("2026-03-27")),
        ("en", "We arrive on Friday the 26th.", None),
        ("en", "We arrive on Friday, 27 March.", Some("2026-03-27")),
        ("en", "We arrive on Friday, 26 March.", None),
        ("de", "Wir kommen Freitag, den 27.", Some("2026-03-27")),
        ("es", "Llegamos el viernes 27.", Some("2026-03-27")),
        ("fr", "Nous arrivons vendredi 27.", Some("2026-03-27")),
        ("ro", "Ajungem vineri, 27.", Some("2026-03-27")),
    ]);
}

#[test]
fn a_day_that_is_denied_or_comes_again_is_no_date() {
    check(&[
        ("en", "not Thursday, Tuesday", Some("2026-03-03")),
        ("en", "not the 14th, the 21st", Some("2026-03-21")),
        ("de", "nicht Donnerstag, sondern Dienstag", Some("2026-03-03")),
        ("fr", "mardi au lieu de jeudi", Some("2026-03-03")),
        ("es", "no el jueves, el martes", Some("2026-03-03")),
        ("ro", "nu joi, marți", Some("2026-03-03")),
        ("en", "we meet every Thursday", None),
        ("en", "the first Tuesday of the month", None),
        ("de", "jeden ersten Dienstag im Monat", None),
        ("fr", "le jeudi j'ai chorale", None),
        ("fr", "le deuxième jeudi du mois", None),
        ("es", "el segundo jueves de cada mes", None),
        ("ro", "în fiecare joi la opt", None),
    ]);
}

#[test]
fn days_relative_to_today_are_dates() {
    check(&[
        ("en", "My brother arrives on the 3rd.", Some("2026-03-03")),
        ("en", "My brother arrives on the 1st.", Some("2026-04-01")),
        ("en", "in two weeks we fly", Some("2026-03-16")),
        ("en", "I start next month", Some("2026-04")),
        ("en", "We leave tomorrow", Some("2026-03-03")),
        ("en", "see you on Thursday", Some("2026-03-05")),
        ("en", "the concert is in October", Some("2026-10")),
        ("de", "am 14. fahren wir", Some("2026-03-14")),
        ("de", "Am 14. April fahren wir", Some("2026-04-14")),
        ("fr", "Je pars le 14.", Some("2026-03-14")),
        ("ro", "Vin pe 14 cu fetele", Some("2026-03-14")),
        ("de", "Urlaub: 13. bis 24. Juli, Binz", Some("2026-07-13")),
        ("en", "we come 8 to 20 February", Some("2027-02-08")),
        ("de", "wir fahren jetzt vom 15. bis 24.", Some("2026-03-15")),
        ("es", "Mi hija cumple 15 el 21 de noviembre", Some("2026-11-21")),
        ("fr", "Noël : je vais chez mamie du 23 au 27", Some("2026-12-23")),
        ("en", "We meet next week", None),
        ("es", "El 20 por ciento", None),
        ("en", "I have three dogs", None),
        ("es", "El 25 vamos a la sierra", Some("2026-03-25")),
        ("en", "back in feb for the ice, 8th to the 20th", Some("2027-02-08")),
        ("en", "Next year we'll come in May.", Some("2027-05")),
        ("de", "nächste Woche Samstag", Some("2026-03-14")),
    ]);
    check(&[
        ("en", "I moved here in October", Some("2025-10")),
        ("en", "we married in 2019", Some("2019")),
        ("en", "It happened on Thursday", Some("2026-02-26")),
        ("en", "Two weeks ago I fell", Some("2026-02-16")),
        ("en", "last March we were in Rome", Some("2025-03")),
        ("en", "I met her on Friday and we fly on Sunday", Some("2026-03-08")),
        ("en", "They moved it to Friday", Some("2026-03-06")),
    ]);
}
