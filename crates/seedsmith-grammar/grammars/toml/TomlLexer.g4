// The words of TOML: keys in front of a sign, values behind it, line ends where they count.
lexer grammar TomlLexer;

COMMENT: '#' ~[\r\n\u0000-\u0008\u007F]* -> channel(HIDDEN);

SPACE: [ \t]+ -> channel(HIDDEN);

NEWLINE: '\r'? '\n';

KEY_NAME: [A-Za-z0-9_-]+;

STRING: '"' (~["\\\u0000-\u0008\u000A-\u001F\u007F] | ESCAPE)* '"';

LITERAL_STRING: '\'' ~['\u0000-\u0008\u000A-\u001F\u007F]* '\'';

fragment ESCAPE: '\\' ([btnfre"\\] | 'u' HEX HEX HEX HEX | 'U' HEX HEX HEX HEX HEX HEX HEX HEX);

fragment HEX: [0-9A-Fa-f];

DOT: '.';

OPEN_MANY: '[[';

CLOSE_MANY: ']]';

OPEN: '[';

CLOSE: ']';

ASSIGN: '=' -> pushMode(VALUE);

// One value; what opens more stays open in a mode of its own.
mode VALUE;

VALUE_SPACE: [ \t]+ -> channel(HIDDEN);

BOOLEAN: ('true' | 'false') -> popMode;

DATE_TIME: (DATE ([Tt ] TIME ([Zz] | [+-] DD ':' DD)?)? | TIME) -> popMode;

fragment DATE: DD DD '-' DD '-' DD;

fragment TIME: DD ':' DD ':' DD ('.' [0-9]+)?;

fragment DD: [0-9] [0-9];

FLOAT: ([+-]? DECIMAL ('.' DIGITS EXPONENT? | EXPONENT) | [+-]? ('inf' | 'nan')) -> popMode;

INTEGER: ([+-]? DECIMAL | '0x' HEX ('_'? HEX)* | '0o' [0-7] ('_'? [0-7])* | '0b' [01] ('_'? [01])*) -> popMode;

fragment DECIMAL: '0' | [1-9] ('_'? [0-9])*;

fragment DIGITS: [0-9] ('_'? [0-9])*;

fragment EXPONENT: [eE] [+-]? DIGITS;

LONG_STRING: '"""' (QUOTES? (~["\\\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F] | ESCAPE | '\\' [ \t]* '\r'? '\n'))* QUOTES? '"""' -> popMode;

fragment QUOTES: '"' '"'?;

LONG_LITERAL_STRING: '\'\'\'' (APOSTROPHES? ~['\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F])* APOSTROPHES? '\'\'\'' -> popMode;

fragment APOSTROPHES: '\'' '\''?;

VALUE_STRING: '"' (~["\\\u0000-\u0008\u000A-\u001F\u007F] | ESCAPE)* '"' -> type(STRING), popMode;

VALUE_LITERAL_STRING: '\'' ~['\u0000-\u0008\u000A-\u001F\u007F]* '\'' -> type(LITERAL_STRING), popMode;

VALUE_OPEN: '[' -> type(OPEN), mode(ARRAY);

OPEN_INLINE: '{' -> mode(INLINE);

VALUE_END: '\r'? '\n' -> type(NEWLINE), popMode;

mode ARRAY;

ARRAY_SPACE: [ \t\r\n]+ -> channel(HIDDEN);

ARRAY_COMMENT: '#' ~[\r\n\u0000-\u0008\u007F]* -> channel(HIDDEN);

ARRAY_BOOLEAN: ('true' | 'false') -> type(BOOLEAN);

ARRAY_DATE_TIME: (DATE ([Tt ] TIME ([Zz] | [+-] DD ':' DD)?)? | TIME) -> type(DATE_TIME);

ARRAY_FLOAT: ([+-]? DECIMAL ('.' DIGITS EXPONENT? | EXPONENT) | [+-]? ('inf' | 'nan')) -> type(FLOAT);

ARRAY_INTEGER: ([+-]? DECIMAL | '0x' HEX ('_'? HEX)* | '0o' [0-7] ('_'? [0-7])* | '0b' [01] ('_'? [01])*) -> type(INTEGER);

ARRAY_LONG_STRING: '"""' (QUOTES? (~["\\\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F] | ESCAPE | '\\' [ \t]* '\r'? '\n'))* QUOTES? '"""' -> type(LONG_STRING);

ARRAY_LONG_LITERAL_STRING: '\'\'\'' (APOSTROPHES? ~['\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F])* APOSTROPHES? '\'\'\'' -> type(LONG_LITERAL_STRING);

ARRAY_STRING: '"' (~["\\\u0000-\u0008\u000A-\u001F\u007F] | ESCAPE)* '"' -> type(STRING);

ARRAY_LITERAL_STRING: '\'' ~['\u0000-\u0008\u000A-\u001F\u007F]* '\'' -> type(LITERAL_STRING);

COMMA: ',';

ARRAY_OPEN: '[' -> type(OPEN), pushMode(ARRAY);

ARRAY_CLOSE: ']' -> type(CLOSE), popMode;

ARRAY_OPEN_INLINE: '{' -> type(OPEN_INLINE), pushMode(INLINE);

mode INLINE;

INLINE_SPACE: [ \t]+ -> channel(HIDDEN);

INLINE_KEY_NAME: [A-Za-z0-9_-]+ -> type(KEY_NAME);

INLINE_STRING: '"' (~["\\\u0000-\u0008\u000A-\u001F\u007F] | ESCAPE)* '"' -> type(STRING);

INLINE_LITERAL_STRING: '\'' ~['\u0000-\u0008\u000A-\u001F\u007F]* '\'' -> type(LITERAL_STRING);

INLINE_DOT: '.' -> type(DOT);

INLINE_COMMA: ',' -> type(COMMA);

INLINE_ASSIGN: '=' -> type(ASSIGN), pushMode(VALUE);

CLOSE_INLINE: '}' -> popMode;
