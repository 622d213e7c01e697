-- SPDX-License-Identifier: MIT
-- What search_index gives: an object that holds a sequence prepared for repeated searches; nobody
-- can reach its sequence, sorter and index.
return function(core)
  local internal = core.internal
  local methods, metatable = {}, {}

  -- What the core answered for that object.
  local function parts(object) return internal.state(object, metatable) end

  -- The positions of the values, as searchsorted gives them for the sequence.
  function methods.searchsorted(self, ...)
    local of = parts(self)
    if not of then
      internal.raise("searchsorted: write index:searchsorted(values), with a colon")
    end
    return internal.search_indexed(of, ...)
  end

  function metatable.__index(_, key)
    if methods[key] then return methods[key] end
    internal.raise(("a search index has no '%s'; write index:searchsorted(values)"):format(
      tostring(key):sub(1, 60)))
  end

  function metatable.__newindex() internal.raise("a search index cannot be changed") end

  function metatable.__tostring(self)
    local sequence, index, _, descending = unpack(parts(self), 1, 4)
    return ("[search index of a%s %s tensor of size %s, %d bytes]"):format(
      descending and " descending" or "", internal.dtype_of(sequence),
      tostring(core.methods.size(sequence)), core.methods.numel(index))
  end

  metatable.__metatable = "search index"

  return function(...)
    local made = {internal.search_index(...)}
    return internal.object(metatable, made)
  end
end
