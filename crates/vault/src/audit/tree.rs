//! The Merkle tree of RFC 6962, growing one leaf at a time.

use crate::hash::sha256;

/// A node of the tree.
pub type TreeHash = [u8; 32];

/// The right edge of the tree: the roots of its perfect subtrees, largest first. It is all that is needed
/// to append, a few dozen hashes however long the log; the store keeps it next to the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    roots: Vec<TreeHash>,
}

/// The leaf of an entry: `SHA-256(0x00 ‖ entry)`.
#[must_use]
pub fn leaf_of_bytes(entry: &[u8]) -> TreeHash {
    sha256(&[&[0x00], entry])
}

/// A node above two others: `SHA-256(0x01 ‖ left ‖ right)`.
pub(super) fn node(left: &TreeHash, right: &TreeHash) -> TreeHash {
    sha256(&[&[0x01], left, right])
}

/// The root of a tree without leaves.
pub(super) fn empty_root() -> TreeHash {
    sha256(&[])
}

impl Frontier {
    /// How many leaves the tree has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf.
    pub fn append(&mut self, leaf: TreeHash) {
        let merged = (0..self.size.trailing_ones()).filter_map(|_| self.roots.pop());
        let root = merged.fold(leaf, |right, left| node(&left, &right));
        self.roots.push(root);
        self.size += 1;
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        let from_the_right = self.roots.iter().rev().copied();
        from_the_right.reduce(|right, left| node(&left, &right)).unwrap_or_else(empty_root)
    }

    /// The state as bytes: the size as eight bytes, big-endian, then the roots.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.size.to_be_bytes().as_slice(), self.roots.as_flattened()].concat()
    }

    /// Parses the output of [`Self::to_bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (size, roots) = bytes.split_first_chunk()?;
        let size = u64::from_be_bytes(*size);
        let (roots, rest) = roots.as_chunks::<32>();
        let fits =
            rest.is_empty() && u32::try_from(roots.len()).is_ok_and(|count| count == size.count_ones());
        fits.then(|| Self { size, roots: roots.to_vec() })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::encoding::hex;

    /// The eight leaves that the tests of Certificate Transparency use.
    pub(crate) fn known_leaves() -> Vec<TreeHash> {
        let entries: [&[u8]; 8] = [
            b"",
            &[0x00],
            &[0x10],
            &[0x20, 0x21],
            &[0x30, 0x31],
            &[0x40, 0x41, 0x42, 0x43],
            &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
            &[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
        ];
        entries.map(leaf_of_bytes).to_vec()
    }

    pub(crate) const KNOWN_ROOTS: [&str; 9] = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    #[test]
    fn the_roots_of_certificate_transparency_come_out() {
        let mut frontier = Frontier::default();
        assert_eq!(hex(&frontier.root()), KNOWN_ROOTS[0]);
        for (leaf, expected) in known_leaves().into_iter().zip(&KNOWN_ROOTS[1..]) {
            frontier.append(leaf);
            assert_eq!(hex(&frontier.root()), *expected, "{} leaves", frontier.size());
        }
    }

    #[test]
    fn a_log_goes_on_from_its_stored_state() {
        let (mut kept, mut resumed) = (Frontier::default(), Frontier::default());
        for leaf in (0..100_u8).map(|number| leaf_of_bytes(&[number])) {
            kept.append(leaf);
            resumed = Frontier::from_bytes(&resumed.to_bytes()).unwrap();
            resumed.append(leaf);
            assert_eq!(resumed, kept);
        }
    }

    #[test]
    fn a_state_whose_size_and_roots_disagree_is_refused() {
        let mut frontier = Frontier::default();
        (0..5_u8).for_each(|number| frontier.append(leaf_of_bytes(&[number])));
        let bytes = frontier.to_bytes();
        for wrong in [&bytes[..7], &bytes[..bytes.len() - 1], &bytes[..bytes.len() - 32]] {
            assert_eq!(Frontier::from_bytes(wrong), None);
        }
    }
}
