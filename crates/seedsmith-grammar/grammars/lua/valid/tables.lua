local t = { 1, 2; x = 3, ["y z"] = { }, [4 .. ""] = function() end, }
t.a.b[1].c = t["x"]
a, b.c = b, a
