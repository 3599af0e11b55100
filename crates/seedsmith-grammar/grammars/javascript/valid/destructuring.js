var [a, , b = 1, ...c] = d, { e, f: { g }, h = 2 } = i;
[a, b] = [b, a];
try { throw e } catch ({ message }) { } finally { }
if (a) b; else { c }
