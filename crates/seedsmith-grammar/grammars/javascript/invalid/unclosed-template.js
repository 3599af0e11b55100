let a = `x ${1 + 2 `;
