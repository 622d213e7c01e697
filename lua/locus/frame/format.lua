-- SPDX-License-Identifier: MIT
-- Formats of log lines: '$ip - $_ [$time] "$path" $status', a server's own line.
local format = {}

-- Formats that have a name. "combined" is nginx's predefined format, and Apache's, whose second
-- field, the answer of identd, nginx writes as "-". "common" is NCSA's. Fields have nginx's names.
-- Sources: https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
-- https://httpd.apache.org/docs/2.4/logs.html#accesslog
local COMMON = '$remote_addr $_ $remote_user [$time_local] "$request" $status $body_bytes_sent'
local named = {common = COMMON, combined = COMMON .. ' "$http_referer" "$http_user_agent"'}

-- The byte that a backslash and this byte stand for in nginx's configuration; other pairs stay as
-- they are.
local meant = {t = "\t", r = "\r", n = "\n", ["'"] = "'", ['"'] = '"', ["\\"] = "\\"}

-- The pieces of nginx's `log_format name 'text' "text";`, joined; other text as it is.
local function unwrap(raise, text)
  local rest = text:match("^%s*log_format%s+[%w_%-]+%s+(.*)$")
  rest = rest and rest:gsub("^escape=%w+%s+", "") or text
  if not rest:find("^%s*['\"].*['\"]%s*;?%s*$") or rest:find("^%s*\"%$") and rest == text then
    return text
  end
  local pieces, at = {}, 1
  while true do
    local open, quote = rest:match("^%s*()(['\"])", at)
    if not open then break end
    local close = open + 1
    while close <= #rest and rest:sub(close, close) ~= quote do
      close = close + (rest:sub(close, close) == "\\" and 2 or 1)
    end
    if close > #rest then raise("'format' has a quote that does not close") end
    pieces[#pieces + 1] = rest:sub(open + 1, close - 1):gsub("\\(.)", meant)
    at = close + 1
  end
  if not rest:find("^%s*;?%s*$", at) then return text end
  return table.concat(pieces)
end

local function add(raise, log, name)
  if name ~= "_" and log.seen[name] then raise("'format' has $%s twice", name) end
  if #log.names > 0 and log.ends[#log.names].text == "" then
    raise("'format' has no text between $%s and $%s", log.names[#log.names], name)
  end
  log.seen[name] = true
  log.names[#log.names + 1] = name
end

-- {before= (the text that begins each line), names=, ends= (for each field {text= (the literal that
-- follows), escapes= (within Apache's quotes)})}. `text` is a format or its name. Both servers
-- escape quotes within the fields of named ones: as \x22, or as \".
function format.parse(raise, text, quotes)
  if named[text] then
    text, quotes = named[text], "apache"
  else
    text = unwrap(raise, text)
  end
  local literal = text:match("^[^$]*")
  local log, at = {names = {}, ends = {}, seen = {}, before = literal}, #literal + 1
  while at <= #text do
    local name, past = text:match("^%$([%a_][%w_]*)()", at)
    if not name then name, past = text:match("^%${([%a_][%w_]*)}()", at) end
    if not name then raise("'format' has a $ without a name at byte %d", at) end
    add(raise, log, name)
    local follows = text:match("^[^$]*", past)
    log.ends[#log.names] = {text = follows, escapes = quotes == "apache"
      and literal:find('"$') ~= nil and follows:find('^"') ~= nil}
    literal, at = follows, past + #follows
  end
  if #log.names == 0 then
    raise("'format' has no field: write $name for each, or \"combined\" or \"common\"")
  end
  if text:find("\n", 1, true) then raise("'format' must be one line") end
  return log
end

return format
