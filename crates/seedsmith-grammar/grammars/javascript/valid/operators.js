x = !a && ~b | c ^ d & e == f !== g < h >>> 2 + i * -j % k / l;
delete a.b[c], void 0, typeof x === 'undefined'
new Foo, new Foo.Bar(1)(2).baz, new (f())()
p = q in r instanceof S
