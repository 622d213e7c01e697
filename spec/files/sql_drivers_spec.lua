-- SPDX-License-Identifier: MIT
-- Names of databases, and where drivers of ADBC are looked for: the option `driver`, manifests,
-- folders, the loader's path and the packages of python3; and the sentence where there is none.
local has_ffi = pcall(require, "ffi")
local support = require "spec.support"
local locus = require "locus"
local fake = has_ffi and require "spec.support.data.adbc"

local message = support.message

local function output_of(command)
  local pipe = io.popen(command)
  local text = pipe:read "*l"
  pipe:close()
  return text
end

-- What a child prints whose only python3 is that script, in a folder of these files.
local function alone(root, chunk, environment)
  environment = environment or {}
  environment.PATH, environment.HOME = root .. "/bin:/usr/bin", root .. "/home"
  environment.ADBC_DRIVER_PATH = environment.ADBC_DRIVER_PATH or ""
  environment.VIRTUAL_ENV = environment.VIRTUAL_ENV or root .. "/no"
  environment.CONDA_PREFIX = root .. "/no"
  return (support.run(([[
    local locus = require "locus"
    local function try(...)
      local ok, said = pcall(...)
      print((tostring(said):gsub("^[^:]+:%%d+: ", "")))
    end
    %s]]):format(chunk), environment, output_of "command -v luajit"))
end

describe("a database's name #host #once #native", function()
  local function refuses(sentence, uri, options)
    assert.equal("connect: " .. sentence, message(locus.connect, uri, options))
  end

  it("says its kind", function()
    local examples = '"sqlite:shop.db", "postgresql://user@host/shop" or "duckdb:shop.db"'
    refuses("'database' must begin with its kind, as in " .. examples
      .. ", got the string \"shop.db\"", "shop.db")
    assert.equal("read_sql: 'database' must be a connection or a text such as " .. examples
      .. ", got the number 5", message(locus.read_sql, 5, "select 1"))
    refuses("'database' must be a string, got the number 5", 5)
    refuses("'database' must be a path behind 'sqlite:', got 'sqlite:///shop.db'; write "
      .. "\"sqlite:/shop.db\"", "sqlite:///shop.db")
    refuses("'database' must be a string without zero bytes, got the string \"sqlite:a\"",
      "sqlite:a\0b")
    assert.equal("read_sql: 'database' must be a string without zero bytes, got the string "
      .. "\"sqlite:a\"", message(locus.read_sql, "sqlite:a\0b", "select 1"))
  end)

  it("is that of a file that is there, or a query would make an empty one", function()
    for _, kind in ipairs {"sqlite", "duckdb"} do
      assert.equal(("read_sql: there is no file '/nowhere/x.db'; locus.connect(\"%s:/nowhere/x.db"
        .. "\") makes a new database"):format(kind),
        message(locus.read_sql, kind .. ":/nowhere/x.db", "select 1"))
    end
  end)

  it("becomes options of the driver", function()
    local function opens(uri, note)
      fake.notes()
      locus.connect(uri, {driver = fake.driver}):close()
      assert.is_truthy(fake.notes():find(note .. ";", 1, true), uri)
    end
    opens("sqlite:", "uri :memory:")
    opens("sqlite::memory:", "uri :memory:")
    opens("sqlite:a b.db", "uri a b.db")
    opens("sqlite:/tmp/x.db", "uri /tmp/x.db")
    opens("duckdb:", "path :memory:")
    opens("duckdb:x.db", "path x.db")
    opens("postgresql://me@host:5/shop?a=b", "uri postgresql://me@host:5/shop?a=b")
    opens("POSTGRES://host/shop", "uri POSTGRES://host/shop")
    opens("flightsql+tls://host", "uri flightsql+tls://host")
  end)
end)

describe("a driver #host #once #native", function()
  it("is named with its package where there is none", function()
    local files = {["/bin/python3"] = "#!/bin/sh\nexit 1\n", ["/home/x"] = ""}
    support.in_folder(files, function(root)
      os.execute("chmod +x " .. root .. "/bin/python3")
      local lines = {}
      for _, row in ipairs {{"SQLite", "pip install adbc-driver-sqlite", "libadbc_driver_sqlite"},
          {"PostgreSQL", "pip install adbc-driver-postgresql", "libadbc_driver_postgresql"},
          {"DuckDB", "pip install duckdb", "libduckdb"},
          {"mysql", "install adbc-driver-mysql", "libadbc_driver_mysql"}} do
        lines[#lines + 1] = ("connect: no driver of ADBC for %s was found: %s, or give its path: "
          .. "driver = \"/path/%s.so\"\n"):format(unpack(row))
      end
      assert.equal(table.concat(lines), alone(root, [[
        for _, uri in ipairs {"sqlite:", "postgresql://x", "duckdb:", "mysql://x"} do
          try(locus.connect, uri)
        end
      ]]))
    end)
  end)

  it("is found in folders, by manifests, and by python3", function()
    local python = "#!/bin/sh\n[ $3 = adbc_driver_py ] && echo $ROOT/lib/x.so\n"
    local files = {["/bin/python3"] = python, ["/lib/x"] = "", ["/etc/adbc/drivers/x"] = "",
                   ["/home/.config/adbc/drivers/x"] = ""}
    support.in_folder(files, function(root)
      os.execute("chmod +x " .. root .. "/bin/python3")
      fake.compile(root .. "/lib/x.so")
      os.execute(("cp %s/lib/x.so %s/lib/libadbc_driver_inpath.so"):format(root, root))
      local function manifest(path, text)
        local file = io.open(root .. path, "w")
        file:write((text:gsub("ROOT", root)))
        file:close()
      end
      manifest("/home/.config/adbc/drivers/athome.toml", "name = 'x'\n[ADBC]\nversion = '1'\n"
        .. "[Driver]\nshared = 'ROOT/lib/x.so' # here\n")
      manifest("/etc/adbc/drivers/inenv.toml", "[Driver]\nentrypoint = \"AdbcDriverInit\"\n"
        .. "[Driver.shared]\nlinux_none = \"/nowhere\"\n" .. "linux_"
        .. ({x64 = "amd64", arm64 = "arm64"})[jit.arch] .. " = \"ROOT/lib/x.so\"\n")
      manifest("/none.toml", "[Driver.shared]\nlinux_none = '/nowhere'\n")
      manifest("/entry.toml", "[Driver]\nentrypoint = 'NoInit'\nshared = 'ROOT/lib/x.so'\n")
      manifest("/text.so", "no library")
      local said = alone(root, ([[
        local root = %q
        try(function() return tostring(locus.connect("athome:")) end)
        try(function() return tostring(locus.connect("inenv:")) end)
        try(function() return tostring(locus.connect("inpath:")) end)
        try(function() return tostring(locus.connect("py:")) end)
        try(function() return tostring(locus.connect("other:", {driver = "athome"})) end)
        try(function() return tostring(locus.connect("x1:", {driver = root .. "/lib/x.so"})) end)
        try(locus.connect, "x2:", {driver = root .. "/none.toml"})
        try(locus.connect, "x3:", {driver = root .. "/entry.toml"})
        try(locus.connect, "x4:", {driver = root .. "/text.so"})
        try(locus.connect, "x5:", {driver = root .. "/nothing.toml"})
        try(locus.connect, "x6:", {driver = "libc.so.6"})
        try(locus.connect, "x7:", {driver = ""})
        try(locus.connect, "x8:", {driver = "a b; ls"})
      ]]):format(root), {ADBC_DRIVER_PATH = "/nowhere:" .. root .. "/lib", VIRTUAL_ENV = root,
        ROOT = root})
      local lines = {}
      for line in said:gsub(root, "ROOT"):gmatch "[^\n]+" do lines[#lines + 1] = line end
      for i, name in ipairs {"athome", "inenv", "inpath", "py", "athome", "x1"} do
        assert.equal("[connection to " .. name .. "]", lines[i])
      end
      assert.matches("^connect: the manifest 'ROOT/none.toml' names no driver for linux_", lines[7])
      assert.equal("connect: 'ROOT/lib/x.so' is no driver of ADBC: it has no function NoInit",
        lines[8])
      assert.matches("^connect: the driver 'ROOT/text.so' cannot be loaded: ", lines[9])
      assert.equal("connect: there is no file 'ROOT/nothing.toml'", lines[10])
      assert.matches("^connect: 'libc.so.6' is no driver of ADBC: it has no function "
        .. "AdbcDriverInit or ", lines[11])
      for i, text in ipairs {"", "a b; ls"} do
        assert.equal("connect: 'driver' must be the path of a library or the name of a driver, "
          .. ("got the string %q"):format(text), lines[11 + i])
      end
    end)
  end)

  it("may be of ADBC's first version", function()
    local path = os.tmpname()
    fake.compile(path)
    local chunk = ([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "void fake_version(int); const char *fake_notes(void);"
      local library = ffi.load(%q)
      library.fake_version(1000000)
      local f = locus.read_sql("fake:", "rows 3 1", {driver = %q})
      print(f.i:sum(), ffi.string(library.fake_notes()):match "^init 1.1;init 1.0;")
      library.fake_version(0)
      package.loaded["locus.sql.drivers"] = nil
      print(pcall(require("locus.sql.drivers").get, "fake", %q))
    ]]):format(path, path, path)
    local said = support.run(chunk)
    os.remove(path)
    assert.matches("^6\tinit 1.1;init 1.0;\nfalse\t.*' does not start: the driver does not "
      .. "implement this\n$", said)
  end)
end)
