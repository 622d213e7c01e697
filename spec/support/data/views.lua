-- SPDX-License-Identifier: MIT
-- The common part of the specs of views.
local locus = require "locus"
local support = require "spec.support"

local views = {}

function views.size(t) return tostring(t:size()) end

function views.shares(a, b)
  return a:numel() > 0 and tostring(a:data()) == tostring(b:data())
end

-- 1, 2, 3 ... in that shape.
function views.counted(...)
  local shape = {...}
  return locus.arange(1, support.numel(shape) + 1):view(shape)
end

-- The same call as method, as function, and by name.
function views.in_all_forms(name, x, names, values, check)
  check(x[name](x, unpack(values)))
  local named, rest = {input = x}, {}
  for i, argument in ipairs(names) do
    named[argument], rest[argument] = values[i], values[i]
  end
  check(x[name](x, rest))
  if rawget(locus, name) then
    check(locus[name](x, unpack(values)))
    check(locus[name](named))
  end
end

return views
