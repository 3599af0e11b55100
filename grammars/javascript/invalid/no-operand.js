let a = 1 + ;
