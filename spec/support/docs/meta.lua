-- SPDX-License-Identifier: MIT
-- What the files of lua/locus/meta tell editors, read.
-- From these files: the fields of each class, with those that it inherits, and the types of
-- aliases.
local fields, aliases = {}, {}

local function read(path)
  local class, alias
  for line in io.lines(path) do
    local name, parents = line:match("^%-%-%-@class ([%w_.]+) ?:? ?(.*)$")
    if name then
      assert(not aliases[name], name .. " is an alias, too")
      class = fields[name] or {}
      fields[name] = class
      for parent in parents:gmatch("[%w.]+") do
        for field, type in pairs(fields[parent]) do class[field] = type end
      end
    end
    local field, type = line:match("^%-%-%-@field ([%w_]+)%?? (.*)$")
    if field then class[field] = type end
    local new, same = line:match("^%-%-%-@alias ([%w_.]+) ?(.*)$")
    alias = new or alias
    if new then
      assert(not fields[new] and not aliases[new], new .. " is there already")
      aliases[new] = same
    end
    local more = line:match("^%-%-%-| (fun.*)$")
    if more then aliases[alias] = more end
  end
end
for _, path in ipairs(require "spec.support.docs.meta_files") do read(path) end

return {fields = fields, aliases = aliases}
