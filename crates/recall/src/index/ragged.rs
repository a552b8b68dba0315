//! Rows of different lengths in one flat array, without an allocation for each.

/// A list of lists of `T`, stored end to end.
#[derive(Clone, Debug)]
pub(crate) struct Ragged<T> {
    values: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Ragged<T> {
    fn default() -> Self {
        Self { values: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Ragged<T> {
    pub(crate) fn push(&mut self, row: &[T]) {
        self.values.extend_from_slice(row);
        self.ends.push(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn get(&self, row: usize) -> &[T] {
        let end = |row: usize| self.ends.get(row).map_or(0, |end| *end as usize);
        self.values.get(row.checked_sub(1).map_or(0, end)..end(row)).unwrap_or_default()
    }

    pub(crate) fn get_mut(&mut self, row: usize) -> &mut [T] {
        let end = |row: usize| self.ends.get(row).map_or(0, |end| *end as usize);
        let range = row.checked_sub(1).map_or(0, end)..end(row);
        self.values.get_mut(range).unwrap_or_default()
    }

    pub(crate) fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.ends.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_comes_back_as_it_was_put_in_and_no_other_exists() {
        let rows: [&[u8]; 4] = [b"one", b"", b"three", b"x"];
        let mut ragged = Ragged::default();
        for row in rows {
            ragged.push(row);
        }
        assert_eq!((0..4).map(|row| ragged.get(row)).collect::<Vec<_>>(), rows);
        assert_eq!(ragged.get(4), b"");
        ragged.get_mut(2).reverse();
        assert_eq!((ragged.get(1), ragged.get(2), ragged.get(3)), (&b""[..], &b"eerht"[..], &b"x"[..]));
    }
}
