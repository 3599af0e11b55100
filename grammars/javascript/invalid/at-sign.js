let a = @b;
