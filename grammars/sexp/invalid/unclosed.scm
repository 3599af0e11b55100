(a (b c)
