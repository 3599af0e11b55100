// Regular expressions in what Perl's, Rust's and JavaScript's dialects have in common: groups,
// classes, repetitions, assertions, back references. A brace that opens no repetition is itself,
// and `[]` is an empty class, as in JavaScript.
parser grammar RegexParser;

options { tokenVocab = RegexLexer; }

expression: alternation EOF;

alternation: sequence ('|' sequence)*;

sequence: (repeated | assertion | flags)*;

repeated: atom (repetition greed?)?;

repetition: '*' | '+' | '?' | REPEAT;

greed: '?' | '+';

assertion: '^' | '$' | ASSERTION | look_around;

look_around: OPEN_LOOK alternation ')';

flags: FLAGS;

atom: group | class | property | back_reference | any | character;

group: (OPEN | OPEN_NAMED | OPEN_FLAGS) alternation ')';

any: '.';

property: PROPERTY | CLASS_ESCAPE;

back_reference: BACK_REFERENCE;

character: CHAR | ESCAPED;

class: OPEN_CLASS (range | class | NAMED_CLASS | property | OPERATOR)* ']';

range: member ('-' member)? | '-';

member: MEMBER | ESCAPED;
