-- SPDX-License-Identifier: MIT
-- Calls that draw.
local locus = require "locus"
local with_file = require("spec.support.text").with_file

local function drawn(f, e) return tostring(f(e.x)) end

return {
  answers = "hist_spec, plot_spec, image_spec, svg_spec",
  {"hist", function(f, e) return tostring(f(e.x, 3)), f(e.x):svg() end, laid = drawn,
   layouts = "float32 int64"},
  {"spark", function(f, e) return tostring(f(e.y)), f(e.y):svg() end, laid = drawn,
   layouts = "float32 int64"},
  {"image", function(f, e) return tostring(f(e.x)), f(e.x):svg() end, laid = drawn,
   layouts = "float32 int64"},
  {"plot", function(f, e) return tostring(f(e.x)), f(e.x, {x = e.y}):svg() end, laid = drawn,
   layouts = "float32 int64"},
  {"plot", function(f)
    local x = locus.arange(2000)
    return f(x, {x = x:flip(1)}), f(x, {points = true})
  end, form = "of many elements"},
  {"frame:plot", function(f, e)
    return f(locus.frame {{"time", e.index, "time"}, {"x", e.y}}, "time", "x")
  end},
  {"picture:svg", function(f, e) return f(e.y:plot()) end},
  {"picture:save", function(f, e)
    return with_file("", function(path) f(e.y:plot(), path) end)
  end},
}
