//! The decision trees that read a pair, and the choice among all pairs of a draft.

use std::sync::OnceLock;

use super::pair::COUNT;

static WEIGHTS: &[u8] = include_bytes!("../../../../model/formation/revision.bin");

/// How many nodes a tree has; what a smaller one lacks is filled up with zeros.
const NODES: usize = 11;
/// How many numbers describe a node.
const NODE: usize = 5;

/// How likely the memory must be the one that is meant: so that a plain correction replaces what it corrects, and few
/// true memories give way.
const LEAST: f32 = 0.5;

struct Node {
    /// The number of the pair that is compared.
    feature: usize,
    threshold: f32,
    /// The node for a number up to the threshold, and the one for a greater number; 0 in a leaf.
    next: [usize; 2],
    /// What a leaf adds to the score.
    value: f32,
}

/// How surely the draft of a pair replaces its memory, against the score 0 of none.
pub(super) fn score(numbers: &[f32; COUNT]) -> f32 {
    static PARSED: OnceLock<(f32, Vec<Node>)> = OnceLock::new();
    let (base, nodes) = PARSED.get_or_init(parsed);
    base + nodes.chunks_exact(NODES).map(|tree| leaf(tree, numbers)).sum::<f32>()
}

/// The place of the best score, if it is likely enough that this one is meant, among all of them and none.
pub(super) fn chosen(scores: &[f32]) -> Option<usize> {
    let (place, best) = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let all: f32 = scores.iter().map(|score| score.exp()).sum();
    (best.exp() / (1.0 + all) > LEAST).then_some(place)
}

fn leaf(tree: &[Node], numbers: &[f32; COUNT]) -> f32 {
    let mut node = tree.first();
    // A path is never longer than the tree.
    for _ in 0..NODES {
        let Some(Node { feature, threshold, next: [low, high], value }) = node else { break };
        if *low == 0 {
            return *value;
        }
        let number = numbers.get(*feature).copied().unwrap_or_default();
        node = tree.get(if number <= *threshold { *low } else { *high });
    }
    0.0
}

/// The base of every score, and the nodes of all trees.
fn parsed() -> (f32, Vec<Node>) {
    let numbers: Vec<f32> = WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let Some((base, rest)) = numbers.split_first() else { return (0.0, Vec::new()) };
    (*base, rest.as_chunks().0.iter().map(node).collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small whole numbers, written so"
)]
fn node(&[feature, threshold, low, high, value]: &[f32; NODE]) -> Node {
    Node { feature: feature as usize, threshold, next: [low as usize, high as usize], value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_the_trees_ends_in_a_leaf_of_its_own_tree() {
        let (_, nodes) = parsed();
        assert!(!nodes.is_empty() && nodes.len() % NODES == 0);
        for tree in nodes.chunks_exact(NODES) {
            for (place, Node { feature, next: [low, high], .. }) in tree.iter().enumerate() {
                let is_leaf = (*low, *high) == (0, 0);
                assert!(is_leaf || (*low > place && *high > place && *low < NODES && *high < NODES));
                assert!(*feature < COUNT);
            }
        }
    }

    #[test]
    fn one_of_two_memories_that_are_meant_alike_is_not_chosen() {
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[-4.0, -5.0]), None);
        assert_eq!(chosen(&[4.0, -5.0]), Some(0));
        assert_eq!(chosen(&[4.0, 4.0]), None);
    }
}
