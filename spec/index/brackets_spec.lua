-- SPDX-License-Identifier: MIT
-- Random keys of t[...] read and write what the model of spec/support/models/brackets.lua says.
local arrays = require "spec.support.data.arrays"
local brackets = require "spec.support.models.brackets"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

describe("reading t[random key]", function()
  it("gives what the model says #native", function()
    for case = 1, 1500 do
      math.randomseed(case)
      local shape = brackets.random_shape()
      local a, key = arrays.random(arrays.pick(support.dtypes), shape), brackets.random_key(shape)
      local t, real = arrays.tensor(a), brackets.real_key(key)
      local result, positions = brackets.meant(shape, key)
      local want = {}
      for i, position in ipairs(positions) do want[i] = a.values[position] end
      local ok, got = pcall(function() return t[real] end)
      local note = "case " .. case .. ": " .. brackets.show(key)
      if not ok then error(note .. "\n" .. got .. "\n" .. arrays.show(a)) end
      if brackets.names_element(shape, key) then
        if not support.same_value(got, want[1]) then error(note) end
      else
        arrays.check(got, result, want, a.dtype, a, note)
      end
    end
  end)
end)

describe("writing t[random key]", function()
  -- The value for every place of the result: its list, shape and what is passed.
  local function random_value(result, dtype)
    if math.random(4) == 1 then
      local value = arrays.value_of(dtype, true)
      return {value}, {}, value
    end
    local a = arrays.random(dtype, brackets.random_part(result), true)
    return a.values, a.shape, arrays.tensor(a)
  end

  it("changes what the model says, and nothing else #native", function()
    for case = 1, 1500 do
      math.randomseed(case)
      local shape = brackets.random_shape()
      local a, key = arrays.random(arrays.pick(support.dtypes), shape), brackets.random_key(shape)
      local t, real = arrays.tensor(a), brackets.real_key(key)
      local result, positions = brackets.meant(shape, key)
      local alone = a.dtype == "bool" or a.dtype:find("complex")
      local from = alone and a.dtype or arrays.pick {"uint8", "float64", a.dtype}
      local list, value_shape, value = random_value(result, from)
      local want, index = {unpack(a.values)}, {}
      for flat, position in ipairs(positions) do
        local rest = flat - 1
        for d = #result, 1, -1 do
          index[d] = rest % result[d]
          rest = (rest - index[d]) / result[d]
        end
        local v = brackets.spread(list, value_shape, index)
        want[position] = oracle.convert(v, a.dtype)
      end
      local note = "case " .. case .. ": " .. brackets.show(key)
      local ok, text = pcall(function() t[real] = value end)
      if not ok then error(note .. "\n" .. text .. "\n" .. arrays.show(a)) end
      arrays.check(t, shape, want, a.dtype, a, note)
    end
  end)
end)
