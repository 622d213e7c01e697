-- SPDX-License-Identifier: MIT
-- A grid of characters in which lines are drawn: eight dots of braille in each, or one mark.
local canvas = {}

-- The bits of a character of braille by place: from the left, from above.
local BITS = {{1, 2, 4, 64}, {8, 16, 32, 128}}

-- A new one, of dots where `braille` says so. Points have x in 0..width-1 and y in 0..height-1,
-- from the upper left; `across` and `down` are the points of a character.
function canvas.new(columns, rows, braille)
  local across, down = braille and 2 or 1, braille and 4 or 1
  return {columns = columns, rows = rows, across = across, down = down, width = columns * across,
          height = rows * down, marks = {}}
end

function canvas.dot(c, x, y, mark) c.marks[y * c.width + x] = mark end

-- The dots on the way between two points.
function canvas.line(c, x0, y0, x1, y1, mark)
  local steps = math.max(math.abs(x1 - x0), math.abs(y1 - y0), 1)
  for i = 0, steps do
    local x, y = x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
    canvas.dot(c, math.floor(x + 0.5), math.floor(y + 0.5), mark)
  end
end

local function braille(c, column, row)
  local bits = 0
  for x = 1, 2 do
    for y = 1, 4 do
      local place = ((row - 1) * 4 + y - 1) * c.width + (column - 1) * 2 + x - 1
      if c.marks[place] then bits = bits + BITS[x][y] end
    end
  end
  return bits > 0 and string.char(0xe2, 0xa0 + math.floor(bits / 64), 0x80 + bits % 64) or " "
end

-- The rows as text.
function canvas.texts(c)
  local list = {}
  for row = 1, c.rows do
    local chars = {}
    for column = 1, c.columns do
      chars[column] = c.across == 2 and braille(c, column, row)
        or c.marks[(row - 1) * c.width + column - 1] or " "
    end
    list[row] = table.concat(chars)
  end
  return list
end

return canvas
