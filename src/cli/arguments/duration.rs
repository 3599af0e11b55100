//! Durations as people type them: `500ms`, `10s`, `1.5m`, `2h`, and plain seconds.

use std::str::FromStr;
use std::time::Duration;

/// How long one test may take, as typed: `auto`, or a duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeLimit {
    /// Ten times as long as the input takes; the engine's own limit is a hang in any case.
    #[default]
    Auto,
    /// That long.
    Given(Duration),
}

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "auto" => Ok(TimeLimit::Auto),
            text => parse_duration(text).map(TimeLimit::Given),
        }
    }
}

/// Reads a number with an optional unit; without one it counts seconds, as libFuzzer's do.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let no_number = || "a duration is a number with a unit, such as 500ms, 10s, 2m".to_owned();
    if number.is_empty() {
        return Err(no_number());
    }
    let seconds_each = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is none of the units ms, s, m, h")),
    };
    let number: f64 = number.trim().parse().map_err(|_| no_number())?;
    match Duration::try_from_secs_f64(number * seconds_each) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("a duration has to be more than nothing".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_and_without_units() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("1.5 m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7200)));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", "0", "-1s", "ten", "5 days", "inf"] {
            assert!(parse_duration(text).is_err(), "{text:?} was taken");
        }
    }
}
