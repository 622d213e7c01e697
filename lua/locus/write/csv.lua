-- SPDX-License-Identifier: MIT
-- Frames as lines of separated fields: f:write_csv.
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local to = require "locus.write.target"
local write = require "locus.write.rows"

local internal, raise = core.internal, declare.raise
local describe = internal.describe

local FORM = {method = "write_csv", called = "CSV", endings = "csv tsv txt", ending = "csv"}

local function one_byte(name, value)
  if #value ~= 1 or value == "\r" or value == "\n" then
    raise("'%s' must be one byte that ends no line, got %s%s", name, describe(value),
      value == "\\t" and ("; write %s = \"\\t\" for a tab"):format(name) or "")
  end
end

local function one_of(name, value, a, b, shown)
  if value ~= a and value ~= b then
    raise("'%s' must be %s, got %s", name, shown, describe(value))
  end
end

-- The comment prefix must not begin with a quote, because a quote is put in front of a line.
local function check_comment(comment, quote)
  if comment == nil then return end
  if comment == "" or comment:find("[\r\n]") or comment:sub(1, 1) == quote then
    raise("'comment' must be the text that begins a comment, and not begin with the quote, "
      .. "got %s", describe(comment))
  end
end

local function check_options(options)
  one_byte("separator", options.separator)
  one_byte("quote", options.quote)
  one_byte("escape", options.escape)
  one_of("decimal", options.decimal, ".", ",", [["." or ","]])
  one_of("newline", options.newline, "\n", "\r\n", [["\n" or "\r\n"]])
  check_comment(options.comment, options.quote)
  local quote_is_blank = options.blanks and options.quote:find("[ \t]")
  if options.separator == options.quote or quote_is_blank then
    raise("'separator' and 'quote' must differ, got '%s' for both", options.quote)
  elseif options.separator == options.decimal then
    raise("'separator' must differ from the decimal point, got '%s' for both", options.decimal)
  elseif options.separator == options.escape then
    raise("'separator' and 'escape' must differ, got '%s' for both", options.escape)
  end
end

local function nothing() end

-- Writes the frame as lines of separated fields, which read_csv reads back with types = f:types().
-- int64 is exact, floats are the shortest decimals that read back, bools true and false, times
-- 2026-11-22T08:30:59Z, strings their bytes. Fields are quoted only if needed.
--
-- target: a path; "-" for stdout; a file of io.open; a function, which gets strings of 256 KB or
-- more, and less at the end. Without one the text is the answer.
-- formats, by column: for floats "%.2f", up to 20 places (rounded from the exact value, halves to
-- even); for integers "%d", "%6d", "%06d", "%x"; for times and dates a pattern of strftime; for
-- bools two words, {"yes", "no"}; for any column a function that turns an element into text.
-- separator ",", or "blanks" for a space where readers take runs of blanks; quote '"'; escape: put
-- before a quote within quotes, and before itself (default the quote); decimal "." or ",", newline
-- "\n" or "\r\n"; header = false leaves the names out; missing is what stands for NaN; comment:
-- another beginning of lines that readers pass over, besides the usual marks. progress: as in
-- read_csv, of rows. zone: times are written as its clocks show them, with their offset from UTC:
-- 2026-11-22T09:30:59+01:00. compress: "gzip" or "zstd", for which names that end in .gz or .zst
-- ask by themselves; level: 1 to 9 (6), 1 to 19 (3). Errors: a format that does not fit its column;
-- a complex column without a function; a file that cannot be written: the one that was at the path
-- stays as it was. All options are checked before a file is opened.
frame.method('write_csv(frame:any, target:any_or_options=nil, {formats:any=nil, '
  .. 'separator:string=nil, header:boolean=true, missing:string="", quote:string=nil, '
  .. 'newline:string=nil, decimal:string=nil, progress:any=nil, comment:string=nil, '
  .. 'escape:string=nil, zone:any=nil, compress:string=nil, level:integer=nil})',
  function(state, target, formats, separator, header, missing, quote, newline, decimal, option,
           comment, escape, zone, compress, level)
    local blanks = separator == "blanks"
    local plan = {separator = blanks and " " or separator or ",", quote = quote or '"',
                  decimal = decimal or ".", newline = newline or "\n", missing = missing,
                  comment = comment, blanks = blanks and "blanks" or nil}
    plan.escape = escape or plan.quote
    if target == "-" then target = io.stdout end
    local packing = to.check(target, FORM, compress, level)
    check_options(plan)
    return write.rows(state, state.names, {
      target = target, formats = formats, zone = zone, progress = option, plan = plan,
      packing = packing, begin = header and internal.write_names or nothing, close = nothing,
    })
  end)
