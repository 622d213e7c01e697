-- SPDX-License-Identifier: MIT
-- Values to call with, sense and nonsense. A call has a box of them: its arguments are made anew
-- for it, by chance, and tensors are remembered with their bytes (watch.lua looks at them later).
local core = require "locus.core"
local ffi = require "ffi"
local files = require "spec.support.text"
local locus = require "locus"
local plan = require "fuzz.callers.plan"

local pick, chance, random = plan.pick, plan.chance, math.random
local dtypes = core.internal.dtypes()

local things = {}

-- -- Tensors ------------------------------------------------------------------------------------

local SHAPES = {{}, {0}, {1}, {2}, {3}, {3}, {5}, {17}, {70}, {2, 3}, {3, 2}, {3, 3}, {0, 3},
                {3, 0}, {1, 1, 3}, {2, 3, 4}, {2, 0, 2}, {1, 1, 1, 1, 1, 1}}

-- The bytes of a tensor: any, which are elements of every dtype, or small numbers.
local function fill(t, count)
  local style = random(4)
  if style == 1 then
    local bytes = ffi.cast("uint8_t *", t:data())
    for i = 0, count * t:element_size() - 1 do bytes[i] = random(0, 255) end
  elseif style == 2 then
    t:copy_(locus.arange(count):view(t:size()):remainder(t.dtype == "bool" and 2 or 100))
  elseif style == 3 then
    for i = 1, math.min(count, 6) do t:view(-1)[i] = t.dtype == "bool" or random(1, 3) end
  end
end

-- Views of a base, a contiguous tensor, that lie oddly.
local LAYOUTS = {
  function(t) return t end, function(t) return t end, function(t) return t end,
  function(t) return t.T end,
  function(t) return t:dim() > 0 and t:size(1) > 1 and t:slice(1, 2, -1, 2) or t end,
  function(t) return t:dim() > 0 and t:narrow(1, 1, math.min(1, t:size(1))) or t end,
  function(t) return t:unsqueeze(1):expand(3, unpack(t:size())) end,
  function(t) return t:dim() == 1 and t:size(1) > 2 and t:unfold(1, 2, 1) or t end,
  function(t) return t:dim() > 0 and t:select(1, 1) or t end,
}

local function mapped(t) return t.dtype == "bfloat16" and t or files.mapped(t) end

local function freed(t)
  if chance(2) then
    t:free()
    return t
  end
  local kept
  locus.tidy(function() kept = t:clone() end)
  return kept
end

-- Remembers a tensor: where its elements lie, and a view that keeps them there.
local function remember(box, t)
  local keeper = t:numel() > 0 and t:unsqueeze(1) or nil
  box.tensors[#box.tensors + 1] = {tensor = t, keeper = keeper}
  return t
end

function things.tensor(box, dtype, shape)
  if not dtype and chance(4) and #box.tensors > 0 then return pick(box.tensors).tensor end
  shape = shape or pick(SHAPES)
  local t = locus.zeros(shape, {dtype = dtype or pick(dtypes)})
  if t:numel() > 0 then fill(t, t:numel()) end
  if chance(40) then t = mapped(t) end
  if t:dim() == 0 or t:size(1) > 0 then t = pick(LAYOUTS)(t) end
  remember(box, t)
  if chance(30) then t = freed(t) end
  return t
end

-- -- Objects ------------------------------------------------------------------------------------

function things.strings(box)
  if chance(6) then return locus.strings {} end
  local c = locus.strings {"b", "a", "b", "", "c\0d", pick {"\255", "a b", ("x"):rep(50)}}
  local made, chosen = pcall(function() return c[things.tensor(box, "bool", {6})] end)
  return made and chance(3) and chosen or c
end

local function column(box, n)
  if chance(3) then return locus.strings(n == 3 and {"b", "a", "b"} or {"x"}) end
  return things.tensor(box, nil, {n})
end

-- Tensors at hand that make no frame are left out.
function things.frame(box)
  local n = pick {1, 3, 3, 3}
  local list = {{"a", things.tensor(box, pick {"int64", "float64", "int8"}, {n})}}
  for _, name in ipairs {"b", "s", "sum"} do
    if chance(2) then list[#list + 1] = {name, column(box, n)} end
  end
  local made, f = pcall(locus.frame, list)
  return made and f or locus.frame {{"a", {1, 2, 3}}, {"s", {"b", "a", "b"}}}
end

function things.group(box)
  local made, g = pcall(function() return things.frame(box):group "a" end)
  return made and g or locus.group_by {locus.tensor {1, 2, 1}}
end

function things.builder(box)
  if chance(2) then return locus.builder {{"p", "float64"}, {"s", "string"}} end
  local b = locus.builder(pick {"float64", "string", "int8", "bool", pick(dtypes)})
  if chance(2) then pcall(b.extend, b, things.tensor(box)) end
  return b
end

function things.index(box)
  local t = things.tensor(box, pick {"float64", "int64", "float32", "int8"}, pick {{5}, {0}, {70}})
  local made, i = pcall(locus.search_index, t, {paged = chance(3) or nil})
  return made and i or locus.search_index({1, 2, 3})
end

function things.picture() return locus.tensor({1, 3, 2}):plot {width = 20, height = 4} end

function things.generator() return locus.generator(random(100)) end

function things.sketch() return locus.sketch():push {1, -2, 0, 3.5} end

function things.writer()
  return locus.npy_writer("writer" .. random(3) .. ".npy", pick {"float64", "int8"})
end

-- -- Plain values -------------------------------------------------------------------------------

things.numbers = {0, -0.0, 1, 2, 3, -1, -2, 4, 10, 0.5, -1.5, 100, 255, 256, 1e-320, 1e300, -1e300,
                  0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 31 - 1, -2 ^ 31, 2 ^ 32, 2 ^ 53, 2 ^ 53 + 2,
                  2 ^ 63, -2 ^ 63, 2 ^ 64, 2 ^ 40, 1e7, 65536}

things.texts = {"", "a", "b", "s", "p", "sum", "mean", "max", "std", "first", "float32", "int8",
                "bool", "complex64", "string", "cpu", "cuda", "cuda:0", "cuda:99", "left", "right",
                "both", "inner", "anti", "nearest", "x\0y", ("x"):rep(300), "\255\254\128",
                "%s%d%n",
                "a\nb", "1", "-1", "nan", "0x10", "out", "dim", "input", "-a", "-", " ", "[", "%",
                "a.npy", "b.npz", "c.csv", "none/a", "r", "r+", "c", "\\", '"',
                "$a $b", "<$a> $b", "a,b\n1,2\n", "2026-11-22T08:30:00Z", "é", "\27[0m"}

for _, row in ipairs(core.internal.text_types()) do table.insert(things.texts, row.word) end

ffi.cdef "typedef struct { int a; double b; } fuzz_pair;"
local pair = ffi.typeof "fuzz_pair"

local CDATA = {
  function() return ffi.new("int64_t", pick {0, 1, -1, 2 ^ 53}) + random(3) end,
  function() return ffi.new("int64_t", -2 ^ 63) end,
  function() return 0xffffffffffffffffULL end,
  function() return ffi.new("uint64_t", random(5)) end,
  function() return pair(1, 2) end,
  function() return pair end,
  function() return ffi.new("complex", 1, 0 / 0) end,
  function() return ffi.new("complex float", 2, 0) end,
  function() return ffi.new("double[4]", 1, 2, 3, 4) end,
  function() return ffi.new("int32_t", 7) end,
  function() return ffi.new("float", 1.5) end,
  function() return ffi.new("bool", true) end,
  function() return ffi.cast("void *", 0) end,
  function() return ffi.cast("double *", 0) end,
  function() return ffi.C.alarm end,
  function() return ffi.new("char[4]", "abc") end,
}

function things.cdata() return pick(CDATA)() end

local function deep()
  local t = {}
  for _ = 1, pick {3, 40, 250} do t = {t} end
  return t
end

local TABLES = {
  function() return {} end, function() return {1, 2, 3} end, function() return {2, 1} end,
  function() return {1, nil, 3} end, function() return {{1, 2}, {3}} end,
  function() return {{1, 2}, {3, 4}} end, function() return {{}, {}} end,
  function() return {{1, 3}} end, function() return {{}} end, function() return {{-1, 2, 9}} end,
  function() return {x = 1} end, function() return {n = 3} end, function() return {1, dim = 2} end,
  function() return {[0] = 1} end, function() return {[1.5] = 1} end,
  function() return {1, [2 ^ 31] = 2} end, function() return {1, 2, [2 ^ 53] = 3} end,
  function() return {"a", "b"} end, function() return {true, false} end,
  function() return {a = "b"} end, function() return {a = {1, 2, 3}} end,
  function() return {{"a", "int64"}, {"s", "string"}} end, function() return {a = "int64"} end,
  function() return {text = "a,b\n1,2\n3,x\n"} end, function() return {text = ""} end,
  function() return {"a", {"sum", "b"}} end, function() return {1, 2 ^ 53, 0 / 0} end,
  function() return {[{}] = 1} end, function() return {[true] = 1} end,
  function() return {1, "a", {}, print} end, function() return {out_int32 = true} end,
  deep,
  function() local t = {} t[1] = t return t end,
  function() local t = {} t.out = t return t end,
  function() local t = {1, 2} t[3] = {t} return t end,
  function(box) return {things.tensor(box), things.tensor(box)} end,
  function(box) return {out = things.tensor(box)} end,
  function(box) return {things.tensor(box), 1} end,
  function(box) return {a = things.tensor(box), b = things.strings(box)} end,
  function(box) return {things.any(box), things.any(box)} end,
  function(box) return {[pick(things.texts)] = things.any(box)} end,
}

function things.table(box) return pick(TABLES)(box) end

-- -- Anything -----------------------------------------------------------------------------------

local evil = require "fuzz.callers.evil"

things.object = {frame = things.frame, strings = things.strings, group = things.group,
                 builder = things.builder, index = things.index, picture = things.picture,
                 generator = things.generator, sketch = things.sketch, writer = things.writer,
                 tensor = things.tensor}
local KINDS = {"frame", "strings", "group", "builder", "index", "picture", "generator", "sketch"}

local function number() return pick(things.numbers) end
local function text() return pick(things.texts) end

local ANY = {
  things.tensor, things.tensor, things.tensor, things.tensor, number, number, number, text, text,
  things.cdata, things.table, things.table, things.table, evil.any, evil.any,
  function() return nil end, function() return chance(2) end,
  function(box) return things.object[pick(KINDS)](box) end,
  function() return io.stdout end,
}

-- Nested too deep by chance, it is a number.
function things.any(box)
  box.depth = box.depth + 1
  if box.depth > 40 then return 1 end
  return pick(ANY)(box)
end

function things.box() return {tensors = {}, depth = 0} end

return things
