#!/usr/bin/lua
-- line
--[[ block
]] x = 1 --[==[ another ]] ]==]
--[ not long
--
y = 2
