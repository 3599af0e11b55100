f(a, , b)
