//! The size of the best input as a curve: a drawing inside the page, without a script.

use std::fmt::Write;

use maud::{Markup, html};

use crate::report::page::frame::Text;
use crate::report::show;

/// The drawing in its own units, which are about pixels: two of them fit beside each other on a wide screen.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 220.0;
/// Where the curve is.
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 40.0;
/// Marks on an axis, at most. A guess: their texts do not touch; not measured.
const MAX_MARKS: usize = 5;

/// What a curve is over. Tests are the same on every machine; time is what a user waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Tests.
    Tests,
    /// Seconds.
    Time,
}

impl Over {
    fn name(self) -> &'static str {
        match self {
            Over::Tests => "tests",
            Over::Time => "time",
        }
    }

    /// The text of a mark.
    fn mark(self, at: f64) -> String {
        match self {
            Over::Tests => show::number(at.round() as u64),
            Over::Time if at == 0.0 => "0".to_owned(),
            Over::Time => show::mark_of_time(at),
        }
    }
}

/// The curve of `points`, which are in order of their first number, until `end`. Sizes are in bytes, on a
/// logarithmic scale: most bytes are removed at the beginning, and the last ones take longest.
pub(crate) fn chart(over: Over, points: &[(f64, usize)], end: f64) -> Markup {
    let Some(&(_, first)) = points.first() else { return html! {} };
    let last = points.last().map_or(first, |(_, size)| *size);
    let end = points.iter().map(|(at, _)| *at).fold(end, f64::max).max(f64::MIN_POSITIVE);
    let sizes = points.iter().map(|(_, size)| (*size).max(1));
    let (low, high) = (sizes.clone().min().unwrap_or(1), sizes.max().unwrap_or(1));
    let (floor, ceiling) = decades(low, high);
    let x = |at: f64| LEFT + (RIGHT - LEFT) * at / end;
    let y = |size: f64| {
        let share = (size.max(1.0).log10() - floor) / (ceiling - floor);
        BOTTOM - (BOTTOM - TOP) * share.clamp(0.0, 1.0)
    };
    let about = format!(
        "Size over {}: from {} to {} in {}",
        over.name(),
        show::bytes(first),
        show::bytes(last),
        match over {
            Over::Tests => show::counted(end.round() as u64, "test", "tests"),
            Over::Time => show::time(std::time::Duration::from_secs_f64(end)),
        }
    );
    html! {
        figure {
            figcaption { "Size over " (over.name()) }
            svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(Text(&about)) {
                @for size in size_marks(floor, ceiling) {
                    path.grid d={ "M" (place(LEFT)) " " (place(y(size))) "H" (place(RIGHT)) } {}
                    text x=(place(LEFT - 6.0)) y=(place(y(size) + 4.0)) text-anchor="end" { (show::number(size as u64)) }
                }
                @for at in marks(end) {
                    path.grid d={ "M" (place(x(at))) " " (place(BOTTOM)) "v5" } {}
                    text x=(place(x(at))) y=(place(BOTTOM + 19.0)) text-anchor="middle" { (over.mark(at)) }
                }
                text.unit x=(place(RIGHT)) y=(place(HEIGHT - 5.0)) text-anchor="end" {
                    "bytes over " (over.name())
                }
                path.axis d={ "M" (place(LEFT)) " " (place(TOP)) "V" (place(BOTTOM)) "H" (place(RIGHT)) } {}
                path.curve d=(curve(points, end, x, y)) {}
            }
        }
    }
}

/// The commands of the path. It has steps: a size holds until the next one is found. Steps that are at one place of the drawing are left out.
fn curve(
    points: &[(f64, usize)],
    end: f64,
    x: impl Fn(f64) -> f64,
    y: impl Fn(f64) -> f64,
) -> String {
    let mut out = String::new();
    let mut at = (f64::NAN, f64::NAN);
    for (first, size) in points {
        let next = ((x(*first) * 2.0).round() / 2.0, (y(*size as f64) * 2.0).round() / 2.0);
        if out.is_empty() {
            let _ = write!(out, "M{} {}", place(next.0), place(next.1));
        } else if next != at {
            if next.0 != at.0 {
                let _ = write!(out, "H{}", place(next.0));
            }
            if next.1 != at.1 {
                let _ = write!(out, "V{}", place(next.1));
            }
        }
        at = next;
    }
    let _ = write!(out, "H{}", place(x(end)));
    out
}

/// A number of the drawing, with one decimal at most: a tenth of a pixel is not seen.
fn place(at: f64) -> String {
    let text = format!("{at:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The decimal logarithms between which all sizes are. They are whole numbers, and the second is the larger one
/// even if all sizes are equal.
fn decades(low: usize, high: usize) -> (f64, f64) {
    let floor = (low as f64).log10().floor();
    let ceiling = (high as f64).log10().ceil();
    (floor, if ceiling > floor { ceiling } else { floor + 1.0 })
}

/// Powers of ten between these logarithms, at most `MAX_MARKS` or one more. With two of them, also their double and
/// fivefold.
fn size_marks(floor: f64, ceiling: f64) -> Vec<f64> {
    let decades = (floor as i32)..=(ceiling as i32);
    let factors: &[f64] = if ceiling - floor <= 1.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let step = (ceiling - floor) as usize / MAX_MARKS + 1;
    let most = 10f64.powf(ceiling);
    decades
        .step_by(step)
        .flat_map(|decade| factors.iter().map(move |factor| factor * 10f64.powi(decade)))
        .filter(|size| *size <= most)
        .collect()
}

/// Round numbers from 0 to `end`: multiples of a power of ten, or of its double or fivefold. `end` is above 0.
fn marks(end: f64) -> Vec<f64> {
    let rough = end / (MAX_MARKS - 1) as f64;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * unit);
    (0..=MAX_MARKS).map(|number| number as f64 * step).take_while(|at| *at <= end * 1.001).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers_and_few() {
        assert_eq!(marks(13_644.0), [0.0, 5_000.0, 10_000.0]);
        assert_eq!(marks(4.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(marks(0.425).len(), 3);
        assert_eq!(size_marks(0.0, 1.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(size_marks(0.0, 3.0), [1.0, 10.0, 100.0, 1000.0]);
        assert!(size_marks(0.0, 9.0).len() <= MAX_MARKS);
        assert_eq!((decades(1, 1), decades(27, 275)), ((0.0, 1.0), (1.0, 3.0)));
    }

    #[test]
    fn the_curve_goes_down_in_steps_to_the_end() {
        let html = chart(Over::Tests, &[(0.0, 1000), (10.0, 100), (40.0, 10)], 80.0).into_string();
        let label = "aria-label=\"Size over tests: from 1,000 bytes to 10 bytes in 80 tests\"";
        assert!(html.contains(label), "{html}");
        assert!(html.contains("d=\"M62 12H105V96H234V180H406\""), "{html}");
        assert_eq!(chart(Over::Time, &[], 1.0).into_string(), "");
    }

    #[test]
    fn a_million_points_are_no_large_drawing_and_no_size_breaks_it() {
        let points: Vec<(f64, usize)> =
            (0..1_000_000).map(|at| (at as f64, 1_000_000 - at)).collect();
        assert!(chart(Over::Time, &points, 1e6).into_string().len() < 20_000);
        for points in [&[(0.0, 0)][..], &[(0.0, 5), (0.0, 0)], &[(0.0, usize::MAX), (1.0, 1)]] {
            let html = chart(Over::Tests, points, 0.0).into_string();
            assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        }
    }
}
