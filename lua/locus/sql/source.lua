-- SPDX-License-Identifier: MIT
-- Names of databases: "sqlite:shop.db", "postgresql://user@host/shop", "duckdb:". A name says which
-- driver serves it, and the options with which the driver opens it.
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local internal = require("locus.core").internal

local source = {}

local EXAMPLES = '"sqlite:shop.db", "postgresql://user@host/shop" or "duckdb:shop.db"'

-- A database in a file: its path, and the option that has it. In memory it has none.
local function in_file(name, option, memory)
  return function(rest, must_be_there)
    if rest:find "^//" then
      declare.raise("'database' must be a path behind '%s:', got '%s:%s'; write \"%s:%s\"", name,
        name, rest, name, (rest:gsub("^//", "")))
    end
    local path = rest ~= "" and rest ~= ":memory:" and rest
    if path and must_be_there and not path:find "^file:" and not file.exists(path) then
      declare.raise("there is no file '%s'; locus.connect(\"%s:%s\") makes a new database", path,
        name, path)
    end
    return {[option] = path or memory}
  end
end

local function whole(_, _, uri) return {uri = uri} end

-- By scheme: the driver's name, and its options for what follows the colon.
local schemes = {
  sqlite = {"sqlite", in_file("sqlite", "uri", ":memory:")},
  sqlite3 = {"sqlite", in_file("sqlite3", "uri", ":memory:")},
  duckdb = {"duckdb", in_file("duckdb", "path", ":memory:")},
  postgresql = {"postgresql", whole}, postgres = {"postgresql", whole},
}

--- The driver's name and the options of a database. One that must be there is not made anew.
function source.parse(uri, must_be_there)
  if type(uri) ~= "string" then
    declare.raise("'database' must be a connection or a text such as %s, got %s", EXAMPLES,
      internal.describe(uri))
  end
  if uri:find("\0", 1, true) then
    declare.raise("'database' must be a string without zero bytes, got %s", internal.describe(uri))
  end
  local scheme, rest = uri:match "^(%a[%w+.-]+):(.*)$"
  if not scheme then
    declare.raise("'database' must begin with its kind, as in %s, got %s", EXAMPLES,
      internal.describe(uri))
  end
  scheme = scheme:lower()
  local known = schemes[scheme]
  if not known then return scheme, {uri = uri} end
  return known[1], known[2](rest, must_be_there, uri)
end

return source
