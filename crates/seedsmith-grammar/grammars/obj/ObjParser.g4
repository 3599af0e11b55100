// Wavefront OBJ models, a statement a line. Free-form curves and surfaces are read as numbers.
parser grammar ObjParser;

options { tokenVocab = ObjLexer; }

document: NEWLINE* (statement (NEWLINE+ statement)*)? NEWLINE* EOF;

statement
    : vertex
    | texture
    | normal
    | parameter
    | face
    | line
    | point
    | smoothing
    | naming
    | display
    | free_form
    ;

// Three coordinates, perhaps a weight, or a colour behind them.
vertex: 'v' number number number (number (number number number?)?)?;

texture: 'vt' number (number number?)?;

normal: 'vn' number number number;

parameter: 'vp' number (number number?)?;

face: FACE corner corner corner+;

line: 'l' corner corner+;

point: 'p' integer+;

corner: INTEGER | CORNER;

smoothing: 's' (integer | 'off' | 'on');

naming: NAMING name*;

display: DISPLAY (number | 'on' | 'off' | WORD)+;

free_form: CURVE_TYPE name+ | FREE_FORM (DIRECTION | VERTEX | WORD | corner | REAL)+ | 'end';

name: NAME;

number: INTEGER | REAL;

integer: INTEGER;
