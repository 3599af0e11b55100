// Well-formed XML 1.0, but for what no context-free grammar can say: that the names of a start
// and an end tag are the same and that no attribute comes twice.
parser grammar XmlParser;

options { tokenVocab = XmlLexer; }

document: declaration? misc* (doctype misc*)? element misc* EOF;

declaration: DECLARATION;

doctype: DOCTYPE;

misc: comment | instruction | SPACE;

element: '<' name attribute* ('/>' | '>' content* '</' name '>');

attribute: name '=' string;

content: element | text | reference | cdata | comment | instruction;

name: NAME;

string: STRING;

text: TEXT | SPACE;

reference: REFERENCE;

cdata: CDATA;

comment: COMMENT;

instruction: INSTRUCTION;
