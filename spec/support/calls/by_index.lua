-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls of what reads and writes along one dimension by position.
return function(on_pair)
  local rows = {{2, 1, 2}}

  on_pair("gather", function(a) return a.x:gather(1, rows), a.y:gather(1, a.index) end)
  on_pair("index_select", function(a) return a.x:index_select(2, a.index) end)
  on_pair("take_along_dim", function(a)
    return a.x:take_along_dim({{2}}, 2), a.x:take_along_dim(a.index)
  end)
  on_pair("scatter", function(a) return a.x:scatter(1, rows, 5), a.x:scatter(1, rows, a.x) end)
  on_pair("scatter_", function(a) return a.x:scatter_(1, rows, a.x, {reduce = "add"}) end)
  on_pair("scatter_add", function(a) return a.y:scatter_add(1, a.index, {1, 2, 3}) end)
  on_pair("scatter_add_", function(a) return a.y:scatter_add_(1, a.index, a.y) end)
  on_pair("scatter_reduce", function(a)
    local mean = a.y:scatter_reduce(1, a.index, a.y, "mean")
    return mean, a.y:scatter_reduce(1, a.index, a.y, "amax", {include_self = false})
  end)
  on_pair("scatter_reduce_", function(a)
    return a.y:scatter_reduce_(1, a.index, a.y, "mean", {include_self = false})
  end)
  on_pair("index_add", function(a) return a.x:index_add(2, a.index, a.x, {alpha = 2}) end)
  on_pair("index_add_", function(a) return a.x:index_add_(1, {1, 1}, a.full) end)
  on_pair("put", function(a) return a.x:put(a.index, a.y), a.x:t():put(a.index, 5, true) end)
  on_pair("put_", function(a) return a.x:t():put_(a.index, a.y) end)
  on_pair("scatter into out", function(a, locus)
    return a.x:scatter(1, rows, 5, {out = locus.zeros(0)})
  end)
end
