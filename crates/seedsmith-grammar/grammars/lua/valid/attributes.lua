local x <const>, f <close> = 1, open()
;;
local z
