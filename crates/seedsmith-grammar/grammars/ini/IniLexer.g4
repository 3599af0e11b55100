// The words of an ini file. What a character means depends on where it stands in its line.
lexer grammar IniLexer;

COMMENT: [;#] ~[\r\n]* -> channel(HIDDEN);

BLANK: [ \t\r\n\uFEFF]+ -> channel(HIDDEN);

OPEN: '[' -> mode(HEADER);

ASSIGN: [=:] -> mode(VALUE);

KEY: ~[[=:;# \t\r\n\uFEFF] (~[=:\r\n]* ~[=: \t\r\n])?;

mode HEADER;

TITLE: ~[\]\r\n]+;

CLOSE: ']' -> mode(DEFAULT_MODE);

// A header has to be closed in its line.
HEADER_END: [\r\n] -> channel(HIDDEN), mode(DEFAULT_MODE);

mode VALUE;

MARGIN: [ \t]+ -> channel(HIDDEN);

TEXT: ~[ \t\r\n] (~[\r\n]* ~[ \t\r\n])?;

INDENT: '\r'? '\n' [ \t]+ -> mode(INDENTED);

VALUE_END: '\r'? '\n' -> channel(HIDDEN), mode(DEFAULT_MODE);

// A line that is indented behind a value goes on with it, unless it is an entry or a header.
mode INDENTED;

INDENTED_COMMENT: [;#] ~[\r\n]* -> channel(HIDDEN);

INDENTED_MARGIN: [ \t]+ -> channel(HIDDEN);

INDENTED_OPEN: '[' -> type(OPEN), mode(HEADER);

INDENTED_ASSIGN: [=:] -> type(ASSIGN), mode(VALUE);

INDENTED_KEY: ~[[=:;# \t\r\n] (~[=:\r\n]* ~[=: \t\r\n])? -> type(KEY);

MORE_INDENT: '\r'? '\n' [ \t]+ -> type(INDENT);

INDENTED_END: '\r'? '\n' -> channel(HIDDEN), mode(DEFAULT_MODE);
