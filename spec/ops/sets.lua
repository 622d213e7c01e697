-- SPDX-License-Identifier: MIT
-- Calls of sets, and of look-ups in them.
local layouts = require "spec.support.data.layouts"
local locus = require "locus"
local large = require "spec.ops.large"

local text_of = large.text_of

local function of_x(f, e) return f(e.x) end
local function of_both(f, e) return f(e.x, e.y) end

local EVERY = {return_inverse = true, return_counts = true, return_index = true}

-- Along the first dimension and the last one.
local function rows(f, e)
  local named = {dim = 1, return_inverse = true, return_counts = true}
  local values, inverse, counts = f(e.x, named)
  named.dim = #e.shape
  return values, inverse, counts, layouts.outcome(f, e.x, named)
end

return {
  {"unique", function(f, e) return f(e.x, EVERY) end, layouts = "float32 int64",
   large = function(x, n)
     local values, counts, places = x:unique({return_counts = true, return_index = true})
     return text_of(values, counts, places[2]),
       ("0 1 2 3 4 5, %.0f 1 1 1 1 1, 1"):format(n - 5)
   end},
  {"unique_consecutive", function(f, e) return f(e.x, EVERY) end, layouts = "float32 int64",
   large = function(x) return text_of(x:unique_consecutive()), "1 0 2 0 3 0 4 0 5" end,
   alike = function(f, e) return f(e.plain, {return_counts = true}) end},
  {"unique unique_consecutive", laid = rows, layouts = "float32 int16"},
  {"unique", function(f, e) return f(e.x, {sorted = false, return_counts = true}) end,
   form = "unsorted"},
  {"unique", function(f, e) return f(e.x, {dim = 1, return_inverse = true}) end, form = "rows",
   alike = function(f, e) return f(e.plain, {dim = e.dim, return_inverse = true}) end},
  {"unique", function(f, e) return f(e.x:long(), {dim = 2}) end, form = "of rows of integers"},
  {"unique_consecutive", function(f, e) return f(e.x, {dim = 2, return_inverse = true}) end,
   form = "of rows"},
  {"isin", of_both, laid = function(f, e) return f(e.x, e.y), f(e.x, {1, 2}) end,
   layouts = "float32 int64",
   large = function(x, _, marks) return large.beside(marks, locus.isin, x, {3, 5}) end},
  {"union", of_both, layouts = "float32 int64", large = function(x)
    return text_of(x:union(locus.tensor({9}, {dtype = "uint8"}))), "0 1 2 3 4 5 9"
  end, alike = of_both},
  {"setdiff", of_both, layouts = "float32 int64",
   large = function(x) return text_of(x:setdiff {0, 5}), "1 2 3 4" end, alike = of_both},
  {"setxor", of_both, layouts = "float32 int64",
   large = function(x) return text_of(x:setxor {0, 9}), "1 2 3 4 5 9" end, alike = of_both},
  {"intersect", laid = of_both, layouts = "float32 int64"},
  {"intersect", function(f, e) return f(e.x, e.y, {return_indices = true}) end, layouts = "int16",
   large = function(x) return text_of(x:intersect {3, 9}), "3" end,
   alike = function(f, e) return f(e.x, e.y, {return_indices = true}) end},
  {"intersect", function(f, e) return f(e.x, e.seq, {sorted = false}) end, form = "unsorted"},
  {"rle", function(f, e) return f(e.y, {base = 0}) end, laid = of_x, layouts = "float32 int64",
   large = function(x, _, marks)
     local starts = x:rle()
     return text_of(#starts, starts[2], starts[9]), text_of(9, 2, marks[5])
   end, alike = function(f, e) return f(e.flat) end},
  {"lookup", function(f, e) return f(e.seq, e.x) end,
   laid = function(f, e) return f(e.sorted:flatten(), e.x) end, layouts = "int16",
   alike = function(f, e) return f(e.flat, e.y) end},
  {"lookup", function(f, e) return f(e.index, e.seq) end, form = "of floats in int64"},
  {"group_by", laid = function(f, e) return f(e.x).ids end, layouts = "int16"},
  {"unique_consecutive", runner = "starts", device = function(f, e)
    return f(e.sorted), f(e.x:remainder(2):to("complex64"))
  end},
  {"rle", runner = "runs", device = function(f, e)
    local begins, lengths, values = f(e.sorted)
    local _, numbers = e.sorted:unique_consecutive {return_inverse = true}
    return begins, lengths, values, numbers
  end},
}
