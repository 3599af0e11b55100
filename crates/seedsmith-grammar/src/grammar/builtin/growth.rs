//! Checks that the effort of parsing long well-formed texts grows in proportion to their length, in
//! every grammar that comes with the program. The effort is counted, not timed: a decision that
//! looks ahead to the end of its list shows at once.
//!
//! Each grammar has texts of a few shapes: a beginning, a part that is repeated, an end. A text of
//! 8 KB may take at most nine times the effort of one of 1 KB, and the fixed effort of its beginning
//! and end.

use super::find;

/// A part that may be repeated any number of times, with the text before and after the repetitions.
///
/// The pieces of a text: its beginning, the part that is repeated, and its end.
type Shape = (&'static str, &'static str, &'static str);

/// One shape at least for each construct that can be long: lists, nested values, sequences of
/// statements.
const SHAPES: [(&str, &[Shape]); 16] = [
    (
        "arithmetic",
        &[
            ("", "max(sin(2 * pi), cos(0), f()) + rate_1 * -(3 ^ 2) - ", "1"),
            ("f(", "1, ", "2)"),
            ("", "2 ^ ", "2"),
        ],
    ),
    (
        "css",
        &[
            ("", ".a > b:hover, #c[x=\"1\"] { margin: calc(1px + 2em) !important }\n", ""),
            ("a {", "b: c d(1, 2); ", "}"),
            ("@media print {", "a b { c: d }\n", "}"),
            ("a, ", "b c > d, ", "e {}"),
        ],
    ),
    ("csv", &[("", "\"id\",\"said \"\"no\"\"\",1,,x y\n", ""), ("", "a,\"b\",", "c")]),
    (
        "dot",
        &[
            ("digraph {", "a -> { b; c } [x=y][z=.5]; node [x=\"q\"] subgraph s { u }\n", "}"),
            ("graph { a", "-- b ", "}"),
            ("graph { a [", "x=y, ", "z=1]}"),
        ],
    ),
    (
        "http",
        &[
            ("GET / HTTP/1.1\r\n", "Set-Cookie: id=\"a;b,c\"; Path=/\r\n", "\r\nbody"),
            ("GET / HTTP/1.1\r\n\r\n", "hello world\r\n", ""),
        ],
    ),
    ("ini", &[("", "[server]\nhost = a.org\nport: 80\n# a comment\nempty =\n", "")]),
    (
        "javascript",
        &[
            ("", "let o = { a, b: 1, [d]: 5, e() { return f(1)[3] }, get f() { } };\n", ""),
            ("", "class A extends B.c { constructor(x) { super(x) } static get y() { } }\n", ""),
            (
                "",
                "function f(a, b = 1, ...c) { for (;;) { if (a) b(); else { c = d => e } } }\n",
                "",
            ),
            ("{", "a = b;\n", "}"),
            ("", "a = b\n", ""),
            ("function f() {", "a(b);\n", "}"),
            ("class A {", "f(x) { return x }\n", "}"),
            ("x = {", "a: {b: 1}, ", "}"),
            ("x = [", "(a, b) => a + b, ", "1]"),
            ("x = (", "a + ", "1)"),
            ("f(", "a, ", "1)"),
            ("x = ", "a ? b : ", "c"),
            ("(", "a, ", "b) => c"),
            ("[", "a, ", "b] = c"),
            ("({", "a: b, ", "}) => c"),
            ("a", ".b(c => d)", ""),
            ("`", "a ${b} ", "`"),
        ],
    ),
    (
        "json",
        &[("[", "{\"id\": 4, \"x\": [true, null]}, ", "1]"), ("{", "\"k\": [1], ", "\"\": 0}")],
    ),
    (
        "lua",
        &[
            ("", "local function f(n) if n < 2 then return n end return f(n - 1) + 2 end\n", ""),
            ("", "print(fib(10), (f)(), f\"x\", f{1}, a:b 'y')\n", ""),
            ("t = {", "1, a = 2, [b] = {3}; ", "}"),
            ("x = ", "a .. b + c * ", "1"),
            ("a", ".b:c(1)", "()"),
            ("f(", "a, ", "1)"),
            ("do ", "local a <const> = 1 goto b ::b:: ", "end"),
        ],
    ),
    ("obj", &[("", "v 1.0 -1e0 .5\nusemtl a b\nf 1/1/1 2//1 3\n", ""), ("f", " 1/1/1", "\n")]),
    (
        "regex",
        &[
            ("", "[a-z_][^\\w\\d]*(?:a|b+?){2,3}^\\p{Greek}", ""),
            ("[", "a-z", "x]"),
            ("a", "|bc", ""),
            ("(", "ab*", ")"),
        ],
    ),
    ("sexp", &[("(m ", "(f $a (e \"add\") 'q `(x ,y . z))\n", ")"), ("", "(a b)", "")]),
    (
        "sql",
        &[
            ("", "SELECT count(*) AS n FROM t AS x LEFT JOIN u ON x.i = u.j GROUP BY a;\n", ""),
            ("INSERT INTO t VALUES ", "(1, 'x'), ", "(2)"),
            ("SELECT ", "a + b, ", "1"),
            ("SELECT * FROM a", ", b", ""),
            ("SELECT * FROM t", " JOIN u ON a = b", ""),
            ("SELECT 1", " UNION SELECT 2", ""),
            ("SELECT CASE ", "WHEN a THEN b ", "END"),
            ("WITH ", "a AS (SELECT 1), ", "b AS (SELECT 2) SELECT 3"),
            ("CREATE TABLE t (", "a INT NOT NULL DEFAULT 1, ", "b TEXT)"),
            ("SELECT 1 WHERE ", "a < 2 AND b = ANY (SELECT 3) OR ", "c"),
            ("SELECT 1 WHERE ", "a LIKE 'x' ESCAPE b AND c NOT LIKE d OR ", "c"),
            ("SELECT 1 WHERE ", "a NOT BETWEEN 1 AND 2 AND b BETWEEN 3 AND 4 OR ", "c"),
            ("SELECT 1 WHERE ", "a IS DISTINCT FROM b AND c IS NULL OR NOT ", "d"),
            ("SELECT 1 WHERE a IN (", "1, ", "2)"),
            ("SELECT 1 WHERE ", "a = b = ", "1"),
        ],
    ),
    (
        "toml",
        &[
            ("", "[a.b]\nhex = 0xDEAD\nx = { y = [1, \"z\"], \"q\".r = 's' }\n", ""),
            ("a = [", "1, ", "2]"),
            ("a = [", "\n {b = 1},", "]"),
        ],
    ),
    (
        "url",
        &[
            ("http://h/?", "ab=cd&", "#x"),
            ("http://h/", "ab/", "?q"),
            ("http://", "ab1.", "/a"),
            ("http://", "ab:%20", "@h:80/a"),
            ("http://[", "1:", "1]/"),
            ("http://h:", "80", ""),
            ("http://h/#", "a?/b//", ""),
            ("file:/", "ab;c=1/", ""),
            ("urn:", "a:b/", "c"),
            ("ab", "+c-1.", ":x"),
        ],
    ),
    (
        "xml",
        &[
            ("<a>", "<b c=\"d\" e='f &amp; g'>t &lt; u<h/><!-- i --></b>\n", "</a>"),
            ("<a", " b=\"c\"", "/>"),
            ("<!DOCTYPE a [", "<!ELEMENT b (c, d?)>\n<!ENTITY e \"x\">", "]><a/>"),
        ],
    ),
];

/// The effort of parsing a well-formed text of about `bytes` bytes in one of the shapes, in
/// configurations.
fn effort(grammar: &str, (head, part, tail): Shape, bytes: usize) -> u64 {
    let text = format!("{head}{}{tail}", part.repeat(bytes / part.len()));
    let builtin = find(grammar).expect("it comes with the program");
    let parsed = builtin.parser().parse(text.as_bytes(), builtin.start()).unwrap();
    assert!(parsed.is_valid(), "{grammar}: {head}{part}…: {:?}", parsed.errors);
    assert_eq!(parsed.shortened_predictions, 0, "{grammar}: {head}{part}…");
    parsed.effort
}

#[test]
fn the_work_for_a_long_text_grows_as_the_text_does() {
    for (grammar, shapes) in SHAPES {
        for &shape in shapes {
            let [short, long] = [1_000, 8_000].map(|bytes| effort(grammar, shape, bytes));
            // Eight times as much, and some effort for the text's beginning and end.
            assert!(long <= 9 * short + 100, "{grammar}: {shape:?}: {short}, then {long}");
        }
    }
}
