#| outer #| inner |# still |# (a) ; end
[b]
