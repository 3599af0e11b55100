//! 24 planted causes, each with the explanation that the maintainer of the failing code would give:
//! a pattern letter by letter, or a condition on it in one sentence.
//!
//! They were written down and committed before the generalizer was run on any of them. If an
//! expectation is ever changed, the commit has to say why it was wrong.

use seedsmith::Silent;
use seedsmith::internal::generalize::{Generalized, Options, generalize, reduce};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::internal::{Budget, Oracle};

use crate::patterns::Says::{self, Condition, Pattern};
use crate::patterns::{judge, sampler, text};
use crate::some;

/// A cause that was made up.
pub struct Cause {
    /// A name for the cause.
    pub name: &'static str,
    /// The grammar in ANTLR's notation, or nothing.
    pub grammar: &'static str,
    /// The failing input.
    pub input: &'static str,
    /// Whether an input fails.
    pub fails: fn(&[u8]) -> bool,
    /// The expected result.
    pub says: Says,
}

const ASSIGNMENT: &str =
    "grammar Assignment; assignment: NAME '=' INT EOF; NAME: [a-z]+; INT: '-'? [0-9]+;";

const JSON: &str = "grammar Json; document: value EOF; value: object | array | STRING | NUMBER;
    object: '{' (pair (',' pair)*)? '}'; pair: STRING ':' value;
    array: '[' (value (',' value)*)? ']'; STRING: '\"' [a-z]* '\"'; NUMBER: [0-9]+;";

const SCRIPT: &str = "grammar Script; script: statement* EOF; statement: action ';';
    action: 'open' | 'read' | 'close' | 'begin' | 'end'; WS: [ \\n]+ -> skip;";

const NUMBERS: &str = "grammar Numbers; numbers: '[' (N (',' N)*)? ']' EOF; N: [0-9]+;";

const ROWS: &str = "grammar Rows; rows: row+ EOF; row: CELL (',' CELL)* ';'; CELL: [a-z]+;";

fn numbers(input: &[u8]) -> Vec<u128> {
    let words = text(input).split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

fn int(input: &[u8]) -> Option<i128> {
    text(input).split_once('=')?.1.parse().ok()
}

/// Whether the words are there in this order.
fn in_order(input: &[u8], words: &[&str]) -> bool {
    let mut rest = text(input);
    words.iter().all(|word| match rest.split_once(word) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

fn depth(input: &[u8]) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for byte in input {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// The 24.
pub const CAUSES: &[Cause] = &[
    Cause {
        name: "value range: more than 65535",
        grammar: ASSIGNMENT,
        input: "size=70000",
        fails: |input| int(input).is_some_and(|value| value > 65535),
        says: Pattern("<NAME>=<integer ≥ 65536>"),
    },
    Cause {
        name: "value range beyond 64 bits",
        grammar: ASSIGNMENT,
        input: "size=18446744073709551621",
        fails: |input| int(input).is_some_and(|value| value >= 1 << 64),
        says: Pattern("<NAME>=<integer ≥ 2^64>"),
    },
    Cause {
        name: "two numbers compared",
        grammar: "grammar Range; range: N '-' N EOF; N: [0-9]+;",
        input: "9-4",
        fails: |input| matches!(numbers(input)[..], [first, second] if first > second),
        says: Condition("the first <N> is greater than the second <N>"),
    },
    Cause {
        name: "mixed nesting of depth 5",
        grammar: "grammar Nest; nest: item* EOF;
            item: '(' item* ')' | '[' item* ']' | '{' item* '}' | 'x';",
        input: "([{([x])}])",
        fails: |input| depth(input) >= 5,
        says: Condition("brackets are nested at least 5 deep"),
    },
    Cause {
        name: "absence of a key",
        grammar: JSON,
        input: "{\"a\":1,\"bc\":\"x\"}",
        fails: |input| text(input).starts_with('{') && !text(input).contains("\"id\":"),
        says: Pattern("<object>"),
    },
    Cause {
        name: "two attributes of one name",
        grammar: "grammar Tag; tag: '<' NAME attribute* '>' EOF; attribute: NAME '=' N;
            NAME: [a-z]+; N: [0-9]+; WS: ' '+ -> skip;",
        input: "<tag width=1 width=2>",
        fails: |input| {
            let names: Vec<&str> = text(input)
                .split('=')
                .filter_map(|part| part.rsplit([' ', '<', '>']).next())
                .collect();
            let names = &names[..names.len().saturating_sub(1)];
            (1..names.len()).any(|at| names[..at].contains(&names[at]))
        },
        says: Pattern("<<<NAME> <$NAME1>=<N> <$NAME1>=<N>>"),
    },
    Cause {
        name: "a character that is not ASCII in a string",
        grammar: "grammar Text; text: STRING EOF; STRING: '\"' ~[\"]* '\"';",
        input: "\"grün\"",
        fails: |input| text(input).starts_with('"') && !text(input).is_ascii(),
        says: Pattern("\"<character>*<non-ASCII character><character>*\""),
    },
    Cause {
        name: "three decimals and a negative number together",
        grammar: "grammar Many; many: number (',' number)* EOF; number: INT | DECIMAL;
            INT: '-'? [0-9]+; DECIMAL: '-'? [0-9]+ '.' [0-9]+;",
        input: "1.5,2.5,3.5,-7",
        fails: |input| text(input).matches('.').count() >= 3 && text(input).contains('-'),
        says: Condition("there are at least 3 <DECIMAL> and some <number> is negative"),
    },
    Cause {
        name: "a length that equals a field",
        grammar: "grammar Netstring; netstring: N ':' TEXT EOF; N: [0-9]+; TEXT: [a-z]+;",
        input: "5:hello",
        fails: |input| {
            text(input)
                .split_once(':')
                .is_some_and(|(length, text)| length.parse() == Ok(text.len()))
        },
        says: Condition("the first <N> equals the length of <TEXT>"),
    },
    Cause {
        name: "a field that equals the number of elements",
        grammar: "grammar Counted; counted: N ';' item* EOF; item: ITEM ','; N: [0-9]+;
            ITEM: [a-z]+;",
        input: "2;a,b,",
        fails: |input| {
            let count = numbers(input).first().copied();
            count == Some(text(input).matches(',').count() as u128)
        },
        says: Condition("the first <N> equals the number of <ITEM>"),
    },
    Cause {
        name: "order of three",
        grammar: SCRIPT,
        input: "open; begin; read; close;",
        fails: |input| in_order(input, &["open", "read", "close"]),
        says: Pattern("open;read;close;"),
    },
    Cause {
        name: "`end` before `begin`",
        grammar: SCRIPT,
        input: "end; open; begin;",
        fails: |input| in_order(input, &["end", "begin"]),
        says: Pattern("end;begin;"),
    },
    Cause {
        name: "a duplicate in a list",
        grammar: NUMBERS,
        input: "[4,17,3,17]",
        fails: |input| {
            let numbers = numbers(input);
            (1..numbers.len()).any(|at| numbers[..at].contains(&numbers[at]))
        },
        says: Pattern("[<$N1>,<$N1>]"),
    },
    Cause {
        name: "alternatives",
        grammar:
            "grammar Call; call: verb NAME EOF; verb: 'get' | 'put' | 'drop' | 'move' | 'link';
            NAME: [A-Z]+; WS: ' '+ -> skip;",
        input: "drop TABLE",
        fails: |input| text(input).starts_with("drop") || text(input).starts_with("move"),
        says: Condition("there is \"drop\" or \"move\""),
    },
    Cause {
        name: "rows of unequal length",
        grammar: ROWS,
        input: "a,b;c,d;e;",
        fails: |input| {
            let rows: Vec<usize> =
                text(input).split_terminator(';').map(|row| row.split(',').count()).collect();
            rows.windows(2).any(|pair| pair[0] != pair[1])
        },
        says: Condition("some <row> has more <CELL> than another"),
    },
    Cause {
        name: "an array longer than 7",
        grammar: JSON,
        input: "{\"a\":[1,2,3,4,5,6,7,8,9]}",
        fails: |input| {
            let text = text(input);
            text.match_indices('[').any(|(open, _)| {
                let rest = &text[open + 1..];
                let mut depth = 0;
                let mut count = 1;
                for c in rest.chars() {
                    match c {
                        '{' | '[' => depth += 1,
                        '}' | ']' if depth == 0 => break,
                        '}' | ']' => depth -= 1,
                        ',' if depth == 0 => count += 1,
                        _ => {}
                    }
                }
                count > 7
            })
        },
        says: Condition("some <array> has at least 8 <value>"),
    },
    Cause {
        name: "a sum of lengths: a text of 20 characters or more",
        grammar: ROWS,
        input: "abcdefghij,klmnopqrstuvwxyz;",
        fails: |input| input.len() >= 20,
        says: Condition("the input is at least 20 bytes long"),
    },
    Cause {
        name: "no element is there",
        grammar: NUMBERS,
        input: "[]",
        fails: |input| numbers(input).is_empty() && text(input).starts_with('['),
        says: Pattern("[]"),
    },
    Cause {
        name: "no grammar: a template with `{#}` anywhere",
        grammar: "",
        input: "Dear {name}, {#} and so on",
        fails: |input| text(input).contains("{#}"),
        says: Pattern("<character>*{#}<character>*"),
    },
    Cause {
        name: "no grammar: a line that ends in a blank",
        grammar: "",
        input: "first\nsecond \nthird",
        fails: |input| text(input).contains(" \n"),
        says: Pattern("<character>* \n<character>*"),
    },
    Cause {
        name: "no grammar: a number above 255 after a key",
        grammar: "",
        input: "name=x\nsize=300\n",
        fails: |input| {
            text(input).lines().any(|line| {
                let value = line.strip_prefix("size=").and_then(|value| value.parse::<u128>().ok());
                value.is_some_and(|value| value > 255)
            })
        },
        says: Pattern("size=<integer ≥ 256>"),
    },
    Cause {
        name: "no grammar: one word twice",
        grammar: "",
        input: "let total = 1; use total;",
        fails: |input| {
            let text = text(input);
            text.strip_prefix("let ").and_then(|rest| rest.split_once(" = 1; use ")).is_some_and(
                |(name, rest)| {
                    let is_word = |c: char| c.is_ascii_alphanumeric();
                    !name.is_empty() && name.chars().all(is_word) && rest == format!("{name};")
                },
            )
        },
        says: Pattern("let <$alphanumeric1> = 1; use <$alphanumeric1>;"),
    },
    Cause {
        name: "no grammar: a character that is not ASCII",
        grammar: "",
        input: "plain text, then é, and more",
        fails: |input| std::str::from_utf8(input).is_ok_and(|text| !text.is_ascii()),
        says: Pattern("<character>*<non-ASCII character><character>*"),
    },
    Cause {
        name: "no grammar: a bracket twenty times",
        grammar: "",
        input: "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
        fails: |input| text(input).contains(&"[".repeat(20)),
        says: Pattern("<character>*<at least 20 times [><character>*"),
    },
];

/// The pattern of a cause, after reduction, and the executions that finding it took.
fn cause(cause: &Cause) -> (Generalized, u64) {
    let target = ClosureTarget::failing_if(cause.fails);
    let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
    let language = sampler(cause.grammar);
    let input = cause.input.as_bytes();
    assert!((cause.fails)(input), "{}", cause.name);
    let found = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
    let before = oracle.counts().executions;
    let found = generalize(&mut oracle, found.input, language, &Options::default()).unwrap();
    (found, oracle.counts().executions - before)
}

#[test]
fn planted_causes_are_told_as_their_maintainer_would() {
    let (mut right, mut all) = (0, 0);
    for planted in some(CAUSES, 3) {
        all += 1;
        let (found, executions) = cause(planted);
        let said = found.condition.as_ref().map(|one| {
            format!("{}; {} of {} draws agree", one.predicate, one.agreeing(), one.draws())
        });
        let is_right = match planted.says {
            Says::Pattern(pattern) => found.pattern.compact() == pattern,
            Says::Condition(condition) => {
                said.as_ref().is_some_and(|said| said.starts_with(&format!("{condition};")))
            }
        };
        println!(
            "{} {}: {:?}, {said:?}; {executions} executions, {:?}",
            if is_right { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.claim,
        );
        assert!(executions <= 2000, "{}: {executions}", planted.name);
        right += u32::from(is_right);
    }
    assert!(right * 12 >= all * 11, "{right} of {all} are right");
}
