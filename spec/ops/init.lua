-- SPDX-License-Identifier: MIT
-- The table of calls. A file of this folder is a family: a list of rows, one for each form in which
-- public functions are called. To add an op is to add a row; calls_spec names a function without.
--
--   {"kthvalue topk", function(f, e) return f(e.x, 2, 2) end, layouts = "float32 int64",
--    laid = function(f, e) return f(e.x, 1, 1) end}
--
--   [1]        names of functions and methods of tensors, each of which has the row; "frame:sort"
--              for methods of what is made of tensors, "__index" for metamethods
--   [2]        call(f, e) calls the function f on small operands: memory fails at each of its
--              points, inputs are freed or read-only, it is stopped, its arguments are recorded
--   form       what tells the row from others of the same function, in words: "into out"
--   on         the small operands e, by their name in operands.lua; "pair" where it is left out
--   allocates  false: on the CPU the call takes no memory
--   layouts    dtypes: a call on operands of every layout and size answers as in C order
--   laid       that call, where it is not [2]; e then is what layouts.lua of spec/support describes
--   writes     true: laid writes to e:fresh(name), so that elements must not share memory
--   large      operands of 2^31 elements for [2], of "uint8", "number" (the second one is 3) and
--              "float16"; or large(x, n, marks), which gives what is said of x, and what must be
--   alike      alike(f, e) answers alike on every instruction set, at random; e is what
--              fuzz/callers/known/alike.lua describes
--   runner     a runner of src/core/jobs.h that device(f, e) reaches, which answers on a device as
--              on the CPU; e is what bench/cuda/runners.lua describes
--   uncalled   why the function has no small call; unlaid: why it meets no layouts
--
-- An oracle is in fuzz/callers/known, by the function's name; `answers`, a field of the list, says
-- where the answers of functions without one are known. These lists are made of all rows:
--   calls      {name=, calls=, make(locus), call(locus, inputs), allocates=} of each small call
--   layouts    {name=, dtype=, call=, writes=} of each dtype of each laid call
--   rows       every row of each name: {name=, family=, row=}
local core = require "locus.core"
local locus = require "locus"
local objects = require "spec.support.calls.objects"
local operands = require "spec.ops.operands"

local FAMILIES = {"create", "elementwise", "shape", "reduce", "sets", "search", "index", "chance",
                  "frame", "strings", "sketch", "files", "text", "times", "plot", "module"}

local ops = {calls = {}, layouts = {}, rows = {}, families = {}}

--- The public function of a name, as it is now: specs put others in its place.
function ops.public(name)
  local prefix, own = name:match("^(%w+:)(.*)$")
  if not prefix then return core.methods[name] or core.metatable[name] or locus[name] end
  for _, object in ipairs(objects) do
    local f = object.prefix == prefix and rawget(object.methods, own)
    if f then return f end
  end
end

local function add_call(name, row)
  local call, make = row[2], operands[row.on or "pair"]
  ops.calls[#ops.calls + 1] = {
    name = row.form and name .. ", " .. row.form or name, calls = name, make = make,
    allocates = row.allocates, call = function(_, e) return call(ops.public(name), e) end,
  }
end

local function add_layouts(name, row)
  for dtype in row.layouts:gmatch("%S+") do
    ops.layouts[#ops.layouts + 1] = {name = name, dtype = dtype, call = row.laid or row[2],
                                     writes = row.writes}
  end
end

for _, family in ipairs(FAMILIES) do
  local list = require("spec.ops." .. family)
  ops.families[family] = list
  for _, row in ipairs(list) do
    for name in row[1]:gmatch("%S+") do
      ops.rows[#ops.rows + 1] = {name = name, family = family, row = row}
      if row[2] then add_call(name, row) end
      if row.layouts then add_layouts(name, row) end
    end
  end
end

return ops
