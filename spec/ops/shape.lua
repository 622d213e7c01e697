-- SPDX-License-Identifier: MIT
-- Calls of views, of what joins and cuts tensors, and of what repeats and reorders elements.
local layouts = require "spec.support.data.layouts"
local locus = require "locus"
local text_of = require("spec.ops.large").text_of

local WIDTHS = "uint8 int16 float32 int64 complex128"

local function of_x(f, e) return f(e.x) end
local function of_three(f, e) return f({e.x, e.y, e.x}) end

local function at(...) return locus.tensor({...}, {dtype = "int64"}) end

return {
  answers = "view_spec, reshape_spec, parts_spec, flip_spec, shift_spec, repeats_spec, diff_spec, "
    .. "join_spec, cat_spec",
  {"view", function(f, e) return f(e.x, 3, 2) end,
   laid = function(f, e) return f(e.x, e.shape) end, layouts = "int16"},
  {"view_as", function(f, e) return f(e.x, e.full) end,
   laid = function(f, e) return f(e.x, e.y) end, layouts = "int16"},
  {"expand", function(f, e) return f(e.y, 4, 3) end,
   laid = function(f, e) return f(e.x, 2, unpack(e.shape)) end, layouts = "int16"},
  {"expand_as", function(f, e) return f(e.y, e.x) end,
   laid = function(f, e) return f(e.x, e.y) end, layouts = "int16"},
  {"narrow", function(f, e) return f(e.x, 2, 1, 2) end,
   laid = function(f, e) return f(e.x, 1, 1, math.min(3, e.shape[1])) end, layouts = "int16"},
  {"slice", function(f, e) return f(e.x, 2, 1, 3, 2) end, laid = function(f, e)
    return layouts.outcome(f, e.x, #e.shape, 1, -1, 3)
  end, layouts = "int16"},
  {"slice", function(f, e) return f(e.x, 2, 1, 3) end, form = "without a step"},
  {"select", function(f, e) return f(e.x, 2, -1) end,
   laid = function(f, e) return layouts.outcome(f, e.x, #e.shape, -1) end, layouts = "int16"},
  {"unsqueeze", function(f, e) return f(e.x, 2) end, layouts = "int16"},
  {"squeeze t", of_x, layouts = "int16"},
  {"transpose", function(f, e) return f(e.x, 2, 1) end,
   laid = function(f, e) return f(e.x, 1, #e.shape) end, layouts = "int16"},
  {"permute", function(f, e) return f(e.x, 2, 1) end,
   laid = function(f, e) return f(e.x, unpack({3, 2, 1}, 4 - #e.shape)) end, layouts = "int16"},
  {"unfold", function(f, e) return f(e.x, 2, 2, 1) end,
   laid = function(f, e) return layouts.outcome(f, e.x, #e.shape, 4, 3) end, layouts = "int16"},
  {"reshape", function(f, e) return f(e.x:t(), 6) end, form = "of a transpose",
   laid = function(f, e) return layouts.outcome(f, e.x, -1) end, layouts = WIDTHS},
  {"flatten", function(f, e) return f(e.x:t()) end, form = "of a transpose", laid = of_x,
   layouts = WIDTHS},

  {"cat stack", laid = function(f, e)
    local results = {}
    for d = 1, #e.shape do results[d] = f({e.x, e.y, e.x}, d) end
    return results
  end, layouts = "uint8 complex128"},
  {"cat", function(f, e) return f({e.x, e.x}, 2) end, large = function(x, n)
    return text_of(locus.cat({x, x[{{1, 3}}]})[n + 1], locus.stack({x, x})[2][n],
      locus.hstack({x, x})[n + 77], locus.vstack({x, x})[2][n]), "1, 5, 2, 5"
  end, alike = function(f, e) return f({e.x, e.y}, e.dim) end},
  {"stack", function(f, e) return f({e.y, {1, 2, 3}}) end,
   alike = function(f, e) return f({e.x, e.y}, e.random(3)) end},
  {"hstack", function(f, e) return f({e.x, e.x}) end, laid = of_three,
   layouts = "int16 complex128"},
  {"vstack", function(f, e) return f({e.y, {1, 2, 3}}) end, laid = of_three,
   layouts = "int16 complex128"},
  {"split", function(f, e) return f(e.x, 2, 2) end,
   laid = function(f, e) return f(e.x, 2, #e.shape) end, layouts = "int16"},
  {"split", function(f, e) return f(e.x, {2, 0, 1}, 2) end, form = "into sizes",
   large = function(x, n)
     local parts = x:chunk(2)
     return text_of(parts[2][n - parts[1]:size(1)], x:split(n - 1)[2], x:unfold(1, 3, 2):size(1),
       at(1):expand(n):sum()), text_of(5, 5, math.floor((n - 3) / 2) + 1, n)
   end},
  {"chunk", function(f, e) return f(e.x, 2, 2) end,
   laid = function(f, e) return f(e.x, 2, #e.shape) end, layouts = "int16"},
  {"unbind", function(f, e) return f(e.x, 2) end,
   laid = function(f, e) return f(e.x, #e.shape) end, layouts = "int16"},
  {"meshgrid", function(f, e) return f(e.y, e.seq, {indexing = "xy"}) end, laid = function(f, e)
    return f(e.x:flatten(), {1, 2}), f(e.x:select(1, 1):flatten(), {1, 2}, {indexing = "xy"})
  end, layouts = "int16"},

  {"flip", function(f, e) return f(e.x, 1, 2) end,
   laid = function(f, e) return f(e.x), f(e.x, 1), f(e.x, #e.shape) end, layouts = WIDTHS,
   large = function(x, n, marks)
     local flipped = x:flip(1)
     return text_of(flipped[{{1, 2}}], flipped[n], flipped[n + 1 - marks[4]]), "5 0, 1, 4"
   end, alike = function(f, e) return f(e.x, e.dim) end},
  {"flip", function(f, e) return f(e.x, 2, {out = e.full}) end, form = "into out",
   allocates = false},
  {"flip roll", laid = function(f, e) return f(e.x, 1, {out = e:fresh "x"}) end,
   layouts = "int16 complex128", writes = true},
  {"roll", function(f, e) return f(e.x, {1, -1}, {1, 2}) end,
   laid = function(f, e) return f(e.x, 3), f(e.x, {1, -2}, {1, #e.shape}) end, layouts = WIDTHS,
   large = function(x, n, marks)
     local rolled = x:roll(3)
     return text_of(rolled[{{1, 4}}], rolled[marks[4] + 3], x:roll(-76)[1]), text_of(
       text_of(x[{{n - 2, n}}]) .. " 1", 4, 2)
   end, alike = function(f, e) return f(e.x, e.random(-9, 9), e.dim) end},
  {"roll", function(f, e) return f(e.x:t(), 1) end, form = "of all"},
  {"roll", function(f, e) return f(e.x, 1, {out = locus.zeros(3, 2):t()}) end,
   form = "into strided out"},
  {"shift", function(f, e) return f(e.x, 1, {dim = 1}) end, laid = function(f, e)
    return f(e.x, 2, {fill = 1}), f(e.x, -1, {fill = 0, dim = 1})
  end, layouts = WIDTHS, large = function(x, n, marks)
    local shifted = x:shift(3, {fill = 7})
    return text_of(shifted[{{1, 4}}], shifted[marks[4] + 3], x:shift(-76, {fill = 7})[n]),
      text_of("7 7 7 1", 4, 7)
  end, alike = function(f, e) return f(e.x, e.random(-9, 9), {fill = 1, dim = e.dim}) end},
  {"shift", function(f, e) return f(e.x, -1, {fill = 3, out = locus.zeros(3, 2):t()}) end,
   form = "into strided out"},
  {"tile", function(f, e) return f(e.x, 2, 1, 2) end,
   laid = function(f, e) return f(e.x, 2), f(e.x, 2, 1, 3) end, layouts = WIDTHS,
   large = function(x, n) return x:tile(2)[2 * n], 5 end},
  {"repeat_interleave", function(f, e) return f(e.x, 2, 1) end, laid = function(f, e)
    local counts = (e.places % 3):flatten()
    return f(e.x, 2), f(e.x, 2, #e.shape), f(e.x, counts), layouts.outcome(f, e.x, {1, 3}, 1)
  end, layouts = WIDTHS, large = function(x, n) return x:repeat_interleave(2)[2 * n - 1], 5 end,
   alike = function(f, e) return f(e.x, e.random(3), e.dim) end},
  {"repeat_interleave", function(f, e) return f(e.x, e.y, 2) end, form = "by counts",
   large = function(x, n)
     return text_of(x:repeat_interleave(at(1):expand(n))[{{n - 1, n}}]), text_of(x[{{n - 1, n}}])
   end},
  {"repeat_interleave", function(f, e) return f(e.y) end, form = "of positions"},
  {"repeat_interleave", function(f, e) return f(e.x, {2, 1}, 1, {out = locus.zeros(0)}) end,
   form = "into out"},
  {"diff", function(f, e) return f(e.x, 2, 2) end, laid = function(f, e)
    return f(e.x, 1, 1), f(e.x), f(e.x, {prepend = e.y, append = 3, n = 2})
  end, layouts = "int16 float32", large = function(x, n)
    return text_of(x:diff()[n - 1], x:diff():ne(0):count_nonzero()), "5, 8"
  end, alike = function(f, e) return f(e.x, 1, e.dim) end},
  {"diff", function(f, e) return f(e.x) end, form = "of neighbours"},
  {"diff", function(f, e) return f(e.y, {n = 2, prepend = 0.5, append = {1, 2}}) end,
   form = "with both ends"},
  {"diff", function(f, e) return f(e.x, {prepend = 0, n = 2, out = locus.zeros(0)}) end,
   form = "into out"},
  {"slice", form = "with a step", large = function(x, n)
    return x[{{1, n, 2}}]:sum(), n % 2 == 1 and 8 or 3
  end},
  {"permute", form = "of two rows", large = function(x, n)
    local rows = x[{{1, n - n % 2}}]:view(2, -1)
    local turned = rows:t():contiguous()
    return text_of(turned[77][1], turned:sum(), rows:permute(2, 1):reshape(-1)[153]),
      text_of(2, rows:sum(), 2)
  end},
  {"repeat_interleave", runner = "repeats", device = function(f, e)
    local counts = e.i:remainder(4)
    return f(e.x, counts), f(counts)
  end},
}
