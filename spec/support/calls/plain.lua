-- SPDX-License-Identifier: MIT
-- Calls that leave out what may be left out, added to those of spec/support/calls.
return function(on_pair, each)
  on_pair("arange", function(_, locus) return locus.arange(5) end)
  each("kthvalue", function(f, a) return f(a.x, 1) end)
  each("argsort sort diff rank", function(f, a) return f(a.x) end)
  each("round round_", function(f, a) return f(a.x * 1.26) end)
  each("slice", function(f, a) return f(a.x, 2, 1, 3) end)
end
