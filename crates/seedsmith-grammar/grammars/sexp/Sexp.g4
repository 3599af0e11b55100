// S-expressions as Scheme writes them, close enough for Lisp, WebAssembly text and SMT-LIB.
grammar Sexp;

document: expression* EOF;

expression: atom | list | vector | quotation;

list: '(' (expression+ ('.' expression)?)? ')' | '[' (expression+ ('.' expression)?)? ']';

vector: '#(' expression* ')';

quotation: ('\'' | '`' | ',' | ',@' | '#\'') expression;

atom: string | number | character | boolean | symbol;

string: STRING;

number: NUMBER;

character: CHARACTER;

boolean: BOOLEAN;

symbol: SYMBOL;

BOOLEAN: '#' ('t' 'rue'? | 'f' 'alse'?);

CHARACTER: '#\\' (. | [a-zA-Z] [a-zA-Z0-9\-]+);

STRING: '"' (~["\\] | '\\' .)* '"';

NUMBER
    : [+-]? ([0-9]+ ('.' [0-9]* | '/' [0-9]+)? | '.' [0-9]+) ([eE] [+-]? [0-9]+)?
    | '#' [xX] [+-]? [0-9a-fA-F]+
    | '#' [bB] [+-]? [01]+
    ;

DOT: '.';

SYMBOL: INITIAL FOLLOWING* | '|' ~'|'* '|' | '.' FOLLOWING+;

fragment INITIAL: ~[ \t\r\n\u000C()[\]{}"';`,|#.];

fragment FOLLOWING: ~[ \t\r\n\u000C()[\]{}"';`,|];

COMMENT: (';' ~[\r\n]* | BLOCK) -> channel(HIDDEN);

fragment BLOCK: '#|' (BLOCK | .)*? '|#';

SPACE: [ \t\r\n\u000C]+ -> channel(HIDDEN);
