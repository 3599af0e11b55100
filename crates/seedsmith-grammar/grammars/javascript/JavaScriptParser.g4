// JavaScript as of ECMAScript 2015, scripts and modules. Left out: literals of regular
// expressions (telling them from a division takes the parser). Taken too easily: a semicolon may
// be missing anywhere between statements, and what stands left of `=`, `=>`, `in` and `of` may be
// any expression, with patterns read as array and object literals.
parser grammar JavaScriptParser;

options { tokenVocab = JavaScriptLexer; }

program: item* EOF;

item: import_declaration | export_declaration | statement;

import_declaration: 'import' (imports 'from')? string ';'?;

imports: name (',' (namespace | import_list))? | namespace | import_list;

namespace: '*' 'as' name;

import_list: '{' (specifier (',' specifier)* ','?)? '}';

specifier: any_name ('as' any_name)?;

export_declaration
    : 'export' ('*' | import_list) 'from' string ';'?
    | 'export' import_list ';'?
    | 'export' (variables ';'? | function | class)
    | 'export' 'default' (function | class | assignment ';'?)
    ;

statement
    : block
    | variables ';'?
    | function
    | class
    | ';'
    | 'if' '(' expression ')' statement ('else' statement)?
    | 'do' statement 'while' '(' expression ')' ';'?
    | 'while' '(' expression ')' statement
    | 'for' '(' (variables | expression)? ';' expression? ';' expression? ')' statement
    | 'for' '(' (('var' | 'let' | 'const') binding | postfix) ('in' expression | 'of' assignment) ')' statement
    | 'continue' name? ';'?
    | 'break' name? ';'?
    | 'return' expression? ';'?
    | 'throw' expression ';'?
    | 'with' '(' expression ')' statement
    | 'switch' '(' expression ')' '{' case* '}'
    | 'try' block (catch_clause finally_clause? | finally_clause)
    | 'debugger' ';'?
    | name ':' statement
    | expression ';'?
    ;

block: '{' statement* '}';

case: ('case' expression | 'default') ':' statement*;

catch_clause: 'catch' '(' binding ')' block;

finally_clause: 'finally' block;

variables: ('var' | 'let' | 'const') variable (',' variable)*;

variable: binding ('=' assignment)?;

binding: name | array_pattern | object_pattern;

array_pattern: '[' (','* pattern_element (','+ pattern_element)* ','*)? ']';

pattern_element: '...' binding | binding ('=' assignment)?;

object_pattern: '{' (pattern_property (',' pattern_property)* ','?)? '}';

pattern_property: key ':' binding ('=' assignment)? | name ('=' assignment)?;

function: 'function' '*'? name? parameters function_body;

parameters: '(' (pattern_element (',' pattern_element)* ','?)? ')';

function_body: '{' statement* '}';

class: 'class' name? ('extends' postfix)? '{' (member | ';')* '}';

member: 'static'? method;

method: ('*' | 'get' | 'set')? key parameters function_body;

expression: assignment (',' assignment)*;

assignment: arrow | 'yield' ('*'? assignment)? | conditional (('=' | ASSIGN_OPERATOR) assignment)?;

arrow: (name | '(' (arrow_parameter (',' arrow_parameter)* ','?)? ')') '=>' (function_body | assignment);

arrow_parameter: '...' binding | binding ('=' assignment)?;

conditional: operation ('?' assignment ':' assignment)?;

operation
    : unary
    | operation ('*' | PRODUCT) operation
    | operation ('+' | '-') operation
    | operation SHIFT operation
    | operation (COMPARE | 'instanceof' | 'in') operation
    | operation EQUAL operation
    | operation '&' operation
    | operation '^' operation
    | operation '|' operation
    | operation '&&' operation
    | operation '||' operation
    ;

unary: ('delete' | 'void' | 'typeof' | '+' | '-' | NOT | INCREMENT)* postfix INCREMENT?;

postfix: (new | primary) (selector | arguments | template)*;

new: 'new' ('.' any_name | (new | primary) (selector | template)* arguments?);

selector: '[' expression ']' | '.' any_name;

arguments: '(' (argument (',' argument)* ','?)? ')';

argument: '...'? assignment;

primary
    : 'this'
    | 'super'
    | 'null'
    | 'true'
    | 'false'
    | number
    | string
    | template
    | name
    | array
    | object
    | function
    | class
    | '(' expression ')'
    ;

array: '[' (','* argument (','+ argument)* ','*)? ']';

object: '{' (property (',' property)* ','?)? '}';

property: method | key ':' assignment | name ('=' assignment)?;

key: any_name | string | number | '[' assignment ']';

template: '`' (template_text | '${' expression '}')* '`';

template_text: TEMPLATE_TEXT;

name: NAME | 'as' | 'from' | 'get' | 'let' | 'of' | 'set' | 'static';

// Behind a dot and as a key, every word is a name.
any_name
    : name | 'break' | 'case' | 'catch' | 'class' | 'const' | 'continue' | 'debugger' | 'default' | 'delete'
    | 'do' | 'else' | 'export' | 'extends' | 'false' | 'finally' | 'for' | 'function' | 'if' | 'import' | 'in'
    | 'instanceof' | 'new' | 'null' | 'return' | 'super' | 'switch' | 'this' | 'throw' | 'true' | 'try'
    | 'typeof' | 'var' | 'void' | 'while' | 'with' | 'yield'
    ;

number: NUMBER;

string: STRING;
