//! Parsers that say whether an input is valid.

use std::io::Cursor;

type Function = fn(&[u8]) -> bool;

/// Name, format, function.
pub const IN_PROCESS: &[(&str, &str, Function)] = &[
    ("serde_json", "json", |bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_ok()),
    ("dot-parser", "dot", |bytes| {
        text(bytes, |text| dot_parser::ast::Graph::try_from(text).is_ok())
    }),
    ("graphviz-rust", "dot", |bytes| text(bytes, |text| graphviz_rust::parse(text).is_ok())),
    ("wavefront_obj", "obj", |bytes| text(bytes, |text| wavefront_obj::obj::parse(text).is_ok())),
    ("obj-rs", "obj", |bytes| obj::raw::parse_obj(Cursor::new(bytes)).is_ok()),
    ("tobj", "obj", |bytes| {
        let materials = |_: &std::path::Path| Ok(Default::default());
        tobj::load_obj_buf(&mut Cursor::new(bytes), &tobj::LoadOptions::default(), materials)
            .is_ok()
    }),
    ("rust-ini", "ini", |bytes| text(bytes, |text| ini::Ini::load_from_str(text).is_ok())),
    ("serde_ini", "ini", |bytes| {
        text(bytes, |text| serde_ini::Parser::from_str(text).all(|item| item.is_ok()))
    }),
    ("configparser-rs", "ini", |bytes| {
        text(bytes, |text| configparser::ini::Ini::new().read(text.to_owned()).is_ok())
    }),
];

/// Name, format, command.
pub const COMMANDS: &[(&str, &str, &[&str])] = &[
    ("jq", "json", &["jq", ".", "{}"]),
    ("dot", "dot", &["dot", "-Tcanon", "-o/dev/null", "{}"]),
    (
        "python-configparser",
        "ini",
        &[
            "python3",
            "-c",
            "import configparser,sys; configparser.ConfigParser(strict=False, interpolation=None).read_file(open(sys.argv[1], encoding='utf-8'))",
            "{}",
        ],
    ),
];

/// Nothing at all is no input.
fn text(bytes: &[u8], is_valid: impl Fn(&str) -> bool) -> bool {
    std::str::from_utf8(bytes).is_ok_and(is_valid)
}
