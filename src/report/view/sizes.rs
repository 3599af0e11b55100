//! The size of the best over time, in few enough points to be drawn often.

use std::time::Duration;

/// Points that are kept. Twice as many as a wide terminal has dots beside each other.
const MAX_POINTS: usize = 1_024;

/// Sizes with the times at which they were reached; the first is the input's.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    points: Vec<(Duration, usize)>,
}

impl Sizes {
    /// The input's size, at the beginning.
    pub(super) fn of_input(bytes: usize) -> Self {
        Sizes { points: vec![(Duration::ZERO, bytes)] }
    }

    /// A smaller best.
    pub(super) fn add(&mut self, at: Duration, bytes: usize) {
        self.points.push((at, bytes));
        if self.points.len() > MAX_POINTS {
            // Every other one goes; the first and the last stay.
            let last = self.points.len() - 1;
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                (number - 1) % 2 == 0 || number - 1 == last
            });
        }
    }

    /// The size of the input.
    pub(super) fn largest(&self) -> usize {
        self.points.first().map_or(0, |(_, bytes)| *bytes)
    }

    /// The corners of the steps that lead to now: seconds, and heights by [`height`].
    pub(super) fn corners(&self, now: Duration) -> Vec<(f64, f64)> {
        let mut corners = Vec::with_capacity(2 * self.points.len() + 1);
        let mut before = None;
        for (at, bytes) in &self.points {
            let (at, high) = (at.as_secs_f64(), height(*bytes));
            corners.extend(before.map(|before| (at, before)));
            corners.push((at, high));
            before = Some(high);
        }
        corners.extend(before.map(|high| (now.as_secs_f64(), high)));
        corners
    }
}

/// How high a size is drawn: by its logarithm, because most of a search happens among small sizes.
pub(super) fn height(bytes: usize) -> f64 {
    (bytes as f64).ln_1p()
}

/// The size that is drawn at a height.
pub(super) fn size_at(height: f64) -> usize {
    height.exp_m1().round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_steps_and_heights_can_be_turned_back() {
        let mut sizes = Sizes::of_input(1_000);
        sizes.add(Duration::from_secs(2), 10);
        let corners = sizes.corners(Duration::from_secs(5));
        let shown: Vec<(f64, usize)> =
            corners.iter().map(|(at, high)| (*at, size_at(*high))).collect();
        assert_eq!(shown, [(0.0, 1_000), (2.0, 1_000), (2.0, 10), (5.0, 10)]);
    }

    #[test]
    fn a_long_search_has_few_points_and_the_ends_are_exact() {
        let mut sizes = Sizes::of_input(100_000);
        for at in 1..=50_000 {
            sizes.add(Duration::from_millis(at), 100_000 - at as usize);
        }
        assert!(sizes.points.len() <= MAX_POINTS);
        assert_eq!(sizes.largest(), 100_000);
        assert_eq!(sizes.points.last(), Some(&(Duration::from_secs(50), 50_000)));
    }
}
