// SQL as most databases read it: select, insert, update, delete, create, drop, alter and
// transactions. Left out: procedures, grants, triggers, and each vendor's own.
grammar Sql;

options { caseInsensitive = true; }

script: ';'* (statement (';'+ statement)* ';'*)? EOF;

statement
    : query
    | insert
    | update
    | delete
    | create_table
    | create_index
    | create_view
    | alter_table
    | drop
    | transaction
    | 'EXPLAIN' statement
    ;

query: with? query_body order_by? limit*;

with: 'WITH' 'RECURSIVE'? common_table (',' common_table)*;

common_table: name names? 'AS' '(' query ')';

query_body
    : query_body 'INTERSECT' ('ALL' | 'DISTINCT')? query_body
    | query_body ('UNION' | 'EXCEPT') ('ALL' | 'DISTINCT')? query_body
    | select
    | values
    | '(' query ')'
    ;

select
    : 'SELECT' ('ALL' | 'DISTINCT')? column (',' column)*
      ('FROM' table (',' table)*)?
      where?
      ('GROUP' 'BY' expression (',' expression)*)?
      ('HAVING' expression)?
    ;

values: 'VALUES' row (',' row)*;

row: '(' expression (',' expression)* ')';

column: '*' | path '.' '*' | expression alias?;

alias: 'AS'? name;

where: 'WHERE' expression;

order_by: 'ORDER' 'BY' ordering (',' ordering)*;

ordering: expression ('ASC' | 'DESC')? ('NULLS' ('FIRST' | 'LAST'))?;

limit
    : 'LIMIT' (expression | 'ALL') (',' expression)?
    | 'OFFSET' expression ('ROW' | 'ROWS')?
    | 'FETCH' ('FIRST' | 'NEXT') expression? ('ROW' | 'ROWS') 'ONLY'
    ;

table: source join*;

source: path (alias names?)? | 'LATERAL'? '(' query ')' (alias names?)? | '(' table ')' | call (alias names?)?;

join
    : 'NATURAL'? join_kind? 'JOIN' source ('ON' expression | 'USING' names)?
    | 'CROSS' 'JOIN' source
    ;

join_kind: 'INNER' | ('LEFT' | 'RIGHT' | 'FULL') 'OUTER'?;

insert: with? 'INSERT' ('OR' ('REPLACE' | 'IGNORE'))? 'INTO' path names? (query | 'DEFAULT' 'VALUES') returning?;

update: with? 'UPDATE' path alias? 'SET' assignment (',' assignment)* ('FROM' table (',' table)*)? where? returning?;

assignment: (path | names) '=' (expression | 'DEFAULT');

delete: with? 'DELETE' 'FROM' path alias? where? returning?;

returning: 'RETURNING' column (',' column)*;

create_table
    : 'CREATE' ('TEMPORARY' | 'TEMP')? 'TABLE' if_not_exists? path
      ('(' table_element (',' table_element)* ')' | 'AS' query)
    ;

if_not_exists: 'IF' 'NOT' 'EXISTS';

table_element: column_definition | ('CONSTRAINT' name)? table_constraint;

column_definition: name type? column_constraint*;

column_constraint
    : ('CONSTRAINT' name)?
      ( 'NOT'? 'NULL'
      | 'PRIMARY' 'KEY' ('ASC' | 'DESC')? 'AUTOINCREMENT'?
      | 'UNIQUE'
      | 'DEFAULT' (('+' | '-')? literal | call | name | '(' expression ')')
      | 'CHECK' '(' expression ')'
      | 'COLLATE' name
      | references
      )
    ;

table_constraint
    : ('PRIMARY' 'KEY' | 'UNIQUE') names
    | 'CHECK' '(' expression ')'
    | 'FOREIGN' 'KEY' names references
    ;

references: 'REFERENCES' path names? reference_action*;

reference_action: 'ON' ('DELETE' | 'UPDATE') ('CASCADE' | 'RESTRICT' | 'SET' ('NULL' | 'DEFAULT') | 'NO' 'ACTION');

type: name+ ('(' number (',' number)? ')')? ('WITH' 'TIME' 'ZONE')? ('[' ']')*;

create_index: 'CREATE' 'UNIQUE'? 'INDEX' if_not_exists? path 'ON' path '(' ordering (',' ordering)* ')' where?;

create_view: 'CREATE' ('OR' 'REPLACE')? ('TEMPORARY' | 'TEMP')? 'VIEW' if_not_exists? path names? 'AS' query;

alter_table
    : 'ALTER' 'TABLE' path
      ( 'ADD' 'COLUMN'? column_definition
      | 'DROP' 'COLUMN'? name
      | 'RENAME' 'TO' name
      | 'RENAME' 'COLUMN'? name 'TO' name
      )
    ;

drop: 'DROP' ('TABLE' | 'INDEX' | 'VIEW') ('IF' 'EXISTS')? path (',' path)* ('CASCADE' | 'RESTRICT')?;

transaction
    : 'BEGIN' 'TRANSACTION'?
    | 'START' 'TRANSACTION'
    | ('COMMIT' | 'END') 'TRANSACTION'?
    | 'ROLLBACK' 'TRANSACTION'? ('TO' 'SAVEPOINT'? name)?
    | ('SAVEPOINT' | 'RELEASE' 'SAVEPOINT'?) name
    ;

// Comparisons bind alike, from the left, and end in an operand: if they ended in an expression, an `AND`
// behind one could belong to either side, and each would be looked at up to the end.
expression
    : operand
    | expression ('=' | '==' | '<>' | '!=' | '<' | '<=' | '>' | '>=') (('ANY' | 'ALL' | 'SOME') '(' query ')' | operand)
    | expression 'IS' 'NOT'? ('NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN' | 'DISTINCT' 'FROM' operand)
    | expression ('ISNULL' | 'NOTNULL')
    | expression 'NOT'? 'IN' '(' (query | expression (',' expression)*)? ')'
    | expression 'NOT'? 'BETWEEN' 'SYMMETRIC'? operand 'AND' operand
    | expression 'NOT'? ('LIKE' | 'ILIKE' | 'GLOB' | 'REGEXP') operand ('ESCAPE' operand)?
    | 'NOT' expression
    | expression 'AND' expression
    | expression 'OR' expression
    ;

operand
    : literal
    | parameter
    | call
    | case
    | cast
    | path
    | 'EXISTS' '(' query ')'
    | '(' query ')'
    | '(' expression (',' expression)* ')'
    | operand '::' type
    | operand '[' expression ']'
    | operand 'COLLATE' name
    | ('+' | '-' | '~') operand
    | operand '^' operand
    | operand ('*' | '/' | '%') operand
    | operand ('+' | '-') operand
    | operand ('||' | '->' | '->>' | '<<' | '>>' | '&' | '|') operand
    ;

call: path '(' ('*' | 'DISTINCT'? expression (',' expression)* order_by?)? ')' ('FILTER' '(' where ')')? ('OVER' (name | window))?;

window: '(' ('PARTITION' 'BY' expression (',' expression)*)? order_by? frame? ')';

frame: ('ROWS' | 'RANGE') (bound | 'BETWEEN' bound 'AND' bound);

bound: 'UNBOUNDED' ('PRECEDING' | 'FOLLOWING') | 'CURRENT' 'ROW' | expression ('PRECEDING' | 'FOLLOWING');

case: 'CASE' expression? ('WHEN' expression 'THEN' expression)+ ('ELSE' expression)? 'END';

cast: 'CAST' '(' expression 'AS' type ')' | 'EXTRACT' '(' name 'FROM' expression ')' | 'INTERVAL' string name?;

literal: number | string | blob | 'NULL' | 'TRUE' | 'FALSE' | 'CURRENT_DATE' | 'CURRENT_TIME' | 'CURRENT_TIMESTAMP';

names: '(' name (',' name)* ')';

path: name ('.' name)*;

name: NAME | QUOTED_NAME | unreserved;

// Words of the language that are names as well.
unreserved
    : 'ACTION' | 'ADD' | 'ANY' | 'AUTOINCREMENT' | 'CASCADE' | 'CHECK' | 'COLUMN' | 'CURRENT' | 'DEFAULT'
    | 'EXPLAIN' | 'EXTRACT' | 'FILTER' | 'FIRST' | 'FOLLOWING' | 'GLOB' | 'IGNORE' | 'INTERVAL'
    | 'KEY' | 'LAST' | 'NEXT' | 'NO' | 'NULLS' | 'ONLY' | 'OVER' | 'PARTITION' | 'PRECEDING' | 'RANGE' | 'RECURSIVE'
    | 'REGEXP' | 'RELEASE' | 'RENAME' | 'REPLACE' | 'RESTRICT' | 'ROW' | 'ROWS' | 'SAVEPOINT' | 'SOME' | 'START'
    | 'SYMMETRIC' | 'TEMP' | 'TEMPORARY' | 'TIME' | 'TO' | 'TRANSACTION' | 'UNBOUNDED' | 'UNKNOWN' | 'VIEW' | 'ZONE'
    ;

parameter: PARAMETER;

number: NUMBER;

string: STRING;

blob: BLOB;

BLOB: 'X' '\'' [0-9A-F]* '\'';

NUMBER: ([0-9]+ ('.' [0-9]*)? | '.' [0-9]+) ('E' [+-]? [0-9]+)? | '0X' [0-9A-F]+;

STRING: [NE]? '\'' (~'\'' | '\'\'')* '\'';

QUOTED_NAME: '"' (~'"' | '""')+ '"' | '`' ~'`'+ '`';

NAME: [\p{L}_] [\p{L}\p{Nd}_$]*;

PARAMETER: '?' [0-9]* | [:@$] [\p{L}\p{Nd}_]+;

COMMENT: ('--' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN);

SPACE: [ \t\r\n\f\uFEFF]+ -> channel(HIDDEN);
