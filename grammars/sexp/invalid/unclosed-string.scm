(a "b)
