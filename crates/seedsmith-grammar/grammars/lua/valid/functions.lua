local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end
function a.b.c:d(x, ...) return x, ... end
print(fib(10), (f)(), f"x", f{1}, obj:method 'y')
