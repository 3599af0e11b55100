try { a }
