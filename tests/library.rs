//! A real shared library with a tree-sitter parser, built here from the published crate.
//!
//! Runs before `real`, whose walk through the README leaves a `tmin` with the default features only.

use seedsmith_grammar::TreeSitter;
use seedsmith_grammar::internal::Grammar;
use seedsmith_grammar::internal::languages;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the `tree-sitter-json` crate that this build uses.
///
/// Without `--filter-platform` cargo also needs the crates that only other systems use, which the
/// build of this test has not downloaded.
fn sources() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--filter-platform", &host()])
        .args(["--no-default-features", "--features", "languages"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let json = packages.iter().find(|package| package["name"] == "tree-sitter-json").unwrap();
    Path::new(json["manifest_path"].as_str().unwrap()).parent().unwrap().join("src")
}

/// The platform that this test is built for, as cargo names it.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).args(["--print", "host-tuple"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Builds the library into `folder`.
fn library(folder: &Path) -> PathBuf {
    let (sources, library) = (sources(), folder.join("libtree-sitter-json.so"));
    let compiler = std::env::var_os("CC").unwrap_or("cc".into());
    let status = Command::new(compiler)
        .args(["-shared", "-fPIC", "-I"])
        .args([&sources, &sources.join("parser.c"), Path::new("-o"), &library])
        .status()
        .unwrap();
    assert!(status.success());
    library
}

#[test]
fn a_library_parses_as_the_language_that_is_compiled_in() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let input = b"{\"a\": [1, 2, {}], \"b\": nul}";

    let alone = TreeSitter::load(&library, "tree_sitter_json").unwrap();
    assert_eq!(alone.name(), "json");
    let seen = alone.parse(b"[1, 2]").unwrap();
    assert!(seen.parsed.is_valid() && !seen.grammar.quantifiers.is_empty());

    std::fs::copy(sources().join("node-types.json"), folder.path().join("node-types.json"))
        .unwrap();
    let described = TreeSitter::load(&library, "tree_sitter_json").unwrap();
    let built_in = TreeSitter::built_in(languages::named("json").unwrap()).unwrap();
    let (one, two) = (described.parse(input).unwrap(), built_in.parse(input).unwrap());
    assert_eq!(one.parsed, two.parsed);
    // They are the same but for where they come from.
    assert_ne!(one.grammar.source, two.grammar.source);
    let source = two.grammar.source;
    assert_eq!(Grammar { source, ..Grammar::clone(&one.grammar) }, *two.grammar);

    let error = TreeSitter::load(&library, "tree_sitter_jsonx").unwrap_err().to_string();
    assert!(error.contains("tree_sitter_jsonx"), "{error}");
}

#[cfg(feature = "cli")]
#[test]
fn tmin_shrinks_along_the_tree_of_a_parser_from_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let said = format!("{}:tree_sitter_json", library(folder.path()).display());
    std::fs::write(folder.path().join("crash"), b"[[1, 2], {\"a\": [1, 2, {\"key\": 4}]}]")
        .unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_tmin"))
        .current_dir(folder.path())
        .args(["crash", "--tree-sitter", &said, "--strategy", "hdd*", "-o", "out"])
        .args(["--", "grep", "-q", "key", "{}"])
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let result = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert!(result.contains("key") && result.len() < 30, "{result}");
}
