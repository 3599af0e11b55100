//! Whether the result that is there was made by the task that is asked for now.
//!
//! A result of another input, target, strategy or sameness is not replaced and not continued unless
//! the user says so. Other options (a seed, limits, a grammar) lead to the same kind of result by
//! another way: a run continues from it, and reports the differences. So does one whose target was
//! built again.

use crate::journal::Begun;
use crate::session::saved::task_words::{Difference, differing};

/// Words of the options that make another task. With `--resume` a user asks to continue although
/// these differ.
const TASK_WORDS: [&str; 3] = ["strategy", "same", "match"];
/// Digits of a SHA-1 that are shown: one more than git shows of a commit by default.
const SHOWN_SHA1_DIGITS: usize = 8;

/// The differences between an earlier run and the present one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// The differences that make it another task.
    pub task: Vec<Difference>,
    /// Other options.
    pub options: Vec<Difference>,
    /// Whether the target is the same and was built again or edited since.
    pub is_rebuilt: bool,
}

/// Compares the earlier run's task with the present one; `resumes` is whether the user wants to
/// continue with any options.
pub(crate) fn compare(earlier: &Begun, now: &Begun, resumes: bool) -> Compared {
    let mut task = Vec::new();
    if earlier.input_sha1 != now.input_sha1 {
        let shown = |begun: &Begun| {
            let digits = begun.input_sha1.get(..SHOWN_SHA1_DIGITS).unwrap_or(&begun.input_sha1);
            format!("{} (SHA-1 {digits})", begun.input)
        };
        task.push(Difference { what: "input".into(), before: shown(earlier), now: shown(now) });
    }
    // An executable that was only moved is the same target.
    let is_other = earlier.target != now.target && earlier.executable != now.executable;
    if is_other {
        let (before, now) = (earlier.target.clone(), now.target.clone());
        task.push(Difference { what: "target".into(), before, now });
    }
    let (of_task, options) = differing(&earlier.options, &now.options)
        .into_iter()
        .partition(|difference| !resumes && TASK_WORDS.contains(&difference.what.as_str()));
    task.extend::<Vec<_>>(of_task);
    Compared { task, options, is_rebuilt: !is_other && earlier.executable != now.executable }
}

/// Differences as one fragment.
pub(crate) fn in_words(differences: &[Difference]) -> String {
    let words: Vec<String> = differences.iter().map(ToString::to_string).collect();
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Begun {
        Begun {
            seedsmith: "0.1.0".to_owned(),
            input: "crash".to_owned(),
            input_sha1: "a9993e364706816aba3e25717850c26c9cd0d89d".to_owned(),
            target: "executable /bin/parse".to_owned(),
            executable: "build-id 1".to_owned(),
            options: "strategy=auto seed=0 same=auto match=none".to_owned(),
            start: None,
            first_tests: None,
        }
    }

    #[test]
    fn each_difference_that_makes_another_task_is_named_with_both_values() {
        assert_eq!(compare(&begun(), &begun(), false), Compared::default());
        let other = Begun {
            input: "other".to_owned(),
            input_sha1: "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8".to_owned(),
            target: "executable /bin/lex".to_owned(),
            executable: "build-id 2".to_owned(),
            options: "strategy=hdd seed=1 same=kind match=\"x\"".to_owned(),
            ..begun()
        };
        let compared = compare(&begun(), &other, false);
        assert_eq!(
            in_words(&compared.task),
            "input was crash (SHA-1 a9993e36), now other (SHA-1 86f7e437); target was executable \
             /bin/parse, now executable /bin/lex; strategy was auto, now hdd; same was auto, now \
             kind; match was none, now \"x\""
        );
        assert_eq!(in_words(&compared.options), "seed was 0, now 1");
        assert!(!compared.is_rebuilt);
    }

    #[test]
    fn a_target_that_was_moved_or_built_again_is_the_same_target() {
        let moved = Begun { target: "executable /usr/bin/parse".to_owned(), ..begun() };
        assert_eq!(compare(&begun(), &moved, false), Compared::default());
        let rebuilt = Begun { executable: "build-id 2".to_owned(), ..begun() };
        let compared = compare(&begun(), &rebuilt, false);
        assert!(compared.task.is_empty() && compared.is_rebuilt);
    }

    #[test]
    fn who_resumes_may_choose_other_options_and_no_other_input() {
        let other = Begun {
            options: "strategy=hdd seed=0 same=kind match=none".to_owned(),
            input_sha1: "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8".to_owned(),
            ..begun()
        };
        let compared = compare(&begun(), &other, true);
        assert_eq!((compared.task.len(), compared.options.len()), (1, 2));
    }
}
