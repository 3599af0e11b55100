//! Places and functions as reports name them.
//!
//! A report names a place as `file:line` or `file:line:column`. A candidate of a search has other
//! lines than the original, so a place in the candidate itself would make each candidate another
//! failure.

use std::path::Path;

/// Whether a word is `file:line`.
pub(super) fn has_line(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(file, line)| !file.is_empty() && is_number(line))
}

/// Whether a text is a decimal number and nothing else.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `file:line:column`, without line and column where the file is in the test's folder: there it is
/// the candidate, or made of it, and its lines move.
///
/// `folder` is the test's; `/` means no folder, and leaves every place as it is. A relative
/// path counts as in the folder if a file is there, which costs a look at the file system.
pub(super) fn place_in(place: &str, folder: &Path) -> String {
    let mut file = place;
    while let Some((rest, number)) = file.rsplit_once(':')
        && is_number(number)
    {
        file = rest;
    }
    let path = Path::new(file);
    match path.strip_prefix(folder) {
        _ if folder == Path::new("/") => place.to_owned(),
        Ok(name) => name.display().to_string(),
        Err(_) if folder.join(path).is_file() && path.is_relative() => file.to_owned(),
        Err(_) => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_candidate_has_no_line_since_lines_move() {
        let folder = Path::new("/tmp/s/test");
        assert_eq!(place_in("/tmp/s/test/x.c:3:5", folder), "x.c");
        assert_eq!(place_in("/src/x.c:3:5", folder), "/src/x.c:3:5");
    }
}
