//! Proofs about the tree: that an event is in it, and that a later tree continues an earlier one.
//!
//! Creating a proof takes all leaf hashes and linear time; verifying one takes a few hashes and nothing
//! else, so anyone with a checkpoint can (RFC 6962 §2.1, verified as in RFC 9162 §2.1).

use super::tree::{TreeHash, empty_root, node};

/// The proof that leaf `index` is in the tree over `leaves`; `None` if there is no such leaf.
#[must_use]
pub fn inclusion_proof(leaves: &[TreeHash], index: u64) -> Option<Vec<TreeHash>> {
    let index = usize::try_from(index).ok().filter(|index| *index < leaves.len())?;
    let mut proof = Vec::new();
    collect_inclusion(leaves, index, &mut proof);
    Some(proof)
}

/// The proof that the tree over `leaves` continues its first `old_size` leaves; `None` if there are
/// fewer leaves than that.
#[must_use]
pub fn consistency_proof(leaves: &[TreeHash], old_size: u64) -> Option<Vec<TreeHash>> {
    let old_size = usize::try_from(old_size).ok().filter(|old_size| *old_size <= leaves.len())?;
    let mut proof = Vec::new();
    if old_size > 0 && old_size < leaves.len() {
        collect_consistency(leaves, old_size, Whole::Yes, &mut proof);
    }
    Some(proof)
}

/// Whether `leaf` is leaf `index` of the tree with this size and root.
#[must_use]
pub fn verify_inclusion(leaf: TreeHash, index: u64, size: u64, root: &TreeHash, proof: &[TreeHash]) -> bool {
    if index >= size {
        return false;
    }
    let (mut position, mut last, mut hash) = (index, size - 1, leaf);
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            hash = node(sibling, &hash);
            while position & 1 == 0 && position != 0 {
                (position, last) = (position >> 1, last >> 1);
            }
        } else {
            hash = node(&hash, sibling);
        }
        (position, last) = (position >> 1, last >> 1);
    }
    last == 0 && hash == *root
}

/// A tree: how many leaves it has, and its root.
#[derive(Clone, Copy)]
pub struct TreeHead<'t> {
    /// The number of leaves.
    pub size: u64,
    /// The root.
    pub root: &'t TreeHash,
}

/// Whether the tree `new` continues the tree `old`.
#[must_use]
pub fn verify_consistency(old: TreeHead<'_>, new: TreeHead<'_>, proof: &[TreeHash]) -> bool {
    match old.size {
        size if size > new.size => false,
        size if size == new.size => proof.is_empty() && old.root == new.root,
        0 => proof.is_empty() && *old.root == empty_root(),
        _ => continues(old.size, old.root, new.size, new.root, proof),
    }
}

fn continues(
    old_size: u64,
    old_root: &TreeHash,
    new_size: u64,
    new_root: &TreeHash,
    proof: &[TreeHash],
) -> bool {
    // If the old tree is perfect, its root is the first node and the proof leaves it out.
    let (first, rest) = if old_size.is_power_of_two() {
        (old_root, proof)
    } else {
        match proof.split_first() {
            Some(split) => split,
            None => return false,
        }
    };
    let skipped = (old_size - 1).trailing_ones();
    let (mut position, mut last) = ((old_size - 1) >> skipped, (new_size - 1) >> skipped);
    let (mut old, mut new) = (*first, *first);
    for sibling in rest {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            old = node(sibling, &old);
            new = node(sibling, &new);
            while position & 1 == 0 && position != 0 {
                (position, last) = (position >> 1, last >> 1);
            }
        } else {
            new = node(&new, sibling);
        }
        (position, last) = (position >> 1, last >> 1);
    }
    last == 0 && old == *old_root && new == *new_root
}

/// Whether the verifier already has the old tree's root, so that the proof need not contain it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

fn collect_inclusion(leaves: &[TreeHash], index: usize, proof: &mut Vec<TreeHash>) {
    let Some((left, right)) = halves(leaves) else { return };
    if index < left.len() {
        collect_inclusion(left, index, proof);
        proof.push(root_of(right));
    } else {
        collect_inclusion(right, index - left.len(), proof);
        proof.push(root_of(left));
    }
}

fn collect_consistency(leaves: &[TreeHash], old_size: usize, whole: Whole, proof: &mut Vec<TreeHash>) {
    let (left, right) = match halves(leaves) {
        Some(halves) if old_size < leaves.len() => halves,
        _ if whole == Whole::Yes => return,
        _ => return proof.push(root_of(leaves)),
    };
    if old_size <= left.len() {
        collect_consistency(left, old_size, whole, proof);
        proof.push(root_of(right));
    } else {
        collect_consistency(right, old_size - left.len(), Whole::No, proof);
        proof.push(root_of(left));
    }
}

fn root_of(leaves: &[TreeHash]) -> TreeHash {
    match (halves(leaves), leaves.first()) {
        (Some((left, right)), _) => node(&root_of(left), &root_of(right)),
        (None, Some(leaf)) => *leaf,
        (None, None) => empty_root(),
    }
}

/// Splits at the largest power of two below the number of leaves; `None` for fewer than two.
fn halves(leaves: &[TreeHash]) -> Option<(&[TreeHash], &[TreeHash])> {
    let last = leaves.len().checked_sub(1).filter(|last| *last > 0)?;
    leaves.split_at_checked(1 << last.ilog2())
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::{KNOWN_ROOTS, known_leaves};
    use super::super::tree::{Frontier, leaf_of_bytes};
    use super::*;
    use crate::encoding::{from_hex, hex};

    fn printed(proof: &[TreeHash]) -> Vec<String> {
        proof.iter().map(|hash| hex(hash)).collect()
    }

    fn root(size: usize) -> TreeHash {
        from_hex(KNOWN_ROOTS[size]).unwrap()
    }

    #[test]
    fn the_proofs_of_certificate_transparency_come_out() {
        let leaves = known_leaves();
        let first_leaf_of_eight = [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ];
        assert_eq!(printed(&inclusion_proof(&leaves, 0).unwrap()), first_leaf_of_eight);
        assert_eq!(
            printed(&inclusion_proof(&leaves[..3], 2).unwrap()),
            ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]
        );
        assert_eq!(printed(&consistency_proof(&leaves, 1).unwrap()), first_leaf_of_eight);
        assert_eq!(
            printed(&consistency_proof(&leaves, 6).unwrap()),
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        );
        assert_eq!(
            printed(&consistency_proof(&leaves[..5], 2).unwrap()),
            [
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ]
        );
    }

    #[test]
    fn every_proof_of_every_small_tree_holds_and_no_other_does() {
        let leaves: Vec<TreeHash> = (0..40_u8).map(|number| leaf_of_bytes(&[number])).collect();
        let roots: Vec<TreeHash> = (0..=leaves.len()).map(|size| root_of(&leaves[..size])).collect();
        for size in 1..=leaves.len() {
            for index in 0..size {
                let proof = inclusion_proof(&leaves[..size], index as u64).unwrap();
                let holds = |leaf, index: usize, size: usize, proof: &[TreeHash]| {
                    verify_inclusion(leaf, index as u64, size as u64, &roots[size.min(40)], proof)
                };
                assert!(holds(leaves[index], index, size, &proof), "{index} in {size}");
                assert!(!holds(leaves[(index + 1) % 40], index, size, &proof));
                assert!(!holds(leaves[index], index + 1, size, &proof));
                assert!(!holds(leaves[index], index, size, &[proof.clone(), vec![leaves[0]]].concat()));
                assert!(proof.is_empty() || !holds(leaves[index], index, size, &proof[1..]));
            }
            for old in 0..=size {
                let proof = consistency_proof(&leaves[..size], old as u64).unwrap();
                let holds = |old_root, new_root, proof: &[TreeHash]| {
                    verify_consistency(
                        TreeHead { size: old as u64, root: old_root },
                        TreeHead { size: size as u64, root: new_root },
                        proof,
                    )
                };
                assert!(holds(&roots[old], &roots[size], &proof), "{old} to {size}");
                assert!(!holds(&leaves[39], &roots[size], &proof));
                assert!(old == 0 || !holds(&roots[old], &leaves[39], &proof));
                assert!(!holds(&roots[old], &roots[size], &[proof.clone(), vec![leaves[0]]].concat()));
                assert!(proof.is_empty() || !holds(&roots[old], &roots[size], &proof[1..]));
            }
        }
    }

    #[test]
    fn the_growing_tree_and_the_proofs_agree_on_the_root() {
        let mut frontier = Frontier::default();
        let leaves = known_leaves();
        for (size, leaf) in leaves.iter().enumerate() {
            frontier.append(*leaf);
            assert_eq!(frontier.root(), root_of(&leaves[..=size]));
            assert_eq!(frontier.root(), root(size + 1));
        }
    }

    #[test]
    fn there_is_no_proof_of_what_is_not_there() {
        assert_eq!(inclusion_proof(&known_leaves(), 8), None);
        assert_eq!(consistency_proof(&known_leaves(), 9), None);
        assert!(!verify_consistency(
            TreeHead { size: 3, root: &root(3) },
            TreeHead { size: 2, root: &root(2) },
            &[]
        ));
    }
}
