-- SPDX-License-Identifier: MIT
-- read_json with several threads: the same rows, numbers of strings, bad lines and errors as with
-- one, whatever the lines are like.
local locus = require "locus"
local answers = require "spec.support.answers"
local text = require "spec.support.text"
local same_for_threads, told = answers.same_for_threads, answers.told

local TYPES = {n = {"int64", missing = -1}, s = {"string", path = "o.s"}, x = "float64",
               t = {"time", missing = 0}, l = {"string", path = "l[1]"}}

-- Lines of random objects, whose keys come in random order; `odd` changes some of them.
local function make(random, rows, odd)
  local lines = {}
  local function pick(list) return list[random(#list)] end
  for i = 1, rows do
    local keys = {
      ('"n": %d'):format(i * 7919), '"x":' .. pick {"1.5", "null", "-2e300", "17", '""'},
      ('"o":{"z":[{}],"s":"%s"}'):format(pick{"ann", "b\\u00e9b", "", "name" .. i, "k" .. i % 300}),
      ('"t":"2026-11-%02dT10:00:%02dZ"'):format(i % 28 + 1, i % 60),
      ('"l":[1,"%s"]'):format(pick {"\\ud83d\\ude00", "x\\n"}), '"more":' .. i,
    }
    if random(3) == 1 then
      local a, b = random(#keys), random(#keys)
      keys[a], keys[b] = keys[b], keys[a]
    end
    if random(5) == 1 then keys[#keys] = ('"key%d":{"n":1}'):format(random(100)) end
    local line = "{" .. table.concat(keys, pick {",", ", "}) .. "}"
    lines[i] = odd and odd(line, i, random) or line
  end
  return table.concat(lines, "\n") .. "\n"
end

describe("read_json with several threads", function()
  local ROWS = 4000

  local function check(about, odd, options)
    local seed = os.time() % 100000
    math.randomseed(seed)
    local made = make(math.random, ROWS, odd)
    options = options or {}
    options.types = options.types or TYPES
    about = about .. ", seed " .. seed
    same_for_threads(about, function() return locus.read_json({text = made}, options) end)
    same_for_threads(about .. ", in pieces", function()
      return locus.read_json(text.pieces(made, 70001), options)
    end)
    same_for_threads(about .. ", without types", function()
      return locus.read_json({text = made}, {bad = options.bad, rows = options.rows})
    end)
    same_for_threads(about .. ", in chunks", function()
      local all = {}
      options.format, options.rows = "json", 777
      for part in locus.chunks({text = made}, options) do all[#all + 1] = part end
      options.format, options.rows = nil, nil
      return locus.cat(all)
    end)
  end

  it("gives the rows of one", function()
    check("plain")
    check("carriage returns", function(line) return line .. " \r" end)
    check("empty lines", function(line, i) return i % 3 == 0 and line .. "\n  \n" or line end)
    check("as many rows", nil, {rows = 3001})
  end)

  it("leaves out the same lines, and names the same one", function()
    local function spoil(line, i, random)
      if random(97) > 1 then return line end
      return i % 2 == 0 and line:sub(1, random(#line - 1)) or line:gsub('"n": ', '"n": "x",')
    end
    check("bad lines", spoil, {bad = 1000})
    check("a bad line", spoil)
    check("long lines", function(line, i)
      return i % 500 == 0 and line:gsub("ann", ("a"):rep(2000)) or line
    end, {bad = 100, limit = 1000})
  end)

  it("reads an array as one does", function()
    local made = make(math.random, ROWS):gsub("}\n{", "},\n{")
    same_for_threads("an array", function()
      return locus.read_json({text = "[" .. made .. "]"}, {types = TYPES})
    end)
  end)

  it("can fail at each allocation, and come through", function()
    local made = make(math.random, 1500)
    local array = "[" .. made:gsub("}\n{", "},\n{") .. "]"
    local threads, failed = locus.get_num_threads(), 0
    finally(function()
      locus.fail_allocation(0)
      locus.set_num_threads(threads)
    end)
    locus.set_num_threads(2)
    for _, given in ipairs {made, array} do
      for _, options in ipairs {{types = TYPES}, {}} do
        local expected = told(locus.read_json({text = given}, options))
        for k = 1, 60 do
          locus.fail_allocation(k)
          local ok, frame = pcall(locus.read_json, {text = given}, options)
          failed = failed + locus.fail_allocation(0)
          assert.equal(expected, ok and told(frame) or frame)
        end
      end
    end
    assert.is_true(failed > 60)
  end)

  it("reads compressed text as text", function()
    local made = make(math.random, ROWS)
    text.with_file(made, function(path)
      os.execute("gzip -kf " .. path)
      local plain = same_for_threads("a file", function()
        return locus.read_json(path, {types = TYPES})
      end)
      assert.equal(plain, same_for_threads("gzip", function()
        return locus.read_json(path .. ".gz", {types = TYPES})
      end))
      os.remove(path .. ".gz")
    end)
  end)

  it("leaves an array whose elements stand on one line to one thread", function()
    local whole = "[" .. ('{"n":1},'):rep(20000) .. '{"n":2}\n\n]'
    same_for_threads("an array on a line", function()
      return locus.read_json({text = whole}, {types = {n = "int64"}})
    end)
    assert.equal(20002, locus.read_json({text = whole}, {types = {n = "int64"}}).n:sum())
  end)
end)
