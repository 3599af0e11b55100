//! Causes in small languages that bring their own grammars.

use super::{Third, has_twins, numbers};

const RANGES: &str = "grammar Ranges; ranges: item (',' item)* EOF; item: range | N;
    range: N '-' N; N: [0-9]+;";

const FIELDS: &str = "grammar Fields; fields: field* EOF; field: NAME '=' value ';';
    value: N | NAME; N: [0-9]+; NAME: [a-z]+;";

const SCRIPT: &str = "grammar Script; script: statement* EOF; statement: (define | use) ';';
    define: 'def' NAME; use: 'use' NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const DATE: &str = "grammar Date; date: year '-' month '-' day EOF; year: N; month: N; day: N;
    N: [0-9]+;";

const STACK: &str = "grammar Stack; script: step* EOF; step: action ';'; action: 'push' | 'pop' |
    'dup' | 'nop'; WS: ' '+ -> skip;";

const LIST: &str = "grammar List; list: '[' (N (',' N)*)? ']' EOF; N: [0-9]+;";

const BUFFER: &str = "grammar Buffer; script: new call* EOF; new: 'new' N ';';
    call: ('get' | 'set') N ';'; N: [0-9]+; WS: ' '+ -> skip;";

const ENCODED: &str = "grammar Encoded; message: 'data:' BASE64 ';' EOF; BASE64: [A-Za-z0-9+/]+;";

const OPTIONS: &str = "grammar Options; line: option* EOF; option: '-' LETTER value?; value: ':' N;
    LETTER: [a-z]; N: [0-9]+; WS: ' '+ -> skip;";

/// The value of a field, if it is there once or more: the first.
fn field(input: &str, name: &str) -> Option<i128> {
    let mut values = input.split(';').filter_map(|field| field.strip_prefix(name));
    values.find_map(|value| value.strip_prefix('=')?.parse().ok())
}

/// The names after a keyword, with the numbers of their statements.
fn named<'t>(input: &'t str, keyword: &str) -> Vec<(usize, &'t str)> {
    let statements = input.split(';').map(str::trim).enumerate();
    statements
        .filter_map(|(at, statement)| Some((at, statement.strip_prefix(keyword)?.trim())))
        .collect()
}

fn steps(input: &str) -> Vec<&str> {
    input.split(';').map(str::trim).filter(|step| !step.is_empty()).collect()
}

fn has_option(input: &str, letter: char) -> bool {
    let mut parts = input.split('-').skip(1);
    parts.any(|part| part.trim_start().starts_with(letter))
}

/// The causes.
pub const OWN: &[Third] = &[
    Third {
        name: "own: a reversed range among others",
        grammar: RANGES,
        input: "1-3,12,9-5,7-8",
        fails: |input| {
            input.split(',').any(|item| matches!(numbers(item)[..], [low, high] if low > high))
        },
        failing: &["2-1", "1-2,30-29,4", "5,7-0", "1-9,2-8,100-20,3-4"],
        passing: &["1-2", "5-5", "9,3", "3-9,1-2", "9-10,3"],
        patterns: &[],
    },
    Third {
        name: "own: a block size that is no multiple of four",
        grammar: FIELDS,
        input: "name=x;block=6;count=8;",
        fails: |input| field(input, "block").is_some_and(|size| size % 4 != 0),
        failing: &["block=1;", "a=b;block=1023;", "block=2;count=4;", "block=31;x=y;"],
        passing: &["block=4;", "block=0;", "count=3;", "block=100;count=7;"],
        patterns: &[],
    },
    Third {
        name: "own: a name that is used and never defined",
        grammar: SCRIPT,
        input: "def a; use b; def c; use a;",
        fails: |input| {
            let defined = named(input, "def ");
            named(input, "use ").iter().any(|(_, used)| !defined.iter().any(|one| one.1 == *used))
        },
        failing: &["use x;", "def y; use x;", "def a; use a; use b;", "use q; def p;"],
        passing: &["def x; use x;", "use x; def x;", "def a; def b; use b;", "def a;"],
        patterns: &[],
    },
    Third {
        name: "own: a name that is defined after its use",
        grammar: SCRIPT,
        input: "def b; use a; use b; def a;",
        fails: |input| {
            let used = named(input, "use ");
            let defined = named(input, "def ");
            used.iter()
                .any(|(at, name)| defined.iter().any(|(later, other)| other == name && later > at))
        },
        failing: &["use x; def x;", "def y; use x; use y; def x;", "use q; use p; def q;"],
        passing: &["def x; use x;", "use x; def y;", "def a; use b; def c;", "use x;"],
        patterns: &["use <$NAME1>;def <$NAME1>;", "use<$NAME1>;def<$NAME1>;"],
    },
    Third {
        name: "own: a month after December",
        grammar: DATE,
        input: "2024-13-05",
        fails: |input| matches!(numbers(input)[..], [_, month, _] if month > 12),
        failing: &["1-13-1", "1999-99-31", "0-100-0"],
        passing: &["2024-12-31", "13-1-13", "2000-0-40"],
        patterns: &["<year>-<integer ≥ 13>-<day>"],
    },
    Third {
        name: "own: the 31st of April",
        grammar: DATE,
        input: "2024-4-31",
        fails: |input| matches!(numbers(input)[..], [_, 4, day] if day > 30),
        failing: &["1-4-31", "0-4-99", "77-4-100"],
        passing: &["2024-4-30", "2024-5-31", "4-14-31", "31-4-4"],
        patterns: &["<year>-4-<integer ≥ 31>"],
    },
    Third {
        name: "own: an area of more than 10,000",
        grammar: "grammar Area; area: 'w=' width ';' 'h=' height ';' EOF; width: N; height: N;
            N: [0-9]+;",
        input: "w=640;h=480;",
        fails: |input| matches!(numbers(input)[..], [w, h] if w.saturating_mul(h) > 10_000),
        failing: &["w=101;h=100;", "w=1;h=10001;", "w=5000;h=3;", "w=999;h=999;"],
        passing: &["w=100;h=100;", "w=10000;h=1;", "w=0;h=99999;", "w=3;h=3333;"],
        patterns: &[],
    },
    Third {
        name: "own: parts that together are more than 255",
        grammar: "grammar Parts; parts: N '.' N '.' N EOF; N: [0-9]+;",
        input: "100.90.80",
        fails: |input| numbers(input).iter().fold(0i128, |all, n| all.saturating_add(*n)) > 255,
        failing: &["256.0.0", "0.1.255", "86.86.86", "1.1000.1"],
        passing: &["255.0.0", "85.85.85", "0.0.1", "100.100.55"],
        patterns: &[],
    },
    Third {
        name: "own: an end more than 100 after its start",
        grammar: "grammar Span; span: 'from' first 'to' last EOF; first: N; last: N; N: [0-9]+;
            WS: ' '+ -> skip;",
        input: "from 7 to 450",
        fails: |input| matches!(numbers(input)[..], [first, last] if last > first + 100),
        failing: &["from 0 to 101", "from 1000 to 1101", "from 50 to 5000"],
        passing: &["from 0 to 100", "from 1000 to 1050", "from 500 to 3", "from 101 to 201"],
        patterns: &[],
    },
    Third {
        name: "own: a list that ends as it begins",
        grammar: LIST,
        input: "[4,1,7,4]",
        fails: |input| {
            let all = numbers(input);
            all.len() >= 2 && all.first() == all.last()
        },
        failing: &["[1,1]", "[9,2,9]", "[33,1,2,3,33]"],
        passing: &["[1,2]", "[5]", "[1,2,2]", "[3,3,1]"],
        patterns: &[],
    },
    Third {
        name: "own: a colour of neither three nor six digits",
        grammar: "grammar Colour; colour: '#' HEX EOF; HEX: [0-9a-f]+;",
        input: "#a1b2",
        fails: |input| ![3, 6].contains(&input.trim_start_matches('#').len()),
        failing: &["#a", "#12", "#fffff", "#1234567", "#00000000"],
        passing: &["#fff", "#a1b2c3", "#000", "#123456"],
        patterns: &[],
    },
    Third {
        name: "own: base64 of a length that is no multiple of four",
        grammar: ENCODED,
        input: "data:QUJDREVGRw;",
        fails: |input| {
            let text = input.trim_start_matches("data:").trim_end_matches(';');
            !text.len().is_multiple_of(4)
        },
        failing: &["data:A;", "data:AbCdE;", "data:0000000000a;"],
        passing: &["data:AAAA;", "data:QUJDREVG;", "data:012345678901;"],
        patterns: &[],
    },
    Third {
        name: "own: the same step twice in a row",
        grammar: STACK,
        input: "push; nop; dup; dup; pop;",
        fails: |input| steps(input).windows(2).any(|pair| pair[0] == pair[1]),
        failing: &["push; push;", "nop; pop; pop;", "dup; pop; nop; nop; dup;"],
        passing: &["push; pop;", "dup; nop; dup;", "pop; push; pop; push;"],
        patterns: &["<$step1><$step1>", "<$action1>;<$action1>;"],
    },
    Third {
        name: "own: more pushes than pops",
        grammar: STACK,
        input: "push; push; nop; pop; dup;",
        fails: |input| input.matches("push").count() > input.matches("pop").count(),
        failing: &["push;", "pop; push; push;", "push; push; push; pop; pop;"],
        passing: &["push; pop;", "pop;", "pop; push; nop;", "dup; nop;", "pop; pop; push;"],
        patterns: &[],
    },
    Third {
        name: "own: a pop from an empty stack",
        grammar: STACK,
        input: "push; pop; nop; pop; push;",
        fails: |input| {
            let mut depth = 0i64;
            steps(input).iter().any(|step| {
                depth += i64::from(*step == "push") - i64::from(*step == "pop");
                depth < 0
            })
        },
        failing: &["pop;", "push; pop; pop;", "pop; push; push;", "push; push; pop; pop; pop;"],
        passing: &["push; pop;", "push; push; pop;", "nop;", "push; pop; push; pop;"],
        patterns: &[],
    },
    Third {
        name: "own: one option without the other",
        grammar: OPTIONS,
        input: "-x -a:3 -q",
        fails: |input| has_option(input, 'a') != has_option(input, 'b'),
        failing: &["-a", "-b:5", "-x -y:2 -b", "-a:1 -a"],
        passing: &["-a -b", "-x", "-b:3 -q -a", ""],
        patterns: &[],
    },
    Third {
        name: "own: an index that is not below the size",
        grammar: BUFFER,
        input: "new 4; get 2; set 9; get 1;",
        fails: |input| {
            let all = numbers(input);
            all.split_first().is_some_and(|(size, indices)| indices.iter().any(|at| at >= size))
        },
        failing: &["new 0; get 0;", "new 5; set 5;", "new 10; get 3; get 50; set 2;"],
        passing: &["new 5; get 4;", "new 9;", "new 3; set 2; get 0; get 1;"],
        patterns: &[],
    },
    Third {
        name: "own: an index that is above the number of items",
        grammar: LIST,
        input: "[0,9,1]",
        fails: |input| {
            let all = numbers(input);
            all.iter().any(|one| *one > all.len() as i128)
        },
        failing: &["[2]", "[1,3]", "[4,4,4]", "[0,1,2,100]"],
        passing: &["[1]", "[2,1]", "[3,3,3]", "[]", "[0,1,2]"],
        patterns: &[],
    },
    Third {
        name: "own: a name of nine letters or more",
        grammar: FIELDS,
        input: "size=4;identification=7;x=y;",
        fails: |input| input.split(|c: char| !c.is_ascii_lowercase()).any(|name| name.len() >= 9),
        failing: &["abcdefghi=1;", "a=abcdefghijk;", "x=1;aaaaaaaaaaaaaa=2;"],
        passing: &["abcdefgh=1;", "abcde=fghi;", "a=123456789;", "x=y;z=w;"],
        patterns: &["<lower>{9,}=<value>;", "<lower>{9,}=<integer>;"],
    },
    Third {
        name: "own: two fields of one name with different values",
        grammar: FIELDS,
        input: "a=1;b=2;a=3;",
        fails: |input| {
            let pairs: Vec<(&str, &str)> =
                input.split(';').filter_map(|field| field.split_once('=')).collect();
            pairs.iter().any(|one| pairs.iter().any(|other| one.0 == other.0 && one.1 != other.1))
        },
        failing: &["x=1;x=2;", "p=q;p=7;", "a=1;b=1;c=2;b=5;"],
        passing: &["x=1;x=1;", "a=1;b=2;", "x=y;y=x;"],
        patterns: &[],
    },
    Third {
        name: "own: a reserved word as a name",
        grammar: FIELDS,
        input: "a=1;null=5;b=2;",
        fails: |input| {
            let mut words = input.split(|c: char| !c.is_ascii_lowercase());
            words.any(|word| word == "null")
        },
        failing: &["null=1;", "x=null;", "a=1;b=null;c=3;"],
        passing: &["nul=1;", "nulls=2;", "x=y;"],
        patterns: &[],
    },
    Third {
        name: "own: three names that are all different",
        grammar: "grammar Trio; trio: NAME ',' NAME ',' NAME EOF; NAME: [a-z]+;",
        input: "ab,cd,ef",
        fails: |input| !has_twins(input.split(',').collect()) && input.matches(',').count() == 2,
        failing: &["a,b,c", "x,yy,zzz", "c,b,a"],
        passing: &["a,a,b", "a,b,a", "b,a,a", "x,x,x"],
        patterns: &[],
    },
];
