//! The settings of digests: which are made automatically, and the token budget of each.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Digest, Tokens};
use engine::{CueWriting, Distillation};
use wire::Problem;

use super::catalogue::{self, Entry};
use super::layers::Layers;
use super::value::{Raw, Switch, Value};

/// The allowed budgets: less could say nothing, more would fill any window.
const BUDGETS: std::ops::RangeInclusive<u64> = 100..=100_000;

/// Reads `[distill]`. `distill.auto` off means none, whatever the others say.
pub(super) fn take(layers: &mut Layers<'_>) -> Result<Distillation, Problem> {
    let usual = Distillation::default();
    let is_on = layers.take_or(&catalogue::AUTO_DISTILL, Switch(true))?.0;
    let (mut auto, mut budgets) = (BTreeSet::new(), BTreeMap::new());
    for digest in Digest::ALL {
        let (switch, budget) = entries(digest);
        let is_auto = layers.take_or(switch, Switch(usual.auto.contains(&digest)))?.0;
        auto.extend((is_on && is_auto).then_some(digest));
        budgets.insert(digest, layers.take_or(budget, usual.budget(digest))?);
    }
    let is_auto = layers.take_or(&catalogue::AUTO_CUES, Switch(usual.cues.auto))?.0;
    let tokens_per_day = layers.take_or(&catalogue::BUDGET_CUES, DailyTokens(usual.cues.tokens_per_day))?.0;
    let cues = CueWriting { auto: is_on && is_auto, tokens_per_day };
    Ok(Distillation { auto, budgets, cues })
}

const fn entries(digest: Digest) -> (&'static Entry<'static>, &'static Entry<'static>) {
    match digest {
        Digest::Short => (&catalogue::AUTO_SHORT, &catalogue::BUDGET_SHORT),
        Digest::Mid => (&catalogue::AUTO_MID, &catalogue::BUDGET_MID),
        Digest::Long => (&catalogue::AUTO_LONG, &catalogue::BUDGET_LONG),
    }
}

/// The daily token budget of a job; may be 0.
struct DailyTokens(Tokens);

impl Value for DailyTokens {
    fn read(raw: &Raw) -> Result<Self, String> {
        let number = raw.whole_number().and_then(|number| u32::try_from(number).ok());
        number.map(|number| Self(Tokens(number))).ok_or_else(|| "must be a whole number of tokens".to_owned())
    }

    fn shown(&self) -> String {
        self.0.0.to_string()
    }
}

impl Value for Tokens {
    fn read(raw: &Raw) -> Result<Self, String> {
        let rule =
            || format!("must be a whole number of tokens from {} to {}", BUDGETS.start(), BUDGETS.end());
        let number = raw.whole_number().filter(|tokens| BUDGETS.contains(tokens)).ok_or_else(rule)?;
        u32::try_from(number).map(Self).map_err(|_| rule())
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}
