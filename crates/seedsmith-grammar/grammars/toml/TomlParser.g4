// TOML 1.0. That a key is defined once is beyond a grammar.
parser grammar TomlParser;

options { tokenVocab = TomlLexer; }

document: NEWLINE* (root_table (NEWLINE+ table)* | table (NEWLINE+ table)*)? NEWLINE* EOF;

root_table: entry (NEWLINE+ entry)*;

table: header (NEWLINE+ entry)*;

header: OPEN key CLOSE | OPEN_MANY key CLOSE_MANY;

entry: key ASSIGN value;

key: name (DOT name)*;

name: KEY_NAME | STRING | LITERAL_STRING;

value: string | integer | float | boolean | date_time | array | inline_table;

array: OPEN (value (COMMA value)* COMMA?)? CLOSE;

inline_table: OPEN_INLINE (entry (COMMA entry)*)? CLOSE_INLINE;

string: STRING | LITERAL_STRING | LONG_STRING | LONG_LITERAL_STRING;

integer: INTEGER;

float: FLOAT;

boolean: BOOLEAN;

date_time: DATE_TIME;
