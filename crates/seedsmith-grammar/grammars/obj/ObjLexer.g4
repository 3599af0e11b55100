// The words of a Wavefront OBJ file. Behind some keywords a line holds names, elsewhere numbers.
lexer grammar ObjLexer;

COMMENT: '#' ~[\r\n]* -> channel(HIDDEN);

NEWLINE: '\r'? '\n' | '\r';

SPACE: ([ \t] | '\\' '\r'? '\n')+ -> channel(HIDDEN);

VERTEX: 'v';

TEXTURE: 'vt';

NORMAL: 'vn';

PARAMETER: 'vp';

FACE: 'f' | 'fo';

LINE: 'l';

POINT: 'p';

SMOOTHING: 's';

OFF: 'off';

ON: 'on';

NAMING: ('o' | 'g' | 'usemtl' | 'mtllib' | 'usemap' | 'maplib' | 'shadow_obj' | 'trace_obj' | 'call') -> pushMode(NAMES);

DISPLAY: 'bevel' | 'c_interp' | 'd_interp' | 'lod' | 'mg' | 'ctech' | 'stech';

CURVE_TYPE: 'cstype' -> pushMode(NAMES);

FREE_FORM: 'deg' | 'bmat' | 'step' | 'curv' | 'curv2' | 'surf' | 'parm' | 'trim' | 'hole' | 'scrv' | 'sp' | 'con';

END: 'end';

DIRECTION: 'u';

INTEGER: [+-]? [0-9]+;

REAL: [+-]? ([0-9]+ '.' [0-9]* | '.' [0-9]+ | [0-9]+) ([eE] [+-]? [0-9]+)?;

// A corner's indices stand together, without spaces.
CORNER: INDEX '/' (INDEX ('/' INDEX)? | '/' INDEX);

fragment INDEX: [+-]? [0-9]+;

WORD: [a-zA-Z_] [a-zA-Z_0-9]*;

mode NAMES;

NAMES_SPACE: ([ \t] | '\\' '\r'? '\n')+ -> channel(HIDDEN);

NAME: ~[ \t\r\n#\\] ~[ \t\r\n]*;

NAMES_COMMENT: '#' ~[\r\n]* -> channel(HIDDEN);

NAMES_END: ('\r'? '\n' | '\r') -> type(NEWLINE), popMode;
