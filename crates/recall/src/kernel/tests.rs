//! Every kernel computes the same integers as the portable one.

use proptest::prelude::*;

use super::*;

const DIMENSIONS: usize = 256;

fn row<const N: usize>(codes: &[i8]) -> Row<N> {
    Row::from_fn(|at| codes[at])
}

fn check_all<const N: usize>(query: &Row<N>, rows: &[Row<N>]) {
    let mut expected = vec![0; rows.len()];
    portable::dots(query, rows, &mut expected);
    for instructions in available() {
        let mut found = vec![7; rows.len()];
        dots_with(instructions, query, rows, &mut found);
        assert_eq!(found, expected, "{instructions:?}");
    }
}

#[test]
fn the_largest_products_do_not_overflow() {
    let extremes: [Row<512>; 3] = [row(&[127; 512]), row(&[-127; 512]), row(&[0; 512])];
    for query in &extremes {
        check_all(query, &extremes);
    }
}

#[test]
fn no_rows_give_no_dots_and_a_short_output_is_filled_as_far_as_it_goes() {
    let one: Row<DIMENSIONS> = row(&[1; DIMENSIONS]);
    check_all(&one, &[]);
    for instructions in available() {
        let mut found = [0; 2];
        dots_with(instructions, &one, &[one; 5], &mut found);
        assert_eq!(found, [256; 2], "{instructions:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_instruction_sets_agree_on_any_rows(codes in proptest::collection::vec(any::<i8>(), DIMENSIONS * 2..DIMENSIONS * 12)) {
        let rows: Vec<Row<DIMENSIONS>> = codes.chunks_exact(DIMENSIONS).map(row).collect();
        check_all(&rows[0], &rows[1..]);
        let longer: Vec<Row<384>> = codes.chunks_exact(384).map(row).collect();
        check_all(&longer[0], &longer[1..]);
    }
}

proptest! {
    #[test]
    fn signs_differ_as_often_as_they_are_counted_one_by_one(
        codes in prop::collection::vec(prop::collection::vec(-127_i8..=127, 384), 2..9),
    ) {
        let rows: Vec<Row<384>> = codes.iter().map(|codes| row(codes)).collect();
        let signs: Vec<Signs> = rows.iter().map(Signs::of).collect();
        let mut differing = vec![0; rows.len()];
        differing_signs(&signs[0], &signs, &mut differing);
        for (other, counted) in codes.iter().zip(differing) {
            let pairs = codes[0].iter().zip(other).take(256);
            let expected = pairs.filter(|(one, other)| (**one < 0) != (**other < 0)).count();
            prop_assert_eq!(usize::from(counted), expected);
        }
    }
}
