//! Candidates as bytes. A trace is written after every recall and rarely read, and 200 candidates as JSON
//! are longer than everything else that a recall writes.
//!
//! A candidate is 43 bytes: its id in six, eight numbers in four each, and five for vividness, closest
//! text, outcome and reason. The numbers of the variants are part of the format.

use domain::{MemoryId, Vividness};

use super::TracedMemory;
use crate::budget::Outcome;
use crate::rank::{Parts, RelevanceParts};
use crate::reason::Reason;
use crate::sentences::Part;

const LENGTH: usize = 43;
const VIVIDNESS: [Vividness; 3] = [Vividness::Faded, Vividness::Moderate, Vividness::Vivid];

pub(super) fn pack(candidates: &[TracedMemory]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(candidates.len() * LENGTH);
    for candidate in candidates {
        let TracedMemory { id, score, parts, grounds, vividness, closest, words: _, outcome, reason } =
            candidate;
        let Parts { salience, relevance, recency, topical } = parts;
        let RelevanceParts { meaning, words, circumstances } = grounds;
        bytes.extend(id.as_u64().to_le_bytes().iter().take(6));
        for number in [score, salience, relevance, recency, topical, meaning, words, circumstances] {
            bytes.extend(number.to_le_bytes());
        }
        let (part, place) = match closest {
            Part::Gist => (0, 0),
            Part::Detail(place) => (1, *place),
            Part::Cue(place) => (2, *place),
        };
        bytes.extend([*vividness as u8, part, place, *outcome as u8, *reason as u8]);
    }
    bytes
}

pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<TracedMemory>> {
    let (candidates, rest) = bytes.as_chunks::<LENGTH>();
    if !rest.is_empty() {
        return None;
    }
    candidates.iter().map(|bytes| candidate(bytes)).collect()
}

fn candidate(bytes: &[u8]) -> Option<TracedMemory> {
    let (id, rest) = bytes.split_at_checked(6)?;
    let id = id.iter().rev().fold(0, |id, byte| id << 8 | u64::from(*byte));
    let (numbers, rest) = rest.split_at_checked(32)?;
    let mut numbers = numbers.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
    let mut number = || numbers.next();
    let score = number()?;
    let parts = Parts { salience: number()?, relevance: number()?, recency: number()?, topical: number()? };
    let grounds = RelevanceParts { meaning: number()?, words: number()?, circumstances: number()? };
    let [vividness, part, place, outcome, reason] = rest.try_into().ok()?;
    let closest = match part {
        0 => Part::Gist,
        1 => Part::Detail(place),
        2 => Part::Cue(place),
        _ => return None,
    };
    Some(TracedMemory {
        id: MemoryId::from_u64(id),
        score,
        parts,
        grounds,
        vividness: *VIVIDNESS.get(usize::from(vividness))?,
        closest,
        words: Vec::new(),
        outcome: *Outcome::BY_NUMBER.get(usize::from(outcome))?,
        reason: *Reason::BY_NUMBER.get(usize::from(reason))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_candidate() -> Vec<TracedMemory> {
        let parts = [Part::Gist, Part::Detail(7), Part::Cue(255)];
        let mut candidates = Vec::new();
        for (place, outcome) in Outcome::BY_NUMBER.into_iter().enumerate() {
            for (number, reason) in Reason::BY_NUMBER.into_iter().enumerate() {
                let part = |share: f32| share / (1.0 + f32::from(u8::try_from(number).unwrap()));
                candidates.push(TracedMemory {
                    id: MemoryId::from_u64(0xffff_ffff_ffff - (place * 100 + number) as u64),
                    score: part(0.9),
                    parts: Parts { salience: part(0.1), relevance: -0.2, recency: 0.3, topical: f32::MIN },
                    grounds: RelevanceParts { meaning: part(0.4), words: 0.5, circumstances: 0.0 },
                    vividness: VIVIDNESS[number % 3],
                    closest: parts[place % 3],
                    words: Vec::new(),
                    outcome,
                    reason,
                });
            }
        }
        candidates
    }

    #[test]
    fn candidates_read_as_they_were_written() {
        let candidates = every_candidate();
        let bytes = pack(&candidates);
        assert_eq!(bytes.len(), candidates.len() * LENGTH);
        assert_eq!(unpack(&bytes), Some(candidates));
    }

    #[test]
    fn every_variant_has_its_own_number() {
        for (number, outcome) in Outcome::BY_NUMBER.into_iter().enumerate() {
            assert_eq!(outcome as usize, number);
        }
        for (number, reason) in Reason::BY_NUMBER.into_iter().enumerate() {
            assert_eq!(reason as usize, number);
        }
        for (number, vividness) in VIVIDNESS.into_iter().enumerate() {
            assert_eq!(vividness as usize, number);
        }
    }

    #[test]
    fn bytes_that_are_no_candidates_are_refused() {
        let mut bytes = pack(&every_candidate());
        assert_eq!(unpack(&bytes[..=LENGTH]), None);
        *bytes.last_mut().unwrap() = 200;
        assert_eq!(unpack(&bytes), None);
    }
}
