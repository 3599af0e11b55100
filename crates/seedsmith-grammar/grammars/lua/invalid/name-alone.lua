local a = 1
a
