-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls of sets and of what is about the order of elements.
return function(on_pair, each)
  each("union setdiff setxor", function(f, a) return f(a.x, a.y) end)
  on_pair("intersect", function(a) return a.x:intersect(a.y, {return_indices = true}) end)
  on_pair("intersect, unsorted", function(a) return a.x:intersect(a.seq, {sorted = false}) end)
  on_pair("rle", function(a) return a.y:rle{base = 0} end)
  each("is_sorted", function(f, a) return f(a.x, 2, {strict = true}) end)
  each("rank", function(f, a) return f(a.x, 1, {method = "min", base = 0}) end)
  on_pair("rank of the last dimension", function(a) return a.seq:rank{descending = true} end)
  on_pair("is_sorted of all", function(a) return a.seq:is_sorted() end)
end
