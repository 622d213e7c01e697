-- SPDX-License-Identifier: MIT
-- The characters that pictures are made of, and how large they are on a terminal.
local core = require "locus.core"
local declare = require "locus.call.declare"
local printing = require "locus.print"
local internal = core.internal

local glyphs = {}

local function characters(text)
  local list = {}
  for char in text:gmatch("[%z\1-\127\194-\244][\128-\191]*") do list[#list + 1] = char end
  return list
end

-- Bars grow by the parts of a character; sparks are its heights; shades go from empty to full.
local unicode = {
  bars = characters "▏▎▍▌▋▊▉█", sparks = characters "▁▂▃▄▅▆▇█", shades = characters " ░▒▓█",
  braille = true, upper = "▀", lower = "▄", full = "█",
  side = "│", side_tick = "┤", floor = "─", floor_tick = "┬",
  corners = characters "┌┐└┘",
}
local ascii = {
  bars = {"#"}, sparks = characters "_.-~=+*#", shades = characters " .:+#",
  braille = false, side = "|", side_tick = "+", floor = "-", floor_tick = "+",
  corners = characters "++++",
}

-- The marks that tell several series apart.
glyphs.marks = characters "*+xo#@%="

-- The locale that the environment says characters are of; nil where it says nothing.
function glyphs.locale()
  for _, name in ipairs {"LC_ALL", "LC_CTYPE", "LANG"} do
    local locale = os.getenv(name)
    if locale and locale ~= "" then return locale end
  end
end

-- The characters that the locale can show: ASCII where it says another encoding than UTF-8.
function glyphs.known()
  local locale = glyphs.locale()
  return (not locale or locale:lower():find("utf%-?8")) and unicode or ascii
end

-- Whether somebody sees colours: on a terminal, unless the environment says NO_COLOR.
-- Source: https://no-color.org
function glyphs.has_colors()
  local no = os.getenv("NO_COLOR")
  return (not no or no == "") and glyphs.known().upper ~= nil and io.type(io.stdout) == "file"
    and internal.is_terminal(io.stdout)
end

local NARROWEST, WIDEST = 20, 1000
local LEAST = 5 -- rows of a picture whose height nobody gave

local function check(name, value, least)
  if value >= least and value <= WIDEST then return value end
  declare.raise("'%s' must be a whole number from %d to %d, got %s", name, least, WIDEST,
    internal.describe_number(value))
end

-- Columns of a picture: as given, else those of a line that is printed.
function glyphs.columns(width)
  if width then return check("width", tonumber(width), NARROWEST) end
  local columns = printing.columns_of_line()
  return columns <= WIDEST and math.max(columns, NARROWEST) or 80
end

-- Rows of the picture: as given, else as many as leave room on the terminal for the typed line.
function glyphs.rows(height, most)
  if height then return check("height", tonumber(height), 1) end
  local _, rows = printing.terminal_size()
  return rows and math.max(LEAST, math.min(most, rows - 8)) or most
end

return glyphs
