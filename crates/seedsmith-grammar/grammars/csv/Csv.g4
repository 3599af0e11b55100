// Comma-separated values as RFC 4180 has them; lines may also end with a bare line feed.
grammar Csv;

document: record (NEWLINE record)* EOF;

record: field (',' field)*;

field: quoted | text | ;

quoted: QUOTED;

text: TEXT;

QUOTED: '"' (~'"' | '""')* '"';

TEXT: ~[,"\r\n]+;

NEWLINE: '\r'? '\n';
