-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls of what is asked of a search.
return function(on_pair)
  on_pair("histogram", function(a)
    return a.x:histogram(3), a.x:histogram({1, 3, 5}, {weight = a.x, density = true})
  end)
  on_pair("histogram of int64", function(a, locus)
    return a.index:histogram(locus.tensor({-2, 2 ^ 60}, {dtype = "int64"}))
  end)
  on_pair("histc", function(a, locus) return a.x:histc(3, 0, 4, {out = locus.zeros(0)}) end)
  on_pair("between", function(a) return a.x:between(2, a.y, {inclusive = "left"}) end)
  on_pair("digitize", function(a) return a.x:digitize(a.seq), a.x:digitize({5, 2}) end)
  on_pair("interp", function(a, locus)
    return a.x:interp(a.seq, a.seq, {right = 0}), a.x:interp({1, 3}, {locus.inf, 4}, {period = 4})
  end)
end
