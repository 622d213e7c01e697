-- SPDX-License-Identifier: MIT
-- The agreement of ranks as text: two values have one text only if they are equal, so that a
-- signature holds the options of a call whatever they are.
local core = require "locus.core"
local internal, methods = core.internal, core.methods

local signature = {}

local FEW = 8 -- elements that are written out

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\%d"):format(c:byte()) end) .. '"'
end

-- "float64 2 {1, 2}", or with a checksum in place of many elements.
local function tensor_text(x)
  local host = methods.contiguous(methods.to(x, "cpu"))
  local elements = methods.numel(host) > FEW and ("of checksum %08x"):format(
    internal.crc32(host, 0)) or signature.text(methods.totable(host))
  return ("%s %s %s"):format(internal.dtype_of(x), tostring(methods.size(x)), elements)
end

-- {1, 2, by = "sym"}, names in the order of their bytes.
local function table_text(value)
  local list, names = {}, {}
  for i, element in ipairs(value) do list[i] = signature.text(element) end
  for key in pairs(value) do
    if type(key) ~= "number" or list[key] == nil then names[#names + 1] = tostring(key) end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    list[#list + 1] = ("%s = %s"):format(name, signature.text(value[name]))
  end
  return "{" .. table.concat(list, ", ") .. "}"
end

-- A number, a string, a boolean, nil, a tensor, or a table of such.
function signature.text(value)
  if type(value) == "string" then return quoted(value) end
  if type(value) == "number" then return internal.spell(value) end
  if core.is_tensor(value) then return tensor_text(value) end
  if type(value) == "table" then return table_text(value) end
  if type(value) == "userdata" then return internal.describe(value) end
  return tostring(value)
end

return signature
