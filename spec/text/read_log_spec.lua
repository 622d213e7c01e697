-- SPDX-License-Identifier: MIT
-- read_log: formats, quotes, what does not match.
local locus = require "locus"

local COMBINED = '$ip - $_ [$time] "$path" $status $bytes "$_" "$agent" $latency'
local TYPES = {ip = "ipv4", time = "time", path = "request_path", status = "int16",
               bytes = {"int64", missing = 0}, agent = "string", latency = "float64"}
local LINE = '10.0.0.1 - - [22/Nov/2026:08:30:59 +0100] "GET /a?b=c HTTP/1.1" 200 - "-" '
  .. '"curl/8 [x]" 0.25'

local function problem(...)
  local ok, message = pcall(locus.read_log, ...)
  assert.is_false(ok)
  return (message:gsub("^.-read_log: ", ""))
end

describe("read_log #once", function()
  it("takes its text by name, too, and wants a format", function()
    assert.equal(7, locus.read_log{text = "<7>\n", format = "<$x>"}.x[1])
    assert.equal(2, #locus.read_log{text = "\n<7>\n\r\n<8>\n", format = "<$x>"})
    assert.equal("'format' is missing", problem({text = "<7>\n"}))
    assert.equal("'source' is missing", problem{format = "<$x>"})
  end)

  it("takes lines apart at the literal text of the format", function()
    local text = LINE .. "\n\n" .. LINE:gsub("10.0.0.1", "0.0.0.2"):gsub("0.25", "1") .. "\r\n"
    local f = locus.read_log({text = text}, COMBINED, {types = TYPES, missing = "-"})
    assert.same({"ip", "time", "path", "status", "bytes", "agent", "latency"}, f:columns())
    assert.same({167772161, 2}, f.ip:totable())
    assert.equal(1795332659e6, f.time[1])
    assert.same({"/a", "/a"}, f.path:totable())
    assert.same({200, 200}, f.status:totable())
    assert.same({0, 0}, f.bytes:totable())
    assert.same({"curl/8 [x]"}, f.agent.names)
    assert.same({0.25, 1}, f.latency:totable())
  end)

  it("knows what it is not told by the text", function()
    local f = locus.read_log({text = LINE}, COMBINED, {columns = {"latency", "status", "ip"}})
    assert.same({"latency", "status", "ip"}, f:columns())
    assert.same({"float64", "int64", "10.0.0.1"}, {f.latency.dtype, f.status.dtype, f.ip[1]})
    f = locus.read_log({text = "1 2 3\n"}, "$a $_ $b")
    assert.same({"a", "b"}, f:columns())
  end)

  it("knows formats by name, as nginx and Apache write them", function()
    local nginx = '192.0.2.7 - ann [22/Nov/2026:08:30:59 +0000] "GET /a?b=\\x22 HTTP/1.1" 200 512 '
      .. '"https://a.example/" "curl/8"'
    local apache = '192.0.2.8 - - [22/Nov/2026:08:31:00 +0000] '
      .. '"GET /\\"q\\" HTTP/1.1" 304 - "-" "x"'
    local f = locus.read_log({text = nginx .. "\n" .. apache .. "\n"}, "combined", {missing = "-",
      types = {remote_addr = "ipv4", time_local = "time", status = "int16",
               body_bytes_sent = {"int64", missing = 0}}, rest = true})
    assert.same({"remote_addr", "remote_user", "time_local", "request", "status",
                 "body_bytes_sent", "http_referer", "http_user_agent"}, f:columns())
    assert.same({'GET /a?b=" HTTP/1.1', 'GET /"q" HTTP/1.1'}, f.request:totable())
    assert.same({"ann", ""}, f.remote_user:totable())
    assert.same({512, 0}, f.body_bytes_sent:totable())
    assert.same({"curl/8", "x"}, f.http_user_agent:totable())
    assert.equal("2026-11-22T08:31:00Z", tostring(f.time_local[2]))
    local line = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /pb.gif HTTP/1.0" 200 2326'
    for part in locus.chunks({text = line}, {format = "common"}) do
      assert.same({200, 2326}, {part.status[1], part.body_bytes_sent[1]})
      assert.equal("frank", part.remote_user[1])
    end
    assert.truthy(problem({text = line}, "combined"):find("text:1: ", 1, true))
    assert.truthy(problem({text = "{}"}, "json"):find("write locus.read_json(source", 1, true))
    assert.truthy(problem({text = "{}"}, "combind"):find('"combined"', 1, true))
  end)

  it("takes nginx's configuration as it stands there", function()
    local text = [[
      log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                        '$status $body_bytes_sent "$http_referer" '
                        '"$http_user_agent"';]]
    local f = locus.read_log({text = LINE:gsub(" 0.25", "")}, text,
      {types = {status = "int64", http_user_agent = "string"}})
    assert.equal(200, f.status[1])
    assert.equal("curl/8 [x]", f.http_user_agent[1])
    f = locus.read_log({text = "1 it's 2\n"}, [['$a it\'s ${b}']])
    assert.same({1, 2}, {f.a[1], f.b[1]})
    f = locus.read_log({text = "1\t\\2\n"}, [[log_format tabs '$a\t\\$b';]])
    assert.same({1, 2}, {f.a[1], f.b[1]})
    f = locus.read_log({text = 'x "y" z\n'}, 'x "$a" z')
    assert.equal("y", f.a[1])
  end)

  it("knows Apache's backslashes within quotes", function()
    local text = [[1 "GET /\"x\\ \x41\n" "b\" c" 2]] .. "\n"
    local f = locus.read_log({text = text}, '$n "$r" "$a" $m', {quotes = "apache"})
    assert.equal('GET /"x\\ A\n', f.r[1])
    assert.equal('b" c', f.a[1])
    assert.equal(2, f.m[1])
    for written, meant in pairs {
      [ [[\x41]] ] = "A", [ [[\x4z]] ] = "x4z", [ [[\xz4]] ] = "xz4", [ [[\x4]] ] = "x4",
      [ [[\a\b\f\n\r\t\v]] ] = "\a\b\f\n\r\t\v", [ [[\xfFg]] ] = "\255g",
    } do
      f = locus.read_log({text = '"' .. written .. '"'}, '"$a"', {quotes = "apache"})
      assert.equal(meant, f.a[1])
    end
    f = locus.read_log({text = [["a\x41 b\x41"]]}, '"$a $b"', {quotes = "apache"})
    assert.same({[[a\x41]], [[b\x41]]}, {f.a[1], f.b[1]}) -- neither is all that the quotes hold
    f = locus.read_log({text = [[1 "a\x22b" 2]]}, '$n "$r" $m')
    assert.equal([[a\x22b]], f.r[1])
  end)

  it("knows hexadecimal digits, and what is none, on either side of them", function()
    for written, meant in pairs {
      [ [[\xaF]] ] = "\175", [ [[\x/0]] ] = "x/0", [ [[\x:0]] ] = "x:0", [ [[\x0G]] ] = "x0G",
      [ [[\x0`]] ] = "x0`", [ [[\x0@]] ] = "x0@", ["\\\0"] = "\0", [ [[plain]] ] = "plain",
    } do
      local f = locus.read_log({text = '"' .. written .. '"'}, '"$a"', {quotes = "apache"})
      assert.equal(meant, f.a[1])
    end
    assert.matches("^text:1: column 'a' %(1%) does not end as the format says: ",
      problem({text = [["a\"]] .. "\n"}, '"$a"', {quotes = "apache", types = {a = "string"}}))
  end)

  it("looks for texts of several bytes, which may begin before they stand", function()
    local options = {types = {a = "string", b = "string"}}
    local f = locus.read_log({text = "p] q]] [r\n"}, "$a] [$b", options)
    assert.same({"p] q]", "r"}, {f.a[1], f.b[1]})
    for _, line in ipairs {"p", "p]", "p] ", "p]x["} do
      assert.matches("^text:1: column 'a' %(1%) does not end as the format says: ",
        problem({text = line .. "\n"}, "$a] [$b", options))
    end
    for _, line in ipairs {"<", "<lon", "x"} do
      assert.matches("^text:1: does not begin as the format says: ",
        problem({text = line .. "\n"}, "<long $a", {types = {a = "string"}}))
    end
  end)

  it("names lines that do not match", function()
    local options = {types = {a = "int64", b = "int8"}}
    assert.equal('text:2: does not begin as the format says: "1 2"',
      problem({text = "<1 2>\n1 2\n"}, "<$a $b>", options))
    assert.equal("text:1: column 'a' (1) does not end as the format says: \"12>\"",
      problem({text = "<12>\n"}, "<$a $b>", options))
    assert.equal("text:1: goes on behind the end of the format: \"<1 2> \"",
      problem({text = "<1 2> \n"}, "<$a $b>", options))
    assert.equal("text:1: column 'b' (2) is not an int8: \"300\"",
      problem({text = "<1 300>\n"}, "<$a $b>", options))
    local f = locus.read_log({text = "1 2\nx\n3 4\n5 y\n"}, "$a $b",
      {types = options.types, bad = 2})
    assert.same({1, 3}, f.a:totable())
    assert.same({2, 4}, f.bad.line:totable())
  end)

  it("refuses formats that cannot be read", function()
    local cases = {
      ["no field"] = "'format' has no field: write $name for each, or \"combined\" or "
        .. "\"common\"",
      ["$a$b"] = "'format' has no text between $a and $b",
      ["$a $a"] = "'format' has $a twice",
      ["$ $a"] = "'format' has a $ without a name at byte 1",
      ["$a\n$b"] = "'format' must be one line",
    }
    for format, expected in pairs(cases) do
      assert.equal(expected, problem({text = ""}, format))
    end
    assert.equal("'format' must be a string, got the number 5", problem({text = ""}, 5))
    local told = problem({text = ""}, "$a", {quotes = "nginx"})
    assert.truthy(told:find("'quotes' must be \"apache\"", 1, true))
  end)

  it("has no rows of an empty log", function()
    local f = locus.read_log({text = ""}, COMBINED, {types = TYPES})
    assert.equal(0, #f)
    assert.equal("int16", f.status.dtype)
  end)
end)
