-- SPDX-License-Identifier: MIT
-- A real terminal, which tmux keeps: keys go in, and what is on the screen comes out.
local support = require "spec.support"

local terminal = {}
terminal.__index = terminal

local POLLS, PAUSE = 1200, 0.05 -- how often the screen is looked at, and the seconds in between

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function output_of(command)
  local pipe = io.popen("env -u LD_PRELOAD " .. command .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

-- Whether there is tmux here.
function terminal.is_there() return output_of("sh -c 'command -v tmux'") ~= "" end

function terminal:tmux(command)
  return output_of(("tmux -f /dev/null -S %s/tmux %s"):format(self.root, command))
end

-- The lines of the screen, without blanks at their ends and empty ones behind the last.
function terminal:screen()
  return (self:tmux("capture-pane -p -J"):gsub("[ \t]+\n", "\n"):gsub("\n+$", "\n"))
end

-- Waits until the screen satisfies holds(screen), and gives it.
function terminal:wait(holds, what)
  local screen
  for _ = 1, POLLS do
    screen = self:screen()
    if holds(screen) then return screen end
    os.execute("env -u LD_PRELOAD sleep " .. PAUSE)
  end
  error(("the terminal never showed %s:\n%s"):format(what, screen), 0)
end

-- Waits until the last lines of the screen are these.
function terminal:sees(lines)
  local function holds(screen) return ("\n" .. screen):sub(-#lines - 2) == "\n" .. lines .. "\n" end
  self:wait(holds, ("%q at its end"):format(lines))
  if self.editor and lines:find("locus>$") then self:reads_keys() end
end

-- Waits a second at most until a line editor reads keys: what is typed before, behind its prompt,
-- is shown twice. Some terminals never show that they are read so.
function terminal:reads_keys()
  local device = self:tmux("display-message -p '#{pane_tty}'"):gsub("%s+$", "")
  for _ = 1, 20 do
    if output_of("stty -a -F " .. quote(device)):find("-icanon", 1, true) then return end
    os.execute("env -u LD_PRELOAD sleep " .. PAUSE)
  end
end

-- Waits until a text is somewhere on the screen.
function terminal:has(text)
  local function holds(screen) return screen:find(text, 1, true) ~= nil end
  return self:wait(holds, ("%q"):format(text))
end

-- Types a text, and then keys by tmux's names.
function terminal:type(text, ...)
  if text ~= "" then self:tmux("send-keys -l -- " .. quote(text)) end
  for _, key in ipairs {...} do self:tmux("send-keys " .. key) end
end

-- Calls f(terminal, root) with a terminal in which `command` runs with these variables, in a home
-- of its own, the folder `root`. When it has ended the terminal shows "ended" and its status.
function terminal.with(command, variables, f)
  local problem = support.in_folder({}, function(root)
    local editor = variables.LOCUS_EDITOR
    local t = setmetatable({root = root, editor = editor ~= "plain" and editor}, terminal)
    local words = {"env", "-u", "XDG_STATE_HOME", "-u", "NO_COLOR", "-u", "COLUMNS"}
    local environment = {HOME = root, INPUTRC = "/dev/null", LD_PRELOAD = os.getenv("LD_PRELOAD"),
                       ASAN_OPTIONS = "detect_leaks=0"} -- libraries leave theirs to the end
    for name, value in pairs(variables) do environment[name] = value end
    for name, value in pairs(environment) do words[#words + 1] = quote(name .. "=" .. value) end
    words[#words + 1] = command .. "; echo ended $?; exec cat"
    t:tmux("new-session -d -x 80 -y 50 " .. quote(table.concat(words, " ")))
    local done, raised = pcall(f, t, root)
    t:tmux("kill-server")
    return not done and raised
  end)
  if problem then error(problem, 0) end
end

return terminal
