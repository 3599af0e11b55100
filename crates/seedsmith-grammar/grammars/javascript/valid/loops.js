for (let i = 0, n = a.length; i < n; i++) { continue }
for (var k in o) for (const v of it) break;
for (;;) { do x--; while (x > 0) }
outer: while (true) { break outer }
switch (x) { case 1: case 2: f(); break; default: g() }
