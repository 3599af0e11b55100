//! Options of other tools that hands type, and what is said here instead.

/// A tip for an option that no option of ours is, as it was typed.
pub fn tip(option: &str) -> Option<&'static str> {
    let name = option.split('=').next().unwrap_or(option);
    let known = TIPS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, tip)| *tip).or_else(|| is_libfuzzers(name).then_some(LIBFUZZER))
}

const LIBFUZZER: &str =
    "libFuzzer's options are for seedsmith-libfuzzer, which takes its whole command line";
const AFL: &str = "afl-tmin's line is here: INPUT -o OUTPUT -- PROGRAM {}";
const FEATURES: &str = "the target's required-features are turned on; `features` in seedsmith.toml names \
                        others";
const PROFILE: &str = "the build is optimized and has debug assertions, as cargo-fuzz' is";
const NIGHTLY: &str = "build with cargo fuzz and name the executable with --binary";

/// Options by name: of cargo-fuzz, afl-tmin, and reducers of programs.
const TIPS: [(&[&str], &str); 9] = [
    (&["-i"], AFL),
    (&["-e", "-f", "-x", "-H"], AFL),
    (&["-r", "--runs"], "--max-tests N ends the search after N tests, --max-time 30s after a time"),
    (&["-s"], "--sanitizer none or address chooses the build"),
    (&["--features", "--all-features", "--no-default-features"], FEATURES),
    (&["-O", "--release", "-D", "--dev", "-a", "--debug-assertions", "--profile"], PROFILE),
    (&["--build-std", "-Z", "--careful", "--strip-dead-code"], NIGHTLY),
    (&["--test", "--interestingness", "--script"], "the program that tests INPUT comes after --"),
    (&["--input", "--crash", "--file"], "the input is named without an option"),
];

/// Whether it is an option of libFuzzer: one dash and a whole word.
fn is_libfuzzers(name: &str) -> bool {
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
