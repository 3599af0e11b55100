//! A second list of 24 planted causes, one of each kind that a maintainer may name. For each the
//! sentences or patterns that say no more and no less than the cause: any one of them is right.
//!
//! The list was committed before the generalizer was run on any of it. If an expectation is ever
//! changed, the commit has to say why it was wrong.

use seedsmith::Silent;
use seedsmith::internal::generalize::{Generalized, Options, generalize, reduce};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::internal::{Budget, Oracle};

use crate::patterns::Says::{self, Condition, Pattern};
use crate::patterns::{drawn, judge, sampler, text};

/// A cause that was made up.
pub struct Planted {
    /// A name for the cause.
    pub name: &'static str,
    /// The grammar in ANTLR's notation, or nothing.
    pub grammar: &'static str,
    /// The failing input.
    pub input: &'static str,
    /// Whether an input fails.
    pub fails: fn(&[u8]) -> bool,
    /// The accepted results; one of them has to be found.
    pub says: &'static [Says],
}

const SETTINGS: &str = "grammar Settings; settings: line* EOF; line: key '=' value ';';
    key: 'ttl' | 'port' | 'size' | 'name'; value: INT | WORD; INT: '-'? [0-9]+; WORD: [a-z]+;";

const JSON: &str = "grammar Json; document: value EOF;
    value: object | array | STRING | NUMBER | 'true' | 'null';
    object: '{' (pair (',' pair)*)? '}'; pair: STRING ':' value;
    array: '[' (value (',' value)*)? ']'; STRING: '\"' [a-z]* '\"'; NUMBER: [0-9]+;";

const REQUEST: &str = "grammar Request; request: verb PATH ';' header* EOF; verb: 'GET' | 'PUT';
    header: field ':' WORD ';'; field: 'Host' | 'Accept' | 'Cookie' | 'Date' | 'Range';
    PATH: '/' [a-z]*; WORD: [a-z]+; WS: ' '+ -> skip;";

const CALLS: &str = "grammar Calls; program: call* EOF; call: NAME '(' (argument (',' argument)*)?
    ')' ';'; argument: NAME | N | group; group: '(' argument ')'; NAME: [a-z]+; N: [0-9]+;";

const HEAP: &str = "grammar Heap; script: statement* EOF; statement: action ';' | block;
    block: '{' statement* '}'; action: 'alloc' | 'free' | 'read' | 'write'; WS: [ \\n]+ -> skip;";

const EXPRESSION: &str = "grammar Expression; expression: term (operator term)* EOF;
    operator: '+' | '-' | '*' | '<<' | '>>' | '&' | '|' | '^'; term: N | NAME | '(' term ')';
    N: [0-9]+; NAME: [a-z]+; WS: ' '+ -> skip;";

const LIST: &str = "grammar List; list: '[' (N (',' N)*)? ']' EOF; N: [0-9]+;";

fn numbers(input: &[u8]) -> Vec<u128> {
    let words = text(input).split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// How deep brackets are nested at most, and how many are open at the end.
fn depths(input: &[u8], open: &[u8], close: &[u8]) -> (i64, i64) {
    input.iter().fold((0, 0), |(most, depth), byte| {
        let step = i64::from(open.contains(byte)) - i64::from(close.contains(byte));
        (most.max(depth + step), depth + step)
    })
}

/// The values of a key, one for each pair.
fn values<'t>(input: &'t [u8], key: &str) -> Vec<&'t str> {
    let pairs = text(input).split([';', '{', '}', ',']);
    pairs.filter_map(|pair| pair.strip_prefix(key)?.strip_prefix('=')).collect()
}

/// The keys of each object, from its text: strings hold neither braces nor colons.
fn has_twin_keys(input: &[u8]) -> bool {
    let mut open: Vec<Vec<&str>> = Vec::new();
    let text = text(input);
    let mut last = "";
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => open.push(Vec::new()),
            '}' | ']' => drop(open.pop()),
            '"' => last = text[..at].rsplit('"').next().unwrap_or(""),
            ':' => {
                let Some(keys) = open.last_mut() else { return false };
                if keys.contains(&last) {
                    return true;
                }
                keys.push(last);
            }
            _ => {}
        }
    }
    false
}

/// The 24.
pub const SECOND: &[Planted] = &[
    Planted {
        name: "value range: a ttl from 100 to 199 among other settings",
        grammar: SETTINGS,
        input: "name=x;ttl=150;port=80;",
        fails: |input| {
            let values = values(input, "ttl");
            values.iter().any(|value| value.parse().is_ok_and(|n: i128| (100..200).contains(&n)))
        },
        says: &[Pattern("ttl=<integer 100..199>;")],
    },
    Planted {
        name: "two numbers compared: the least is above the greatest",
        grammar:
            "grammar Bounds; bounds: low high EOF; low: 'min' '=' N ';'; high: 'max' '=' N ';';
            N: [0-9]+;",
        input: "min=70;max=9;",
        fails: |input| matches!(numbers(input)[..], [low, high] if low > high),
        says: &[
            Condition("the first <N> is greater than the second <N>"),
            Condition("the value of \"min\" is greater than the value of \"max\""),
            Condition("the value of \"max\" is less than the value of \"min\""),
        ],
    },
    Planted {
        name: "mixed nesting of depth 5: arrays and objects",
        grammar: JSON,
        input: "{\"a\":[[{\"b\":[1,2]}],3]}",
        fails: |input| depths(input, b"[{", b"]}").0 >= 5,
        says: &[Condition("brackets are nested at least 5 deep")],
    },
    Planted {
        name: "absence of a key: no Host",
        grammar: REQUEST,
        input: "GET / ; Accept: all; Date: now;",
        fails: |input| !text(input).contains("Host"),
        // A key that is not there is called a key since conditions name keys.
        says: &[Condition("there is no \"Host\""), Condition("there is no key \"Host\"")],
    },
    Planted {
        name: "equal names of two kinds of token: an entity that is used",
        grammar: "grammar Entities; document: declaration* item* EOF;
            declaration: '<!ENTITY' NAME STRING '>'; item: REF | WORD; REF: '&' [a-z]+ ';';
            STRING: '\"' [0-9]* '\"'; NAME: [a-z]+; WORD: [A-Z]+; WS: ' '+ -> skip;",
        input: "<!ENTITY ab \"12\"> TEXT &ab; MORE",
        fails: |input| {
            let text = text(input);
            text.match_indices("<!ENTITY").any(|(at, keyword)| {
                let rest = text[at + keyword.len()..].trim_start();
                let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
                end > 0 && text.contains(&format!("&{};", &rest[..end]))
            })
        },
        says: &[Pattern("<<!ENTITY<$NAME1><STRING>>&<$NAME1>;")],
    },
    Planted {
        name: "non-ASCII: a cell with a character that is not ASCII",
        grammar: "grammar Cells; cells: row* EOF; row: CELL (',' CELL)* ';'; CELL: ~[,;]+;",
        input: "name,größe;a,b;",
        fails: |input| std::str::from_utf8(input).is_ok_and(|text| !text.is_ascii()),
        says: &[
            Condition("some <CELL> has a character that is not ASCII"),
            // Which characters a cell may have is the grammar's business.
            Pattern("<character>*<non-ASCII character><character>*;"),
        ],
    },
    Planted {
        name: "three decimals and a negative number together, in assignments",
        grammar: "grammar Values; values: pair* EOF; pair: NAME '=' number ';';
            number: DECIMAL | NEGATIVE | N; DECIMAL: [0-9]+ '.' [0-9]+; NEGATIVE: '-' [0-9]+;
            NAME: [a-z]+; N: [0-9]+;",
        input: "x=1.5;y=2.5;z=3.25;w=-7;v=3;",
        fails: |input| text(input).matches('.').count() >= 3 && text(input).contains('-'),
        says: &[
            Condition("there are at least 3 <DECIMAL> and there is <NEGATIVE>"),
            Condition("there is <NEGATIVE> and there are at least 3 <DECIMAL>"),
        ],
    },
    Planted {
        name: "a length that equals a field: a quoted string",
        grammar: "grammar Serial; serial: 's' ':' N ':' STRING EOF; N: [0-9]+;
            STRING: '\"' [a-z]* '\"';",
        input: "s:5:\"hello\"",
        fails: |input| {
            let parts: Vec<&str> = text(input).split(':').collect();
            matches!(parts[..], [_, n, string] if n.parse() == Ok(string.len().saturating_sub(2)))
        },
        says: &[
            Condition("the first <N> equals the length of <STRING>"),
            Condition("the first <N> equals the length of <STRING> without its quotes"),
        ],
    },
    Planted {
        name: "order of three: read after free after alloc, in blocks",
        grammar: HEAP,
        input: "write; alloc; { free; write; } { read; }",
        fails: |input| {
            let mut rest = text(input);
            ["alloc", "free", "read"].iter().all(|word| match rest.split_once(word) {
                Some((_, after)) => {
                    rest = after;
                    true
                }
                None => false,
            })
        },
        says: &[
            Pattern("alloc;free;read;"),
            Condition("\"alloc\" is before \"free\" and \"free\" is before \"read\""),
        ],
    },
    Planted {
        name: "a duplicate in a list: an object with a key twice",
        grammar: JSON,
        input: "{\"a\":1,\"bc\":[2],\"a\":null}",
        fails: has_twin_keys,
        says: &[Pattern("{<$STRING1>:<value>,<$STRING1>:<value>}")],
    },
    Planted {
        name: "alternatives: a shift, either way",
        grammar: EXPRESSION,
        input: "1 + a << 3",
        fails: |input| text(input).contains("<<") || text(input).contains(">>"),
        says: &[Condition("there is \"<<\" or there is \">>\"")],
    },
    Planted {
        name: "rows of unequal length in a matrix",
        grammar: "grammar Matrix; matrix: '[' row (',' row)* ']' EOF; row: '[' N (',' N)* ']';
            N: [0-9]+;",
        input: "[[1,2],[3,4],[5]]",
        fails: |input| {
            let rows = text(input).trim_matches(['[', ']']).split("],[");
            let lengths: Vec<usize> = rows.map(|row| row.split(',').count()).collect();
            lengths.windows(2).any(|pair| pair[0] != pair[1])
        },
        says: &[Condition("some <row> has more <N> than another")],
    },
    Planted {
        name: "count threshold: a call with six arguments or more",
        grammar: CALLS,
        input: "f(a);g(1,b,(2),c,3,d,e);",
        fails: |input| {
            let calls = text(input).split(';');
            calls.map(|call| call.matches(',').count()).any(|commas| commas >= 5)
        },
        says: &[
            Condition("some <call> has at least 6 <argument>"),
            Pattern("<NAME>(<argument>,<argument>,<argument>,<argument>,<argument>,<argument>);"),
        ],
    },
    Planted {
        name: "odd length: hexadecimal digits without a partner",
        grammar: "grammar Hex; hex: '#' HEX EOF; HEX: [0-9a-f]+;",
        input: "#a1b2c",
        fails: |input| input.len().is_multiple_of(2),
        says: &[
            Condition("the length of <HEX> is odd"),
            Condition("the length of the input is even"),
        ],
    },
    Planted {
        name: "checksum: the last number is the sum of the others",
        grammar: "grammar Packet; packet: item+ '#' SUM EOF; item: N ','; SUM: '$' [0-9]+;
            N: [0-9]+;",
        input: "5,7,#$12",
        fails: |input| {
            let numbers = numbers(input);
            let items = &numbers[..numbers.len().saturating_sub(1)];
            !items.is_empty() && numbers.last().copied() == Some(items.iter().sum())
        },
        says: &[Condition("the first <SUM> equals the sum of the <N>")],
    },
    Planted {
        name: "no grammar: a prefix and a suffix",
        grammar: "",
        input: "%PDF-1.4 and so on EOF",
        fails: |input| input.starts_with(b"%PDF") && input.ends_with(b"EOF"),
        says: &[Pattern("%PDF<any byte>*EOF")],
    },
    Planted {
        name: "no grammar: a word in capital or small letters",
        grammar: "",
        input: "a link javaScript:alert",
        fails: |input| text(input).to_ascii_lowercase().contains("script"),
        says: &[Pattern("<character>*<any case script><character>*")],
    },
    Planted {
        name: "two of three headers",
        grammar: REQUEST,
        input: "GET / ; Host: a; Cookie: b; Date: c;",
        fails: |input| {
            let text = text(input);
            ["Host", "Cookie", "Range"].iter().filter(|name| text.contains(*name)).count() >= 2
        },
        says: &[Condition("at least 2 of these are there: \"Cookie\", \"Host\", \"Range\"")],
    },
    Planted {
        name: "depth: groups in groups, eight or more",
        grammar: CALLS,
        input: "f(((((((((a)))))))));",
        fails: |input| depths(input, b"(", b")").0 >= 8,
        says: &[
            Condition("brackets are nested at least 8 deep"),
            Condition("<group> is nested at least 7 deep"),
            // A group is `(`, an argument and `)`, and the eighth bracket is the call's.
            Condition("some <argument> is inside at least 7 nested <group>"),
        ],
    },
    Planted {
        name: "a key with the wrong type: a port that is no number",
        grammar: SETTINGS,
        input: "name=x;port=abc;ttl=1;",
        fails: |input| values(input, "port").iter().any(|value| value.parse::<i128>().is_err()),
        says: &[Pattern("port=<WORD>;")],
    },
    Planted {
        name: "sorted order violated",
        grammar: LIST,
        input: "[1,5,9,7]",
        fails: |input| numbers(input).windows(2).any(|pair| pair[0] > pair[1]),
        says: &[Condition("the <N> are not in ascending order")],
    },
    Planted {
        name: "an empty element",
        grammar: "grammar Commas; commas: element (',' element)* EOF; element: WORD?;
            WORD: [a-z]+;",
        input: "ab,c,,d",
        fails: |input| text(input).split(',').any(str::is_empty),
        says: &[Condition("some <element> is empty")],
    },
    Planted {
        name: "numeric overflow: a product of 2^32 or more",
        grammar: "grammar Image; image: N 'x' N EOF; N: [0-9]+;",
        input: "70000x90000",
        fails: |input| {
            let numbers = numbers(input);
            let product = numbers.iter().try_fold(1u128, |all, one| all.checked_mul(*one));
            product.is_none_or(|product| product >= 1 << 32)
        },
        says: &[Condition("the product of the first two <N> is at least 2^32")],
    },
    Planted {
        name: "no grammar: six brackets that are not closed",
        grammar: "",
        input: "f(x) + ((((((((y) + 1",
        fails: |input| depths(input, b"(", b")").1 >= 6,
        says: &[
            Condition("at least 6 \"(\" are not closed"),
            Condition("at least 6 brackets are not closed"),
        ],
    },
];

/// Whether one of the expectations was found.
fn is_said(says: &[Says], found: &Generalized) -> bool {
    let condition = found.condition.as_ref().map(|one| one.predicate.to_string());
    says.iter().any(|one| match one {
        Says::Pattern(pattern) => found.pattern.compact() == *pattern,
        Says::Condition(said) => condition.as_deref() == Some(said),
    })
}

#[test]
fn the_second_list_of_causes_is_told_and_no_pattern_of_it_is_too_general() {
    let mut right = 0;
    let mut bad: Vec<String> = Vec::new();
    for planted in SECOND {
        let target = ClosureTarget::failing_if(planted.fails);
        let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
        let language = sampler(planted.grammar);
        let input = planted.input.as_bytes();
        assert!((planted.fails)(input), "{}", planted.name);
        let reduced = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
        let before = oracle.counts().executions;
        let input = reduced.input;
        let found = generalize(&mut oracle, input, language, &Options::default()).unwrap();
        let executions = oracle.counts().executions;
        let is_right = is_said(planted.says, &found);
        let (_, failing, distinct) = drawn(&found.pattern, |_| true, planted.fails);
        println!(
            "{} {}: {:?}, {:?}; {before} + {} + {} executions; {failing} fail, {distinct} distinct",
            if is_right { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.condition.as_ref().map(|one| one.predicate.to_string()),
            found.counts.executions,
            found.reason_counts.executions,
        );
        if executions > 2000 || failing < 995 {
            bad.push(format!("{}: {executions} executions, {failing} fail", planted.name));
        }
        right += u32::from(is_right);
    }
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(right >= 22, "{right} of {} are right", SECOND.len());
}
