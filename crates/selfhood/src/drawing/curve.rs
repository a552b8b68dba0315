//! A forgetting curve: the weight of a memory, past and future, without further rehearsal.
//!
//! The past is a line, the future is dashed. Faint lines mark where a memory stops being vivid and where it
//! becomes faint; marks below the axis are rehearsals.

use domain::Timestamp;

use super::dates::said;
use super::signs::Signs;

/// The height in cells.
const HEIGHT: usize = 10;
/// The width of the labels at its left.
const MARGIN: usize = 6;
/// Where a memory stops being vivid, and where it becomes faint.
const THRESHOLDS: [(f64, &str); 2] = [(0.75, "vivid"), (0.40, "faint")];

/// A curve to be drawn.
pub(crate) struct Curve {
    /// The weight at each time, in order.
    pub(crate) points: Vec<(Timestamp, f64)>,
    /// Where the past ends.
    pub(crate) today: Timestamp,
    /// When it was rehearsed.
    pub(crate) rehearsed_at: Vec<Timestamp>,
}

impl Curve {
    /// The curve, `width` cells wide without its labels; empty if it has no extent.
    pub(crate) fn drawn(&self, width: usize, signs: Signs) -> String {
        let (Some((from, _)), Some((to, _))) = (self.points.first(), self.points.last()) else {
            return String::new();
        };
        let frame = Frame { from: *from, to: *to, width };
        let today = frame.cell(self.today);
        let mut canvas = Canvas::new(width);
        self.trace(&frame, &mut canvas);
        let rows = (0..HEIGHT).map(|row| {
            let cells = (0..width).map(|column| canvas.sign(row, column, today, signs)).collect::<String>();
            format!("{:>MARGIN$} {}{}\n", label(row), signs.wall, cells.trim_end())
        });
        rows.collect::<String>() + &self.axis(&frame, signs) + &self.dates(&frame)
    }

    /// Draws the dots of the line, two per cell across and four down.
    fn trace(&self, frame: &Frame, canvas: &mut Canvas) {
        let mut before = None;
        for dot in 0..frame.width * 2 {
            let at = frame.time(dot);
            let depth = depth_of(self.weight(at));
            let start = before.unwrap_or(depth);
            let period = if at > self.today { Period::Future } else { Period::Past };
            if period == Period::Past || (dot / 2) % 2 == 0 {
                for depth in start.min(depth)..=start.max(depth) {
                    canvas.put(dot, depth, period);
                }
            }
            before = Some(depth);
        }
    }

    /// The weight at a time, interpolated linearly.
    fn weight(&self, at: Timestamp) -> f64 {
        let next = self.points.partition_point(|(time, _)| *time < at);
        let after = self.points.get(next);
        let before = next.checked_sub(1).and_then(|n| self.points.get(n));
        match (before, after) {
            (Some((start, low)), Some((end, high))) => {
                let span = end.since(*start).0;
                let share = if span > 0.0 { at.since(*start).0 / span } else { 1.0 };
                low + (high - low) * share
            }
            (Some((_, weight)), None) | (None, Some((_, weight))) => *weight,
            (None, None) => 0.0,
        }
    }

    fn axis(&self, frame: &Frame, signs: Signs) -> String {
        let rehearsed_at: Vec<usize> = self.rehearsed_at.iter().map(|at| frame.cell(*at)).collect();
        let sign = |column| if rehearsed_at.contains(&column) { signs.rehearsal } else { signs.floor };
        format!("{:MARGIN$} {}{}\n", "", signs.corner, (0..frame.width).map(sign).collect::<String>())
    }

    /// The first day, today and the last day below the axis, if there is room.
    fn dates(&self, frame: &Frame) -> String {
        let first = said(frame.from, self.today);
        let last = said(frame.to, self.today);
        let today = "today";
        let mut line = format!("{first:<width$}", width = frame.width);
        let middle = frame.cell(self.today).saturating_sub(today.len() / 2);
        let end = frame.width.saturating_sub(last.len());
        if middle > first.len() && middle + today.len() < end {
            line.replace_range(middle..middle + today.len(), today);
        }
        if end > first.len() {
            line.replace_range(end.., &last);
        }
        format!("{:MARGIN$}  {}\n", "", line.trim_end())
    }
}

/// The period of a drawing, and its width.
struct Frame {
    from: Timestamp,
    to: Timestamp,
    width: usize,
}

impl Frame {
    /// The time of a dot, of which there are two per cell.
    #[expect(clippy::cast_precision_loss, reason = "a terminal has fewer columns than a float can count")]
    fn time(&self, dot: usize) -> Timestamp {
        let share = dot as f64 / (self.width * 2).saturating_sub(1).max(1) as f64;
        self.from.plus(domain::Days(self.to.since(self.from).0 * share))
    }

    /// The cell of a time; the nearest one if it lies outside.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the width"
    )]
    fn cell(&self, at: Timestamp) -> usize {
        let span = self.to.since(self.from).0;
        let share = if span > 0.0 { at.since(self.from).0 / span } else { 0.0 };
        (share.clamp(0.0, 1.0) * self.width.saturating_sub(1) as f64).round() as usize
    }
}

/// A cell's dots, and the period they belong to.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    period: Period,
}

/// Whether a dot shows what was, or a forecast.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Period {
    #[default]
    Past,
    Future,
}

struct Canvas {
    width: usize,
    cells: Vec<Cell>,
}

impl Canvas {
    fn new(width: usize) -> Self {
        Self { width, cells: vec![Cell::default(); width * HEIGHT] }
    }

    fn put(&mut self, dot: usize, depth: usize, period: Period) {
        if let Some(cell) = self.cells.get_mut(depth / 4 * self.width + dot / 2) {
            cell.dots |= braille(dot % 2, depth % 4);
            cell.period = period;
        }
    }

    fn sign(&self, row: usize, column: usize, today: usize, signs: Signs) -> char {
        let cell = self.cells.get(row * self.width + column).copied().unwrap_or_default();
        match (cell.dots, signs.has_dots) {
            (0, _) if column == today => signs.today,
            (0, _) if THRESHOLDS.iter().any(|(weight, _)| depth_of(*weight) / 4 == row) => signs.threshold,
            (0, _) => ' ',
            (dots, true) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or('*'),
            (_, false) if cell.period == Period::Future => 'o',
            (_, false) => '*',
        }
    }
}

/// The bit of a dot in a Braille character: two columns of four, the lowest pair added later.
const fn braille(column: usize, row: usize) -> u8 {
    match (column, row) {
        (0, 0) => 0x01,
        (0, 1) => 0x02,
        (0, 2) => 0x04,
        (0, _) => 0x40,
        (_, 0) => 0x08,
        (_, 1) => 0x10,
        (_, 2) => 0x20,
        (_, _) => 0x80,
    }
}

/// The distance of a weight from the top, in dots.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the height"
)]
fn depth_of(weight: f64) -> usize {
    ((1.0 - weight.clamp(0.0, 1.0)) * (HEIGHT * 4 - 1) as f64).round() as usize
}

fn label(row: usize) -> &'static str {
    let threshold = THRESHOLDS.iter().find(|(weight, _)| depth_of(*weight) / 4 == row);
    match (row, threshold) {
        (0, _) => "1.0",
        (_, Some((_, name))) => name,
        (row, None) if row + 1 == HEIGHT => "0.0",
        (_, None) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: f64) -> Timestamp {
        let start: Timestamp = "2026-04-22T12:00:00Z".parse().unwrap();
        start.plus(domain::Days(n))
    }

    fn halving() -> Curve {
        let points = (0..=56).map(|n| (day(f64::from(n)), 2_f64.powf(-f64::from(n) / 14.0))).collect();
        Curve { points, today: day(14.0), rehearsed_at: vec![day(0.0), day(14.0)] }
    }

    #[test]
    fn a_curve_falls_from_left_to_right_and_its_future_is_dashed() {
        insta::assert_snapshot!(halving().drawn(40, Signs::ASCII));
    }

    #[test]
    fn a_terminal_that_knows_dots_gets_a_finer_line() {
        insta::assert_snapshot!(halving().drawn(40, Signs::UNICODE));
    }

    #[test]
    fn a_curve_without_extent_is_drawn_without_harm() {
        let still = Curve { points: vec![(day(0.0), 0.5)], today: day(99.0), rehearsed_at: Vec::new() };
        assert!(still.drawn(10, Signs::ASCII).contains('*'));
        assert_eq!(Curve { points: Vec::new(), ..still }.drawn(10, Signs::ASCII), "");
    }
}
