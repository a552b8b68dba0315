//! What matters about a person now: the memories that a greeting brings to mind.
//!
//! After "Hi, it's me again" people expect what is open: a promise, a plan, what happened last. How much a
//! gist sounds like that is the product of its vector with a learnt one (`model/recall-heads`), in units of
//! salience.

use std::sync::OnceLock;

use crate::cue_encoder::{Packed, packed};
use crate::index::Snapshot;
use crate::index::chunk::ROWS;
use crate::index::sentence_chunk::USE;
use crate::kernel;

static WEIGHTS: &[u8] = include_bytes!("../../../model/recall-heads/matters.bin");

/// The product that counts as nothing. A memory without sentence vectors has the product 0, as most have.
const LEAST: f32 = -0.3;

fn learnt() -> &'static Packed<USE> {
    static PARSED: OnceLock<Packed<USE>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let floats: Vec<f32> = WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        packed(&floats)
    })
}

/// How much each row of `snapshot` matters now, times `weight`; empty if the weight is zero.
pub(crate) fn matters(snapshot: &Snapshot, weight: f32) -> Vec<f32> {
    if weight <= 0.0 {
        return Vec::new();
    }
    let learnt = learnt();
    let mut all = vec![-LEAST * weight; snapshot.rows()];
    let mut dots = [0_i32; ROWS];
    for ((_, sentences), rows) in snapshot.sentences().zip(all.chunks_mut(ROWS)) {
        let encoded = &sentences.use_multilingual;
        kernel::dots(&learnt.codes, &encoded.gists, &mut dots);
        for ((row, dot), step) in rows.iter_mut().zip(&dots).zip(&encoded.gist_steps) {
            *row = weight * (learnt.product(*dot, *step) - LEAST).max(0.0);
        }
    }
    all
}
