// The words of an HTTP/1 message, by the place in it.
lexer grammar HttpLexer;

VERSION: 'HTTP/' [0-9] '.' [0-9] -> mode(STATUS);

METHOD: TOKEN_CHAR+ -> mode(REQUEST);

fragment TOKEN_CHAR: [a-zA-Z0-9!#$%&'*+\-.^_`|~];

mode REQUEST;

REQUEST_VERSION: 'HTTP/' [0-9] '.' [0-9];

SPACE: ' ';

TARGET: ~[ \t\r\n]+;

REQUEST_END: '\r'? '\n' -> type(NEWLINE), mode(HEADER);

mode STATUS;

STATUS_SPACE: ' ' -> type(SPACE);

CODE: [1-9] [0-9] [0-9] -> mode(REASON);

STATUS_END: '\r'? '\n' -> type(NEWLINE), mode(HEADER);

mode REASON;

REASON_SPACE: ' ' -> type(SPACE);

PHRASE: ~[ \t\r\n] ~[\r\n]*;

REASON_END: '\r'? '\n' -> type(NEWLINE), mode(HEADER);

mode HEADER;

FIELD_NAME: TOKEN_CHAR+;

COLON: ':' -> mode(VALUE);

NEWLINE: '\r'? '\n' -> mode(BODY);

mode VALUE;

MARGIN: [ \t]+ -> channel(HIDDEN);

WORD: ~[ \t\r\n,;="] ~[ \t\r\n,;="]*;

QUOTED: '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';

COMMA: ',';

SEMICOLON: ';';

EQUALS: '=';

QUOTE: '"';

VALUE_END: '\r'? '\n' -> type(NEWLINE), mode(HEADER);

mode BODY;

CONTENT: .+;
