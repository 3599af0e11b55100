"""Tests of the figures, on sources of a few lines."""

import tempfile
import unittest
from pathlib import Path

from . import constants, figures
from .modules import House, cycles
from .tokens import code_of, tokens, without_tests

CRATES = ["low", "top"]
LAYERS = {"words": 0, "engine": 1, "edge": 2}


def left(source):
    """The words of a source that are not for tests only."""
    return [token.text for token in without_tests(code_of(tokens(source))) if token.kind == "word"]


class ProductCode(unittest.TestCase):
    def test_a_test_module_is_dropped_and_what_follows_it_stays(self):
        self.assertEqual(left('#[cfg(test)] mod tests { fn a() { "}"; } } use b;'), ["use", "b"])

    def test_braces_in_strings_characters_and_comments_close_nothing(self):
        inside = r"""let a = "}\"}"; let b = r#"}"}"#; let c = '}'; let d = '\''; let e = b'}'; // }
            /* } /* } */ } */ let f: &'a str = "{";"""
        self.assertEqual(left("#[cfg(test)] fn x() { " + inside + " } use y;"), ["use", "y"])

    def test_an_item_that_ends_with_a_semicolon_takes_nothing_after_it_along(self):
        for item in (
            "mod tests;",
            "use a::{b, c};",
            "const A: [u8; 2] = { [1, 2] };",
            "pub(crate) static B: &[&str] = &[];",
            "struct C(u8);",
            "impl<T> D for E<T> where T: F<{ 3 }> {}",
            "pub const fn g() {}",
            'unsafe extern "C" { fn h(); }',
            "macro_rules! i { () => { ; }; }",
            "#[allow(dead_code)] enum J { K { l: u8 }, M }",
        ):
            self.assertEqual(left(f"#[cfg(test)] {item} fn stays() {{}}"), ["fn", "stays"], item)

    def test_a_field_an_arm_and_a_statement_end_where_they_end(self):
        self.assertEqual(left("struct A { #[cfg(test)] b: u8, c: u8 }"), ["struct", "A", "c", "u8"])
        self.assertEqual(left("struct A { #[cfg(test)] b: u8 } use c;"), ["struct", "A", "use", "c"])
        self.assertEqual(left("match a { #[cfg(test)] B { c } => d(), e => f }"), ["match", "a", "e", "f"])
        self.assertEqual(left("fn a() { #[cfg(test)] b(); c() }"), ["fn", "a", "c"])

    def test_only_what_no_program_compiles_is_dropped(self):
        for attribute in ("test", "cfg(test)", 'cfg(all(test, feature = "a"))', "cfg(not(not(test)))"):
            self.assertEqual(left(f"#[{attribute}] fn a() {{}}"), [], attribute)
        for attribute in ("cfg(not(test))", 'cfg(any(test, feature = "a"))', 'cfg(feature = "test")', "cfg(unix)"):
            self.assertIn("a", left(f"#[{attribute}] fn a() {{}}"), attribute)
        self.assertEqual(left("#![cfg(test)] fn a() {}"), [])

    def test_lifetimes_are_no_characters(self):
        self.assertEqual(left("fn a<'a>(b: &'a str, c: &'a str) {} use d;")[-2:], ["use", "d"])


class Sources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("Cargo.toml", '[package]\nname = "top"\n')
        self.write("src/lib.rs", "//! Tour.\npub mod edge;\npub mod engine;\npub mod words;\n")
        for name in LAYERS:
            self.write(f"src/{name}.rs", "//! A layer.\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def upward(self):
        return figures.upward_imports(House(self.root), CRATES, LAYERS, {"edge_macro"})

    def cycles(self):
        return cycles(House(self.root).imports())

    def test_an_upward_import_after_a_test_module_is_found(self):
        self.write(
            "src/words.rs",
            "//! Words.\n#[cfg(test)]\nmod tests {\n    use crate::edge::Run;\n}\nuse crate::engine::Oracle;\n",
        )
        self.assertEqual(self.upward(), ["src/words.rs:6: layer 0 (words) uses layer 1 (crate::engine::Oracle)"])

    def test_imports_downwards_and_those_of_tests_are_fine(self):
        tests = "#[cfg(test)]\nmod tests { use crate::edge; }\n"
        self.write("src/engine.rs", f"//! Engine.\nuse crate::words::Word;\n{tests}")
        self.write("src/words.rs", "//! Words.\n#[cfg(test)]\nmod told;\n")
        self.write("src/words/told.rs", "//! Tests.\nuse crate::edge;\n")
        self.assertEqual(self.upward(), [])

    def test_a_path_without_use_and_one_by_super_are_imports_too(self):
        self.write("src/words.rs", "//! Words.\nfn a() { crate::edge::run() }\n")
        self.assertEqual(len(self.upward()), 1)
        self.write("src/words.rs", "//! Words.\nuse super::{engine, edge};\n")
        self.assertEqual(len(self.upward()), 2)
        self.write("src/words.rs", "//! Words: crate::edge.\n// crate::edge\nfn a() -> &str { \"crate::edge\" }\n")
        self.assertEqual(self.upward(), [])
        self.write("src/words.rs", "//! Words.\nmod a { mod b { use super::super::super::edge; } }\n")
        self.assertEqual(len(self.upward()), 1)
        self.write("src/words.rs", "//! Words.\npub(in crate::edge) fn a() { crate::edge_macro!() }\n")
        self.assertEqual(len(self.upward()), 1)

    def test_a_module_may_not_use_one_that_it_is_separated_from(self):
        separated = {("edge", "words")}
        self.write("src/edge/mod.rs", "//! Edge.\nuse crate::engine::Oracle;\n")
        self.write("src/edge/page.rs", "//! Page.\nuse crate::words::Word;\n")
        self.write("src/engine.rs", "//! Engine.\nuse crate::words::Word;\n")
        (self.root / "src/edge.rs").unlink()
        found = figures.separated_imports(House(self.root), separated)
        self.assertEqual(found, ["src/edge/page.rs:2: edge may not use crate::words::Word"])

    def test_what_the_root_re_exports_belongs_to_its_layer(self):
        self.write("src/lib.rs", "//! Tour.\npub use edge::Run;\npub use words::Word;\n")
        self.write("src/engine.rs", "//! Engine.\nuse crate::{Run, Word};\n")
        self.assertEqual(self.upward(), ["src/engine.rs:2: layer 1 (engine) uses layer 2 (crate::Run)"])

    def test_a_lower_crate_may_not_use_a_higher_one_nor_a_higher_layer(self):
        self.write("crates/low/Cargo.toml", '[package]\nname = "low"\n')
        self.write("crates/low/src/lib.rs", "//! Low.\n")
        self.write("crates/low/src/words.rs", "//! Words.\nuse top::words::Word;\nuse crate::engine::Oracle;\n")
        self.write("crates/low/src/engine.rs", "//! Engine.\nuse crate::words::Word;\n")
        self.write("src/engine.rs", "//! Engine.\nuse low::words::Word;\nuse low::edge::Run;\n")
        self.assertEqual(
            self.upward(),
            [
                "src/engine.rs:3: layer 1 (engine) uses layer 2 (low::edge::Run)",
                "crates/low/src/words.rs:2: the crate low uses top::words::Word of the crate top",
                "crates/low/src/words.rs:3: layer 0 (words) uses layer 1 (crate::engine::Oracle)",
            ],
        )

    def test_a_module_in_no_layer_is_told_once(self):
        self.write("src/new/mod.rs", "//! New.\nuse crate::edge::Run;\n")
        self.write("src/new/part.rs", "//! A part.\n")
        self.write("src/edge.rs", "//! Edge.\nuse crate::new::New;\n")
        self.assertEqual(self.upward(), ["src/new/mod.rs: top::new is in no layer"])

    def test_files_that_import_each_other_are_a_cycle_and_others_are_none(self):
        self.write("src/engine/mod.rs", "//! Engine.\npub mod a;\npub mod b;\npub mod c;\npub use a::A;\n")
        (self.root / "src/engine.rs").unlink()
        self.write("src/engine/a.rs", "//! A.\nuse super::b::B;\n")
        self.write("src/engine/b.rs", "//! B.\nuse crate::engine::c;\n")
        self.write("src/engine/c.rs", "//! C.\nuse crate::words;\n")
        self.assertEqual(self.cycles(), [])
        # Through the re-export: of the file that defines it, not of `mod.rs`.
        self.write("src/engine/c.rs", "//! C.\nuse super::A;\n")
        self.assertEqual(self.cycles(), [[("top", "engine", name) for name in "abc"]])
        self.write("src/engine/c.rs", "//! C.\n#[cfg(test)]\nmod tests { use super::super::A; }\n")
        self.assertEqual(self.cycles(), [])

    def test_a_child_named_by_use_without_a_root_is_an_import(self):
        self.write("src/engine.rs", "//! Engine.\nmod a;\nuse a::A;\npub struct B;\n")
        self.write("src/engine/a.rs", "//! A.\nuse super::B;\n")
        self.assertEqual(self.cycles(), [[("top", "engine"), ("top", "engine", "a")]])

    def test_the_tour_names_files_that_exist(self):
        tour = "//! - `words.rs` and\n//!   `engine` (0): words, `not::this`\n//!\n//! See `src/gone.rs` and `a/b`.\n"
        self.write("src/lib.rs", tour)
        missing = figures.missing_in_tour(House(self.root))
        self.assertEqual([line.split()[2] for line in missing], ["src/gone.rs,", "a/b,", "engine,"])

    def test_unsafe_is_found_as_a_word_of_code_outside_its_places(self):
        self.write("src/words.rs", "//! unsafe\n// unsafe\nfn a() { \"unsafe\" }\n")
        self.write("src/engine.rs", "//! Engine.\nfn a() { unsafe {} }\n")
        self.write("src/edge/b.rs", "//! B.\nfn a() { unsafe {} }\n")
        outside = figures.reserved_outside(House(self.root), [("unsafe", r"\bunsafe\b", ["edge/"])])
        self.assertEqual(outside[0], "src/engine.rs: unsafe outside its places")

    def test_lengths_remarks_and_missing_documentation_are_counted(self):
        self.write("src/words.rs", "fn a() {\n    // Why.\n}\n\n/// What.\nfn b() {}\n")
        house = House(self.root)
        self.assertEqual(figures.lengths(house)[0], (6, "src/words.rs"))
        self.assertEqual(figures.without_module_docs(house), ["src/words.rs: does not begin with //!"])
        self.assertEqual(figures.files_by_folder(house), {"src": 4})
        # Documentation: 1 and the first lines of three files. Code: 3 lines of this file and 3 of lib.rs.
        self.assertEqual(figures.remarks_by_folder(house)["src"], (4 / 6, 1 / 6))

    def test_constants_are_numbers_and_a_reason_is_more_than_that_nothing_was_measured(self):
        self.write(
            "src/words.rs",
            """//! Words.
/// Draws, because each costs a test.
const DRAWS: usize = 6;
/// Tests. Not measured.
const TESTS: (u64, u64) = (1, 2);
/// A guess, not measured: the longest line.
pub(super) const LONG: [u8; 2] = [1, 2];
const WAIT: std::time::Duration = std::time::Duration::from_secs(1);
/// Because it is text.
const MARKS: &[u8] = b"abc";
fn all<const N: usize>() {}
#[cfg(test)]
mod tests {
    const LIMIT: u8 = 1;
}
""",
        )
        module = next(one for name, one in House(self.root).modules.items() if name[-1] == "words")
        found = {name: constants.has_reason(text) for name, _, text in constants.constants(module)}
        self.assertEqual(found, {"DRAWS": True, "TESTS": False, "LONG": True, "WAIT": False})
        total, without = constants.by_folder(House(self.root), ["words"])["words"]
        self.assertEqual((total, len(without)), (4, 2))
        self.assertEqual(without[0], "src/words.rs:5: TESTS has no reason")


if __name__ == "__main__":
    unittest.main()
