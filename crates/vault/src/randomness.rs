//! Sources of randomness: always an argument, so that a test can repeat a run.

use std::fmt;

/// The operating system provided no random bytes. Nothing may be sealed or signed without them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the operating system provided no random bytes: {0}")]
pub struct RandomnessError(pub String);

/// A source of unpredictable bytes.
pub trait Randomness: Send + Sync {
    /// Fills `bytes` completely, or fails.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError>;
}

impl fmt::Debug for dyn Randomness + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Randomness")
    }
}

/// `N` new bytes from `randomness`.
pub fn random_bytes<const N: usize>(randomness: &dyn Randomness) -> Result<[u8; N], RandomnessError> {
    let mut bytes = [0; N];
    randomness.fill(&mut bytes)?;
    Ok(bytes)
}

/// The operating system's generator: the only source the product uses.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsRandomness;

impl Randomness for OsRandomness {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
        getrandom::fill(bytes).map_err(|error| RandomnessError(error.to_string()))
    }
}

#[cfg(any(test, feature = "seeded"))]
pub use seeded::SeededRandomness;

#[cfg(any(test, feature = "seeded"))]
mod seeded {
    use std::sync::atomic::{AtomicU64, Ordering};

    use sha2::{Digest, Sha256};

    use super::{Randomness, RandomnessError};

    /// The same bytes for the same seed, on every machine. For tests and benchmarks only.
    #[derive(Debug)]
    pub struct SeededRandomness {
        seed: u64,
        block: AtomicU64,
    }

    impl SeededRandomness {
        /// A source that produces the same bytes for the same `seed`.
        #[must_use]
        pub fn new(seed: u64) -> Self {
            Self { seed, block: AtomicU64::new(0) }
        }
    }

    impl Randomness for SeededRandomness {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
            for chunk in bytes.chunks_mut(32) {
                let block = self.block.fetch_add(1, Ordering::Relaxed);
                let digest = Sha256::new()
                    .chain_update(self.seed.to_be_bytes())
                    .chain_update(block.to_be_bytes())
                    .finalize();
                chunk.iter_mut().zip(digest).for_each(|(byte, random)| *byte = random);
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself_and_differs_from_another() {
        let drawn = |seed| random_bytes::<48>(&SeededRandomness::new(seed)).unwrap();
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }

    #[test]
    fn two_draws_from_the_operating_system_differ() {
        assert_ne!(random_bytes::<32>(&OsRandomness).unwrap(), random_bytes::<32>(&OsRandomness).unwrap());
    }
}
