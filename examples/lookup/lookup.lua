-- SPDX-License-Identifier: MIT
-- Where values belong in a sorted sequence, over HTTP. GET /lookup?v=4.5 gives one position. POST
-- gives one for each number of its body, which has a number on each line or is a JSON array of
-- numbers; the answer has the same form.
local locus = require "locus"

local lookup = {}

local index, values_type

-- The numbers of a text, one on each line, as a 1-D tensor. A line without a number would be NaN.
local function parse(text)
  if not text:find "%S" then return locus.zeros(0) end
  local values = locus.read_csv({text = text}, {header = {"v"}, types = {v = values_type}}).v
  local gap = values:isnan():lookup(true)
  if gap > 0 then error(("value %d is not a number"):format(gap), 0) end
  return values
end

--- The positions that a body asks for, as text; or nil and what is wrong with it. Temporaries are
--- freed at the end.
function lookup.answer(body)
  return locus.tidy(function()
    local list = body:match "^%s*%[(.*)%]%s*$"
    local good, values = pcall(parse, list and list:gsub("[\r\n]", " "):gsub(",", "\n") or body)
    if not good then return nil, (values:gsub("^[^\n]-%.lua:%d+: ", "")) end
    local lines = locus.frame{{"position", index:searchsorted(values)}}:write_csv{header = false}
    return list and "[" .. lines:sub(1, -2):gsub("\n", ",") .. "]\n" or lines
  end)
end

--- Maps the sequence in an .npy file. Raises unless it has one dimension and ascends. The first
--- answer loads all that locus loads on demand: here, in nginx's master, and not in each worker.
function lookup.open(path)
  local sequence = locus.load(path, {mmap = "r"})
  if sequence.ndim ~= 1 then error(("'%s' must have one dimension"):format(path)) end
  index = sequence:search_index{check = true}
  values_type = sequence.dtype:find "int" and "int64" or "float64"
  lookup.answer "[0, 1]"
end

local function reply(status, text)
  ngx.status = status
  ngx.header["Content-Type"] = text:find "^%[" and "application/json" or "text/plain"
  ngx.header["Content-Length"] = #text
  ngx.print(text)
end

--- nginx's content handler.
function lookup.serve()
  local body
  if ngx.req.get_method() == "POST" then
    ngx.req.read_body()
    body = ngx.req.get_body_data() or ""
  else
    body = ngx.var.arg_v or ""
    if body == "" then return reply(400, "no value is given: /lookup?v=4.5\n") end
  end
  local answer, wrong = lookup.answer(body)
  return reply(answer and 200 or 400, answer or wrong .. "\n")
end

return lookup
