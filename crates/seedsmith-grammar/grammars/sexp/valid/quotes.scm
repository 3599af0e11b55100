'(a b . c) `(x ,y ,@z) '() #(1 2 #t) #'name
