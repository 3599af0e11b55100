'use strict';
function* gen(a, b = 1, ...rest) { yield a; yield* rest; return }
const f = (x, {y, z: [w = 2]}) => x + y, g = x => ({ x }), h = () => {};
(function () { return this })();
