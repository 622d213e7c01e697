-- SPDX-License-Identifier: MIT
-- The answer of search_index: an object that holds a sequence prepared for repeated searches.
-- Nobody else can reach its sequence, sorter and index.
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"

return function(core)
  local internal = core.internal
  local methods, metatable = {}, {}
  local events = registry.once(metatable)

  -- The parts that the core answered for that object.
  local function parts(object) return internal.state(object, metatable) end

  -- The positions of the values, as searchsorted gives them for the sequence.
  function methods.searchsorted(self, ...)
    local of = parts(self)
    if not of then
      internal.raise("searchsorted: write index:searchsorted(values), with a colon")
    end
    if of.pages then
      local left, right = lazy("locus.search.paged_index").searchsorted(of.pages, ...)
      if right == nil then return left end
      return left, right
    end
    return internal.search_indexed(of, ...)
  end

  function events.__index(_, key)
    if methods[key] then return methods[key] end
    internal.raise(("a search index has no '%s'; write index:searchsorted(values)"):format(
      declare.shown(key)))
  end

  function events.__newindex() internal.raise("a search index cannot be changed") end

  function events.__tostring(self)
    local of = parts(self)
    local sequence, index, _, descending = unpack(of, 1, 4)
    local pages = of.pages and of.pages.starts
    return ("[%ssearch index of a%s %s tensor of size %s, %d bytes]"):format(
      pages and "paged " or "", descending and " descending" or "", internal.dtype_of(sequence),
      tostring(core.methods.size(sequence)),
      pages and #pages * core.methods.element_size(pages) or core.methods.numel(index))
  end

  metatable.__metatable = "search index"

  local function make(...)
    local made = {internal.search_index(...)}
    if made[5] then made.pages = lazy("locus.search.paged_index").new(made[1], made[4], make) end
    return internal.object(metatable, made)
  end
  return make
end
