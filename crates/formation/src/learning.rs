//! Learning from examples which traits speak for something: a linear support vector machine, by coordinate descent
//! on its dual (Hsieh et al., "A dual coordinate descent method for large-scale linear SVM", 2008, algorithm 1 with
//! squared loss). It takes the examples in a fixed order, so that the same is learnt everywhere.

/// One trait of a sentence: which, and how strongly.
pub(crate) type Trait = (usize, f32);

/// How much each trait speaks for something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(Vec<f64>);

/// How often all examples are read.
const PASSES: usize = 12;
/// How much a mistake counts beside simple weights.
const COST: f64 = 0.1;
/// Steps of this size through the examples reach all of them, and never two of a kind in a row.
const STEP: usize = 7919;

impl Weights {
    /// What examples teach: whether each is one of the kind, and its traits, numbered below `size`.
    pub(crate) fn learnt<'e>(size: usize, examples: impl Iterator<Item = (bool, &'e Vec<Trait>)>) -> Self {
        let examples: Vec<(f64, &Vec<Trait>)> =
            examples.map(|(is_one, traits)| (if is_one { 1.0 } else { -1.0 }, traits)).collect();
        let slack = 1.0 / (2.0 * COST);
        let mut weights = Self(vec![0.0; size]);
        let mut shares = vec![0.0_f64; examples.len()];
        for turn in 0..PASSES * examples.len() {
            let at = turn * STEP % examples.len();
            let (Some((sign, traits)), Some(share)) = (examples.get(at), shares.get_mut(at)) else {
                continue;
            };
            let lacks = sign * weights.of(traits) - 1.0 + *share * slack;
            let length: f64 = traits.iter().map(|(_, strength)| f64::from(*strength).powi(2)).sum();
            let better = (*share - lacks / (length + slack)).max(0.0);
            let change = (better - *share) * sign;
            *share = better;
            if change != 0.0 {
                weights.add(traits, change);
            }
        }
        weights
    }

    /// How much some traits speak for it; above 0 they do.
    pub(crate) fn of(&self, traits: &[Trait]) -> f64 {
        let weight = |(at, strength): &Trait| self.0.get(*at).map_or(0.0, |own| own * f64::from(*strength));
        traits.iter().map(weight).sum()
    }

    fn add(&mut self, traits: &[Trait], change: f64) {
        for (at, strength) in traits {
            if let Some(own) = self.0.get_mut(*at) {
                *own += change * f64::from(*strength);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_that_tell_one_kind_from_the_other_are_found() {
        let examples: Vec<(bool, Vec<Trait>)> = (0..40)
            .map(|number| (number % 2 == 0, vec![(0, 1.0), (1 + number % 2, 1.0), (3 + number % 5, 1.0)]))
            .collect();
        let weights = Weights::learnt(8, examples.iter().map(|(is_one, traits)| (*is_one, traits)));
        assert!(weights.of(&[(1, 1.0)]) > 0.2 && weights.of(&[(2, 1.0)]) < -0.2, "{weights:?}");
        assert!(weights.of(&[(3, 1.0)]).abs() < 0.1, "{weights:?}");
        assert!(Weights::learnt(3, std::iter::empty()).of(&[(1, 1.0)]).abs() < f64::EPSILON);
    }
}
