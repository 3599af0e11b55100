#!/usr/bin/env node
let of = 1, get = 2, from = of, as, größe$_1 = '\u{1F980}\x41\
';
a.class.default.of(...b, c) // end
