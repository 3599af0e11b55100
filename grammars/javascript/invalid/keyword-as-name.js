var class = 1;
