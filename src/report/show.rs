//! How numbers, times and bytes are written for people.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use regex::{Captures, Regex};

use crate::event::without_build_folders;

/// Longer inputs are not shown. A hexdump of that many bytes has 13 lines, a text three. A guess; not measured.
pub(super) const MAX_SHOWN_BYTES: usize = 200;
/// Bytes on a line of a hexdump, as `xxd` and `hexdump -C` have them.
pub(super) const HEXDUMP_ROW_BYTES: usize = 16;

/// A number with its thousands apart: `12,345`.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A size: `1 byte`, `12,345 bytes`.
pub(super) fn bytes(count: usize) -> String {
    counted(count as u64, "byte", "bytes")
}

/// A number and its noun.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A time with three digits that matter: `850 ms`, `1.25 s`, `3 min 20 s`.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 0.9995 => format!("{:.0} ms", s * 1000.0),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 60.0 => format!("{s:.1} s"),
        _ => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
    }
}

/// `2026-11-22 19:05`, in UTC. A time before 1970 is shown as the first minute of 1970.
pub(super) fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Year, month and day of a number of days since 1970-01-01: Howard Hinnant's `civil_from_days`, for
/// which a year begins in March.
pub(super) fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// A time on an axis, without digits that say nothing: `20 ms`, `1.5 s`, `2 min`.
pub(super) fn mark_of_time(seconds: f64) -> String {
    let short = |number: f64, unit: &str| {
        let text = format!("{number:.2}");
        format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match seconds {
        s if s < 0.9995 => short(s * 1000.0, "ms"),
        s if s < 120.0 => short(s, "s"),
        s if s < 7200.0 => short(s / 60.0, "min"),
        s => short(s / 3600.0, "h"),
    }
}

/// A text with short source paths: a path into a crate of a registry begins with the crate's name, one into the
/// standard library with `library/`, and one below the current folder is relative to it.
pub(super) fn short_paths(text: &str) -> String {
    let text = without_build_folders(text);
    match std::env::current_dir() {
        Ok(here) if here.parent().is_some() => text.replace(&format!("{}/", here.display()), ""),
        _ => text.into_owned(),
    }
}

/// A text with 12 digits of each digest in it, as many as tell the files of a folder apart. With them
/// the end of a name is the beginning of a file's name, which commands accept for the file.
pub(super) fn short_digests(text: &str) -> String {
    static DIGEST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b([0-9a-f]{12})[0-9a-f]{20,}\b(.)?").expect("the pattern is well-formed")
    });
    let short = |found: &Captures<'_>| match found.get(2) {
        Some(next) => format!("{}…{}", &found[1], next.as_str()),
        None => found[1].to_owned(),
    };
    DIGEST.replace_all(text, short).into_owned()
}

/// A text cut to `width` characters, with `…` at its end if it was longer.
pub(super) fn shortened(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(width - 1).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

/// Bytes as a reader can take them in: escaped where they are text, else as a hexdump; `None`
/// where they are too many.
pub(super) fn input(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MAX_SHOWN_BYTES {
        None
    } else if is_text(bytes) {
        Some(escaped(bytes))
    } else {
        Some(hexdump(bytes))
    }
}

/// Whether at least three in four characters are printable.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let mut odd = 0;
    for chunk in bytes.utf8_chunks() {
        let is_odd = |c: &char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
        odd += chunk.invalid().len() + chunk.valid().chars().filter(is_odd).count();
    }
    odd * 4 <= bytes.len()
}

/// Bytes as a Rust byte string literal would hold them, with whole characters left as they are.
pub(super) fn escaped(bytes: &[u8]) -> String {
    format!("\"{}\"", written(bytes, |c| matches!(c, '"' | '\\')))
}

/// A path on one line. A name may hold anything: what a terminal would obey is escaped.
pub(super) fn path(path: &Path) -> String {
    plain(path.as_os_str().as_encoded_bytes())
}

/// A path as the path of a URI: bytes that RFC 3986 does not list as unreserved are percent-encoded, but for
/// slashes.
pub(super) fn uri_path(path: &[u8]) -> String {
    const ENCODED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encode(path, ENCODED).to_string()
}

/// Bytes on one line: only characters that cannot be seen are escaped.
pub(super) fn plain(bytes: &[u8]) -> String {
    written(bytes, |_| false)
}

/// Bytes on one line. Bytes that are no UTF-8 and ASCII control characters are `\xNN`, other characters that cannot be
/// seen `\u{NNNN}`; quotes and backslashes are escaped if they are special.
fn written(bytes: &[u8], is_special: fn(char) -> bool) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\0' => out.push_str("\\x00"),
                c if c.is_control() && c.is_ascii() && !matches!(c, '\n' | '\t' | '\r') => {
                    let _ = write!(out, "\\x{:02x}", c as u32);
                }
                '\'' | '"' | '\\' if !is_special(c) => out.push(c),
                c => out.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Offsets, pairs of bytes in hexadecimal, and ASCII, 16 bytes a line.
pub(super) fn hexdump(bytes: &[u8]) -> String {
    let rows = bytes.chunks(HEXDUMP_ROW_BYTES).enumerate().map(|(i, row)| {
        let pair = |pair: &[u8]| pair.iter().map(|byte| format!("{byte:02x}")).collect();
        let hex: Vec<String> = row.chunks(2).map(pair).collect();
        let text: String = row
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { *byte as char } else { '.' })
            .collect();
        format!(
            "{:04x}  {:<width$}  |{text}|",
            i * HEXDUMP_ROW_BYTES,
            hex.join(" "),
            width = HEXDUMP_ROW_BYTES / 2 * 5 - 1
        )
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_a_uri_has_only_unreserved_characters_and_slashes() {
        assert_eq!(uri_path(b"/a/b-c_d.e~f"), "/a/b-c_d.e~f");
        assert_eq!(uri_path(b"a b%\xff:\"\n"), "a%20b%25%FF%3A%22%0A");
    }

    #[test]
    fn numbers_and_times_are_short() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(time(Duration::from_millis(85)), "85 ms");
        assert_eq!(time(Duration::from_millis(1250)), "1.25 s");
        assert_eq!(time(Duration::from_secs(200)), "3 min 20 s");
    }

    #[test]
    fn paths_begin_with_what_a_reader_knows() {
        let text =
            "panic at /home/me/.cargo/registry/src/index.example-1949/ini-0.1.0/src/a.rs:1:2: x";
        assert_eq!(short_paths(text), "panic at ini-0.1.0/src/a.rs:1:2: x");
        assert_eq!(short_paths("f at /rustc/0a1b/library/core/a.rs:1"), "f at library/core/a.rs:1");
        assert_eq!(short_paths("f at /p/src/a.rs:1"), "f at /p/src/a.rs:1");
    }

    #[test]
    fn digests_are_short_and_what_follows_them_is_kept() {
        let name = "d/crash-da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assert_eq!(short_digests(name), "d/crash-da39a3ee5e6b");
        assert_eq!(short_digests(&format!("{name}.min")), "d/crash-da39a3ee5e6b….min");
        assert_eq!(short_digests("d/crash-da39a3ee"), "d/crash-da39a3ee");
    }

    #[test]
    fn text_is_escaped_and_bytes_are_dumped() {
        assert_eq!(input(b"a\"b\n\xff 'ok'").unwrap(), r#""a\"b\n\xff 'ok'""#);
        assert_eq!(
            input(b"\x00\x01\xfe\xffA").unwrap(),
            "0000  0001 feff 41                             |....A|"
        );
        assert_eq!(input(&[b'a'; 201]), None);
    }

    #[test]
    fn days_are_dates_across_leap_years() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_779, (2026, 11, 22)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(civil(days), date, "{days}");
        }
    }
}
