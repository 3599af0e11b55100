// An HTTP/1.0 or 1.1 message, request or response (RFC 9112). What follows the empty line is one
// body, chunked or not; a line may also end with a bare line feed.
parser grammar HttpParser;

options { tokenVocab = HttpLexer; }

message: (request_line | status_line) field* NEWLINE body? EOF;

request_line: method SPACE target SPACE REQUEST_VERSION NEWLINE;

status_line: version SPACE code (SPACE phrase?)? NEWLINE;

field: name ':' value NEWLINE;

name: FIELD_NAME;

value: element? (',' element?)*;

element: item (';' item?)* | (';' item?)+;

item: (word | quoted | '=' | QUOTE)+;

word: WORD;

quoted: QUOTED;

method: METHOD;

target: TARGET;

version: VERSION;

code: CODE;

phrase: PHRASE;

body: CONTENT;
