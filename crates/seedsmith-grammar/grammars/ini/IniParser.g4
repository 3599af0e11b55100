// Ini files: entries under section headers. Comments take a line of their own, `=` and `:`
// both assign, values may go on in indented lines without these signs.
parser grammar IniParser;

options { tokenVocab = IniLexer; }

document: root_section? section* EOF;

root_section: entry+;

section: header entry*;

header: '[' title ']';

entry: key assign value? INDENT*;

title: TITLE;

key: KEY;

assign: ASSIGN;

value: TEXT continuation* | continuation+;

continuation: INDENT+ KEY;
