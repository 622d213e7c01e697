-- SPDX-License-Identifier: MIT
-- The common part of the pipelines beside it: options and files of the command line, --help, and
-- one sentence where something is wrong.
local ffi = require "ffi"

ffi.cdef "int isatty(int);"

local command = {}

function command.fail(sentence, ...) error(sentence:format(...), 0) end

-- An option that is a number of at least `least`, a whole one if that is wanted; nil if it is not
-- given.
function command.number(options, name, least, whole)
  local given = options[name]
  local number = tonumber(given or least)
  if not number or number < least or whole and number % 1 ~= 0 then
    command.fail("--%s must be a %snumber of at least %d, got '%s'", name, whole and "whole " or "",
      least, given)
  end
  return given and number or nil
end

-- Files in a list, and `--name VALUE` or `--name=VALUE` of the options known: a default for each.
local function parse(arguments, known)
  local files, options, i = {}, setmetatable({}, {__index = known}), 1
  while i <= #arguments do
    local word = arguments[i]
    local name, value = word:match "^%-%-([%w-]+)=?(.*)$"
    if word == "--help" then
      options.help = true
    elseif name and known[name] ~= nil then
      if not word:find("=", 1, true) then
        i = i + 1
        value = arguments[i] or command.fail("--%s needs a value", name)
      end
      options[name] = value
    elseif word:find "^%-." then
      command.fail("'%s' is not an option: see --help", word)
    else
      files[#files + 1] = word
    end
    i = i + 1
  end
  return files, options
end

local function run(given)
  local files, options = parse(arg, given.options or {})
  if options.help then
    io.write(given.help)
    return
  end
  if #files > given.files or #files < (given.least or given.files) then
    command.fail("%s%d file%s must be named, got %d: see --help", given.least and "at most " or "",
      given.files, given.files == 1 and "" or "s", #files)
  end
  for _, name in ipairs(files) do
    if name == "-" and ffi.C.isatty(0) == 1 then
      command.fail "standard input is a terminal: see --help"
    end
  end
  given.main(files, options)
  local written, problem = io.stdout:flush()
  if not written then command.fail("cannot write: %s", problem) end
end

-- main(files, options) reads, and then writes to standard output. given: name, help, how many
-- files, the least of them where fewer will do, options.
function command.run(given)
  local good, problem = pcall(run, given)
  if good then return end
  problem = tostring(problem):gsub("^[^\n]-%.lua:%d+: ", "")
  io.stderr:write(given.name, ": ", problem, "\n")
  os.exit(1, true)
end

return command
