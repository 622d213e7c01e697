-- SPDX-License-Identifier: MIT
-- Runs every call of spec/ops on read-only tensors: mapped files, where a write that
-- nobody refuses ends the process. Prints what raises something else, and how many calls refused to
-- write.
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local calls = require("spec.ops").calls
local mapped = require("spec.support.text").mapped

return function()
  local refused = 0
  for _, entry in ipairs(calls) do
    local inputs = entry.make(locus)
    for name, value in pairs(inputs) do
      if locus.is_tensor(value) and value.dtype ~= "bfloat16" then
        inputs[name] = kinds.tagged(mapped(value), kinds.of(value))
      end
    end
    local ok, message = pcall(entry.call, locus, inputs)
    if not ok and not tostring(message):find("is read%-only; write to its clone%(%)$") then
      print(("%s raised %s"):format(entry.name, message))
    end
    refused = refused + (ok and 0 or 1)
  end
  print(("%d calls, %d refused"):format(#calls, refused))
end
