-- SPDX-License-Identifier: MIT
-- The calls of calls.lua of what cuts, repeats and reorders tensors.

return function(on_pair)
  on_pair("split", function(a) return a.x:split(2, 2) end)
  on_pair("split into sizes", function(a) return a.x:split({2, 0, 1}, 2) end)
  on_pair("chunk", function(a) return a.x:chunk(2, 2) end)
  on_pair("unbind", function(a) return a.x:unbind(2) end)
  on_pair("meshgrid", function(a, locus) return locus.meshgrid(a.y, a.seq, {indexing = "xy"}) end)
end
