//! Decay, to the printed digits and over a hundred thousand cases.

use domain::rehearsal::rehearse;
use domain::{
    Brightness, Days, DecayFunction, DecayProfile, Rehearsal, RehearsalKind, Salience, Valence, example,
};
use proptest::prelude::*;

const CASES: u32 = 100_000;

fn salience(baseline: f64, count: u32, days: f64, valence: f64) -> f64 {
    DecayProfile::default()
        .salience(Salience::clamped(baseline), count, Valence::clamped(valence), Days(days))
        .get()
}

#[test]
fn salience_agrees_with_the_published_table_to_its_digits() {
    for (baseline, count, days, valence, expected) in [
        (0.74, 3, 0.0, 0.62, 1.0),
        (0.74, 3, 14.0, 0.62, 1.0),
        (0.74, 3, 28.0, 0.62, 0.6936),
        (0.74, 3, 42.0, 0.62, 0.4398),
        (0.74, 3, 56.0, 0.62, 0.3129),
        (0.74, 3, 112.0, 0.62, 0.1939),
        (0.74, 0, 0.0, 0.62, 0.9260),
        (0.74, 0, 14.0, 0.62, 0.5560),
        (0.74, 0, 28.0, 0.62, 0.3710),
        (0.5, 0, 14.0, 0.0, 0.25),
        (0.5, 0, -5.0, 0.0, 0.5),
        (0.5, 2500, 1e6, 0.0, 0.0),
    ] {
        let weight = salience(baseline, count, days, valence);
        assert!(
            (weight - expected).abs() <= 5e-5,
            "{baseline} {count} {days} {valence}: {weight} is not {expected}"
        );
    }
}

#[test]
fn details_fall_out_of_reach_on_the_published_days() {
    let profile = DecayProfile::default();
    for (initial, expected) in [(0.40, 18.67), (0.20, 9.33), (0.85, 28.82)] {
        let days =
            profile.days_until_brightness_below(Brightness::RENDERED, Brightness::clamped(initial)).unwrap();
        assert!((days.0 - expected).abs() < 0.005, "{initial} falls after {} days", days.0);
        assert!(
            profile.brightness(Brightness::clamped(initial), Days(days.0 - 0.01)) >= Brightness::RENDERED
        );
        assert!(profile.brightness(Brightness::clamped(initial), Days(days.0 + 0.01)) < Brightness::RENDERED);
    }
}

#[test]
fn a_memory_that_does_not_fade_never_crosses_and_one_below_has_crossed_already() {
    let none = DecayProfile { function: DecayFunction::None, ..DecayProfile::default() };
    let half = Salience::clamped(0.5);
    let at = |profile: &DecayProfile, threshold, valence| {
        profile.days_until_salience_below(Salience::clamped(threshold), half, 0, Valence::clamped(valence))
    };
    assert_eq!(at(&none, 0.1, 0.0), None);
    assert_eq!(at(&DecayProfile::default(), 0.6, 0.0), None);
    assert_eq!(at(&DecayProfile::default(), 0.2, 1.0), None, "the floor of 0.3 is above the threshold");
    assert_eq!(at(&DecayProfile::default(), 0.25, 0.0), Some(Days(14.0)));
}

/// The same formulas, computed independently and without logarithms.
fn independent(profile: &DecayProfile, baseline: f64, count: u32, valence: f64, days: f64) -> f64 {
    let x = days.max(0.0) / profile.half_life_days;
    let kept = match profile.function {
        DecayFunction::Ebbinghaus => (-std::f64::consts::LN_2 * x).exp(),
        DecayFunction::Power => 1.0 / (1.0 + 3.0 * x).sqrt(),
        DecayFunction::None => 1.0,
    };
    let boost: f64 = (0..count).fold(1.0, |product, _| product * profile.rehearsal_boost);
    (baseline * boost * kept + profile.valence_protection * valence.abs()).clamp(0.0, 1.0)
}

fn functions() -> impl Strategy<Value = DecayFunction> {
    prop_oneof![Just(DecayFunction::Ebbinghaus), Just(DecayFunction::Power), Just(DecayFunction::None)]
}

prop_compose! {
    fn profiles()(
        function in functions(),
        half_life_days in 1e-3..1e4f64,
        rehearsal_boost in 1.0..4.0f64,
        valence_protection in 0.0..=1.0f64,
        detail_decay_rate in 1.0..10.0f64,
    ) -> DecayProfile {
        DecayProfile { function, half_life_days, rehearsal_boost, valence_protection, detail_decay_rate, ..DecayProfile::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_independent_evaluation_agrees_to_nine_digits(
        profile in profiles(), baseline in 0.0..=1.0f64, count in 0u32..40, valence in -1.0..=1.0f64, days in -10.0..4000.0f64,
    ) {
        let ours = profile.salience(Salience::clamped(baseline), count, Valence::clamped(valence), Days(days)).get();
        let theirs = independent(&profile, baseline, count, valence, days);
        prop_assert!((ours - theirs).abs() < 1e-9, "{ours} against {theirs}");
    }

    #[test]
    fn salience_stays_in_range_whatever_comes_in(
        function in functions(), half_life in prop::num::f64::POSITIVE, boost in 1.0..f64::MAX, protection in 0.0..=1.0f64,
        baseline in 0.0..=1.0f64, count in any::<u32>(), valence in -1.0..=1.0f64, days in prop::num::f64::ANY,
    ) {
        let profile = DecayProfile { function, half_life_days: half_life, rehearsal_boost: boost, valence_protection: protection, ..DecayProfile::default() };
        let weight = profile.salience(Salience::clamped(baseline), count, Valence::clamped(valence), Days(days)).get();
        prop_assert!((0.0..=1.0).contains(&weight), "{weight}");
        let light = profile.brightness(Brightness::clamped(baseline), Days(days)).get();
        prop_assert!((0.0..=1.0).contains(&light), "{light}");
    }

    #[test]
    fn salience_falls_with_time_and_rises_with_count_baseline_and_emotion(
        profile in profiles(), baseline in 0.0..=1.0f64, count in 0u32..5000, valence in -1.0..=1.0f64, days in 0.0..5000.0f64,
        later in 0.0..1000.0f64, more in 0u32..100, heavier in 0.0..=1.0f64, stronger in 0.0..=1.0f64,
    ) {
        let at = |baseline: f64, count, valence, days| profile.salience(Salience::clamped(baseline), count, Valence::clamped(valence), Days(days)).get();
        let weight = at(baseline, count, valence, days);
        prop_assert!(at(baseline, count, valence, days + later) <= weight);
        prop_assert!(at(baseline, count + more, valence, days) >= weight);
        prop_assert!(at((baseline + heavier).min(1.0), count, valence, days) >= weight);
        let more_emotion = (valence.abs() + stronger).min(1.0);
        prop_assert!(at(baseline, count, more_emotion, days) >= weight);
        prop_assert!(at(baseline, count, -more_emotion, days) >= weight);
    }

    #[test]
    fn a_rehearsal_never_lowers_salience(
        profile in profiles(), baseline in 0.0..=1.0f64, count in 0u32..1000, valence in -1.0..=1.0f64, days in -30i64..3000, later in 0i64..1000,
    ) {
        let mut atom = example::guest_atom();
        (atom.decay_profile, atom.salience, atom.rehearsal_count) = (profile, Salience::clamped(baseline), count);
        atom.emotional_valence = Valence::clamped(valence);
        let untold = atom.salience_at(example::day(days + later));
        rehearse(&mut atom, &Rehearsal { at: example::day(days), kind: RehearsalKind::Rendered, spoken: vec![0, 1, 2] });
        prop_assert!(atom.salience_at(example::day(days + later)) >= untold);
    }

    #[test]
    fn fading_for_a_and_then_b_days_is_fading_for_both(
        half_life_days in 0.1..1000.0f64, rate in 1.0..5.0f64, initial in 0.0..=1.0f64, a in 0.0..500.0f64, b in 0.0..500.0f64,
    ) {
        let profile = DecayProfile { half_life_days, detail_decay_rate: rate, ..DecayProfile::default() };
        let start = Brightness::clamped(initial);
        let in_two_steps = profile.brightness(profile.brightness(start, Days(a)), Days(b)).get();
        let at_once = profile.brightness(start, Days(a + b)).get();
        prop_assert!((in_two_steps - at_once).abs() < 1e-12);

        let weight = |baseline: f64, days| profile.unprotected(Salience::clamped(baseline), 0, Days(days));
        prop_assert!((weight(weight(initial, a), b) - weight(initial, a + b)).abs() < 1e-12);
    }

    #[test]
    fn the_day_of_a_crossing_is_the_day_it_crosses(
        profile in profiles(), baseline in 0.01..=1.0f64, count in 0u32..20, valence in -1.0..=1.0f64, threshold in 0.01..0.99f64,
    ) {
        let (baseline, valence) = (Salience::clamped(baseline), Valence::clamped(valence));
        let threshold = Salience::clamped(threshold);
        if let Some(day) = profile.days_until_salience_below(threshold, baseline, count, valence).filter(|day| day.0 < 1e7) {
            let at = |days: f64| profile.salience(baseline, count, valence, Days(days));
            prop_assert!(at(day.0 * 0.999) >= threshold || day.0 < 1e-9);
            prop_assert!(at(day.0 * 1.001 + 1e-6) <= threshold);
        }
    }
}
