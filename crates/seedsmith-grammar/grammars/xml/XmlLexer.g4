// The words of an XML document: markup, tags from the inside, and the text between them.
lexer grammar XmlLexer;

COMMENT: '<!--' (~'-' | '-' ~'-')* '-->';

CDATA: '<![CDATA[' .*? ']]>';

DOCTYPE: '<!DOCTYPE' (~[[\]<>"'] | QUOTED | '[' SUBSET* ']')* '>';

fragment SUBSET: ~[\]<"'] | QUOTED | COMMENT | INSTRUCTION | '<!' (~[<>"'-] | '-' | QUOTED)* '>';

fragment QUOTED: '"' ~'"'* '"' | '\'' ~'\''* '\'';

DECLARATION: '<?xml' (S+ NAME_START NAME_CHAR* S* '=' S* QUOTED)+ S* '?>';

INSTRUCTION: '<?' NAME_START NAME_CHAR* (S .*?)? '?>';

REFERENCE: '&' (NAME_START NAME_CHAR* | '#' [0-9]+ | '#x' [0-9a-fA-F]+) ';';

OPEN_END: '</' -> pushMode(TAG);

OPEN: '<' -> pushMode(TAG);

SPACE: S+;

TEXT: ~[<&]+;

fragment S: [ \t\r\n\uFEFF];

fragment NAME_START: [\p{L}_:];

fragment NAME_CHAR: [\p{L}\p{Nd}\p{Mn}_:.\-\u00B7];

mode TAG;

CLOSE_EMPTY: '/>' -> popMode;

CLOSE: '>' -> popMode;

EQUALS: '=';

STRING: '"' (~["<&] | REFERENCE)* '"' | '\'' (~['<&] | REFERENCE)* '\'';

NAME: NAME_START NAME_CHAR*;

TAG_SPACE: S+ -> channel(HIDDEN);
