("a \"b\" \\ c" "two
lines" "" #\a #\space #\( |odd name|)
