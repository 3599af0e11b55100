//! The languages whose tree-sitter parsers are compiled in.
//!
//! Each comes from its published crate (all MIT), with the description of its nodes that the
//! crate ships. This file is a table; it knows nothing of parsing.

use tree_sitter_language::LanguageFn;

use crate::grammar::endings;

/// A compiled-in language.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// Its name, as after `--grammar tree-sitter:`.
    pub name: &'static str,
    /// The value of `--grammar` for it: the name after `tree-sitter:`.
    pub said: &'static str,
    pub(super) function: LanguageFn,
    pub(super) node_types: &'static str,
}

impl std::fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BuiltIn({})", self.name)
    }
}

macro_rules! language {
    ($name:literal, $module:ident) => {
        language!($name, $module, LANGUAGE, NODE_TYPES)
    };
    ($name:literal, $module:ident, $function:ident, $types:ident) => {
        BuiltIn {
            name: $name,
            said: concat!("tree-sitter:", $name),
            function: $module::$function,
            node_types: $module::$types,
        }
    };
}

/// All of them, by name.
pub static BUILT_IN: [BuiltIn; 20] = [
    language!("bash", tree_sitter_bash),
    language!("c", tree_sitter_c),
    language!("cpp", tree_sitter_cpp),
    language!("css", tree_sitter_css),
    language!("dtd", tree_sitter_xml, LANGUAGE_DTD, DTD_NODE_TYPES),
    language!("go", tree_sitter_go),
    language!("html", tree_sitter_html),
    language!("java", tree_sitter_java),
    language!("javascript", tree_sitter_javascript),
    language!("json", tree_sitter_json),
    language!("lua", tree_sitter_lua),
    language!("python", tree_sitter_python),
    language!("regex", tree_sitter_regex),
    language!("rust", tree_sitter_rust),
    language!("sql", tree_sitter_sequel),
    language!("toml", tree_sitter_toml_ng),
    language!("tsx", tree_sitter_typescript, LANGUAGE_TSX, TSX_NODE_TYPES),
    language!("typescript", tree_sitter_typescript, LANGUAGE_TYPESCRIPT, TYPESCRIPT_NODE_TYPES),
    language!("xml", tree_sitter_xml, LANGUAGE_XML, XML_NODE_TYPES),
    language!("yaml", tree_sitter_yaml),
];

/// The language of that name.
///
/// The names are those of `endings`.
pub fn named(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|language| language.name == name)
}

/// The language of files with that ending.
pub fn by_ending(ending: &str) -> Option<&'static BuiltIn> {
    named(endings::parser_of(ending)?)
}
