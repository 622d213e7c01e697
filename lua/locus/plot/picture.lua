-- SPDX-License-Identifier: MIT
-- The answer of hist, spark, plot and image: an object that is text when it is printed, and SVG for
-- a file. It keeps no tensor.
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local file = require "locus.files.file"
local promised = require "locus.files.promised"
local internal = core.internal

local methods, metatable = {}, {__metatable = "picture"}
local events = registry.once(metatable)
local picture = {methods = methods}

-- A picture of lines of text; draw() gives its SVG.
function picture.make(lines, draw)
  return internal.object(metatable, {text = table.concat(lines, "\n"), draw = draw})
end

local function state_of(p)
  local state = internal.state(p, metatable)
  if not state then
    declare.raise("'picture' must be made by hist, spark, plot or image, got %s",
      internal.describe(p))
  end
  return state
end

-- The picture as the text of an SVG file.
declare.add(methods, declare.define("svg(picture:any)", function(p)
  return state_of(p).draw()
end))

-- Writes the SVG to a file, whole, as x:save does. Errors: a name that promises another format;
-- those of the system.
declare.add(methods, declare.define("save(picture:any, path:string)", function(p, path)
  local state = state_of(p)
  promised.check(path, "SVG", "svg",
    'p:save("%s.svg"), which rsvg-convert turns into PNG, PDF and PostScript')
  local text = state.draw()
  file.write(path, function(put) put(text) end)
end))

function events.__index(_, key)
  local method = methods[key]
  if method then return method end
  internal.raise(("a picture has no '%s'; it has svg and save"):format(declare.shown(key)))
end

function events.__newindex() internal.raise("a picture does not change") end

function events.__tostring(p) return internal.state(p, metatable).text end

function events.__concat(a, b) return tostring(a) .. tostring(b) end

function events.__describe() return "a picture" end

return picture
