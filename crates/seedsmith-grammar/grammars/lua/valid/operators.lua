return not a and #b > -c or d ~= e .. f, ~x | y & z ~ w << 2 >> 1, a // b == c
