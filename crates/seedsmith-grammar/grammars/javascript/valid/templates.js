let s = `a ${b + `inner ${{ c: 1 }.c}`} \` $ end`;
tag`x${y}z`;
