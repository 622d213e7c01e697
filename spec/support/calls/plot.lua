-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls that draw.
local with_file = require("spec.support.text").with_file

return function(on_pair)
  on_pair("hist", function(a) return tostring(a.x:hist(3)), a.x:hist():svg() end)
  on_pair("spark", function(a) return tostring(a.y:spark()), a.y:spark():svg() end)
  on_pair("image", function(a) return tostring(a.x:image()), a.x:image():svg() end)
  on_pair("plot", function(a) return tostring(a.x:plot()), a.x:plot {x = a.y}:svg() end)
  on_pair("plot of many elements", function(_, locus)
    local x = locus.arange(2000)
    return x:plot {x = x:flip(1)}, x:plot {points = true}
  end)
  on_pair("frame:plot", function(a, locus)
    return locus.frame {{"time", a.index, "time"}, {"x", a.y}}:plot("time", "x")
  end)
  on_pair("picture:svg", function(a) return a.y:plot():svg() end)
  on_pair("picture:save", function(a)
    return with_file("", function(path) a.y:plot():save(path) end)
  end)
end
