//! Options of other tools that users type, and the options of ours that do the same.

/// A tip for an option that no option of ours is, as it was typed.
pub(super) fn tip(option: &str) -> Option<&'static str> {
    let name = option.split('=').next().unwrap_or(option);
    let known = TIPS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, tip)| *tip).or_else(|| is_libfuzzers(option).then_some(LIBFUZZER))
}

/// The tip for `-name=value`.
const LIBFUZZER: &str =
    "libFuzzer's options are for seedsmith-libfuzzer, which takes its whole command line";
const AFL: &str = "afl-tmin's line is here: INPUT -o OUTPUT -- PROGRAM {}";
/// The tip for options that choose how a target is built.
const PROFILE: &str = "the build is optimized already and has debug assertions, as cargo-fuzz' is";
/// The tip for options of a build that only cargo-fuzz makes.
const NIGHTLY: &str = "build with cargo fuzz and name the executable with --binary";

/// Options by name: of cargo-fuzz, afl-tmin, and reducers of programs.
const TIPS: [(&[&str], &str); 9] = [
    (&["-i"], AFL),
    (&["-e", "-f", "-x", "-H"], AFL),
    (&["-r", "--runs"], "--max-tests N ends the search after N tests, --max-time 30s after a time"),
    (&["-s"], "--sanitizer chooses the build: auto, none or address"),
    (&["-O", "--release", "-D", "--dev", "-a", "--debug-assertions"], PROFILE),
    (&["--build-std", "--careful", "--strip-dead-code"], NIGHTLY),
    (&["--test", "--interestingness", "--script"], "the program that tests INPUT comes after --"),
    (&["--input", "--crash", "--file"], "the input is named without an option"),
    (&["--format"], "--json prints JSON Lines"),
];

/// Whether it is an option of libFuzzer: one dash and a whole word, perhaps with a value.
pub(super) fn is_libfuzzers(option: &str) -> bool {
    const SOME: [&str; 9] = [
        "runs",
        "max_total_time",
        "minimize_crash",
        "exact_artifact_path",
        "artifact_prefix",
        "rss_limit_mb",
        "malloc_limit_mb",
        "max_len",
        "dict",
    ];
    let name = option.split('=').next().unwrap_or(option);
    name.strip_prefix('-').is_some_and(|name| SOME.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_of_another_tool_has_a_tip_and_any_other_has_none() {
        assert_eq!(tip("-i"), Some(AFL));
        assert_eq!(tip("--release"), Some(PROFILE));
        assert_eq!(tip("-runs=100"), Some(LIBFUZZER));
        assert_eq!((tip("--no-such"), tip("-q")), (None, None));
    }
}
