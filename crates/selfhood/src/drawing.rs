//! Drawings made of characters: bars, a forgetting curve, dates.

pub(crate) mod audit_page;
mod curve;
mod dates;
mod signs;

pub(crate) use curve::Curve;
pub(crate) use dates::said;
pub(crate) use signs::Signs;

/// A bar of `width` cells for `value` (0 to 1).
pub(crate) fn bar(value: f64, width: u16, signs: Signs) -> String {
    let filled = (value.clamp(0.0, 1.0) * f64::from(width)).round();
    let cell = |n: u16| if f64::from(n) < filled { signs.full } else { signs.empty };
    (0..width).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_value() {
        for (value, drawn) in
            [(0.0, "....."), (0.4, "##..."), (1.0, "#####"), (7.0, "#####"), (-1.0, ".....")]
        {
            assert_eq!(bar(value, 5, Signs::ASCII), drawn, "{value}");
        }
        assert_eq!(bar(0.5, 4, Signs::UNICODE), "██░░");
    }
}
