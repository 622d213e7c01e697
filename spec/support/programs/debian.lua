-- SPDX-License-Identifier: MIT
-- Programs of Debian's packages for specs, unpacked into the build folder and never installed: some
-- of them conflict with what is.
local files = require "spec.support.text"
local quote = require("spec.support").quote

local debian = {}

--- The output of a command of the shell, on both streams.
function debian.said(command)
  local pipe = io.popen(command .. " 2>&1")
  local text = pipe:read "*a"
  pipe:close()
  return text
end

function debian.exists(path)
  local file = io.open(path)
  return file and file:close()
end

-- The folder is there with all of the packages or not at all: specs run side by side.
local UNPACK = [[
set -e
mkdir -p %s
work=$(mktemp -d -p %s)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get -q download %s)
for package in "$work"/*.deb; do dpkg -x "$package" "$work/root"; done
mv -T "$work/root" %s || test -d %s
]]

--- The folder into which these packages are unpacked, and the setting of LD_LIBRARY_PATH with which
--- their programs run; nil where apt cannot download them.
function debian.unpack(name, packages)
  local build = debian.said("readlink -f " .. (os.getenv "LOCUS_BUILD" or "build")):gsub("\n", "")
  local root = build .. "/" .. name
  if not debian.exists(root) then
    debian.said("sh -c " .. quote(UNPACK:format(build, build, packages, root, root)))
  end
  if not debian.exists(root) then return nil end
  local folders = debian.said(("find %s -type d -name '*-linux-gnu'"):format(root)):gsub("\n", ":")
  return root, "LD_LIBRARY_PATH=" .. folders
end

--- Whether a program or a module finds all of the libraries that it needs.
function debian.complete(path, environment)
  local needed = debian.said(("env %s ldd %s"):format(environment, path))
  return debian.exists(path) and not needed:find "not found"
end

--- The bytes of a file, none where there is no such file.
function debian.read(path) return debian.exists(path) and files.read(path) or "" end

return debian
