-- SPDX-License-Identifier: MIT
-- Calls of sketches of quantiles.
local locus = require "locus"

-- The call of a method of a sketch of the elements of x.
local function on_sketch(...)
  local arguments = {...}
  return function(f, e) return f(locus.sketch():push(e.x), unpack(arguments)) end
end

return {
  answers = "sketch_spec",
  {"sketch", function(f) return f {accuracy = 0.1} end, unlaid = "takes no tensor"},
  {"sketch", function(f, e) return f {bytes = locus.sketch():push(e.x):tobytes()} end,
   form = "from bytes"},
  {"sketch:push", function(f, e) return f(locus.sketch(), e.x) end},
  {"sketch:push", function(f) return f(locus.sketch(), 5) end, form = "of a number"},
  {"sketch:merge", function(f, e)
    return f(locus.sketch():push {1, 2}, locus.sketch():push(e.x))
  end},
  {"sketch:quantile", on_sketch {0, 0.5, 1}},
  {"sketch:count sketch:sum sketch:mean sketch:min sketch:max sketch:tobytes sketch:clear",
   on_sketch()},
}
