-- SPDX-License-Identifier: MIT
-- Line editing by GNU readline, or by libedit in its place, through LuaJIT's FFI.
local ffi = require "ffi"
local interrupts = require "locus.repl.interrupts"

-- Under names of our own, so that a user may declare the same.
ffi.cdef [[
  char *locus_readline(const char *) __asm__("readline");
  int locus_rl_initialize(void) __asm__("rl_initialize");
  void locus_using_history(void) __asm__("using_history");
  int locus_add_history(const char *) __asm__("add_history");
  int locus_rl_insert_text(const char *) __asm__("rl_insert_text");
  void locus_rl_redisplay(void) __asm__("rl_redisplay");
  int locus_rl_add_defun(const char *, int (*)(int, int), int) __asm__("rl_add_defun");
  extern const char *locus_rl_readline_name __asm__("rl_readline_name");
  extern char *locus_rl_line_buffer __asm__("rl_line_buffer");
  extern int locus_rl_point __asm__("rl_point");
  extern int locus_rl_end __asm__("rl_end");
  extern int locus_rl_done __asm__("rl_done");
  extern int locus_rl_suppress_quote __asm__("rl_completion_suppress_quote");
  extern int locus_rl_append_character __asm__("rl_completion_append_character");
  extern int locus_rl_change_environment __asm__("rl_change_environment");
  extern int locus_rl_completion_over __asm__("rl_attempted_completion_over");
  extern const char *locus_rl_quotes __asm__("rl_completer_quote_characters");
  extern const char *locus_rl_breaks __asm__("rl_completer_word_break_characters");
  extern char **(*locus_rl_complete)(const char *, int, int)
    __asm__("rl_attempted_completion_function");
  void *locus_malloc(size_t) __asm__("malloc");
  char *locus_strdup(const char *) __asm__("strdup");
  void locus_free(void *) __asm__("free");
]]
local C = ffi.C

-- The libraries to look for. On some systems the name readline is libedit.
local LIBRARIES = {
  readline = {"libreadline.so.8", "libreadline.so.7", "readline"},
  libedit = {"libedit.so.2", "libedit.so.0", "edit"},
}

local CTRL_C = 3
-- The bytes that end a word for the library. libedit knows no quotes: a file's name must be one
-- word there.
local BREAKS = {readline = " \t\n\"'`;|&{}()[]+-*/%^#~=<>,.:?", libedit = " \t\n\"'`;|&{}()[]=<>,"}

local function load(name)
  for _, library in ipairs(LIBRARIES[name] or {}) do
    local ok, loaded = pcall(ffi.load, library)
    local fits = ok and pcall(function()
      return loaded.locus_rl_add_defun, name == "libedit" or loaded.locus_rl_suppress_quote
    end)
    if fits then return loaded end
  end
end

-- The longest beginning of all of them.
local function common(list)
  local same = list[1]
  for _, text in ipairs(list) do
    while text:sub(1, #same) ~= same do same = same:sub(1, -2) end
  end
  return same
end

-- The library's demands on completions: their common beginning, then each of them; NULL is last.
local function matches(list)
  local array = ffi.cast("char **", C.locus_malloc((#list + 2) * ffi.sizeof("char *")))
  array[0] = C.locus_strdup(common(list))
  local count = #list > 1 and #list or 0
  for i = 1, count do array[i] = C.locus_strdup(list[i]) end
  array[count + 1] = nil
  return array
end

-- The functions that the library calls: completions, and an end of the line at Ctrl-C, whose text
-- stays on the screen; and whether there was one. Nothing here may raise: an error finds no way
-- through the library.
local function answers(library, complete, is_gnu)
  local interrupted = false
  local function completions(_, first, last)
    library.locus_rl_completion_over, library.locus_rl_append_character = 1, 0
    local ok, array = pcall(function()
      local list = complete(ffi.string(library.locus_rl_line_buffer, last), first + 1)
      if is_gnu then -- it closes them, but in a folder there is more to come
        library.locus_rl_suppress_quote = list[1] and list[1]:find("/$") and 1 or 0
      end
      return #list > 0 and matches(list) or nil
    end)
    return ok and array or nil
  end
  local function interrupt()
    interrupted = true
    if is_gnu then -- libedit would show the whole line again
      library.locus_rl_point = library.locus_rl_end
      library.locus_rl_insert_text("^C")
      library.locus_rl_redisplay()
    end
    library.locus_rl_done = 1
    return 0
  end
  local function taken()
    local was = interrupted
    interrupted = false
    return was
  end
  return ffi.cast("char **(*)(const char *, int, int)", completions),
    ffi.cast("int (*)(int, int)", interrupt), taken
end

local kept = {} -- the objects that the library holds pointers to

-- The editor of that name, which completes by complete(text, first) and knows these entries of its
-- history at first; nil where the library is not installed.
return function(name, complete, entries)
  local library = load(name)
  if not library then return nil end
  local is_gnu = name == "readline"
  local completions, interrupt, was_interrupted = answers(library, complete, is_gnu)
  local function text(s)
    kept[#kept + 1] = s
    return s
  end
  library.locus_rl_readline_name = text "locus"
  if is_gnu then library.locus_rl_change_environment = 0 end -- COLUMNS stays the user's
  library.locus_rl_initialize()
  library.locus_using_history()
  library.locus_rl_breaks = text(BREAKS[name])
  if is_gnu then library.locus_rl_quotes = text "\"'" end
  library.locus_rl_complete = completions
  library.locus_rl_add_defun(text "locus-interrupt", interrupt, CTRL_C)
  for _, entry in ipairs(entries) do library.locus_add_history(entry) end

  -- Calls back into Lua, which compiled code may not.
  local function read_line(prompt) return library.locus_readline(prompt) end
  jit.off(read_line)

  local editor = {name = name}

  -- As of plain.lua.
  function editor.read(prompt)
    io.stdout:flush()
    local line = interrupts.as_key(read_line, prompt)
    local typed = line ~= nil and ffi.string(line) or nil
    if line ~= nil then C.locus_free(line) end
    if not was_interrupted() then return typed end
    io.stdout:write(is_gnu and "\n" or "^C\n")
    return false
  end

  function editor.remember(entry) library.locus_add_history(entry) end

  return editor
end
