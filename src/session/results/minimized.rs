//! A minimization as its event.
//!
//! A folder that was one input has an event of another type, which its command makes.

use std::path::Path;

use super::tree_rows::tree_rows;
use crate::event::{MinimizedInput, TreeRow};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::pattern::Pattern;
use crate::generalize::subject;
use crate::reduce;
use crate::session::failing::FailingInput;
use crate::session::minimize::Minimized;

/// Results that are parsed for their tree. A guess: a tree of more is no help to a reader; not measured.
const MAX_TREE_BYTES: usize = 64 << 10;

/// The derivation tree of a result in the language that was named, or in the one that its original seems to be in.
/// `None` if there is none, and if the result does not fit it. Runs no target.
pub(crate) fn result_tree(
    original: &[u8],
    result: &[u8],
    reduction: &reduce::Options,
) -> Option<Vec<TreeRow>> {
    if result.is_empty() || result.len() > MAX_TREE_BYTES {
        return None;
    }
    let guessed = || reduction.clues.as_ref()?.language(original).map(|(_, _, language)| language);
    let language = reduction.language.clone().or_else(guessed)?;
    let (subject, misfit) = subject(result.to_vec(), Some(Sampler::new(language).ok()?));
    if misfit.is_some() {
        return None;
    }
    tree_rows(&Pattern { subject, slots: Vec::new(), unknown: Vec::new() })
}

impl MinimizedInput {
    /// The minimization of `failing` to `output`. The caller gives what only it knows: the commands that show the
    /// failure again, the result as a typed target decodes it, its tree if a report shows one, and remarks in the
    /// words of its options.
    /// The result is moved, not copied; nothing is run, read or written. The stack has its names already.
    pub fn of(
        failing: &FailingInput<'_>,
        output: &Path,
        minimized: Minimized,
        reproduce: Vec<String>,
        (decoded, tree): (Option<String>, Option<Vec<TreeRow>>),
        remarks: Vec<String>,
    ) -> Self {
        MinimizedInput {
            input: failing.path.clone(),
            output: output.to_owned(),
            original: failing.bytes.clone(),
            best: minimized.best,
            counts: minimized.counts,
            elapsed: minimized.elapsed,
            signature: minimized.signature,
            stack: minimized.stack,
            minimality: minimized.minimality,
            stopped: minimized.stopped,
            confirmed: minimized.confirmed,
            sanitized: minimized.sanitized,
            reproduce,
            decoded,
            tree,
            other_failures: minimized.other_failures,
            recalled: minimized.recalled,
            stats: minimized.stats,
            remarks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::Clues;

    #[test]
    fn a_result_in_a_guessed_language_has_a_tree_and_one_that_does_not_fit_has_none() {
        let clues = Clues {
            file_name: Some("a.json".to_owned()),
            target: None,
            max_parse_time: std::time::Duration::from_secs(60),
        };
        let options = reduce::Options { clues: Some(clues), ..reduce::Options::default() };
        let original = br#"{"a": [1, 2, 3], "b": null}"#;
        let rows = result_tree(original, b"[1]", &options).expect("it is JSON");
        let names: Vec<&str> =
            rows.iter().flat_map(|row| &row.names).map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"input") && names.len() > 1, "{names:?}");
        assert_eq!(result_tree(original, b"[1", &options), None);
        assert_eq!(result_tree(original, b"", &options), None);
        assert_eq!(result_tree(original, b"[1]", &reduce::Options::default()), None);
    }
}
