local s = "a\n\x41\065\u{1F980}\z
   b" .. 'it\'s' .. [[long
text]] .. [==[ ]] ]=] ]==]
