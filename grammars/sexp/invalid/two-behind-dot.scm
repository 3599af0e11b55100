(a . b c)
