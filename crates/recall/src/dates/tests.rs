use std::time::{Duration, Instant};

use jiff::ToSpan;
use jiff::civil::date;
use proptest::prelude::*;

use super::*;

fn now() -> Timestamp {
    // A Wednesday.
    "2026-04-22T12:00:00.000Z".parse().unwrap()
}

fn printed(runs: &[Days]) -> Vec<String> {
    let print = |day: i32| (date(1970, 1, 1) + i64::from(day).days()).to_string();
    let run = |days: &Days| {
        if days.first == days.last {
            print(days.first)
        } else {
            format!("{}..{}", print(days.first), print(days.last))
        }
    };
    runs.iter().map(run).collect()
}

/// Checks the ranges of days that each cue mentions on 22 April 2026, in order.
pub(super) fn check(cases: &[(&str, &[&str])]) {
    let wrong = cases.iter().filter_map(|(cue, expected)| {
        let found = printed(&days_in(cue, now()));
        (found != *expected).then(|| format!("{cue}\n    expected {expected:?}\n    found    {found:?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn days_are_understood_however_they_are_written() {
    check(&[
        ("What happened on 8 May 2023?", &["2023-05-08"]),
        ("on the 8th of May, 2023", &["2023-05-08"]),
        ("May 8, 2023 at noon", &["2023-05-08"]),
        ("since 2023-05-08", &["2023-05-08"]),
        ("her trip in May 2023", &["2023-05-01..2023-05-31"]),
        ("what did she do in March?", &["2026-03-01..2026-03-31"]),
        ("the party in may", &["2025-05-01..2025-05-31", "2026-05-01..2026-05-31"]),
        ("on 3 Dec", &["2025-12-03", "2026-12-03"]),
        ("in 2022", &["2022-01-01..2022-12-31"]),
        ("yesterday's dinner", &["2026-04-21"]),
        ("what we did last week", &["2026-04-08..2026-04-21"]),
        ("last month", &["2026-03-01..2026-03-31"]),
    ]);
}

#[test]
fn words_that_only_look_like_dates_are_none() {
    for cue in
        ["", "may I come in?", "room 2023", "I march on", "31 February 2023", "2023-02-31", "the 8 of us"]
    {
        assert_eq!(days_in(cue, now()).len(), usize::from(cue == "I march on"), "{cue}");
    }
}

#[test]
fn a_foreign_date_in_a_text_is_found_when_it_can_mean_nothing_else() {
    check(&[
        ("do you remember the dinner at Weihnachten 2024?", &["2024-12-24..2024-12-26"]),
        ("what did we do am 8. März 2026?", &["2026-03-08"]),
        ("she went to the hier restaurant", &[]),
    ]);
}

#[test]
fn of_many_dates_the_past_ones_are_kept() {
    check(&[(
        "in June, in July, in August or in September",
        &[
            "2025-06-01..2025-06-30",
            "2025-07-01..2025-07-31",
            "2025-08-01..2025-08-31",
            "2025-09-01..2025-09-30",
        ],
    )]);
}

#[test]
fn a_memory_fits_a_day_best_in_the_week_that_follows_it() {
    let day = Days { first: 100, last: 100 };
    assert!(
        day.fit(100) > 0.9
            && day.fit(107) > 0.9
            && day.fit(109) < 0.5
            && day.fit(111) < 0.1
            && day.fit(89) < 0.1
    );
    assert!(Days { first: 100, last: 130 }.fit(110) < 0.9);
}

#[test]
fn an_event_fits_fully_where_it_overlaps_and_less_the_vaguer_either_is() {
    let run = |cue: &str| days_in(cue, now())[0];
    for (cue, event, expected) in [
        ("on 8 May 2026", "2026-05-08", 1.0),
        ("on 8 May 2026", "2026-05-10", 0.3),
        ("on 8 May 2026", "2026-05-12", 0.0),
        ("on 8 May 2026", "2026-05", 0.6),
        ("on 8 May 2026", "2026", 0.3),
        ("next month", "2026-05-31", 0.6),
        ("next month", "2026-06-30", 0.0),
        ("next year", "2027-05", 0.3),
    ] {
        let event: EventDate = event.parse().unwrap();
        let fit = run(cue).fit_days(Days::of_event(event).unwrap());
        assert!((fit - expected).abs() < 1e-6, "{cue}, {event}: {fit}");
    }
}

#[test]
fn dates_in_a_memory_are_seen_from_the_day_it_was_formed() {
    let formed: Timestamp = "2026-11-16T12:00:00.000Z".parse().unwrap();
    for (text, expected) in [
        ("The exam is on 5 February 2027.", vec!["2027-02-05"]),
        ("Has a dentist's appointment on 11 December.", vec!["2026-12-11"]),
        ("Ran the marathon in September.", vec!["2026-09-01..2026-09-30"]),
        ("Moved to Utrecht in October 2026.", vec!["2026-10-01..2026-10-31"]),
        ("Was born on 08.05.1987.", vec!["1987-05-08"]),
        ("Married since 2019.", vec!["2019-01-01..2019-12-31"]),
        ("Spent Christmas 2025 in York.", vec!["2025-12-24..2025-12-26"]),
        ("Plans to move next spring.", vec!["2027-03-01..2027-05-31"]),
        ("Hat am 3. März Geburtstag.", vec!["2027-03-03"]),
        ("Se mudó a Sevilla en agosto.", vec!["2026-08-01..2026-08-31"]),
        ("Kommt Mitte Mai.", vec!["2026-05-11..2026-05-21", "2027-05-11..2027-05-21"]),
        ("Viendra le 1er mai.", vec!["2026-05-01", "2027-05-01"]),
        ("Vine în luna mai.", vec!["2026-05-01..2026-05-31", "2027-05-01..2027-05-31"]),
        ("Né en e\u{301}te\u{301} 1990.", vec!["1990-06-01..1990-08-31"]),
        ("Moving soon\u{2014}September\u{2026} in\u{a0}October!", vec!["2026-10-01..2026-10-31"]),
        ("Est né le 14 août 1990.", vec!["1990-08-14"]),
        ("S-a mutat la Cluj în iunie 2024.", vec!["2024-06-01..2024-06-30"]),
        ("Geht um Ostern 2027 in Rente.", vec!["2027-03-21..2027-04-03"]),
    ] {
        assert_eq!(printed(&dates_in_text(text, formed)), expected, "{text}");
    }
}

#[test]
fn a_memory_without_a_date_has_none() {
    let formed: Timestamp = "2026-11-16T12:00:00.000Z".parse().unwrap();
    for text in [
        "Her sister April may visit; she loves summer and Christmas.",
        "Lives in room 2023 with 2 cats and 3.5 kg of tea.",
        "Called yesterday and comes on Friday.",
        "J'ai été content.",
        "Nu mai fumează.",
        "",
    ] {
        assert_eq!(printed(&dates_in_text(text, formed)), Vec::<String>::new(), "{text}");
    }
}

fn quickest(read: impl Fn() -> Vec<Days>) -> Duration {
    let once = || {
        let start = Instant::now();
        for _ in 0..100 {
            assert_eq!(std::hint::black_box(read()), []);
        }
        start.elapsed() / 100
    };
    (0..20).map(|_| once()).min().unwrap()
}

#[test]
fn a_text_without_a_date_is_put_aside_quickly() {
    let formed: Timestamp = "2026-11-16T12:00:00.000Z".parse().unwrap();
    let texts = [
        "Tomas is severely allergic to peanuts and carries an adrenaline pen wherever he goes.",
        "The guest decided to marry in the main hall; 2 of her 14 cousins sing.",
        "Er mag seinen Kaffee schwarz, ohne Zucker, und sitzt am liebsten an der Tür zur Küche.",
        "Elle préfère les chambres éloignées de l'ascenseur, très calmes, près du jardin intérieur.",
        "Își dorește o cameră liniștită, cât mai aproape de grădină; își pregătește singură ceaiul și citește.",
    ];
    for text in texts {
        let time = quickest(|| dates_in_text(std::hint::black_box(text), formed));
        // On a busy machine everything takes longer, so the result is compared with the time of a whole
        // parse.
        let whole = quickest(|| days_in(std::hint::black_box(text), formed));
        assert!(time < Duration::from_micros(3).max(whole / 4), "{time:?} and {whole:?} for {text}");
    }
}

#[test]
fn a_hostile_cue_is_read_in_bounded_time() {
    let start = Instant::now();
    for piece in
        ["before ", "vor ", "2 ", "end of ", "in ", "last ", "8-", "1.1.", "a couple of ", "\u{301}", "é"]
    {
        assert!(days_in(&piece.repeat(200_000 / piece.len()), now()).len() <= MOST_RUNS);
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn any_cue_is_read_without_harm(cue in any::<String>(), millis in any::<i64>()) {
        prop_assert!(days_in(&cue, Timestamp::from_millis(millis)).len() <= MOST_RUNS);
    }

    #[test]
    fn any_words_of_the_vocabulary_are_read_without_harm(
        words in prop::collection::vec(prop::sample::select(vec![
            "in", "vor", "il y a", "hace", "acum", "last", "8", "31", "2024", "999", "29", "february", "mai",
            "easter", "paste", "weeks", "years", "luni", "before", "after", "around", "end of", "und", "3/4",
            "9999-12-31", "winter", "week", "ago", "next", "dernier", "friday", "a few", "of", "weekend",
        ]), 0..12),
        millis in any::<i64>(),
    ) {
        let cue = words.join(" ");
        let runs = days_in(&cue, Timestamp::from_millis(millis));
        prop_assert!(runs.len() <= MOST_RUNS && runs.iter().all(|run| run.first <= run.last), "{}", cue);
        let dates = dates_in_text(&cue, Timestamp::from_millis(millis));
        prop_assert!(dates.len() <= MOST_RUNS, "{}", cue);
    }
}
