//! Vectors in their stored form: one signed byte per dimension, and the scale.

use domain::Atom;
use recall::embed::{self, BUILT_IN, DIMENSIONS};
use recall::index::meaning_of;
use store::{StoredAtom, Vector};

/// The vector of `atom`, packed for the store.
pub(crate) fn packed(atom: &Atom) -> Vector {
    let (row, step) = meaning_of(atom).quantised();
    let bytes = row.codes().iter().map(|number| number.to_le_bytes()[0]).chain(step.to_le_bytes()).collect();
    Vector { embedder: BUILT_IN.to_owned(), bytes }
}

/// The vector of a stored atom; computed again if another embedder made the stored one.
pub(crate) fn of(stored: &StoredAtom) -> embed::Vector {
    let own = stored.vector.as_ref().filter(|vector| vector.embedder == BUILT_IN);
    own.and_then(|vector| unpacked(&vector.bytes)).unwrap_or_else(|| meaning_of(&stored.atom))
}

impl crate::Engine {
    /// The name of the built-in embedder and the number of its dimensions.
    #[must_use]
    pub fn embedder(&self) -> (&'static str, u32) {
        (BUILT_IN, u32::try_from(DIMENSIONS).unwrap_or(u32::MAX))
    }

    /// The vector of `text` by the built-in embedder.
    #[must_use]
    pub fn embed_text(&self, text: &str) -> Vec<f32> {
        embed::embed(text).numbers().to_vec()
    }
}

fn unpacked(bytes: &[u8]) -> Option<embed::Vector> {
    let (numbers, step) = bytes.split_at_checked(DIMENSIONS)?;
    let step = f32::from_le_bytes(step.try_into().ok()?);
    let mut meaning = [0.0; DIMENSIONS];
    for (place, byte) in meaning.iter_mut().zip(numbers) {
        *place = f32::from(i8::from_le_bytes([*byte])) * step;
    }
    Some(embed::Vector::normalised(meaning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    #[test]
    fn a_meaning_survives_the_store_nearly_unchanged() {
        let atom = example::guest_atom();
        let stored = StoredAtom { vector: Some(packed(&atom)), atom: atom.clone(), revision: 1 };
        assert!(of(&stored).cosine(&meaning_of(&atom)) > 0.999);
    }

    #[test]
    fn another_embedders_meaning_is_computed_anew() {
        let atom = example::guest_atom();
        let foreign = Vector { embedder: "someone-else".to_owned(), bytes: vec![1; 4] };
        let stored = StoredAtom { vector: Some(foreign), atom: atom.clone(), revision: 1 };
        assert!(of(&stored).cosine(&meaning_of(&atom)) > 0.999);
    }
}
