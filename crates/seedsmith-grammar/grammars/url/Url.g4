// URLs as RFC 3986 has them, with a scheme. Characters beyond ASCII are taken as in RFC 3987.
grammar Url;

url: scheme ':' hierarchy ('?' query)? ('#' fragment_part)? EOF;

scheme: letter (letter | DIGIT | '+' | '-' | '.')*;

hierarchy: '//' authority ('/' segment)* | '/' (segment_nonempty ('/' segment)*)? | segment_nonempty ('/' segment)* | ;

authority: (userinfo '@')? host (':' port)?;

userinfo: (unreserved | escaped | sub_delimiter | ':')*;

host: address | name;

address: '[' (hex | ':' | '.')+ ']';

name: (unreserved | escaped | sub_delimiter)*;

port: DIGIT*;

segment: character*;

segment_nonempty: character+;

// RFC 3986 says nothing about what is in a query. Nearly all are names and values, as HTML sends the fields of a form.
query: parameter ('&' parameter)*;

parameter: parameter_name ('=' parameter_value)?;

parameter_name: (parameter_character | sub_delimiter_in_name)*;

parameter_value: (parameter_character | sub_delimiter_in_name | '=')*;

parameter_character: unreserved | escaped | ':' | '@' | '/' | '//' | '?';

sub_delimiter_in_name: '!' | '$' | '\'' | '(' | ')' | '*' | '+' | ',' | ';';

fragment_part: (character | '/' | '//' | '?')*;

character: unreserved | escaped | sub_delimiter | ':' | '@';

unreserved: letter | DIGIT | '-' | '.' | '_' | '~' | OTHER;

sub_delimiter: '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=';

letter: HEX_LETTER | LETTER;

hex: HEX_LETTER | DIGIT;

escaped: ESCAPED;

ESCAPED: '%' [0-9a-fA-F] [0-9a-fA-F];

DIGIT: [0-9];

HEX_LETTER: [a-fA-F];

LETTER: [g-zG-Z];

OTHER: [\u00A0-\u{10FFFF}];
