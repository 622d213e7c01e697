-- SPDX-License-Identifier: MIT
-- Every error is one sentence at the caller's line that names the function, whatever is called with
-- whatever; and the table of errors that PyTorch documents or tests, in our words.
local locus = require "locus"
local core = require "locus.core"
local calls = require("spec.ops").calls
local objects = require "spec.support.calls.objects"

local function here() return debug.getinfo(2, "l").currentline end

-- The functions that any values suit, or that take none.
local anything = {
  is_tensor = true, instruction_sets = true, live_bytes = true, get_default_dtype = true,
  fail_allocation = true, get_num_threads = true, why_denormals_are_zero = true,
}

-- The name that an error gives: a typed constructor's, an alias's original.
local said = {nElement = "numel", nDimension = "dim", isContiguous = "is_contiguous"}

local function functions()
  local list = {}
  for name, value in pairs(locus) do
    if type(value) == "function" and not anything[name] then
      list[#list + 1] = {name = name, call = value}
    end
  end
  for _, part in ipairs{"memory", "cuda"} do
    for name, value in pairs(locus[part]) do
      list[#list + 1] = {name = part .. "." .. name, call = value}
    end
  end
  for name, value in pairs(core.methods) do
    if not rawget(locus, name) then list[#list + 1] = {name = name, call = value} end
  end
  for _, object in ipairs(objects) do
    for name, value in pairs(object.methods) do list[#list + 1] = {name = name, call = value} end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- The fault of the error of a call made on that line; nil if there is none.
local function fault(entry, line, ok, message)
  if ok then return entry.name .. " raised nothing" end
  local prefix = "spec/calls/errors_spec.lua:" .. line .. ": "
  local text = type(message) == "string" and message or type(message)
  if text:sub(1, #prefix) ~= prefix then
    return entry.name .. " raised elsewhere: " .. text
  end
  local sentence = text:gsub("^.-:%d+: ", "")
  if not sentence:find((said[entry.name] or entry.name) .. ": ", 1, true) then
    return entry.name .. " does not say its name: " .. sentence
  end
  if sentence:find("\n", 1, true) or #sentence > 300 then
    return entry.name .. " says more than a sentence: " .. sentence
  end
end

describe("every function", function()
  local x = locus.tensor({1, 2, 3})
  local cases = {
    ["nothing"] = function(f) f() end,
    ["a string"] = function(f) f("abc", "def", "ghi") end,
    ["a function"] = function(f) f(print) end,
    ["a foreign userdata"] = function(f) f(io.stdout, io.stdout) end,
    ["a coroutine"] = function(f) f(coroutine.create(print), x) end,
    ["an unknown name"] = function(f) f(x, {no_such_argument = 1}) end,
    ["an unknown name alone"] = function(f) f{no_such_argument = 1} end,
    ["a table with a gap"] = function(f) f({1, nil, 3}, {1, nil, 3}) end,
    ["a table of strings"] = function(f) f({"a"}, {"b"}) end,
    ["too many arguments"] = function(f) f(x, x, x, x, x, x, x, x, x) end,
  }
  -- A typed constructor then gives no elements, as in Torch7.
  local function suits_nothing(name)
    return name:find("Tensor$") or name:find("^cuda[.]") or name == "memory.stats" or
      name == "memory.trim" or name == "get_default_device" or name:find("_printoptions$") or
      name == "generator" or name == "get_rng_state" or name == "help" or name == "sketch" or
      name:find("seed$") and name ~= "manual_seed"
  end
  for what, case in pairs(cases) do
    it("answers " .. what .. " with one sentence at the caller's line", function()
      local faults = {}
      local line = debug.getinfo(case, "S").linedefined
      for _, entry in ipairs(functions()) do
        local suits = what == "nothing" and suits_nothing(entry.name)
          or what == "a function" and (entry.name == "tidy" or entry.name == "read_json")
          or what == "too many arguments" and entry.name == "meshgrid"
        if not suits then
          faults[#faults + 1] = fault(entry, line, pcall(case, entry.call))
        end
      end
      assert.same({}, faults)
    end)
  end

  it("knows a freed tensor", function()
    local y = locus.tensor({1, 2})
    getmetatable(y).__gc(y)
    local faults = {}
    for _, entry in ipairs(functions()) do
      local ok, message = pcall(entry.call, y, y, y)
      if not ok and not tostring(message):find(": ", 1, true) then faults[#faults + 1] = message end
    end
    assert.same({}, faults)
    assert.error_matches(function() y:sum() end, "'input' has been freed", 1, true)
    local other = locus.tensor({2, 1})
    assert.error_matches(function() other:add(1, {out = y}) end, "'out' has been freed", 1, true)
    assert.error_matches(function() other:sort{out = {y, y}} end, "it has a freed tensor", 1, true)
    getmetatable(y).__gc(y)
    assert.has_error(function() return y[1] end)
  end)

  it("knows a freed tensor that another is to be like", function()
    local gone = locus.tensor {1, 2}
    gone:free()
    assert.error_matches(function() x:to(gone) end, "to: 'target' has been freed by free", 1, true)
    for _, name in ipairs {"view_as", "expand_as"} do
      assert.error_matches(function() x[name](x, gone) end,
        name .. ": 'other' has been freed by free", 1, true)
    end
  end)

  it("knows a freed tensor beside `out`", function()
    local q, out, gone = locus.tensor {0.5}, locus.zeros(0), locus.tensor {1, 2}
    gone:free()
    for sentence, f in pairs {
      ["scatter: 'src' has been freed by free"] = function() x:scatter(1, {1}, gone, {out = q}) end,
      ["scatter: 'index' has been freed by free"] = function() x:scatter(1, gone, x, {out = q}) end,
      ["put: 'source' has been freed by free"] = function() x:put({1}, gone, {out = q}) end,
      ["index_add: 'source' has been freed by free"] = function()
        x:index_add(1, {1}, gone, {out = q})
      end,
      ["quantile: 'q' has been freed by free"] = function() x:quantile(gone, {out = out}) end,
      ["choice: 'p' has been freed by free"] = function() x:choice({1}, {p = gone, out = out}) end,
      ["interp: 'xp' has been freed by free"] = function() x:interp(gone, x, {out = out}) end,
    } do
      assert.error_matches(f, sentence, 1, true)
    end
  end)

  -- Frees a tensor, or the ids of a string column.
  local function free(value)
    local tensor = locus.is_tensor(value) and value or value.ids
    getmetatable(tensor).__gc(tensor)
  end

  -- The fault of a call of spec/ops, one of whose inputs has been freed: none if it does not read
  -- that one, or says that it is freed.
  local function fault_of_freed(entry, freed)
    local inputs, used = entry.make(locus), false
    local seen = setmetatable({}, {__index = function(_, name)
      used = used or name == freed
      return inputs[name]
    end})
    free(inputs[freed])
    local ok, message = pcall(entry.call, locus, seen)
    if ok == used or not ok and not message:find("freed", 1, true) then
      return ("%s, '%s' freed: %s"):format(entry.name, freed, tostring(message))
    end
  end

  it("refuses each freed tensor that it reads", function()
    local faults = {}
    for _, entry in ipairs(calls) do
      for name in pairs(entry.make(locus)) do
        faults[#faults + 1] = fault_of_freed(entry, name)
      end
    end
    assert.same({}, faults)
  end)
end)

describe("an error", function()
  it("stands at the caller's line through wrappers, metamethods and coroutines", function()
    local x = locus.tensor({1, 2, 3})
    local function wrapper(...) local r = x:sum(...) return r end
    local where = debug.getinfo(wrapper, "S").linedefined
    local _, message = pcall(wrapper, 7)
    assert.matches("errors_spec.lua:" .. where .. ": sum: ", message, 1, true)
    local line = here() + 1
    _, message = pcall(function() local y = x + {1, 2} return y end)
    assert.matches("errors_spec.lua:" .. line .. ": add: ", message, 1, true)
    line = here() + 1
    _, message = pcall(function() local y = x[9] return y end)
    assert.matches("errors_spec.lua:" .. line .. ": ", message, 1, true)
    line = here() + 1
    _, message = pcall(function() x[{{1, 9}}] = 3 end)
    assert.matches("errors_spec.lua:" .. line .. ": ", message, 1, true)
    line = here() + 1
    _, message = pcall(function() local y = x.sizes return y end)
    assert.matches("errors_spec.lua:" .. line .. ": ", message, 1, true)
    line = here() + 1
    local co = coroutine.create(function() local r = x:sum(7) return r end)
    _, message = coroutine.resume(co)
    assert.matches("errors_spec.lua:" .. line .. ": sum: ", message, 1, true)
  end)

  it("names what a function of the caller called, though it returned that at once", function()
    local x = locus.tensor {1, 2}
    local function ill() return x:sum(7) end
    local f = locus.frame {{"a", {1, 2}}}
    for name, call in pairs {
      tidy = function() locus.tidy(ill) end,
      ["tidy itself"] = function() locus.tidy(locus.sum, x, 7) end,
      map = function() locus.strings {"a"}:map(ill) end,
      each = function() f:group "a":each(ill) end,
      formats = function() f:write_csv("/dev/null", {formats = {a = ill}}) end,
      source = function() locus.read_csv(ill) end,
      progress = function() locus.read_csv({text = "a\n1\n"}, {progress = ill}) end,
    } do
      local _, message = pcall(call)
      assert.matches("^" .. name .. ": spec/calls/errors_spec.lua:%d+: sum: 'dim' must be in 1..1",
        name .. ": " .. tostring(message))
    end
    assert.error_matches(function() locus.tidy(7) end, "tidy: 'f' must be a function", 1, true)
  end)

  it("stands alone when no Lua called", function()
    local _, message = pcall(locus.nonzero)
    assert.matches("^spec/calls/errors_spec.lua:%d+: nonzero: 'input' is missing$", message)
  end)
end)

-- Each row: the sentence, and what raises it.
local x = locus.tensor({{1, 3, 5}, {2, 4, 6}})
local row = locus.tensor({1, 3, 5})
local long = locus.LongTensor
local rows = {
  {"searchsorted: 'side' must be", function() row:searchsorted(1, {side = "middle"}) end},
  {"searchsorted: 'side' ", function() row:searchsorted(1, {side = "left", right = true}) end},
  {"searchsorted: 'sorter' must be ", function() x:searchsorted(x, {sorter = long(3, 2)}) end},
  {"searchsorted: 'sorter' must be ", function() row:searchsorted(1, {sorter = row}) end},
  {"searchsorted: 'sorter' holds 4 at [2]", function()
    row:searchsorted(1, {sorter = {1, 4, 2}})
  end},
  {"searchsorted: 'sorter' holds -1 at [1]", function()
    row:searchsorted(1, {sorter = {-1, 2, 2}})
  end},
  {"searchsorted: 'sorter' holds 3 at [2], outside 0..2", function()
    row:searchsorted(1, {sorter = {0, 1, 3}, base = 0})
  end},
  {"searchsorted: ", function() x:searchsorted(1) end},
  {"searchsorted: ", function() x:searchsorted({1, 2}) end},
  {"searchsorted: ", function() locus.tensor(1):searchsorted({1, 2}) end},
  {"searchsorted: 'out' must be int64, got int32", function()
    row:searchsorted({1}, {out = locus.IntTensor(1)})
  end},
  {"searchsorted: 'out' must be int32, got int64", function()
    row:searchsorted({1}, {out = long(1), out_int32 = true})
  end},
  {"searchsorted: 'out' must be of size 1, got 2", function()
    row:searchsorted({1}, {out = long(2)})
  end},
  {"searchsorted: ", function() row:to("complex64"):searchsorted({1}) end},
  {"searchsorted: ", function() row:searchsorted(row:to("complex64")) end},
  {"searchsorted: ", function()
    locus.zeros(1):expand(2 ^ 31 - 1):searchsorted({1}, {out_int32 = true})
  end},
  {"searchsorted: 'out' overlaps 'values' in memory", function()
    local v = long{1, 2}
    row:searchsorted(v, {out = v})
  end},
  {"searchsorted: 'out' overlaps 'sorted_sequence' in memory", function()
    local s = long{1, 2}
    s:searchsorted({1, 2}, {out = s})
  end},
  {"bucketize: 'boundaries' must be of one dimension", function() row:bucketize(x) end},
  {"nonzero: 'out' must be int64", function() x:nonzero{out = row} end},
  {"nonzero: 'out' cannot be given with as_tuple", function()
    x:nonzero{out = long(1), as_tuple = true}
  end},
  {"nonzero_static: 'size' must not be negative", function() x:nonzero_static{size = -3} end},
  {"count_nonzero: 'dim' must be in 1..2 or -2..-1, got 3", function() x:count_nonzero(3) end},
  {"count_nonzero: 'dim' names a dimension twice", function() x:count_nonzero{dim = {1, -2}} end},
  {"where: 'condition' must be bool", function() row:where(1, 2) end},
  {"where: 'x' is 300, which uint8 cannot hold", function()
    row:gt(1):where(300, row:byte())
  end},
  {"where: 'y' of size 2 does not broadcast with size 3", function()
    row:gt(1):where(row, {1, 2})
  end},
  {"where: 'out' must be float64", function() row:gt(1):where(1, 2, {out = long(3)}) end},
  {"masked_select: 'mask' must be bool", function() row:masked_select(row:byte()) end},
  {"'mask' is the Lua boolean false; == compares identity, write x:eq(3)", function()
    row:masked_select(row == 3)
  end},
  {"zeros: a float64 tensor of size", function() locus.zeros(2 ^ 40, 2 ^ 40) end},
  {"has more than 32 dimensions", function()
    local sizes = {}
    for d = 1, 33 do sizes[d] = 1 end
    locus.zeros(sizes)
  end},
  {"more than 32 d", function()
    local t = locus.zeros(1)
    for _ = 1, 32 do t = t:unsqueeze(1) end
  end},
  {"'data' has a gap at [2]; write locus.nan for a missing number", function()
    locus.tensor({1, nil, 3})
  end},
  {"is not rectangular", function() locus.tensor({{1, 2}, {3}}) end},
  {"tensor: 'data' is 300, which uint8 cannot hold, at [2]", function()
    locus.tensor({1, 300}, {dtype = "uint8"})
  end},
  {"to: 'input' holds 300 at [2], which uint8 cannot hold", function()
    locus.tensor({1, 300}):to("uint8")
  end},
  {"byte: 'input' holds nan at [1], which uint8 cannot hold", function()
    locus.tensor({locus.nan, 300}):byte()
  end},
  {"full: 'fill_value' is -1, which uint8 cannot hold", function()
    locus.full({2}, -1, {dtype = "uint8"})
  end},
  {"remainder: ", function() long{1, 2}:remainder(long{1, 0}) end},
  {"pow: ", function() long{1, 2}:pow(-1) end},
  {"min: 'input' has no elements", function() locus.zeros(0):min() end},
  {"'dtype' must be one of bool uint8", function() locus.zeros(2, {dtype = "float"}) end},
  {"'device' must be \"cpu\", \"cuda\" or", function() locus.zeros(2, {device = "gpu"}) end},
  {"out of memory (wanted ", function() locus.empty(2 ^ 55, {device = "cpu"}) end},
  {"< and > compare whole values; write x:lt(y)", function() return x < row end},
  {"locus has no 'FloatStorage'", function() return locus.FloatStorage end},
  {"a tensor has no 'cmul'", function() return x.cmul end},
  {"zeros: 'size' must have the keys 1..n and no others", function() locus.zeros{[0] = 2} end},
  {"sum: 'dim' must have the keys 1..n and no others", function() x:sum({1, [3] = 2}) end},
  {"sum: the table of arguments has the number 7 for a key, which names no argument", function()
    x:sum{[7] = 1, keepdim = true}
  end},
  {'sum: \'input\' must be a tensor, a table or a number, got the string "a\\nb"', function()
    locus.sum("a\nb")
  end},
  {("x"):rep(60) .. '..."', function() locus.sum(("x"):rep(3000)) end},
  {"locus has no '" .. ("y"):rep(60), function() return locus[("y"):rep(1e5)] end},
  {"zeros: 'dtype' must be a string without zero bytes", function()
    locus.zeros(2, {dtype = "int8\0zzz"})
  end},
  {"sum: there is no argument 'dim", function() x:sum{["dim\0x"] = 1} end},
  {"zeros: takes fewer arguments than", function()
    local most = {}
    for k = 1, 1e6 do most[k] = 1 end
    most.dtype = "int8"
    locus.zeros(most)
  end},
  {"add: 'out' overlaps 'input' in memory", function() -- decided at once, whatever the strides
    local y = locus.zeros(2 ^ 12)
    local deep = y
    for d = 1, 11 do deep = deep:unfold(d, 2, 1) end
    deep:add(1, {out = deep:narrow(1, 1, 1):expand(deep.shape)})
  end},
  {"there is no argument 'rigth'; did you mean 'right'?", function()
    row:searchsorted(1, {rigth = true})
  end},
  {"sort: there is no argument '" .. ("x"):rep(40) .. "'; the arguments are 'input', 'dim', ",
   function() row:sort{[("x"):rep(40)] = true} end},
  {"add: 'other' must be a tensor, a table or a number, got a userdata", function()
    local upvalue = 1
    return row + debug.upvalueid(function() return upvalue end, 1)
  end},
  {"index_put_: a tensor has at most 32 dimensions, got 33", function()
    local many = {}
    for i = 1, 33 do many[i] = {1} end
    row:index_put_(many, 1)
  end},
  {"stride: 'input' is 0-d and has no strides", function() locus.tensor(3):stride(1) end},
  {"iter: 'input' must have dimensions, got a 0-d tensor", function() locus.tensor(3):iter() end},
  {"set_default_dtype: 'dtype' must be float64 or float32, got the string \"int64\"", function()
    locus.set_default_dtype("int64")
  end},
}

describe("a name that is no string", function()
  it("is told without its address", function()
    local shown = {
      ["has no '7'"] = 7, ["has no 'true'"] = true, ["has no '[table]'"] = {1, 2},
      ["has no '[float64 tensor of size 3]'"] = row, ["has no '[function]'"] = print,
    }
    for _, owner in ipairs {locus, locus.memory, locus.builder "int8", locus.generator(1),
                            row:plot {width = 20, height = 4}, row:search_index(),
                            locus.sketch()} do
      for sentence, key in pairs(shown) do
        assert.error_matches(function() return owner[key] end, sentence, 1, true)
      end
    end
    assert.error_matches(function() locus.builder {{"a", "int8"}}:push {[row] = 1} end,
      "there is no column '[float64 tensor of size 3]'", 1, true)
  end)
end)

describe("the sentence", function()
  for _, entry in ipairs(rows) do
    it(entry[1], function()
      local before = x:totable()
      local ok, message = pcall(entry[2])
      assert.is_false(ok)
      assert.matches(entry[1], message, 1, true)
      assert.matches("^spec/calls/errors_spec.lua:%d+: [^\n]+$", message)
      assert.same(before, x:totable())
    end)
  end
end)
