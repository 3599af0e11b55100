// Arithmetic with the usual precedences: powers bind tightest and to the right, then signs,
// products and sums.
grammar Arithmetic;

calculation: expression EOF;

expression
    : <assoc = right> expression '^' expression   # power
    | ('+' | '-') expression                      # sign
    | expression ('*' | '/' | '%') expression     # product
    | expression ('+' | '-') expression           # sum
    | atom                                        # operand
    ;

atom: number | call | name | '(' expression ')';

call: name '(' (expression (',' expression)*)? ')';

name: NAME;

number: NUMBER;

NUMBER: ([0-9]+ ('.' [0-9]*)? | '.' [0-9]+) ([eE] [+-]? [0-9]+)?;

NAME: [\p{L}_] [\p{L}\p{Nd}_]*;

SPACE: [ \t\r\n]+ -> channel(HIDDEN);
