// The words of a regular expression; between brackets, most signs mean themselves.
lexer grammar RegexLexer;

REPEAT: '{' [0-9]+ (',' [0-9]*)? '}' | '{,' [0-9]+ '}';

STAR: '*';

PLUS: '+';

QUESTION: '?';

OR: '|';

ANY: '.';

START: '^';

END: '$';

OPEN_NAMED: '(?' 'P'? '<' [\p{L}_] [\p{L}\p{Nd}_.]* '>';

OPEN_LOOK: '(?' '<'? [=!];

OPEN_FLAGS: '(?' [a-zA-Z]* ('-' [a-zA-Z]+)? ':';

FLAGS: '(?' ([a-zA-Z]+ ('-' [a-zA-Z]+)? | '-' [a-zA-Z]+) ')';

OPEN: '(';

CLOSE: ')';

PROPERTY: '\\' [pP] ([A-Za-z] | '{' '^'? [A-Za-z0-9_=:! -]+ '}');

BACK_REFERENCE: '\\' [1-9] [0-9]? | '\\k<' [\p{L}_] [\p{L}\p{Nd}_]* '>';

ASSERTION: '\\' [bBAzZG];

CLASS_ESCAPE: '\\' [dDsSwW];

ESCAPED: '\\' (~[1-9bBAzZGdDsSwWpPkxuU] | HEX_ESCAPE);

fragment HEX_ESCAPE: 'x' HEX HEX | 'u' HEX HEX HEX HEX | 'U' HEX HEX HEX HEX HEX HEX HEX HEX | [xuU] '{' HEX+ '}';

fragment HEX: [0-9a-fA-F];

OPEN_CLASS: '[' '^'? -> pushMode(CLASS);

CHAR: ~[\\[(){}*+?|.^$];

BRACE: [{}] -> type(CHAR);

mode CLASS;

NAMED_CLASS: '[:' '^'? [a-z]+ ':]';

INNER_CLASS: '[' '^'? -> type(OPEN_CLASS), pushMode(CLASS);

CLOSE_CLASS: ']' -> popMode;

HYPHEN: '-';

OPERATOR: '&&' | '--' | '~~';

CLASS_PROPERTY: '\\' [pP] ([A-Za-z] | '{' '^'? [A-Za-z0-9_=:! -]+ '}') -> type(PROPERTY);

CLASS_CLASS_ESCAPE: '\\' [dDsSwW] -> type(CLASS_ESCAPE);

CLASS_ESCAPED: '\\' (~[dDsSwWpPxuU] | HEX_ESCAPE) -> type(ESCAPED);

MEMBER: ~[\\[\]\-];
