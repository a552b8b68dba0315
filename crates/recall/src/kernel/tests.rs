//! Every kernel gives the integers of the portable one.

use proptest::prelude::*;

use super::*;

fn row(codes: &[i8]) -> Row {
    Row::from_fn(|at| codes[at])
}

fn check_all(query: &Row, rows: &[Row]) {
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
    let extremes = [row(&[127; DIMENSIONS]), row(&[-127; DIMENSIONS]), row(&[0; DIMENSIONS])];
    for query in &extremes {
        check_all(query, &extremes);
    }
}

#[test]
fn no_rows_give_no_dots_and_a_short_output_is_filled_as_far_as_it_goes() {
    let one = row(&[1; DIMENSIONS]);
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
        let rows: Vec<Row> = codes.chunks_exact(DIMENSIONS).map(row).collect();
        check_all(&rows[0], &rows[1..]);
    }
}
