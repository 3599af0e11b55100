//! The grammars that come with the program.
//!
//! Written from the languages' specifications, in `.g4` notation, in the folder `grammars/`, each
//! beside examples that it has to accept and to refuse. They describe well-formed inputs, which may
//! be meaningless: no grammar here checks whether a tag is closed by its own name. Lists are
//! quantifiers, not recursion, white space and comments are hidden, and every part with a common
//! name (`string`, `number`) is a rule of that name.
//!
//! | name | language |
//! |---|---|
//! | `arithmetic` | sums, products, powers and signs |
//! | `css` | css-syntax-3, with nesting |
//! | `csv` | RFC 4180 |
//! | `dot` | Graphviz |
//! | `http` | messages of HTTP/1.0 and 1.1, RFC 9112 |
//! | `ini` | sections with entries |
//! | `javascript` | ECMAScript 2015 |
//! | `json` | RFC 8259 |
//! | `lua` | Lua 5.4 |
//! | `obj` | Wavefront models |
//! | `regex` | the common part of the dialects of Perl, Rust and JavaScript |
//! | `sexp` | S-expressions as Scheme writes them |
//! | `sql` | the part that most databases read |
//! | `toml` | TOML 1.0 |
//! | `url` | RFC 3986 |
//! | `xml` | well-formed XML 1.0 |
//!
//! ```
//! let json = seedsmith_grammar::internal::builtin::find("json").expect("it comes with the program");
//! let parsed = json.parser().parse(b"[1, 2]", json.start()).expect("short and flat");
//! assert!(parsed.is_valid());
//! ```

#[cfg(test)]
mod growth;
mod recognise;

pub use recognise::{Hint, RecognisedBy, recognise};

use super::g4;
use super::model::{Grammar, RuleId};
use super::parser::Parser;
use std::sync::{Arc, OnceLock};

/// A grammar that comes with the program. It is read when it is first asked for, and once.
#[derive(Debug)]
pub struct Builtin {
    /// Its name: a word in lower case.
    pub name: &'static str,
    /// Other names it goes by, the usual file endings among them.
    pub aliases: &'static [&'static str],
    /// The language it describes and the parts that it leaves out, in one line.
    pub about: &'static str,
    /// The files' names and texts: the lexer, if it is on its own, then the parser.
    pub texts: &'static [(&'static str, &'static str)],
    loaded: OnceLock<Parser>,
}

impl Builtin {
    const fn new(
        name: &'static str,
        aliases: &'static [&'static str],
        about: &'static str,
        texts: &'static [(&'static str, &'static str)],
    ) -> Self {
        Builtin { name, aliases, about, texts, loaded: OnceLock::new() }
    }

    /// The grammar as data.
    pub fn grammar(&self) -> Arc<Grammar> {
        self.loaded().grammar().clone()
    }

    /// A new copy of its parser, for the caller alone.
    pub fn parser(&self) -> Parser {
        self.loaded().clone()
    }

    /// The rule that a whole document is.
    pub fn start(&self) -> RuleId {
        self.loaded().start_rule(None).expect("tests load every grammar and start it")
    }

    /// Whether it goes by that name, in upper or lower case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }

    fn loaded(&self) -> &Parser {
        self.loaded.get_or_init(|| {
            let grammar = g4::load_texts(self.texts).expect("tests load every grammar");
            Parser::new(Arc::new(grammar))
        })
    }
}

/// All of them, by name.
pub fn all() -> &'static [Builtin] {
    &ALL
}

/// The one of that name or alias, in upper or lower case.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.is_called(name))
}

macro_rules! texts {
    ($($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../../grammars/", $file)))),+]
    };
}

static ALL: [Builtin; 16] = [
    Builtin::new(
        "arithmetic",
        &["calc", "expr", "expression"],
        "sums, products, powers, names and calls",
        texts!("arithmetic/Arithmetic.g4"),
    ),
    Builtin::new(
        "css",
        &[],
        "style sheets by their syntax, with nesting; no property is known",
        texts!("css/Css.g4"),
    ),
    Builtin::new("csv", &[], "comma-separated values (RFC 4180)", texts!("csv/Csv.g4")),
    Builtin::new("dot", &["gv", "graphviz"], "Graphviz' DOT language", texts!("dot/Dot.g4")),
    Builtin::new(
        "http",
        &["http1"],
        "HTTP/1 requests and responses (RFC 9112); the body is one token",
        texts!("http/HttpLexer.g4", "http/HttpParser.g4"),
    ),
    Builtin::new(
        "ini",
        &["cfg", "conf"],
        "sections of entries, `=` or `:`, with continued lines",
        texts!("ini/IniLexer.g4", "ini/IniParser.g4"),
    ),
    Builtin::new(
        "javascript",
        &["js", "mjs", "ecmascript"],
        "ECMAScript 2015 without literals of regular expressions",
        texts!("javascript/JavaScriptLexer.g4", "javascript/JavaScriptParser.g4"),
    ),
    Builtin::new("json", &[], "RFC 8259", texts!("json/Json.g4")),
    Builtin::new("lua", &[], "Lua 5.4", texts!("lua/Lua.g4")),
    Builtin::new(
        "obj",
        &["wavefront"],
        "Wavefront OBJ models, free-form geometry read loosely",
        texts!("obj/ObjLexer.g4", "obj/ObjParser.g4"),
    ),
    Builtin::new(
        "regex",
        &["regexp", "re"],
        "regular expressions, what the usual dialects share",
        texts!("regex/RegexLexer.g4", "regex/RegexParser.g4"),
    ),
    Builtin::new(
        "sexp",
        &["scm", "lisp", "el", "wat", "smt2"],
        "s-expressions as in Scheme",
        texts!("sexp/Sexp.g4"),
    ),
    Builtin::new(
        "sql",
        &[],
        "select, insert, update, delete, create, drop, alter; no vendor's own",
        texts!("sql/Sql.g4"),
    ),
    Builtin::new("toml", &[], "TOML 1.0", texts!("toml/TomlLexer.g4", "toml/TomlParser.g4")),
    Builtin::new("url", &["uri"], "URLs with a scheme (RFC 3986)", texts!("url/Url.g4")),
    Builtin::new(
        "xml",
        &["svg", "xhtml", "xsd", "rss", "plist"],
        "XML 1.0; a document type is one token, and tags' names aren't compared",
        texts!("xml/XmlLexer.g4", "xml/XmlParser.g4"),
    ),
];
