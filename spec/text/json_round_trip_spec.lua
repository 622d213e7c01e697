-- SPDX-License-Identifier: MIT
-- Random frames of every type of column that write_json writes, read_json reads back the same, by
-- any number of threads, and write_json then writes the same bytes.
local frames = require "spec.support.data.frames"
local files = require "spec.support.text"
local json = require "spec.support.models.json"
local locus = require "locus"

local random = math.random
local seed = tonumber(os.getenv "LOCUS_JSON_SEED") or os.time() % 1000000

local function with_threads(n, f)
  local before = locus.get_num_threads()
  locus.set_num_threads(n)
  local ok, answer = pcall(f)
  locus.set_num_threads(before)
  if not ok then error(answer, 0) end
  return answer
end

local function pick(list) return list[random(#list)] end

-- A frame with a column of each type, and two more of strings; JSON has no other strings than those
-- of UTF-8. `nested`: the names of some columns have points.
local function random_frame(rows, nested)
  local list = {}
  for i, type_and_make in ipairs(frames.columns) do
    local type, make = unpack(type_and_make)
    local kind = (type.unit or type == "date" or type == "ipv4") and type or nil
    if type == "string" then make = frames.utf8 end
    local column = make(rows)
    if type == "ipv4" then column = column:clamp(0) end -- -1, which may be there, is no address
    list[i] = {(nested and i % 3 > 0 and "o" .. i % 2 .. "." or "") .. "c" .. i, column, kind}
  end
  list[#list + 1] = {'"k\\\n\195\164\240\157\132\158', frames.utf8(rows)}
  for i = #list, 2, -1 do
    local k = random(i)
    list[i], list[k] = list[k], list[i]
  end
  return locus.frame(list)
end

-- What is read of the text, and how it differs.
local function back(f, text)
  local g = locus.read_json({text = text}, {types = f:types(), columns = f:columns()})
  return g, frames.difference(f, g)
end

describe("what write_json writes, read_json reads", function()
  setup(function() math.randomseed(seed) end)

  it("with the same elements and the same bytes, by any number of threads", function()
    for round = 1, 8 do
      local f = random_frame(pick {0, 1, 2, 7, 100, 3000}, round % 2 == 0)
      local options = {array = round % 4 < 2, nest = round % 2 == 0, missing = pick {"null", ""},
                       infinite = pick {"number", "string"}}
      local about = ("seed %d, round %d: "):format(seed, round)
      local text = with_threads(1, function() return f:write_json(options) end)
      for _, n in ipairs {1, 2, 3, 5, 16} do
        with_threads(n, function()
          assert(f:write_json(options) == text, about .. n .. " threads write otherwise")
          if #f > 0 then
            local g, wrong = back(f, text)
            assert(not wrong, about .. n .. " threads: " .. tostring(wrong))
            assert(g:write_json(options) == text, about .. n .. " threads write it otherwise")
          end
        end)
      end
    end
  end)

  it("from files, gzip, pieces, pipes and chunks", function()
    local f = random_frame(2000)
    local options = {infinite = "number"}
    local text, types = f:write_json(options), f:types()
    local read = {types = types, columns = f:columns()}
    local function same(g, how)
      local wrong = frames.difference(f, g)
      assert(not wrong, ("seed %d, %s: %s"):format(seed, how, tostring(wrong)))
    end
    same(locus.read_json(frames.pieces(text, 500), read), "pieces")
    same(locus.read_json(frames.pieces(text, 100000), read), "long pieces")
    files.with_file(text, function(path)
      same(locus.read_json(path, read), "a path")
      local file = io.open(path, "rb")
      same(locus.read_json(file, read), "a file")
      file:close()
      local pipe = io.popen("cat " .. path)
      same(locus.read_json(pipe, read), "a pipe")
      pipe:close()
      pipe = io.popen("gzip -1 < " .. path)
      same(locus.read_json(pipe, read), "gzip")
      pipe:close()
    end)
    local parts = {}
    local chunked = {types = types, columns = f:columns(), rows = 333, format = "json"}
    for part in locus.chunks({text = text}, chunked) do parts[#parts + 1] = part end
    assert.equal(7, #parts)
    same(locus.cat(parts), "chunks")
  end)

  it("where types come from the text", function()
    local f = locus.frame {
      {"n", locus.arange(0, 900):long() * 1000003 - 5}, {"x", locus.arange(0, 900) / 8 + 0.125},
      {"b", locus.arange(0, 900):long():remainder(2):eq(0)}, {"o.s", frames.utf8(900)},
      {"o.p.n", locus.arange(0, 900):long()},
    }
    local s = f["o.s"]:map(function(text) return "s" .. text end)
    f = f:with("o.s", s)
    for _, nest in ipairs {false, true} do
      for _, array in ipairs {false, true} do
        local g = locus.read_json {text = f:write_json {nest = nest, array = array}}
        assert.is_nil(frames.difference(f, g))
      end
    end
  end)

  it("as the model does, with null in the place of what JSON has no number for", function()
    local f = random_frame(200)
    local lines = json.lines(f:write_json())
    local g = locus.read_json({text = f:write_json()}, {types = f:types(), columns = f:columns()})
    for _, name in ipairs(f:columns()) do
      for i = 1, 200 do
        local value, got = json.member(lines[i], name), g:column(name)[i]
        if value == json.null then assert.is_true(got ~= got) end
      end
    end
  end)
end)
