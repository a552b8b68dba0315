//! Formatting of doubles as in ECMAScript, which RFC 8785 requires.
//!
//! The digits are the shortest that parse to the same double, the even ones when two are equally near.
//! Rust's own formatter rounds up in that last case, so it can't be used here.

/// Appends `double`, which must be finite; a JSON value can't hold any other.
pub(super) fn write_double(out: &mut Vec<u8>, double: f64) {
    out.extend_from_slice(ryu_js::Buffer::new().format_finite(double).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(double: f64) -> String {
        let mut out = Vec::new();
        write_double(&mut out, double);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_table_of_rfc_8785_appendix_b_holds() {
        let table: [(u64, &str); 24] = [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ];
        for (bits, expected) in table {
            assert_eq!(written(f64::from_bits(bits)), expected, "{bits:016x}");
        }
    }

    #[test]
    fn the_point_moves_where_ecmascript_moves_it() {
        let cases = [
            (1.0, "1"),
            (10.5, "10.5"),
            (1e20, "100000000000000000000"),
            (1.5e-6, "0.0000015"),
            (1.5e-7, "1.5e-7"),
        ];
        for (double, expected) in cases {
            assert_eq!(written(double), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_reads_back_as_the_same_double(bits: u64) {
            let double = f64::from_bits(bits);
            if double.is_finite() {
                let read: f64 = written(double).parse().unwrap();
                proptest::prop_assert_eq!(read.to_bits(), (double + 0.0).to_bits());
            }
        }
    }
}
