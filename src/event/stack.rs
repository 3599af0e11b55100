//! A line of a failure's stack and a place in source, as reports show them.
//!
//! Debug information is read elsewhere (`session/stack.rs`): these are its results, and this is the
//! only file that parses `file:line:column`.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// A line of a stack: a function and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackLine {
    /// The function, or module and offset where that isn't known.
    pub function: String,
    /// Source file, where it is known.
    pub file: Option<String>,
    /// Line in it, counted from 1.
    pub line: Option<u32>,
    /// Column, counted from 1.
    pub column: Option<u32>,
    /// Whether it is the user's or a crate's code, not that of the runtime (the standard library, the
    /// C library, a sanitizer, libFuzzer).
    pub own: bool,
}

impl StackLine {
    /// `file:line`, as far as it is known.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        Some(match self.line {
            Some(line) => format!("{file}:{line}"),
            None => file.clone(),
        })
    }

    /// Whether it names a function: an address in a module has no name.
    pub fn has_name(&self) -> bool {
        self.file.is_some() || !self.function.contains("+0x")
    }
}

impl std::fmt::Display for StackLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.function)?;
        match self.place() {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// A file, and a line and a column of it, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourcePlace<'a> {
    /// The file; may be empty.
    pub file: &'a str,
    /// The line, as it is written: from 1, or 0 where debug information does not know it.
    pub line: Option<u32>,
    /// The column, as it is written.
    pub column: Option<u32>,
}

impl<'a> SourcePlace<'a> {
    /// Parses `file:line:column`, `file:line` or `file`. A file may have colons in its name: only
    /// numbers after a colon are removed, at most two of them.
    pub(crate) fn of(place: &'a str) -> Self {
        let (mut file, mut numbers) = (place, [None; 2]);
        for _ in 0..2 {
            if let Some((rest, digits)) = file.rsplit_once(':')
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && let Ok(number) = digits.parse()
            {
                (file, numbers) = (rest, [Some(number), numbers[0]]);
            }
        }
        let [line, column] = numbers;
        SourcePlace { file, line, column }
    }
}

/// A text with the folders cut off in which cargo and rustc keep sources: a path into a crate of a registry
/// begins with the crate's name, one into the standard library with `library/`.
pub(crate) fn without_build_folders(text: &str) -> Cow<'_, str> {
    static FOLDERS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"/\S*/registry/src/[^/\s]+/|/rustc/[0-9a-f]+/|/\S*/rustlib/src/rust/")
            .expect("the pattern is well-formed")
    });
    FOLDERS.replace_all(text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_apart_and_colons_of_a_file_are_left() {
        let of = |place| {
            let SourcePlace { file, line, column } = SourcePlace::of(place);
            (file, line, column)
        };
        assert_eq!(of("src/a.rs:17:9"), ("src/a.rs", Some(17), Some(9)));
        assert_eq!(of("src/a.rs:17"), ("src/a.rs", Some(17), None));
        assert_eq!(of("src/a.rs"), ("src/a.rs", None, None));
        assert_eq!(of("a:1:2:3"), ("a:1", Some(2), Some(3)));
        assert_eq!(of("a:b:7"), ("a:b", Some(7), None));
        assert_eq!(of("a.rs:"), ("a.rs:", None, None));
        assert_eq!(of("a.rs:+7"), ("a.rs:+7", None, None));
        assert_eq!(of(""), ("", None, None));
    }

    #[test]
    fn sources_of_crates_and_of_the_standard_library_lose_their_folders() {
        let cut = |text| without_build_folders(text).into_owned();
        let place =
            "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/a-1.0.0/src/a.rs:1:2";
        assert_eq!(cut(place), "a-1.0.0/src/a.rs:1:2");
        assert_eq!(cut("at /rustc/0a1b/library/core/src/x.rs"), "at library/core/src/x.rs");
        assert_eq!(cut("/home/u/p/src/a.rs"), "/home/u/p/src/a.rs");
    }
}
