-- SPDX-License-Identifier: MIT
-- chunks: the same rows as read_csv and read_log give, some at a time.
local locus = require "locus"
local support = require "spec.support"

local TYPES = {n = "int64", s = "string"}

local function text_of(rows)
  local lines = {"n,s"}
  for i = 1, rows do lines[i + 1] = ("%d,s%d"):format(i, i % 7) end
  return table.concat(lines, "\n") .. "\n"
end

describe("chunks", function()
  it("give all rows, in frames of n rows", function()
    for _, rows in ipairs {0, 1, 9, 10, 11, 20, 25} do
      local sizes, at = {}, 0
      for part in locus.chunks({text = text_of(rows)}, {types = TYPES, rows = 10}) do
        sizes[#sizes + 1] = #part
        for i, row in part:iter() do
          assert.equal(at + i, row.n)
          assert.equal("s" .. (at + i) % 7, row.s)
        end
        at = at + #part
      end
      assert.equal(rows, at)
      assert.equal(math.ceil(rows / 10), #sizes)
      for i = 1, #sizes - 1 do assert.equal(10, sizes[i]) end
    end
  end)

  it("are views of what is there already, each with its place", function()
    local x, f = locus.arange(20):view(10, 2), locus.frame {{"n", locus.arange(10)}}
    local c = locus.strings {"a", "b", "c", "a", "b", "c", "a", "b", "c", "a"}
    for _, rows in ipairs {1, 3, 10, 11} do
      for _, source in ipairs {x, f, c} do
        local parts, at = {}, 1
        for part, first in locus.chunks(source, {rows = rows}) do
          assert.equal(at, first)
          parts[#parts + 1], at = part, at + rows
        end
        assert.equal(math.ceil(10 / rows), #parts)
        assert.equal(tostring(source), tostring(parts[2] and locus.cat(parts) or parts[1]))
      end
    end
    for part in locus.chunks(x) do part[{1, 1}] = 7 end
    assert.equal(7, x[{1, 1}])
    for _ in locus.chunks(locus.zeros(0, 3)) do error "no rows" end
    local function refuses(text, ...) assert.equal("chunks: " .. text, support.message(...)) end
    refuses("'source' has no rows: it is a 0-d float64 tensor", locus.chunks, locus.tensor(1))
    refuses("'rows' must be a whole number of at least 1, got the number 0", locus.chunks, x,
      {rows = 0})
    refuses("'types' is for text, and 'source' is a float64 tensor of size 10x2", locus.chunks, x,
      {types = {a = "int64"}})
  end)

  it("have names of their own", function()
    for part in locus.chunks({text = "s\na\nb\nc\na\n"}, {types = {s = "string"}, rows = 2}) do
      assert.equal(2, #part.s.names)
      assert.same({1, 2}, part.s.ids:totable())
    end
  end)

  it("read logs where a format is given", function()
    local sum = 0
    for part in locus.chunks({text = "<1>\n<2>\n<3>\n"}, {format = "<$x>", rows = 2}) do
      sum = sum + part.x:sum()
    end
    assert.equal(6, sum)
  end)

  it("guess types by reading twice, where that can be done", function()
    local text, dtypes = "x\n" .. ("1\n"):rep(5) .. "1.5\n", {}
    for part in locus.chunks({text = text}, {rows = 3}) do dtypes[#dtypes + 1] = part.x.dtype end
    assert.same({"float64", "float64"}, dtypes)
    text = "x\n" .. ("1\n"):rep(300000) .. "a\n"
    for part in locus.chunks({text = text}, {rows = 200000}) do
      assert.equal("string", part:types().x)
    end
    assert.error_matches(function() locus.chunks(io.popen("echo x")) end,
      "chunks: 'types' must give the type of each column: file cannot be read twice")
  end)

  it("count bad lines of the whole, each told of by its frame", function()
    local text, lines = "n,s\n1,a\nx,b\n2,c\n3,d\ny,e\nz,f\n", {}
    for part in locus.chunks({text = text}, {types = TYPES, rows = 2, bad = 3}) do
      lines[#lines + 1] = part.bad.line:totable()
    end
    assert.same({{3}, {6, 7}}, lines)
    local ok, message = pcall(function()
      for _ in locus.chunks({text = text}, {types = TYPES, rows = 1, bad = 2}) do end
    end)
    assert.is_false(ok)
    assert.truthy(message:find("chunks_spec.lua:%d+: chunks: text:7: column 'n'"), message)
  end)

  -- One as a rule; what lies on the stack may hold the one before.
  it("hold two chunks at most, large or small", function()
    local text = "a,b,c\n" .. ("1,2,3\n"):rep(3e6)
    local types = {a = "int64", b = "int64", c = "float64"}
    for _, rows in ipairs {10000, 1000000} do
      collectgarbage()
      collectgarbage()
      local live, most, seen = locus.live_bytes(), 0, 0
      for part in locus.chunks({text = text}, {types = types, rows = rows}) do
        seen = seen + part.a:sum()
        most = math.max(most, locus.live_bytes())
      end
      assert.equal(3e6, seen)
      assert.is_true(most - live < 2 * 24 * rows + 16e6)
    end
  end)

  it("use the memory of the one before, of any size #host #native", function()
    local output, status = support.run [[
      local locus = require "locus"
      local function megabytes(word)
        for line in io.lines "/proc/self/status" do
          local kilobytes = line:match("^" .. word .. ":%s*(%d+) kB")
          if kilobytes then return kilobytes / 1024 end
        end
      end
      local piece, pieces = ("1\n"):rep(1e5), 0
      local function source()
        pieces = pieces + 1
        return pieces == 1 and "n\n" or pieces < 60 and piece or nil
      end
      for _ in locus.chunks({text = "n\n1\n"}, {types = {n = "int64"}}) do end
      local before, sum = megabytes "VmRSS", 0
      for part in locus.chunks(source, {types = {n = "int64"}, rows = 1.3e6}) do
        sum = sum + part.n:sum()
      end
      print(sum, megabytes "VmHWM" - before)]]
    assert.equal(0, status, output)
    local sum, most = output:match "(%S+)%s+(%S+)"
    assert.equal(58e5, tonumber(sum))
    local watched = os.getenv "LD_PRELOAD" ~= nil -- a sanitizer keeps freed memory
    assert.is_true(watched or tonumber(most) < 8 * 1.3 + 16, most)
  end)

  -- To guess is to read it all once; that takes no more memory than reading the chunks does.
  it("take as much memory without types as with them, wide or long #host #native", function()
    if os.getenv "LD_PRELOAD" then return end -- a sanitizer keeps freed memory
    local function most(columns, rows, guess)
      local output, status = support.run(([==[
        local locus = require "locus"
        local columns, rows, guess = %d, %d, %s
        local names, types = {}, {}
        for i = 1, columns do names[i] = "c" .. i types[names[i]] = "int64" end
        local line = ("7,"):rep(columns - 1) .. "7\n"
        local text = table.concat(names, ",") .. "\n" .. line:rep(rows)
        local function megabytes(word)
          for line in io.lines "/proc/self/status" do
            local kilobytes = line:match("^" .. word .. ":%%s*(%%d+) kB")
            if kilobytes then return kilobytes / 1024 end
          end
        end
        local sum, before = 0, megabytes "VmHWM"
        for part in locus.chunks({text = text}, {types = not guess and types or nil, rows = 5000})
        do
          sum = sum + part.c2:sum()
        end
        print(sum, megabytes "VmHWM" - before)]==]):format(columns, rows, tostring(guess)))
      assert.equal(0, status, output)
      local sum, used = output:match "(%S+)%s+(%S+)"
      assert.equal(7 * rows, tonumber(sum))
      return tonumber(used)
    end
    local more = 6 + 2 * locus.get_num_threads() -- threads end at other times
    for _, size in ipairs {{100, 60000}, {2, 1500000}} do
      local given, guessed = most(size[1], size[2], false), most(size[1], size[2], true)
      assert.is_true(guessed < given + more,
        ("%dx%d: %g and %g MB"):format(size[2], size[1], guessed, given))
    end
  end)

  it("are read when they are looked at, or when the next one is asked for", function()
    local kept = {}
    for part in locus.chunks({text = text_of(25)}, {types = TYPES, rows = 10}) do
      kept[#kept + 1] = part
    end
    local all = locus.cat(kept)
    assert.equal(25, #all)
    assert.same(locus.arange(1, 26):totable(), all.n:totable())
    local next_chunk = locus.chunks({text = "n,s\n1,a\nx,b\n"}, {types = TYPES})
    local part = next_chunk()
    for _ = 1, 2 do
      assert.error_matches(function() return part.n end, "chunks: text:3: column 'n' %(1%) is not")
    end
    assert.is_nil(next_chunk())
  end)

  it("refuse options that are not for what they read", function()
    assert.error_matches(function() locus.chunks({text = "x\n"}, {quotes = "apache"}) end,
      "chunks: 'quotes' is for logs, and there is no 'format'")
    assert.error_matches(function()
      locus.chunks({text = "x\n"}, {format = "$x", separator = ";"})
    end, "chunks: 'separator' is not for logs, which have a 'format'")
  end)

  it("refuse what is no number of rows", function()
    for _, rows in ipairs {0, -1, 1.5, "10"} do
      assert.error_matches(function() locus.chunks({text = "x\n"}, {rows = rows}) end,
        "chunks: 'rows' must be a whole number of at least 1")
    end
  end)
end)
