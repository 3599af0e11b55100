// Lua 5.4, from the manual's section 9. Integers and floats are one token.
grammar Lua;

chunk: block EOF;

block: statement* return_statement?;

return_statement: 'return' expressions? ';'?;

statement
    : ';'
    | assignment
    | call_statement
    | label
    | 'break'
    | 'goto' name
    | 'do' block 'end'
    | 'while' expression 'do' block 'end'
    | 'repeat' block 'until' expression
    | 'if' expression 'then' block ('elseif' expression 'then' block)* ('else' block)? 'end'
    | 'for' name '=' expression ',' expression (',' expression)? 'do' block 'end'
    | 'for' names 'in' expressions 'do' block 'end'
    | 'function' function_name body
    | 'local' 'function' name body
    | 'local' attributed (',' attributed)* ('=' expressions)?
    ;

assignment: variable (',' variable)* '=' expressions;

call_statement: prefix (selector* call)+;

label: '::' name '::';

attributed: name ('<' name '>')?;

function_name: name ('.' name)* (':' name)?;

variable: name | prefix (call* selector)+;

prefixed: prefix (selector | call)*;

prefix: name | '(' expression ')';

selector: '[' expression ']' | '.' name;

call: (':' name)? arguments;

arguments: '(' expressions? ')' | table | string;

names: name (',' name)*;

expressions: expression (',' expression)*;

expression
    : 'nil'
    | 'false'
    | 'true'
    | number
    | string
    | '...'
    | function
    | prefixed
    | table
    | <assoc = right> expression '^' expression
    | ('not' | '#' | '-' | '~') expression
    | expression ('*' | '/' | '//' | '%') expression
    | expression ('+' | '-') expression
    | <assoc = right> expression '..' expression
    | expression ('<<' | '>>') expression
    | expression '&' expression
    | expression '~' expression
    | expression '|' expression
    | expression ('<' | '>' | '<=' | '>=' | '~=' | '==') expression
    | expression 'and' expression
    | expression 'or' expression
    ;

function: 'function' body;

body: '(' parameters? ')' block 'end';

parameters: names (',' '...')? | '...';

table: '{' (field ((',' | ';') field)* (',' | ';')?)? '}';

field: '[' expression ']' '=' expression | name '=' expression | expression;

name: NAME;

number: NUMBER;

string: STRING | LONG_STRING;

NAME: [a-zA-Z_] [a-zA-Z0-9_]*;

NUMBER
    : ([0-9]+ ('.' [0-9]*)? | '.' [0-9]+) ([eE] [+-]? [0-9]+)?
    | '0' [xX] (HEX+ ('.' HEX*)? | '.' HEX+) ([pP] [+-]? [0-9]+)?
    ;

fragment HEX: [0-9a-fA-F];

STRING: '"' (~["\\\r\n] | ESCAPE)* '"' | '\'' (~['\\\r\n] | ESCAPE)* '\'';

fragment ESCAPE
    : '\\' [abfnrtv\\'"\r\n]
    | '\\z' [ \t\r\n\u000B\f]*
    | '\\' [0-9] [0-9]? [0-9]?
    | '\\x' HEX HEX
    | '\\u{' HEX+ '}'
    ;

LONG_STRING: '[' LONG ']';

fragment LONG: '=' LONG '=' | '[' .*? ']';

COMMENT: ('--' '[' LONG ']' | '--' (~[[\r\n] ~[\r\n]* | '[' '='* (~[[=\r\n] ~[\r\n]*)?)?) -> channel(HIDDEN);

HASHBANG: '#!' ~[\r\n]* -> channel(HIDDEN);

SPACE: [ \t\r\n\u000B\f\uFEFF]+ -> channel(HIDDEN);
