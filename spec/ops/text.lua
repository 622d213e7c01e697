-- SPDX-License-Identifier: MIT
-- Calls that read text into frames: every type, guesses, bad lines, several chunks.
local CSV = "i,f,s,t,b\n1,2.5,a,2026-11-22T08:30:00Z,yes\n2,,b,2026-11-22,no\nx\n3,1,\"q\"\"\",,\n"
local TYPES = {i = "int8", f = "float32", s = "string", t = {"time", missing = 0},
               b = {"bool", "yes", "no", missing = false}}

local list = {
  answers = "read_csv_spec, read_guess_spec, read_log_spec, read_json_spec, chunks_spec, "
    .. "many_files_spec",
  {"read_csv", function(f) return f({text = CSV}, {types = TYPES, bad = 1}) end},
  {"read_csv", function(f) return f({text = 'i,s\n1,"a\\"b"\n2.5,b\n'}, {escape = "\\"}) end,
   form = "without types"},
  {"read_csv", function(f)
    return f({{text = "i,s\n1,a\n"}, {text = "s,i\nb,2\n"}}, {path = "file"})
  end, form = "of several files"},
  {"read_log", function(f)
    return f({text = "<1> a\n<2> b\n"}, "<$n> $s", {types = {n = "ipv4", s = "string"}, bad = 2})
  end},
  {"read_json", function(f)
    return f({text = '{"i":1,"o":{"s":"\\u00e9"},"b":true}\n{"i":"x"}\n{"b":false}\n'},
      {types = {i = {"int8", missing = 0}, s = {"string", path = "o.s"}, b = "bool"}, bad = 1})
  end},
  {"read_json", function(f) return f{text = '{"i":1,"o":{"s":"a"}}\n{"i":2.5}\n'} end,
   form = "without types"},
  {"chunks", function(f)
    for _ in f({text = "i,s\n1,a\n2,b\n"}, {types = {i = "int8", s = "string"}, rows = 1}) do end
  end},
}
for _, row in ipairs(list) do row.on, row.unlaid = "none", "takes no tensor" end
return list
