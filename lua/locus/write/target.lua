-- SPDX-License-Identifier: MIT
-- Where a text goes, and how it is compressed: by the name of its file, or by the option.
local core = require "locus.core"
local declare = require "locus.call.declare"
local promised = require "locus.files.promised"
local internal, raise = core.internal, declare.raise

local target = {}

-- The forms of compression by the endings of names; those that only a pipe writes.
local forms = {gz = "gzip", zst = "zstd"}
local endings = {gzip = "gz", zstd = "zst"}
local piped = {bz2 = "bzip2", xz = "xz", lz4 = "lz4", zip = "zip"}

-- A name that promises other bytes would mislead the program that reads it. The form of compression
-- that it promises, if it does.
local function check_name(path, form, compress)
  local ending = (path:match("%.(%w+)$") or ""):lower()
  local packed, command = forms[ending], piped[ending]
  local _, there = internal.is_folder(path)
  if there == "no folder" then return compress end -- a pipe or a device
  if compress and packed ~= compress then
    raise("'%s' would be compressed by %s, and its name does not say so; write f:%s(\"%s.%s\")",
      path, compress, form.method, path:sub(1, 200), endings[compress])
  elseif not command and not packed then
    promised.check(path, form.called, form.endings,
      ('f:%s("%%s.%s")'):format(form.method, form.ending))
  elseif command then
    raise("'%s' would be plain text, since only gzip and zstd are written here; write %s", path,
      command == "zip" and "it to another name, and have zip take that"
      or ("p = io.popen(\"%s > file\", \"w\"), f:%s(p), p:close()"):format(command, form.method))
  end
  return packed
end

local function check_level(compress, level)
  if not compress then
    raise("'level' is for compressed text; write compress = \"gzip\" or \"zstd\", too")
  end
  local most = internal.packing(compress)
  if level < 1 or level > most then
    raise("'level' must be from 1 to %d for %s, got %d", most, compress, level)
  end
end

-- Raises for what is no target. form: {method, called, endings, ending}, by which messages name it.
-- Gives how the text is compressed, {form =, level =}; nil: not at all.
function target.check(value, form, compress, level)
  if compress ~= nil and not internal.packing(compress) then
    raise("'compress' must be \"gzip\" or \"zstd\", got %s", internal.describe(compress))
  end
  local kind = type(value)
  if kind == "string" and not value:find("\0", 1, true) then
    compress = check_name(value, form, compress)
  elseif kind ~= "nil" and kind ~= "function" and io.type(value) ~= "file" then
    raise("'target' must be a path, an open file or a function, got %s",
      io.type(value) and "a closed file" or internal.describe(value))
  end
  if level then check_level(compress, level) end
  return compress and {form = compress, level = level}
end

return target
