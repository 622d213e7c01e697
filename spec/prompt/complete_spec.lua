-- SPDX-License-Identifier: MIT
-- Completions by Tab at the end of a text: names, methods, fields, columns, arguments.
local complete = require "locus.repl.complete"
local evaluate = require "locus.repl.evaluate"
local locus = require "locus"
local support = require "spec.support"

describe("completion #host #once", function()
  local session, variables
  before_each(function()
    session = evaluate.session()
    variables = session.variables
  end)

  local function run(text) assert(session:call(assert(session:compile(text)).run)) end

  -- The texts that a line may become.
  local function become(line)
    local list, from = complete.at(variables, line)
    for i, text in ipairs(list) do list[i] = line:sub(1, from - 1) .. text end
    return list
  end

  -- Whether one of the candidates is that text.
  local function offers(line, text)
    for _, candidate in ipairs((complete.at(variables, line))) do
      if candidate == text then return true end
    end
    return false
  end

  it("knows variables, keywords and the names of the module", function()
    run "local wanted, want = 1, 2"
    assert.same({"want", "wanted"}, become "wan")
    assert.same({"x = want", "x = wanted"}, become "x = wan")
    assert.same({"locus.searchsorted"}, become "locus.searchs")
    assert.same({"while"}, become "whil")
    assert.same({"f(locus.cuda"}, become "f(locus.cud")
    assert.same({"string.rep"}, become "string.rep")
    assert.same({}, become "")
    assert.same({}, become "x = ")
    assert.same({"_G", "_VERSION"}, become "_")
    assert.same({}, become "nowhere.to")
  end)

  it("knows the methods and the fields of what locus makes", function()
    run [[
      x, f = locus.zeros(2), locus.frame{{"price", {1}}, {"a b", {2}}, {"sym", {"a"}}}
      values = {x = x, f.sym, group = f:group("sym"), builder = locus.builder("int64"),
                rows = locus.builder{{"a", "int64"}}, generator = locus.generator(1),
                index = x:search_index()}
      names = f.sym
    ]]
    assert.same({"x:searchsorted"}, become "x:searchs")
    assert.same({"x.T", "x.device", "x.dtype", "x.ndim", "x.shape"}, become "x.")
    assert.same({"f.bad", "f.price", "f.sym"}, become "f.")
    assert.same({"f:group"}, become "f:gr")
    assert.same({"f.price:searchsorted"}, become "f.price:searchs")
    assert.same({"f['a b']:searchsorted"}, become "f['a b']:searchs")
    assert.same({"values.x:searchsorted"}, become "values.x:searchs")
    assert.same({"values[1]:lookup"}, become "values[1]:look")
    assert.same({"names.device", "names.dtype"}, become "names.d")
    assert.same({"values.group:quantile"}, become "values.group:qu")
    assert.same({"values.group.ids"}, become "values.group.i")
    assert.same({"values.builder:push"}, become "values.builder:pu")
    assert.same({"values.rows:push"}, become "values.rows:pu")
    assert.same({"values.generator:seed"}, become "values.generator:seed")
    assert.same({"values.index:searchsorted"}, become "values.index:")
    for _, name in ipairs {"x", "f", "values", "names"} do rawset(_G, name, nil) end
  end)

  it("takes the result of a call for a tensor", function()
    assert.same({"locus.zeros(3):searchsorted"}, become "locus.zeros(3):searchs")
    assert.same({"t[{1}]:searchsorted"}, become "t[{1}]:searchs")
    assert.same({}, become "nowhere:searchs")
  end)

  it("looks into tables, those behind them, strings and files", function()
    run [[
      local base = {inherited = 1, run = print}
      local t = setmetatable({own = {deep = 1}, ["a b"] = 2, [1] = {one = 1}, s = "text"},
        {__index = base})
    ]]
    assert.same({"t.inherited", "t.own", "t.run", "t.s"}, become "t.")
    assert.same({"t:run"}, become "t:")
    assert.same({"t.own.deep"}, become "t.own.d")
    assert.same({"t['own'].deep"}, become "t['own'].")
    assert.same({"t[1].one"}, become "t[1].")
    assert.same({"t.s:rep", "t.s:reverse"}, become "t.s:re")
    assert.same({}, become "t.s.")
    assert.is_true(offers("io.stdout:", "write"))
  end)

  it("loads the functions of ranks where these are asked for, and not before", function()
    local said, status = support.run([[
      local complete, locus = require "locus.repl.complete", require "locus"
      local variables = {locus = locus, t = {name = 1}, x = locus.zeros(2)}
      for _, text in ipairs {"locus.zer", "t.na", "x:su", "math.fl"} do
        complete.at(variables, text)
        assert(not package.loaded["locus.mpi"], text)
      end
      io.write(table.concat(complete.at(variables, "locus.mpi.allg"), " "))]])
    assert.same({"allgather allgatherv", 0}, {said, status})
  end)

  it("calls nothing of the user's", function()
    run [[
      calls = 0
      local function called() calls = calls + 1 end
      local t = setmetatable({}, {__index = called, __len = called, __call = called})
      local u = newproxy(true)
      getmetatable(u).__index = called
    ]]
    for _, line in ipairs {"t.", "t:", "t.a.", "t.a.b", "u.", "u:x", "u.a.b", "t[1]."} do
      assert.same({}, become(line), line)
    end
    assert.equal(0, rawget(_G, "calls"))
    rawset(_G, "calls", nil)
  end)

  it("knows the arguments of a call in braces", function()
    run "local x, f = locus.zeros(2), locus.frame{{'a', {1}}}"
    assert.same({"x:searchsorted{side = ", "x:searchsorted{sorter = "}, become "x:searchsorted{s")
    assert.same({"x:searchsorted(v, {right = true, side = "},
      become "x:searchsorted(v, {right = true, si")
    assert.same({"locus.where{condition = "}, become "locus.where{cond")
    assert.same({"locus.sum(x, {dim = "}, become "locus.sum(x, {di")
    assert.same({"locus.sum(f(x, {1, 2}), {dim = "}, become "locus.sum(f(x, {1, 2}), {di")
    assert.same({"locus.zeros(2):sum{keepdim = "}, become "locus.zeros(2):sum{keep")
    assert.same({"f:write_csv{separator = "}, become "f:write_csv{sepa")
    assert.is_true(offers("locus.sum{", "input = "))
    assert.is_false(offers("x:sum{", "input = "))
    assert.is_false(offers("x:sum{dim = 1, ", "dim = "))
    assert.is_true(offers("x:sum{dim = 1, ", "keepdim = "))
    assert.is_false(offers("x:sum{dim = ", "keepdim = "))
    assert.is_false(offers("x:sum{dim = {", "keepdim = "))
    assert.same({"x:sum{dim = locus"}, become "x:sum{dim = locus")
    assert.same({"{1, locus"}, become "{1, locus")
  end)

  it("knows nothing in comments, long strings and what follows a string", function()
    assert.same({}, become "-- locus.s")
    assert.same({}, become "x = [[locus.s")
    assert.same({"'-- ' .. locus"}, become "'-- ' .. locus")
  end)

  -- A shell lists them, by io.popen.
  it("knows the files whose names begin so, folders with a slash", function()
    assert.same({"f('lua/locus.sh", "f('lua/locus/"}, become "f('lua/loc")
    assert.same({"x = \"lua/locus/repl/history.lua"}, become "x = \"lua/locus/repl/hist")
    local home = io.popen("cd && pwd"):read("*l")
    for _, text in ipairs(become "'~/") do
      assert.equal("'" .. home .. "/", text:sub(1, #home + 2))
    end
    assert.same({}, become "'no/such; touch x")
    assert.same({}, become "'$(echo lua)")
    local said = support.run [[
      local complete = require "locus.repl.complete"
      io.write(#complete.at({}, "'lua/lo\0"))
    ]]
    assert.equal("0", said) -- the shell says nothing of a quote that has no end
    local popen = io.popen
    finally(function() io.popen = popen end)
    io.popen = function() return nil, "Cannot allocate memory" end
    assert.same({}, become "'lua/lo")
  end)

  it("knows the columns of the frame that a string is for, and dtypes", function()
    run [[f, g = locus.frame{{"price", {1}}, {"a b", {2}}, {"sym", {"a"}}}, locus.zeros(2)]]
    assert.same({'f["a b', 'f["price', 'f["sym'}, become 'f["')
    assert.same({'f:sort("price'}, become 'f:sort("pr')
    assert.same({"f:sort{'sym', 'price"}, become "f:sort{'sym', 'pr")
    assert.same({'f:asof(h, {on = "price'}, become 'f:asof(h, {on = "pr')
    assert.same({'f:asof(h, {by = {"sym'}, become 'f:asof(h, {by = {"s')
    assert.same({}, become 'f:asof(h, {direction = "pr')
    assert.same({}, become 'f:save("pr')
    assert.same({}, become 'g:plot("pr')
    assert.same({'f:sort("lua/locus.sh'}, become 'f:sort("lua/locus.s')
    assert.same({'x:to("int16', 'x:to("int32', 'x:to("int64', 'x:to("int8'}, become 'x:to("in')
    assert.same({"locus.zeros(2, {dtype = 'bool"}, become "locus.zeros(2, {dtype = 'bo")
  end)

  it("knows what ?name may ask for", function()
    run "local searching_for, sea = locus.zeros(2), 5"
    assert.same({"?search_index", "?searching", "?searching_for", "?searchsorted"},
      become "?search")
    assert.same({"? guide"}, become "? guid")
    assert.same({"?fill_", "?fill_missing", "?fill_missing_"}, become "?fill")
    assert.same({"?linspace"}, become "?lins") -- a function alone
    assert.same({"?describe"}, become "?descr")
    assert.same({}, become "?setmeta")
  end)

  it("knows the commands", function()
    assert.same({"%time", "%trace"}, become "%t")
    assert.same({"%bench", "%time", "%trace"}, become "%")
    assert.same({"%time locus"}, become "%time locus")
    assert.same({"?locus.searchsorted"}, become "?locus.searchs")
  end)

  it("fits the words of line editors, wherever these begin", function()
    for first = 1, 13 do
      assert.same({("locus.searchsorted"):sub(first)},
        complete.words(variables, "locus.searchs", first))
    end
  end)

  it("goes on while locals hide what there is", function()
    run "local locus, string = nil, 5"
    assert.same({"string"}, become "strin")
    assert.equal("function", type(locus.zeros))
  end)
end)

describe("completion on a device #cuda #once", function()
  it("knows streams and events", function()
    local stream = locus.cuda.Stream()
    local variables = {stream = stream, event = stream:record_event()}
    assert.same({"wait_event"}, (complete.at(variables, "stream:wait_e")))
    assert.same({"cuda_stream"}, (complete.at(variables, "stream.cu")))
    assert.same({"query"}, (complete.at(variables, "event:que")))
    assert.same({"device"}, (complete.at(variables, "event.d")))
  end)
end)
