-- SPDX-License-Identifier: MIT
-- The calls of calls.lua of what is asked of a search.
return function(on_pair)
  on_pair("between", function(a) return a.x:between(2, a.y, {inclusive = "left"}) end)
  on_pair("digitize", function(a) return a.x:digitize(a.seq), a.x:digitize({5, 2}) end)
  on_pair("interp", function(a, locus)
    return a.x:interp(a.seq, a.seq, {right = 0}), a.x:interp({1, 3}, {locus.inf, 4}, {period = 4})
  end)
end
