for i = 1, 10, 2 do print(i) end
for k, v in pairs(t) do t[k] = v; end
while not done do done = true end
repeat local x = x + 1 until x > 10
goto out
do break end
::out::
