// The words of JavaScript. A template's text is read in a mode of its own, and every brace opens
// a new one, so that the brace that ends an embedded expression is known.
lexer grammar JavaScriptLexer;

COMMENT: ('/*' .*? '*/' | '//' ~[\r\n\u2028\u2029]*) -> channel(HIDDEN);

SPACE: [ \t\r\n\u000B\f\u00A0\uFEFF\u2028\u2029\p{Zs}]+ -> channel(HIDDEN);

HASHBANG: '#!' ~[\r\n]* -> channel(HIDDEN);

OPEN_BRACE: '{' -> pushMode(DEFAULT_MODE);

CLOSE_BRACE: '}' -> popMode;

OPEN_PAREN: '(';

CLOSE_PAREN: ')';

OPEN_BRACKET: '[';

CLOSE_BRACKET: ']';

SEMICOLON: ';';

COMMA: ',';

ARROW: '=>';

ELLIPSIS: '...';

DOT: '.';

QUESTION: '?';

COLON: ':';

ASSIGN: '=';

ASSIGN_OPERATOR: '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '>>>=' | '&=' | '^=' | '|=';

INCREMENT: '++' | '--';

PLUS: '+';

MINUS: '-';

NOT: '!' | '~';

STAR: '*';

PRODUCT: '/' | '%';

SHIFT: '<<' | '>>' | '>>>';

COMPARE: '<' | '>' | '<=' | '>=';

EQUAL: '==' | '!=' | '===' | '!==';

BIT_AND: '&';

BIT_XOR: '^';

BIT_OR: '|';

AND: '&&';

OR: '||';

AS: 'as';

BREAK: 'break';

CASE: 'case';

CATCH: 'catch';

CLASS: 'class';

CONST: 'const';

CONTINUE: 'continue';

DEBUGGER: 'debugger';

DEFAULT: 'default';

DELETE: 'delete';

DO: 'do';

ELSE: 'else';

EXPORT: 'export';

EXTENDS: 'extends';

FALSE: 'false';

FINALLY: 'finally';

FOR: 'for';

FROM: 'from';

FUNCTION: 'function';

GET: 'get';

IF: 'if';

IMPORT: 'import';

IN: 'in';

INSTANCEOF: 'instanceof';

LET: 'let';

NEW: 'new';

NULL: 'null';

OF: 'of';

RETURN: 'return';

SET: 'set';

STATIC: 'static';

SUPER: 'super';

SWITCH: 'switch';

THIS: 'this';

THROW: 'throw';

TRUE: 'true';

TRY: 'try';

TYPEOF: 'typeof';

VAR: 'var';

VOID: 'void';

WHILE: 'while';

WITH: 'with';

YIELD: 'yield';

NUMBER
    : (INTEGER ('.' [0-9]*)? | '.' [0-9]+) ([eE] [+-]? [0-9]+)?
    | '0' [xX] HEX+
    | '0' [oO] [0-7]+
    | '0' [bB] [01]+
    | '0' [0-9]+
    ;

fragment INTEGER: '0' | [1-9] [0-9]*;

fragment HEX: [0-9a-fA-F];

STRING: '"' (~["\\\r\n] | ESCAPE)* '"' | '\'' (~['\\\r\n] | ESCAPE)* '\'';

fragment ESCAPE
    : '\\' ('\r\n' | ~[xu])
    | '\\x' HEX HEX
    | UNICODE_ESCAPE
    ;

fragment UNICODE_ESCAPE: '\\u' (HEX HEX HEX HEX | '{' HEX+ '}');

NAME: ([\p{L}\p{Nl}$_] | UNICODE_ESCAPE) ([\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u200C\u200D] | UNICODE_ESCAPE)*;

BACKTICK: '`' -> pushMode(TEMPLATE);

mode TEMPLATE;

TEMPLATE_END: '`' -> type(BACKTICK), popMode;

OPEN_EXPRESSION: '${' -> pushMode(DEFAULT_MODE);

TEMPLATE_TEXT: (~[`$\\] | '\\' .)+ | '$';
