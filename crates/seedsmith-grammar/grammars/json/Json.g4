// JSON as RFC 8259 has it. Any value may be the whole document.
grammar Json;

document: value EOF;

value: object | array | string | number | literal;

object: '{' (pair (',' pair)*)? '}';

pair: string ':' value;

array: '[' (value (',' value)*)? ']';

string: STRING;

number: NUMBER;

literal: 'true' | 'false' | 'null';

STRING: '"' (PLAIN | ESCAPE)* '"';

fragment PLAIN: ~["\\\u0000-\u001F];

fragment ESCAPE: '\\' (["\\/bfnrt] | 'u' HEX HEX HEX HEX);

fragment HEX: [0-9a-fA-F];

NUMBER: '-'? INTEGER ('.' [0-9]+)? ([eE] [+-]? [0-9]+)?;

fragment INTEGER: '0' | [1-9] [0-9]*;

SPACE: [ \t\r\n]+ -> channel(HIDDEN);
