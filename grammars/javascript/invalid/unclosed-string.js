let a = "abc
