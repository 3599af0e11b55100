//! The languages whose tree-sitter parsers are compiled in.
//!
//! Each comes from its published crate (all MIT), with the description of its nodes that the
//! crate ships. This file is a table; it knows nothing of parsing.

use tree_sitter_language::LanguageFn;

/// A compiled-in language.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// Its name, as behind `--grammar tree-sitter:`.
    pub name: &'static str,
    /// What `--grammar` takes for it: the name with `tree-sitter:` in front.
    pub said: &'static str,
    /// Endings of file names, without the dot, in lower case.
    pub endings: &'static [&'static str],
    pub(super) function: LanguageFn,
    pub(super) node_types: &'static str,
}

impl std::fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BuiltIn({})", self.name)
    }
}

macro_rules! language {
    ($name:literal, $endings:expr, $module:ident) => {
        language!($name, $endings, $module, LANGUAGE, NODE_TYPES)
    };
    ($name:literal, $endings:expr, $module:ident, $function:ident, $types:ident) => {
        BuiltIn {
            name: $name,
            said: concat!("tree-sitter:", $name),
            endings: &$endings,
            function: $module::$function,
            node_types: $module::$types,
        }
    };
}

/// All of them, by name.
pub static BUILT_IN: [BuiltIn; 20] = [
    language!("bash", ["sh", "bash"], tree_sitter_bash),
    language!("c", ["c", "h"], tree_sitter_c),
    language!("cpp", ["cc", "cpp", "cxx", "hh", "hpp", "hxx"], tree_sitter_cpp),
    language!("css", ["css"], tree_sitter_css),
    language!("dtd", ["dtd"], tree_sitter_xml, LANGUAGE_DTD, DTD_NODE_TYPES),
    language!("go", ["go"], tree_sitter_go),
    language!("html", ["html", "htm"], tree_sitter_html),
    language!("java", ["java"], tree_sitter_java),
    language!("javascript", ["js", "mjs", "cjs", "jsx"], tree_sitter_javascript),
    language!("json", ["json"], tree_sitter_json),
    language!("lua", ["lua"], tree_sitter_lua),
    language!("python", ["py", "pyi"], tree_sitter_python),
    language!("regex", ["regex"], tree_sitter_regex),
    language!("rust", ["rs"], tree_sitter_rust),
    language!("sql", ["sql"], tree_sitter_sequel),
    language!("toml", ["toml"], tree_sitter_toml_ng),
    language!("tsx", ["tsx"], tree_sitter_typescript, LANGUAGE_TSX, TSX_NODE_TYPES),
    language!(
        "typescript",
        ["ts", "mts", "cts"],
        tree_sitter_typescript,
        LANGUAGE_TYPESCRIPT,
        TYPESCRIPT_NODE_TYPES
    ),
    language!("xml", ["xml", "svg", "xsd"], tree_sitter_xml, LANGUAGE_XML, XML_NODE_TYPES),
    language!("yaml", ["yaml", "yml"], tree_sitter_yaml),
];

/// The language of that name.
pub fn named(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|language| language.name == name)
}

/// The language of files with that ending.
pub fn by_ending(ending: &str) -> Option<&'static BuiltIn> {
    let ending = ending.to_ascii_lowercase();
    BUILT_IN.iter().find(|language| language.endings.contains(&ending.as_str()))
}
