-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls of what cuts, repeats and reorders tensors.

return function(on_pair)
  on_pair("split", function(a) return a.x:split(2, 2) end)
  on_pair("split into sizes", function(a) return a.x:split({2, 0, 1}, 2) end)
  on_pair("chunk", function(a) return a.x:chunk(2, 2) end)
  on_pair("unbind", function(a) return a.x:unbind(2) end)
  on_pair("flip", function(a) return a.x:flip(1, 2) end)
  on_pair("flip into out", function(a) return a.x:flip(2, {out = a.full}) end, false)
  on_pair("roll", function(a) return a.x:roll({1, -1}, {1, 2}) end)
  on_pair("roll of all", function(a) return a.x:t():roll(1) end)
  on_pair("roll into strided out", function(a, locus)
    return a.x:roll(1, {out = locus.zeros(3, 2):t()})
  end)
  on_pair("tile", function(a) return a.x:tile(2, 1, 2) end)
  on_pair("repeat_interleave", function(a) return a.x:repeat_interleave(2, 1) end)
  on_pair("repeat_interleave by counts", function(a) return a.x:repeat_interleave(a.y, 2) end)
  on_pair("repeat_interleave of positions", function(a) return a.y:repeat_interleave() end)
  on_pair("repeat_interleave into out", function(a, locus)
    return a.x:repeat_interleave({2, 1}, 1, {out = locus.zeros(0)})
  end)
  on_pair("diff", function(a) return a.x:diff(2, 2) end)
  on_pair("diff with both ends", function(a)
    return a.y:diff {n = 2, prepend = 0.5, append = {1, 2}}
  end)
  on_pair("diff into out", function(a, locus)
    return a.x:diff {prepend = 0, n = 2, out = locus.zeros(0)}
  end)
  on_pair("meshgrid", function(a, locus) return locus.meshgrid(a.y, a.seq, {indexing = "xy"}) end)
end
