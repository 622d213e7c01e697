-- SPDX-License-Identifier: MIT
-- Calls of the three and their family, and of what is asked of a search.
local layouts = require "spec.support.data.layouts"
local locus = require "locus"
local large = require "spec.ops.large"

local beside, text_of = large.beside, large.text_of

local WIDTHS = "uint8 int16 float32 int64 complex128"

local DIRECTIONS = {"backward", "forward", "nearest"}

local function of_x(f, e) return f(e.x) end
local function ascending(e) return (e.sorted:flatten():sort()) end

return {
  {"searchsorted", function(f, e) return f(e.seq, e.x) end, laid = function(f, e)
    return f(e.sorted, e.x), f(e.sorted, 7), f(e.sorted, e.x, {sorter = e.sorter, side = "both"})
  end, layouts = "float32 int16", large = function(x, n)
    local bins = locus.tensor({1, 3, 5}, {dtype = "uint8"})
    local search = {out_int32 = true}
    return text_of(bins:searchsorted(x, search)[n], x:bucketize(bins, search)[n],
      x:digitize(bins, false, search)[n], bins:searchsorted(x, search):sum()),
      text_of(3, 3, 4, (n - 5) + 1 + 2 + 2 + 3 + 3)
  end},
  {"searchsorted", function(f, e) return f(e.seq, e.y) end, form = "of mixed dtypes",
   laid = function(f, e) return f(ascending(e), e.x) end, layouts = "float64"},
  {"searchsorted", function(f, e) return f(e.seq, e.x, {side = "both", out = {e.left, e.out}}) end,
   form = "both sides"},
  {"searchsorted", function(f, e)
    return f(e.seq, e.x, {sorter = {1, 2, 3, 4}, check = true})
  end, form = "with a sorter", laid = function(f, e) return f(e.sorted, e.x, {check = true}) end,
   layouts = "float32"},
  {"search_index", function(f, e) return f(e.seq, {sorter = {4, 3, 2, 1}}) end,
   laid = function(f, e) return f(e.sorted, {sorter = e.sorter}):searchsorted(e.x) end,
   layouts = "float32", alike = function(f, e)
     return f((e.flat:sort())):searchsorted(e.y, {side = "both"})
   end},
  {"search_index", function(f, e)
    return f(e.seq:cpu(), {paged = true}):searchsorted(e.x:cpu(), {side = "both"})
  end, form = "paged"},
  {"search_index", function(f, e) return f(e.seq):searchsorted(e.x) end, form = "asked"},
  {"bucketize", function(f, e) return f(e.x, e.seq, {right = true}) end,
   laid = function(f, e) return f(e.x, ascending(e)) end, layouts = "float64"},
  {"nonzero", of_x, layouts = WIDTHS, large = function(x, _, marks)
    local text = table.concat(marks, " ")
    return text_of(x:nonzero(), x:argwhere(), (locus.where(x)), x:nonzero_static({size = 6})),
      ("%s, %s, %s, %s 0"):format(text, text, text, text)
  end},
  {"where", function(f, e) return f(e.mask) end, form = "of a condition", laid = of_x,
   layouts = WIDTHS},
  {"nonzero", function(f, e) return f(e.x, {out = e.out}) end, form = "into out"},
  {"nonzero", function(f, e) return f(e.x, {as_tuple = true}) end, form = "as a tuple",
   layouts = "float32"},
  {"nonzero", of_x, form = "of many elements", on = "many"},
  {"argwhere", of_x, layouts = WIDTHS, alike = of_x},
  {"count_nonzero", laid = of_x, layouts = WIDTHS},
  {"nonzero_static", function(f, e) return f(e.x, {size = 4}) end,
   laid = function(f, e) return f(e.x, {size = 20}) end, layouts = WIDTHS,
   alike = function(f, e) return f(e.x, {size = e.random(20)}) end},
  {"nonzero_static", function(f, e) return f(e.x, {size = 4}) end, form = "of many elements",
   on = "many"},
  {"masked_select", function(f, e) return f(e.x, e.mask) end,
   laid = function(f, e) return f(e.x, e.mask), f(e.x, e.other_mask) end, layouts = WIDTHS,
   large = function(x, n)
     return text_of(x[x:gt(2)], x:masked_select(x:eq(0)):numel()), text_of("3 4 5", n - 5)
   end},
  {"masked_select", function(f, e) return f(e.x, e.mask) end, form = "of many elements",
   on = "many"},
  {"masked_fill", function(f, e) return f(e.x, e.mask, 0) end,
   laid = function(f, e) return f(e.x, e.other_mask, 5) end, layouts = "float32",
   large = function(x, _, marks) return beside(marks, locus.masked_fill, x, x:eq(0), 9) end},
  {"masked_fill_", function(f, e) return f(e:fresh "x", e.mask, 0) end, allocates = false,
   laid = function(f, e) return f(e:fresh "x", e.other_mask, 5) end, layouts = "float32",
   writes = true},
  {"where", function(f, e) return f(e.mask, e.x, e.y) end,
   laid = function(f, e) return f(e.mask, e.x, e.y), f(e.other_mask, e.x, 0) end, layouts = WIDTHS,
   large = function(x, _, marks) return beside(marks, locus.where, x:ne(0), x, x + 1) end},
  {"where", function(f, e) return f(e.mask, e.x, 0, {out = e.full}) end, form = "into out",
   allocates = false,
   laid = function(f, e) return f(e.other_mask, e.y, e.x, {out = e:fresh "x"}) end,
   layouts = WIDTHS, writes = true},

  {"histogram", function(f, e)
    return f(e.x, 3), f(e.x, {1, 3, 5}, {weight = e.x, density = true})
  end, laid = function(f, e)
    return f(e.x, {1, 3, 5, 19}), f(e.x, 7), f(e.x, 7, {weight = e.y})
  end, layouts = "float32 int64", large = function(x, n)
    return text_of((x:histogram({0, 1, 6}))), ("%.0f 5"):format(n - 5)
  end, alike = function(f, e) return f(e.plain, e.random(20)) end},
  {"histogram", function(f, e)
    return f(e.index, locus.tensor({-2, 2 ^ 60}, {dtype = "int64"}))
  end, form = "of int64"},
  {"histc", function(f, e) return f(e.x, 3, 0, 4, {out = locus.zeros(0)}) end,
   laid = function(f, e) return f(e.x, 5) end, layouts = "float32 int16",
   alike = function(f, e) return f(e.plain, e.random(20)) end},
  {"between", function(f, e) return f(e.x, 2, e.y, {inclusive = "left"}) end,
   laid = function(f, e) return f(e.x, e.y, 5) end, layouts = "float32 int64",
   large = function(x, _, marks) return beside(marks, locus.between, x, 1, 3) end,
   alike = function(f, e) return f(e.x, e.y, e.x) end},
  {"digitize", function(f, e) return f(e.x, e.seq), f(e.x, {5, 2}) end, laid = function(f, e)
    return f(e.x, ascending(e)), f(e.x, {5, 3, 2}, true)
  end, layouts = "float32 int16", alike = function(f, e) return f(e.x, {1, 3, 5}) end},
  {"interp", function(f, e)
    return f(e.x, e.seq, e.seq, {right = 0}), f(e.x, {1, 3}, {locus.inf, 4}, {period = 4})
  end, laid = function(f, e)
    local points = e.sorted:flatten():unique()
    return layouts.outcome(f, e.x, points, points * 2)
  end, layouts = "float32 int16",
   alike = function(f, e) return f(e.plain, {1, 2, 5}, {0.5, 7, -1}) end},
  {"asof", function(f, e) return f(e.seq, e.y, {direction = "nearest", tolerance = 1}) end,
   laid = function(f, e)
     local sequence, values = e.sorted:flatten():sort(), e.x:flatten():sort()
     return f(sequence, values), f(sequence, values, {direction = "nearest", tolerance = 1})
   end, layouts = "float32 int16", alike = function(f, e)
     return f((e.flat:sort()), (e.y:reshape(-1):sort()), {direction = e.pick(DIRECTIONS)})
   end},
  {"asof", function(f, e)
    local by = {locus.strings{"a", "b", "a", "b"}, locus.strings{"b", "c", "a"}}
    return f(e.seq, e.y, {by = by})
  end, form = "by strings"},
  {"asof", function(f, e) return f(e.seq, {5, 3, 1}, {by = {e.seq, e.y}}) end,
   form = "by keys, out of order"},
  {"overlaps", function(f, e) return f(e.seq, e.seq + 1, e.y) end, answers = "overlaps_spec",
   laid = function(f, e)
     local starts = e.sorted:flatten():unique()
     return f(starts, starts, e.x:flatten())
   end, layouts = "float32 int16"},
  {"overlaps", function(f, e) return f(e.seq, e.seq + 1, e.y, e.y + 1) end, form = "of ranges"},
  {"interval_lookup", function(f, e) return f(e.seq, e.seq + 1, e.y) end, laid = function(f, e)
    local starts = e.sorted:flatten():unique()
    return f(starts, starts, e.x)
  end, layouts = "float32 int16", alike = function(f, e)
    local starts = e.flat:unique()
    return f(starts, starts, e.y)
  end},

  {"between", runner = "between", device = function(f, e)
    return f(e.x, 2, 5), f(e.i, e.x, 9, {inclusive = "left"}), f(e.x, 3, e.i + 1)
  end},
  {"where", runner = "where", device = function(f, e)
    local even, few, y, z = e.x:remainder(2):eq(0), e.x:lt(2), e:matrix(40), e.bytes
    return f(even, e.x, -e.x), f(few, e.x, 0.5), f(even, z, e.x), f(few, z, z + 1),
      f(y:lt(9), y, y[1]), f(y:t():lt(9), y:t(), 1)
  end},
  {"searchsorted", runner = "searchsorted", device = function(f, e)
    local keys, values, rows = e.sorted, e.x * 0.5, e:matrix(60)
    return f(keys, values), f(keys:to("int64"), values, {right = true}),
      f((rows:sort(2)), rows * 0.75), f(keys, values, {out_int32 = true}),
      f(keys:narrow(1, 1, math.min(e.n, 900)), values), f(keys, {3, 5}),
      f(e.x, keys, {sorter = e.order}), f(keys, keys, {side = "both"})
  end},
  {"search_index", runner = "search_index", device = function(f, e)
    -- More keys than a cache holds, and enough values to make it worth a tree.
    local values = e:mixed(math.max(e.n, math.ceil(e.most / 200))) * 1.5
    local keys = locus.arange(e.most, {device = e.device}):to("float32")
    return keys:searchsorted(values), f(keys):searchsorted(values)
  end},
  {"searchsorted", form = "one number", runner = "lookup", device = function(f, e)
    return f(e.sorted, e.n / 3), f(e.sorted, -1)
  end},
  {"searchsorted", form = "checked", runner = "unsorted", device = function(f, e)
    return f(e.sorted, {1}, {check = true})
  end},
  {"asof", runner = "asof", device = function(f, e)
    local times, by = e.row, {e.x:remainder(7), e.x:remainder(9)}
    local asked = (e.i * 2):sort(1)
    return f(times, asked), f(times, asked, {by = by}),
      f(times, asked, {by = by, direction = "forward", inclusive = false})
  end},
  {"asof", form = "the nearest", runner = "nearest", device = function(f, e)
    local times, by = e.row, {e.x:remainder(7), e.x:remainder(9)}
    local asked = (e.i * 2):sort(1)
    return f(times, asked, {direction = "nearest"}),
      f(times:double(), asked, {direction = "nearest", tolerance = 1.5, by = by})
  end},
  {"nonzero", form = "of masks", runner = "mask", device = function(f, e)
    return f(e.x:gt(2)), f(e:matrix(11):t():gt(3)), e.x:masked_select(e.x:gt(2))
  end},
  {"count_nonzero", runner = "count_nonzero", device = function(f, e)
    return f(e.x), f(e:matrix(13), 1), f(e.x:gt(1))
  end},
  {"nonzero", runner = "nonzero", device = function(f, e)
    local y = e:matrix(11)
    local rows, columns = f(y, {as_tuple = true})
    return f(e.x), f(y), f(e.x:bool()), rows, columns, e.x:nonzero_static {size = 5}
  end},
  {"masked_select", runner = "masked_select", device = function(f, e)
    return f(e.x, e.x:gt(2)), f(e.bytes, e.bytes:lt(2)), e.x[e.x:remainder(3):eq(0)]
  end},
  {"histogram", runner = "histogram", device = function(f, e)
    return f(e.x, 7), f(e.x, {1, 3, 5}, {weight = e.x:remainder(3)})
  end},
}
