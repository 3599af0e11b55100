(a [b) c]
