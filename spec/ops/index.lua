-- SPDX-License-Identifier: MIT
-- Calls of brackets, and of what reads and writes by position.
local layouts = require "spec.support.data.layouts"
local locus = require "locus"
local text_of = require("spec.ops.large").text_of

local WIDTHS = "uint8 int16 float32 int64 complex128"
local ROWS = {{2, 1, 2}}

local function key(e, first)
  local list = {first}
  for d = 2, #e.shape do list[d] = {} end
  return list
end

-- For e.places, which has positions of 1..9: a first dimension of that size, or positions of one of
-- size n, counted from 0.
local function nine(e)
  local ones, sizes = {9}, {9}
  for d = 2, #e.shape do ones[d], sizes[d] = 1, e.shape[d] end
  return locus.arange(9):to(e.dtype):view(ones):expand(sizes)
end
local function within(e, n) return e.places % math.max(n, 1) end

local function of_places(f, e) return f(nine(e), 1, e.places, e.x) end
local function twenty(e) return locus.arange(20):to(e.dtype) end

-- Positions along the dimension of fuzz/callers/known/alike.lua.
local function along_dim(e) return e.places:unsqueeze(3 - e.dim):expand(e.shape) end

return {
  {"__index", function(f, e) return f(e.x, e.mask) end, form = "a mask",
   laid = function(f, e) return f(e.x, e.mask), f(e.x, e.other_mask) end, layouts = WIDTHS},
  {"__index", function(f, e) return f(e.y, e.index) end, form = "positions", laid = function(f, e)
    return f(twenty(e), e.places), layouts.outcome(f, e.x, key(e, {1, 0})), f(e.x, "T")
  end, layouts = WIDTHS},
  {"__index", function(f, e) return f(e.x, {e.index, e.index}) end, form = "rows and columns",
   laid = function(f, e) -- e.x has positions from 0, or from the end
     local rows = locus.arange(200):view(10, 20)
     return layouts.outcome(f, e.x, key(e, e.places[e.mask])),
       layouts.outcome(f, rows, {e.places, -2})
   end, layouts = "int64"},
  {"__index", function(f, e) return f(e.x, {{1, 2}, e.index}) end, form = "a range and positions"},
  {"__newindex", function(f, e) f(e.x, e.mask, 5) end, form = "a mask, a number",
   allocates = false, laid = function(f, e)
     local x, y, z = e:fresh "x", e:fresh "x", e:fresh "x"
     f(x, e.other_mask, 5)
     f(y, e.other_mask, e.y[e.other_mask])
     f(z, {{}}, e.y)
     return x, y, z
   end, layouts = WIDTHS, writes = true, large = function(x, n, marks)
     x[x:gt(3)] = 9
     local got = text_of(x[n], x:sum())
     x[n], x[marks[4]] = 5, 4
     return got, "9, 24"
   end},
  {"__newindex", function(f, e) f(e.x, e.mask, e.seq) end, form = "a mask, a tensor",
   allocates = false, laid = function(f, e)
     local row, x = twenty(e), e:fresh "x"
     f(row, e.places, e.x)
     return row, layouts.outcome(f, x, key(e, e.places[e.mask]), 7), x
   end, layouts = "float32", writes = true},
  {"__newindex", function(f, e) f(e.x, e.mask, e.y) end, form = "of many elements", on = "many"},
  {"__newindex", function(f, e) f(e.y, e.index, {7, 8, 9}) end, form = "positions, a table",
   alike = function(f, e)
     local x = e.x:clone()
     f(x, e.mask, 1)
     return x
   end},
  {"__newindex", function(f, e) f(e.x, {{}, {1, 2}}, e.x[{{}, {2, 3}}]) end,
   form = "a range of itself"},
  {"index_put_", function(f, e) f(e.y, {e.index}, {7, 8, 9}) end, laid = function(f, e)
    local x, y = e:fresh "x", e:fresh "x"
    f(x, {e.other_mask}, e.y[e.other_mask])
    f(y, {e.mask}, e.x[e.mask], true)
    return x, y
  end, layouts = WIDTHS, writes = true,
   alike = function(f, e) return f(e.x:clone(), {e.mask}, e.x[e.mask]) end},
  {"index_put_", function(f, e) f(e.y, {{1, 1, 2}}, e.y, true) end, form = "adding",
   laid = function(f, e)
     local row, x = twenty(e), e:fresh "x"
     f(row, {e.places}, e.x, true)
     return row, layouts.outcome(f, x, {e.places[e.mask]}, 7), x
   end, layouts = "float32", writes = true},

  {"take", function(f, e) return f(e.seq, e.y, 0), f(e.seq, {0, 2}, 7) end, laid = function(f, e)
    return f(twenty(e), e.places), layouts.outcome(f, e.x, e.places % 2, 1)
  end, layouts = WIDTHS},
  {"gather", function(f, e) return f(e.x, 1, ROWS), f(e.y, 1, e.index) end, laid = function(f, e)
    return f(nine(e), 1, e.places), f(e.x, 1, within(e, e.shape[1]), {base = 0})
  end, layouts = WIDTHS, large = function(x, _, marks)
    local index = locus.tensor({unpack(marks)}, {dtype = "int64"})
    return text_of(x[index], x:index_select(1, index), x:gather(1, index),
      x:take_along_dim(index, 1)), "1 2 3 4 5, 1 2 3 4 5, 1 2 3 4 5, 1 2 3 4 5"
  end},
  {"index_select", function(f, e) return f(e.x, 2, e.index) end, laid = function(f, e)
    return layouts.outcome(f, e.x, 1, {1, 1}), layouts.outcome(f, e.x, #e.shape, {-1, 1})
  end, layouts = WIDTHS},
  {"take_along_dim", function(f, e) return f(e.x, {{2}}, 2), f(e.x, e.index) end,
   laid = function(f, e) return f(nine(e), e.places, 1) end, layouts = "float32",
   alike = function(f, e) return f(e.x, along_dim(e), e.dim) end},
  {"scatter", function(f, e) return f(e.x, 1, ROWS, 5), f(e.x, 1, ROWS, e.x) end, laid = of_places,
   layouts = WIDTHS},
  {"scatter_", function(f, e) return f(e.x, 1, ROWS, e.x, {reduce = "add"}) end},
  {"scatter", function(f, e) return f(e.x, 1, ROWS, 5, {out = locus.zeros(0)}) end,
   form = "into out"},
  {"scatter_add", function(f, e) return f(e.y, 1, e.index, {1, 2, 3}) end, laid = of_places,
   layouts = WIDTHS},
  {"scatter_add_", function(f, e) return f(e.y, 1, e.index, e.y) end},
  {"scatter_ scatter_add_", laid = function(f, e)
    return f(e:fresh "x", 1, within(e, e.shape[1]), e.x, {base = 0})
  end, layouts = WIDTHS, writes = true},
  {"scatter_reduce", function(f, e)
    return f(e.y, 1, e.index, e.y, "mean"), f(e.y, 1, e.index, e.y, "amax", {include_self = false})
  end, laid = function(f, e)
    return f(nine(e), 1, e.places, e.x, "mean"), f(nine(e), 1, e.places, e.x, "amin")
  end, layouts = "int16 float32", alike = function(f, e)
    local reduce = e.pick {"sum", "prod", "mean", "amax", "amin"}
    return f(e.plain, e.dim, along_dim(e), e.plain, reduce)
  end},
  {"scatter_reduce_", function(f, e)
    return f(e.y, 1, e.index, e.y, "mean", {include_self = false})
  end, laid = function(f, e)
    local options = {include_self = false, base = 0}
    return f(e:fresh "x", 1, within(e, e.shape[1]), e.x, "prod", options)
  end, layouts = "int16 float32", writes = true},
  {"index_add", function(f, e) return f(e.x, 2, e.index, e.x, {alpha = 2}) end,
   laid = function(f, e) return f(e.x, 1, {}, e.x[{{1, 0}}], {alpha = 2}) end, layouts = "float32",
   alike = function(f, e) return f(e.plain, e.dim, e.places, e.plain) end},
  {"index_add_", function(f, e) return f(e.x, 1, {1, 1}, e.full) end, laid = function(f, e)
    return f(e:fresh "x", 1, locus.arange(e.shape[1], 0, -1, {dtype = "int64"}), e.x)
  end, layouts = WIDTHS, writes = true},
  {"put", function(f, e) return f(e.x, e.index, e.y), f(e.x:t(), e.index, 5, true) end,
   laid = function(f, e) return f(locus.zeros(9), e.places, e.x) end, layouts = "float32",
   alike = function(f, e) return f(e.x, e.places, 1, e.chance(2)) end,
   large = function(x, n, marks)
     local at = locus.tensor({n, marks[4]}, {dtype = "int64"})
     local nine_twice = locus.tensor({9, 9}, {dtype = "uint8"})
     local copy, got = x:clone(), {}
     for i, put in ipairs {function() copy[at] = 9 end,
       function() copy:put_(at, nine_twice) end,
       function() copy:scatter_(1, at, nine_twice) end,
       function() copy:scatter_add_(1, at, nine_twice) end,
       function() copy:index_add_(1, at, nine_twice) end,
       function() copy:scatter_reduce_(1, at, nine_twice, "amax") end} do
       put()
       got[i] = copy[n] + copy[marks[4]]
     end
     return table.concat(got, " "), "18 18 18 36 54 54"
   end},
  {"put_", function(f, e) return f(e.x:t(), e.index, e.y) end, laid = function(f, e)
    return f(e:fresh "x", within(e, e.x:numel()), e.x, true, {base = 0})
  end, layouts = WIDTHS, writes = true},

  {"__newindex", runner = "masked_scatter", device = function(f, e)
    local x, y = e.x:clone(), e.x:clone()
    local mask = x:remainder(2):eq(0)
    f(x, mask, y[mask] + 1)
    f(y, y:gt(3), 7)
    return x, y
  end},
  {"take", runner = "gather", device = function(f, e)
    local ends = locus.tensor({1, -1}, {dtype = "int64", device = e.device})
    return e.x[e.order], f(e.x, e.order:remainder(e.n), 0.5), e:matrix(8)[{ends, {}}]
  end},
  {"scatter_reduce", runner = "scatter", device = function(f, e)
    local y = e.x:clone()
    y[e.order] = e.x
    return y, f(y, 1, e.order:remainder(math.min(e.n, 9)) + 1, e.x, "mean")
  end},
}
