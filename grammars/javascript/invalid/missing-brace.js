if (a) { b() 
