//! Decay of memories.
//!
//! With `decayRate = ln 2` a half-life is a true half-life:
//!
//! ```text
//! salience(t)   = clamp01( baseline · rehearsalBoost^rehearsalCount · 2^(−t/H) + valenceProtection·|valence| )
//! brightness(t) = clamp01( brightness₀ · 2^(−detailDecayRate·t/H) )
//! ```
//!
//! The products are formed in logarithms, so that no rehearsal count overflows and no answer is ever
//! infinite or not a number. A memory's valence adds a floor: it fades towards the floor, never below.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Brightness, Days, Salience, Valence};

/// The shape of a decay curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecayFunction {
    /// Halves every half-life.
    #[default]
    Ebbinghaus,
    /// Falls like `(1 + 3t/H)^−½`: half after one half-life, then ever more slowly.
    Power,
    /// Does not fade.
    None,
}

/// The decay parameters of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecayProfile {
    /// The shape of the decay curve.
    pub function: DecayFunction,
    /// Days after which half of the weight is gone.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub half_life_days: f64,
    /// The factor by which each rehearsal multiplies the weight.
    #[schemars(extend("minimum" = 1.0))]
    pub rehearsal_boost: f64,
    /// How much each point of emotional valence adds to the floor.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub valence_protection: f64,
    /// The weight below which a memory may be archived.
    #[serde(default = "DecayProfile::default_minimum_salience")]
    pub minimum_salience: Salience,
    /// How many times faster details fade than the whole.
    #[serde(default = "DecayProfile::default_detail_decay_rate")]
    #[schemars(extend("minimum" = 1.0))]
    pub detail_decay_rate: f64,
}

impl Default for DecayProfile {
    fn default() -> Self {
        Self {
            function: DecayFunction::Ebbinghaus,
            half_life_days: 14.0,
            rehearsal_boost: 1.4,
            valence_protection: 0.3,
            minimum_salience: Self::default_minimum_salience(),
            detail_decay_rate: Self::default_detail_decay_rate(),
        }
    }
}

impl DecayProfile {
    /// The weight, after `elapsed`, of a memory with this `baseline`, rehearsed `count` times.
    #[must_use]
    pub fn salience(&self, baseline: Salience, count: u32, valence: Valence, elapsed: Days) -> Salience {
        Salience::clamped(self.unprotected(baseline, count, elapsed) + self.floor(valence).get())
    }

    /// The decaying part of the weight: without the floor, and possibly above 1 after many rehearsals.
    #[must_use]
    pub fn unprotected(&self, baseline: Salience, count: u32, elapsed: Days) -> f64 {
        self.log2_weight(baseline, count, elapsed).exp2()
    }

    /// The floor of the weight: emotion of either sign keeps a memory from vanishing.
    #[must_use]
    pub fn floor(&self, valence: Valence) -> Salience {
        Salience::clamped(self.valence_protection * valence.get().abs())
    }

    /// The brightness, after `elapsed`, of a detail that started at `initial`.
    #[must_use]
    pub fn brightness(&self, initial: Brightness, elapsed: Days) -> Brightness {
        let half_lives = self.half_lives(elapsed) * self.detail_decay_rate;
        Brightness::clamped((initial.get().log2() + self.log2_kept(half_lives)).exp2())
    }

    /// When the weight falls below `threshold`; `None` if it is below already or never will be.
    #[must_use]
    pub fn days_until_salience_below(
        &self,
        threshold: Salience,
        baseline: Salience,
        count: u32,
        valence: Valence,
    ) -> Option<Days> {
        let above_floor = threshold.get() - self.floor(valence).get();
        let fall = self.log2_weight(baseline, count, Days(0.0)) - above_floor.log2();
        self.half_lives_to_lose(fall).map(|half_lives| Days(half_lives * self.half_life_days))
    }

    /// When a detail that started at `initial` falls below `threshold`; `None` as for salience.
    #[must_use]
    pub fn days_until_brightness_below(&self, threshold: Brightness, initial: Brightness) -> Option<Days> {
        let fall = initial.get().log2() - threshold.get().log2();
        let scale = self.half_life_days / self.detail_decay_rate;
        self.half_lives_to_lose(fall).map(|half_lives| Days(half_lives * scale))
    }

    fn log2_weight(&self, baseline: Salience, count: u32, elapsed: Days) -> f64 {
        let rehearsed = f64::from(count) * self.rehearsal_boost.log2();
        baseline.get().log2() + rehearsed + self.log2_kept(self.half_lives(elapsed))
    }

    fn half_lives(&self, elapsed: Days) -> f64 {
        elapsed.0.max(0.0) / self.half_life_days
    }

    /// The logarithm of the remaining part after so many half-lives.
    fn log2_kept(&self, half_lives: f64) -> f64 {
        match self.function {
            DecayFunction::Ebbinghaus => -half_lives,
            DecayFunction::Power => -0.5 * (3.0 * half_lives).ln_1p() * std::f64::consts::LOG2_E,
            DecayFunction::None => 0.0,
        }
    }

    /// The inverse of [`Self::log2_kept`]: how many half-lives it takes to fall by so many powers of two.
    fn half_lives_to_lose(&self, fall: f64) -> Option<f64> {
        let half_lives = match self.function {
            DecayFunction::Ebbinghaus => fall,
            DecayFunction::Power => ((2.0 * fall).exp2() - 1.0) / 3.0,
            DecayFunction::None => return None,
        };
        (half_lives.is_finite() && half_lives >= 0.0).then_some(half_lives)
    }

    fn default_minimum_salience() -> Salience {
        Salience::clamped(0.05)
    }

    const fn default_detail_decay_rate() -> f64 {
        1.5
    }
}
