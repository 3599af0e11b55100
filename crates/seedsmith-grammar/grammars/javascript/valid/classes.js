class A extends B.c {
  constructor(x) { super(x); this.x = x }
  static get y() { return 1 }
  set y(v) { }
  *[Symbol.iterator]() { }
  'quoted'() { };
}
let o = { a, b: 1, 'c': 2, 3: 4, [d]: 5, e() { }, get f() { return 1 }, get: 1, if: 2, };
