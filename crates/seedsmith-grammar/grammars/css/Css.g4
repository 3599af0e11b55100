// CSS by its syntax (css-syntax-3, with nesting): rules, declarations and what values are made
// of. Which properties and at-rules exist is not its business.
grammar Css;

stylesheet: (at_rule | style_rule | CDO | CDC)* EOF;

at_rule: at_keyword prelude* (';' | block);

style_rule: selector_list block;

block: '{' (declaration? ';' | at_rule | style_rule)* declaration? '}';

declaration: property ':' component* important?;

important: '!' IDENT;

property: IDENT | CUSTOM;

selector_list: selector (',' selector)*;

selector: combinator? compound (combinator? compound)*;

combinator: '>' | '+' | '~' | '||';

compound: (element_name | id | class | attribute | pseudo | nesting | percentage)+;

element_name: IDENT | '*';

nesting: '&';

id: HASH;

class: '.' IDENT;

attribute: '[' IDENT (('=' | '~=' | '|=' | '^=' | '$=' | '*=') (IDENT | string) IDENT?)? ']';

pseudo: ':' ':'? (IDENT | FUNCTION (selector_list | component*) ')');

// Up to the first brace, so that a rule after the block is not of this one.
prelude
    : ident
    | number
    | percentage
    | dimension
    | string
    | url
    | hash
    | function
    | parenthesized
    | bracketed
    | sign
    | ':'
    | '>'
    | '<'
    | '='
    | '>='
    | '<='
    | '&'
    | '!'
    ;

component
    : ident
    | number
    | percentage
    | dimension
    | string
    | url
    | hash
    | function
    | parenthesized
    | bracketed
    | braced
    | sign
    ;

function: FUNCTION argument* ')';

parenthesized: '(' argument* ')';

argument: component | ':' | '>' | '<' | '=' | '>=' | '<=' | ';' | '&';

bracketed: '[' component* ']';

braced: '{' (declaration? ';')* declaration? '}';

sign: '+' | '-' | '*' | '/' | ',' | '.';

ident: IDENT | CUSTOM;

number: NUMBER;

percentage: PERCENTAGE;

dimension: DIMENSION;

string: STRING;

url: URL;

hash: HASH;

at_keyword: AT_KEYWORD;

CDO: '<!--';

CDC: '-->';

URL: [uU] [rR] [lL] '(' W* (~["'()\\ \t\r\n\f] | ESCAPE)* W* ')';

FUNCTION: (NAME | '--' NAME_CHAR*) '(';

AT_KEYWORD: '@' (NAME | '--' NAME_CHAR*);

IDENT: NAME;

CUSTOM: '--' NAME_CHAR*;

HASH: '#' NAME_CHAR+;

PERCENTAGE: NUM '%';

DIMENSION: NUM NAME;

NUMBER: NUM;

STRING: '"' (~["\\\r\n\f] | ESCAPE | '\\' NL)* '"' | '\'' (~['\\\r\n\f] | ESCAPE | '\\' NL)* '\'';

fragment NUM: [+-]? ([0-9]* '.' [0-9]+ | [0-9]+) ([eE] [+-]? [0-9]+)?;

fragment NAME: '-'? NAME_START NAME_CHAR*;

fragment NAME_START: [a-zA-Z_\u0080-\u{10FFFF}] | ESCAPE;

fragment NAME_CHAR: [a-zA-Z0-9_\-\u0080-\u{10FFFF}] | ESCAPE;

fragment ESCAPE: '\\' ([0-9a-fA-F]+ W? | ~[0-9a-fA-F\r\n\f]);

fragment NL: '\r'? '\n' | '\f';

fragment W: [ \t\r\n\f];

COMMENT: '/*' .*? '*/' -> channel(HIDDEN);

SPACE: [ \t\r\n\f\uFEFF]+ -> channel(HIDDEN);
