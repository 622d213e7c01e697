-- SPDX-License-Identifier: MIT
-- The calls of calls.lua of reductions and running ones.
return function(on_pair, each)
  each("prod nansum nanmean nanmin nanmax", function(f, a) return f(a.x, 1) end)
  each("norm", function(f, a) return f(a.x, 2, 1) end)
  each("logsumexp", function(f, a) return f(a.x, 1) end)
  on_pair("prod of all", function(a) return a.y:prod() end, false)
  on_pair("nanmax into out", function(a, locus) return a.x:nanmax(2, {out = locus.zeros(0)}) end)
  on_pair("nanmean of several", function(a) return a.x:nanmean({1, 2}, true) end)
  on_pair("norm, p = inf", function(a) return a.x:norm(math.huge, 2) end)
  on_pair("norm, p = 3, in a dtype", function(a) return a.y:norm(3, {dtype = "float32"}) end)
  on_pair("logsumexp of all", function(a) return a.y:logsumexp() end)
  on_pair("logsumexp into out", function(a, locus)
    return a.x:logsumexp(2, {out = locus.zeros(0)})
  end)
end
