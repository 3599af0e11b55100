// Graphviz' DOT language. Keywords are the same in upper and lower case.
grammar Dot;

document: graph+ EOF;

graph: STRICT? (GRAPH | DIGRAPH) id? '{' statement* '}';

statement: (setting | subgraph_or_edge | defaults) ';'?;

setting: id '=' id;

defaults: (GRAPH | NODE | EDGE) attributes+;

subgraph_or_edge: endpoint (edge_operator endpoint)* attributes*;

endpoint: node | subgraph;

edge_operator: '->' | '--';

node: id port?;

port: ':' id (':' id)?;

subgraph: (SUBGRAPH id?)? '{' statement* '}';

attributes: '[' attribute* ']';

attribute: id ('=' id)? (';' | ',')?;

id: name | number | string | html;

name: NAME;

number: NUMBER;

string: STRING ('+' STRING)*;

html: HTML;

STRICT options { caseInsensitive = true; }: 'strict';

GRAPH options { caseInsensitive = true; }: 'graph';

DIGRAPH options { caseInsensitive = true; }: 'digraph';

NODE options { caseInsensitive = true; }: 'node';

EDGE options { caseInsensitive = true; }: 'edge';

SUBGRAPH options { caseInsensitive = true; }: 'subgraph';

NUMBER: '-'? ('.' [0-9]+ | [0-9]+ ('.' [0-9]*)?);

NAME: [a-zA-Z_\u0080-\u{10FFFF}] [a-zA-Z0-9_\u0080-\u{10FFFF}]*;

STRING: '"' (~["\\] | '\\' .)* '"';

HTML: '<' (~[<>] | HTML)* '>';

COMMENT: ('//' ~[\r\n]* | '/*' .*? '*/' | '#' ~[\r\n]*) -> channel(HIDDEN);

SPACE: [ \t\r\n\u000C\uFEFF]+ -> channel(HIDDEN);
