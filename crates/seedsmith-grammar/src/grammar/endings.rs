//! Which language of tree-sitter's parsers a file is in by the ending of its name.
//!
//! The table is separate from the parsers, because a program that is built without them uses it to say
//! which files they would help with.

/// The languages by the names of their parsers, with the endings of their files: without the dot, in
/// lower case.
const ENDINGS: [(&str, &[&str]); 20] = [
    ("bash", &["sh", "bash"]),
    ("c", &["c", "h"]),
    ("cpp", &["cc", "cpp", "cxx", "hh", "hpp", "hxx"]),
    ("css", &["css"]),
    ("dtd", &["dtd"]),
    ("go", &["go"]),
    ("html", &["html", "htm"]),
    ("java", &["java"]),
    ("javascript", &["js", "mjs", "cjs", "jsx"]),
    ("json", &["json"]),
    ("lua", &["lua"]),
    ("python", &["py", "pyi"]),
    ("regex", &["regex"]),
    ("rust", &["rs"]),
    ("sql", &["sql"]),
    ("toml", &["toml"]),
    ("tsx", &["tsx"]),
    ("typescript", &["ts", "mts", "cts"]),
    ("xml", &["xml", "svg", "xsd"]),
    ("yaml", &["yaml", "yml"]),
];

/// The name of the parser for files with that ending.
pub fn parser_of(ending: &str) -> Option<&'static str> {
    let ending = ending.to_ascii_lowercase();
    ENDINGS.iter().find(|(_, known)| known.contains(&ending.as_str())).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_read_in_any_case_and_names_one_language() {
        assert_eq!(
            (parser_of("C"), parser_of("hpp"), parser_of("")),
            (Some("c"), Some("cpp"), None)
        );
        for (name, endings) in ENDINGS {
            assert!(endings.iter().all(|ending| parser_of(ending) == Some(name)), "{name}");
        }
    }

    #[cfg(feature = "tree-sitter")]
    #[test]
    fn each_parser_that_is_compiled_in_has_its_endings() {
        let compiled_in = crate::grammar::tree_sitter::languages::BUILT_IN.map(|one| one.name);
        assert_eq!(compiled_in, ENDINGS.map(|(name, _)| name));
    }
}
