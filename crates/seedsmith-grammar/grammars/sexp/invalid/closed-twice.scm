(a b))
