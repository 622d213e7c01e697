-- SPDX-License-Identifier: MIT
-- tostring(t): aligned columns, as Torch users know them; and lists of other texts in that form.
-- Only the elements at the edges of a large tensor are read.
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local size, numel = core.methods.size, core.methods.numel
local types = select(2, internal.dtypes())

-- The options of set_printoptions. If they are nil, `edgeitems` is EDGEITEMS, `linewidth` the
-- terminal's, and the numbers decide about `sci_mode`.
local EDGEITEMS = 3
local options = {precision = 4, threshold = 1000}

-- The size of the terminal of the output; nil if it is none.
local function terminal_size()
  if io.type(io.stdout) == "file" then return internal.terminal_size(io.stdout) end
end

local function columns_of_line()
  if options.linewidth then return options.linewidth end
  return tonumber(os.getenv("COLUMNS")) or (terminal_size()) or 80
end

-- The numbers of the items that are shown out of 1..n, with false for those left out.
local function shown(n, edge)
  local list = {}
  local head = (edge and n > 2 * edge) and edge or n
  for i = 1, head do list[i] = i end
  if head < n then
    list[head + 1] = false
    for left = edge - 1, 0, -1 do list[#list + 1] = n - left end
  end
  return list
end

-- How many items are shown at either end of `count` elements in all; false: every one.
local function edge_of(count)
  return count > options.threshold and (options.edgeitems or EDGEITEMS)
end

-- The same of the rows of a frame, which shows `usual` where nobody said how many.
local function edge_of_rows(usual)
  return options.threshold < math.huge and (options.edgeitems or usual)
end

-- The format in which each of the numbers shows at least one significant digit.
local function number_format(numbers, scientific)
  local whole, least, most = true, math.huge, 0
  for _, v in ipairs(numbers) do
    local magnitude = math.abs(v)
    if magnitude < math.huge and magnitude > 0 then
      whole = whole and magnitude % 1 == 0
      least, most = math.min(least, magnitude), math.max(most, magnitude)
    end
  end
  if whole and most <= 2 ^ 53 and not scientific then return "%.0f" end
  if scientific == nil then
    scientific = most >= 1e8 or least < 10 ^ -options.precision
  end
  return "%." .. options.precision .. (scientific and "e" or "f")
end

-- The elements at those positions, as text.
local function texts(t, positions)
  local elements, list = internal.elements(t, positions), {}
  if type(elements[1]) ~= "number" then
    for i, element in ipairs(elements) do list[i] = tostring(element) end
    return list
  end
  local scientific
  if types[internal.dtype_of(t)].kind ~= "INTEGER" then scientific = options.sci_mode end
  local format = number_format(elements, scientific)
  if #elements == #positions then
    for i, element in ipairs(elements) do list[i] = internal.format(format, element) end
    return list
  end
  for i = 1, #positions do
    local re, im = elements[2 * i - 1], elements[2 * i]
    im = internal.format(format, im)
    list[i] = internal.format(format, re) .. (im:sub(1, 1) == "-" and "" or "+") .. im .. "i"
  end
  return list
end

-- -- Numbers of a row ----------------------------------------------------------------------------

-- How many decimals the numbers of a row need: options.precision, more if all are below 1, and
-- fewer if none of them has that many digits.
local function decimals_of(numbers)
  local most, needed = 0, 0
  for _, v in ipairs(numbers) do most = math.max(most, math.abs(v)) end
  local limit = options.precision
  if most > 0 and most < 1 then limit = limit - math.floor(math.log10(most)) - 1 end
  for _, v in ipairs(numbers) do
    local zeros = internal.format("%." .. limit .. "f", v):match("%.%d-(0*)$") or ""
    needed = math.max(needed, limit - #zeros)
  end
  return needed
end

-- The format of a number that is too large or too small for the decimals of others; nil if it is
-- not.
local function own_format(v)
  local magnitude, scientific = math.abs(v), "%." .. options.precision .. "e"
  if options.sci_mode then return scientific end
  if options.sci_mode == false or magnitude == 0 then return nil end
  if magnitude >= 1e8 then return magnitude <= 2 ^ 53 and "%.0f" or scientific end
  return magnitude < 10 ^ -options.precision and scientific or nil
end

-- Numbers that belong together, as text: with the decimals that they need, and "" for NaN.
local function texts_of_row(numbers)
  local usual, list = {}, {}
  for _, v in ipairs(numbers) do
    if not own_format(v) and math.abs(v) < math.huge then usual[#usual + 1] = v end
  end
  local format = "%." .. decimals_of(usual) .. "f"
  for i, v in ipairs(numbers) do
    local text = internal.format(own_format(v) or format, v)
    list[i] = v == v and text:gsub("%.?0*e", "e") or ""
  end
  return list
end

-- The characters of a text in UTF-8.
local function width(text) return select(2, text:gsub("[^\128-\191]", "")) end

-- Elements of a shape as a list of matrices: which blocks, rows and columns are shown, and the text
-- of each such element by its position; texts_at(positions) gives them.
local function layout(shape, count, texts_at)
  local columns, rows = shape[#shape], shape[#shape - 1] or 1
  local edge = edge_of(count)
  local l = {
    blocks = shown(math.floor(count / (rows * columns)), edge),
    rows = shown(rows, edge),
    columns = shown(columns, edge),
    cells = {},
  }
  function l.position(block, row, column)
    return ((block - 1) * rows + row - 1) * columns + column
  end
  local positions = {}
  for _, block in ipairs(l.blocks) do
    for _, row in ipairs(block and l.rows or {}) do
      for _, column in ipairs(row and l.columns or {}) do
        if column then positions[#positions + 1] = l.position(block, row, column) end
      end
    end
  end
  l.width = #l.columns < columns and 3 or 0
  for i, text in ipairs(texts_at(positions)) do
    l.cells[positions[i]] = text
    l.width = math.max(l.width, width(text))
  end
  l.per_line = math.max(1, math.floor((columns_of_line() + 1) / (l.width + 2)))
  return l
end

-- One line: columns first..last of a row.
local function line(l, block, row, first, last)
  local words = {}
  for i = first, last do
    local column = l.columns[i]
    local text = column and l.cells[l.position(block, row, column)] or "..."
    words[#words + 1] = (" "):rep(l.width - width(text)) .. text
  end
  return " " .. table.concat(words, "  ")
end

-- Calls each(first, last) for every run of columns that fits a line.
local function each_run(l, each)
  for first = 1, #l.columns, l.per_line do
    each(first, math.min(first + l.per_line - 1, #l.columns))
  end
end

local function add_matrix(lines, l, block)
  each_run(l, function(first, last)
    if #l.columns > l.per_line then
      if first > 1 then lines[#lines + 1] = "" end
      local from, to = l.columns[first] or l.columns[first + 1], l.columns[last]
      to = to or l.columns[last - 1]
      lines[#lines + 1] = ("Columns %d to %d"):format(from or to, to or from)
    end
    for _, row in ipairs(l.rows) do
      lines[#lines + 1] = row and line(l, block, row, first, last) or " ..."
    end
  end)
end

-- "(2,1,.,.) =": the leading indices of a block.
local function heading(block, shape)
  local index, rest = {".", "."}, block - 1
  for d = #shape - 2, 1, -1 do
    table.insert(index, 1, rest % shape[d] + 1)
    rest = math.floor(rest / shape[d])
  end
  return "(" .. table.concat(index, ",") .. ") ="
end

local function add_blocks(lines, l, shape)
  for i, block in ipairs(l.blocks) do
    if i > 1 then lines[#lines + 1] = "" end
    if block then
      lines[#lines + 1] = heading(block, shape)
      add_matrix(lines, l, block)
    else
      lines[#lines + 1] = "..."
    end
  end
end

-- "time ", "time[ns] ", "date " for a tensor of that kind.
local function kind_word(t)
  local kind = kinds.of(t)
  if not kind then return "" end
  local unit = kind.unit and kind.unit ~= "us" and ("[%s]"):format(kind.unit) or ""
  return kind.type .. unit .. " "
end

-- "[int64 tensor of size 2x3 on cuda:0]"
local function closing(t, shape)
  local text = ("[%s %stensor"):format(internal.dtype_of(t), kind_word(t))
  local device = internal.device_of(t)
  if #shape > 0 then text = text .. " of size " .. tostring(shape) end
  if device ~= "cpu" then text = text .. " on " .. device end
  return text .. (#shape == 0 and ", 0-d]" or "]")
end

local function add_list(lines, l)
  each_run(l, function(first, last) lines[#lines + 1] = line(l, 1, 1, first, last) end)
end

local function tensor_text(t)
  local shape, lines = size(t), {}
  if #shape == 0 then return texts(t, {1})[1] .. " " .. closing(t, shape) end
  if numel(t) > 0 then
    local l = layout(shape, numel(t), function(positions) return texts(t, positions) end)
    if #shape == 1 then
      add_list(lines, l)
    elseif #shape == 2 then
      add_matrix(lines, l, 1)
    else
      add_blocks(lines, l, shape)
    end
  end
  lines[#lines + 1] = closing(t, shape)
  return table.concat(lines, "\n")
end

-- `count` texts as a 1-D tensor shows its elements, and a last line: texts_at(positions) gives
-- those that are shown.
local function list_text(count, texts_at, last)
  local lines = {}
  if count > 0 then add_list(lines, layout({count}, count, texts_at)) end
  lines[#lines + 1] = last
  return table.concat(lines, "\n")
end

return {tensor = tensor_text, list = list_text, texts = texts, texts_of_row = texts_of_row,
        width = width, shown = shown,
        columns_of_line = columns_of_line, terminal_size = terminal_size,
        edge_of_rows = edge_of_rows, options = options, EDGEITEMS = EDGEITEMS}
