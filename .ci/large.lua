-- SPDX-License-Identifier: MIT
-- Ops on more elements than 32 bits count, for .ci/sizes: large(locus, edge) gives a table of
-- functions by name, and the one that makes texts of tensors; f(x, n, marks) gives what an op says
-- of x, and what it must. x has n elements of uint8, all of them 0 but the marks: 1 at the first of
-- these places, 2 at the next, to 5 at the end; f leaves it so. `edge` is where 32 bits end.
-- Ops that want more than 24 GB are not here: sort, randperm, shuffle_ and bernoulli take 10 to 16
-- bytes for each element.
return function(locus, edge)
  local ops = {}

  -- Tensors and numbers as text, in which every NaN is the same.
  local function text_of(...)
    local words = {}
    for i = 1, select("#", ...) do
      local t = select(i, ...)
      local elements = locus.is_tensor(t) and t:reshape(-1):totable() or {t}
      for k, element in ipairs(elements) do elements[k] = tostring(element) end
      words[i] = table.concat(elements, " ")
    end
    return (table.concat(words, ", "):gsub("%-nan", "nan"))
  end

  local function at(...) return locus.tensor({...}, {dtype = "int64"}) end

  -- -- Elementwise --------------------------------------------------------------------------------

  -- How many elements of a tensor are not that of one element, where NaN is NaN.
  local function differing(t, one)
    local same = one:isnan():any() and t:isnan() or t:eq(one)
    return t:numel() - same:count_nonzero()
  end

  -- What f says at a few places of whole operands, beside what it says of these elements alone; and
  -- how many others are not what it says of 0. All marks are at these places.
  local function beside(n, f, ...)
    local got, want, whole = {}, {}, f(...)
    local of_zero, others = whole[{{2, 2}}]:clone(), 0
    for i, place in ipairs {{1, 10}, {70, 80}, {edge / 2 - 5, edge / 2 + 4}, {n - 10, n}} do
      local few = {}
      for k = 1, select("#", ...) do
        local operand = select(k, ...)
        few[k] = locus.is_tensor(operand) and operand[{place}]:clone() or operand
      end
      local said = f(unpack(few))
      got[i], want[i] = text_of(whole[{place}]), text_of(said)
      others = others + differing(said, of_zero)
    end
    got[5], want[5] = text_of(differing(whole, of_zero)), text_of(others)
    return table.concat(got, "; "), table.concat(want, "; ")
  end

  local function each(names, label, f)
    for name in names:gmatch("%S+") do
      ops[name .. label] = function(x, n) return f(x[name], x, n) end
    end
  end

  -- An op that writes into its first operand, on a copy of that.
  local function copied(op) return function(t, ...) return op(t:clone(), ...) end end

  local WHOLE = "neg abs sign square bnot logical_not isnan isinf isfinite floor ceil round trunc "
  local REAL = [[frac reciprocal sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan
    sinh cosh tanh ]]
  local BOTH = [[add sub mul remainder fmod floor_divide pow minimum maximum band bor bxor lshift
    rshift logical_and logical_or logical_xor ]]
  each(WHOLE, "", function(f, x, n) return beside(n, f, x) end)
  each(REAL .. WHOLE:gsub("bnot", ""), " of float16", function(f, x, n)
    return beside(n, f, x:half())
  end)
  each(BOTH .. "lt le gt ge eq ne", "", function(f, x, n) return beside(n, f, x, x + 1) end)
  each(BOTH .. "lt le gt ge eq ne", " of a number", function(f, x, n) return beside(n, f, x, 3) end)
  each("div hypot atan2", " of float16", function(f, x, n)
    local half = x:half()
    return beside(n, f, half, half + 1)
  end)
  each("neg_ abs_ sign_ square_ bnot_ zero_", "",
    function(f, x, n) return beside(n, copied(f), x) end)
  each(BOTH:gsub("%s+", "_ "), "", function(f, x, n) return beside(n, copied(f), x, x + 1) end)
  each("clamp between", "", function(f, x, n) return beside(n, f, x, 1, 3) end)
  each("fill_", "", function(f, x, n) return beside(n, copied(f), x, 7) end)
  each("copy_", "", function(f, x, n) return beside(n, copied(f), x, x + 1) end)
  each("short half bfloat16 bool clone contiguous zeros_like ones_like", "", function(f, x, n)
    return beside(n, f, x)
  end)
  function ops.where(x, n) return beside(n, locus.where, x:ne(0), x, 7) end
  function ops.where_of_two(x, n) return beside(n, locus.where, x:ne(0), x, x + 1) end
  function ops.masked_fill(x, n) return beside(n, locus.masked_fill, x, x:eq(0), 9) end
  function ops.isin(x, n) return beside(n, locus.isin, x, {3, 5}) end
  function ops.equal(x) return text_of(x:equal(x:clone()), x:allclose(x + 0)), "true, true" end

  -- -- Reductions, scans and order ----------------------------------------------------------------

  function ops.count_nonzero(x) return x:count_nonzero(), 5 end
  function ops.sum(x) return text_of(x:sum(), (x + 1):prod()), "15, 720" end
  function ops.mean(x, n) return x:mean(), 15 / n end
  function ops.var(x, n)
    local var = (55 - 225 / n) / (n - 1)
    return math.abs(x:var() / var - 1) < 1e-6 and math.abs(x:std() / var ^ 0.5 - 1) < 1e-6, true
  end
  function ops.norm(x) return math.abs(x:norm() - 55 ^ 0.5) < 1e-9, true end
  function ops.logsumexp(x, n)
    local sum = n - 5
    for i = 1, 5 do sum = sum + math.exp(i) end
    return math.abs(x:float():logsumexp() - math.log(sum)) < 1e-5, true
  end
  function ops.extremes(x, n)
    return text_of(x:max(), x:min(), x:amax(1), x:amin(1), x:argmax(), x:argmin(), (x:max(1))),
      ("5, 0, 5, 0, %.0f, 2, 5"):format(n)
  end
  function ops.any_all(x) return text_of(x:any(), x:all(), (x + 1):all()), "true, false, true" end
  function ops.nan_reductions(x, n)
    local reals = x:float()
    reals[1] = locus.nan
    return text_of(reals:nansum(), reals:nanmin(), reals:nanmax(), reals:sum() ~= reals:sum(),
      math.abs(reals:nanmean() * (n - 1) - 14) < 1e-5), "14, 0, 5, true, true"
  end
  function ops.columns(x, n) return x[{{2, n}}]:view(-1, 1):sum(1)[1], 14 end
  function ops.two_rows(x, n)
    local rows = x[{{1, n - n % 2}}]:view(2, -1)
    return text_of(rows:sum(1):sum(), rows:sum(2)[1]),
      text_of(x[{{1, n - n % 2}}]:sum(), 3 + (rows:size(2) >= edge / 2 and 3 or 0))
  end
  function ops.cumsum(x, n)
    local last = x[{{n - 9, n}}]
    return text_of(x:cumsum(1)[{{n - 9, n}}]), text_of(last:cumsum(1) + (15 - last:sum()))
  end
  function ops.cumprod(x, n) return (x + 1):cumprod(1)[n], 720 end
  function ops.cummax(x, n)
    local most, places = x:cummax(1)
    return text_of(most[n - 1], most[n], places[n]), ("4, 5, %.0f"):format(n)
  end
  function ops.cummin(x, n)
    local least, places = x:cummin(1)
    return text_of(least[1], least[n], places[n]), ("1, 0, %.0f"):format(n - 1)
  end
  function ops.diff(x, n)
    return text_of(x:diff()[n - 1], x:diff():ne(0):count_nonzero()), "5, 8"
  end
  function ops.selection(x, n)
    return text_of(x:kthvalue(n - 2), (x:topk(3)), x:median(),
      x:quantile(1, {interpolation = "lower"}), x:is_sorted()), ("3, 5 4 3, 0, 5, false"):format(n)
  end
  function ops.unique(x, n)
    local values, counts, first = x:unique({return_counts = true, return_index = true})
    return text_of(values, counts, first[2]), ("0 1 2 3 4 5, %.0f 1 1 1 1 1, 1"):format(n - 5)
  end
  function ops.unique_consecutive(x) return text_of(x:unique_consecutive()), "1 0 2 0 3 0 4 0 5" end
  function ops.rle(x, _, marks)
    local starts = x:rle()
    return text_of(#starts, starts[2], starts[9]), text_of(9, 2, marks[5])
  end
  function ops.intersect(x) return text_of(x:intersect {3, 9}), "3" end
  function ops.union(x)
    return text_of(x:union(locus.tensor({9}, {dtype = "uint8"}))), "0 1 2 3 4 5 9"
  end
  function ops.setdiff(x) return text_of(x:setdiff {0, 5}), "1 2 3 4" end
  function ops.setxor(x) return text_of(x:setxor {0, 9}), "1 2 3 4 5 9" end
  function ops.bincount(x, n)
    return text_of(x:bincount(nil, 0, {base = 0})), ("%.0f 1 1 1 1 1"):format(n - 5)
  end
  function ops.histogram(x, n)
    return text_of((x:histogram({0, 1, 6}))), ("%.0f 5"):format(n - 5)
  end

  -- -- Masks, positions and searches --------------------------------------------------------------

  function ops.nonzero(x, _, marks)
    local text = table.concat(marks, " ")
    return text_of(x:nonzero(), x:argwhere(), (locus.where(x)), x:nonzero_static({size = 6})),
      ("%s, %s, %s, %s 0"):format(text, text, text, text)
  end
  function ops.masked_select(x, n)
    return text_of(x[x:gt(2)], x:masked_select(x:eq(0)):numel()), text_of("3 4 5", n - 5)
  end
  function ops.written_by_mask(x, n)
    x[x:gt(3)] = 9
    local got = text_of(x[n], x:sum())
    x[n], x[edge - 8] = 5, 4
    return got, "9, 24"
  end
  function ops.taken(x, _, marks)
    local index = locus.tensor(marks, {dtype = "int64"})
    return text_of(x[index], x:index_select(1, index), x:gather(1, index),
      x:take_along_dim(index, 1)), "1 2 3 4 5, 1 2 3 4 5, 1 2 3 4 5, 1 2 3 4 5"
  end
  function ops.put(x, n)
    local index, nine = at(n, edge - 8), locus.tensor({9, 9}, {dtype = "uint8"})
    local copy = x:clone()
    copy[index] = 9
    local got = {copy[n] + copy[edge - 8]}
    for _, put in ipairs {function() copy:put_(index, nine) end,
      function() copy:scatter_(1, index, nine) end,
      function() copy:scatter_add_(1, index, nine) end,
      function() copy:index_add_(1, index, nine) end,
      function() copy:scatter_reduce_(1, index, nine, "amax") end} do
      put()
      got[#got + 1] = copy[n] + copy[edge - 8]
    end
    return table.concat(got, " "), "18 18 18 36 54 54"
  end
  function ops.found(x, n)
    local bins = locus.tensor({1, 3, 5}, {dtype = "uint8"})
    local search = {out_int32 = true}
    return text_of(bins:searchsorted(x, search)[n], x:bucketize(bins, search)[n],
      x:digitize(bins, false, search)[n], bins:searchsorted(x, search):sum()),
      text_of(3, 3, 4, (n - 5) + 1 + 2 + 2 + 3 + 3)
  end
  function ops.segment_reduce(x, n)
    return text_of(x:segment_reduce("sum", {lengths = at(77, n - 77)}),
      x:segment_reduce("max", {lengths = at(n - 1, 1)})), "3 12, 4 5"
  end
  function ops.segment(x, n)
    return text_of(x:segment(x + 1, "count"), x:segment(x + 1, "sum")),
      ("%.0f 1 1 1 1 1, 0 1 2 3 4 5"):format(n - 5)
  end

  -- -- Shape --------------------------------------------------------------------------------------

  function ops.stepped(x, n) return x[{{1, n, 2}}]:sum(), n % 2 == 1 and 8 or 3 end
  function ops.flip(x, n)
    local flipped = x:flip(1)
    return text_of(flipped[{{1, 2}}], flipped[n], flipped[9 + n - edge]), "5 0, 1, 4"
  end
  function ops.roll(x, n)
    local rolled = x:roll(3)
    return text_of(rolled[{{1, 4}}], rolled[edge - 5], x:roll(-76)[1]), text_of(
      text_of(x[{{n - 2, n}}]) .. " 1", 4, 2)
  end
  function ops.joined(x, n)
    return text_of(locus.cat({x, x[{{1, 3}}]})[n + 1], locus.stack({x, x})[2][n],
      locus.hstack({x, x})[n + 77], locus.vstack({x, x})[2][n]), "1, 5, 2, 5"
  end
  function ops.tile(x, n) return x:tile(2)[2 * n], 5 end
  function ops.repeat_interleave(x, n) return x:repeat_interleave(2)[2 * n - 1], 5 end
  function ops.repeat_interleave_of_counts(x, n)
    return text_of(x:repeat_interleave(at(1):expand(n))[{{n - 1, n}}]), text_of(x[{{n - 1, n}}])
  end
  function ops.turned(x, n)
    local rows = x[{{1, n - n % 2}}]:view(2, -1)
    local turned = rows:t():contiguous()
    return text_of(turned[77][1], turned:sum(), rows:permute(2, 1):reshape(-1)[153]),
      text_of(2, rows:sum(), 2)
  end
  function ops.parts(x, n)
    local parts = x:chunk(2)
    return text_of(parts[2][n - parts[1]:size(1)], x:split(n - 1)[2], x:unfold(1, 3, 2):size(1),
      at(1):expand(n):sum()), text_of(5, 5, math.floor((n - 3) / 2) + 1, n)
  end

  -- -- Making, chance and files -------------------------------------------------------------------

  function ops.made(_, n)
    local half = {dtype = "float16"}
    return text_of(locus.full(n, 3, {dtype = "uint8"})[n], locus.ones(n, half)[n],
      locus.linspace(0, 1, n, half)[n], locus.arange(1, n + 1)[n]), ("3, 1, 1, %.0f"):format(n)
  end
  function ops.chance(_, n)
    local least = 0.9 * n
    local die = locus.randint(0, 6, n, {dtype = "uint8"})
    local reals = locus.rand(n, {dtype = "float16"})
    return text_of(die[{{edge - 9, n}}]:max() < 6, die:sum() > 2.5 * least,
      reals:sum({dtype = "float64"}) > 0.5 * least), "true, true, true"
  end
  function ops.saved(x, n)
    local path = os.tmpname()
    x:save(path)
    local back = locus.load(path)
    os.remove(path)
    return text_of(back:size(1), back:equal(x)), text_of(n, true)
  end
  function ops.printed(x) return tostring(x):find("uint8", 1, true) ~= nil, true end
  return ops, text_of
end
