-- SPDX-License-Identifier: MIT
-- examples/pictures.lua as a command, and examples/pgm.lua: components of random pictures against a
-- flood fill in plain Lua, in every form of PGM; the picture that it writes; one sentence for every
-- file that cannot be read.
local files = require "spec.support.text"
local format = require("locus.core").internal.format -- rounds as write_csv does

local floor, random = math.floor, math.random
local folder

setup(function() folder = files.new_folder() end)
teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

local function written(name, bytes)
  local path = folder .. "/" .. name
  files.write(path, bytes)
  return path
end

local function run(words) return files.example("pictures", words .. " </dev/null", folder) end

-- -- Pictures: {width =, height =, white =, [1] ...}, pixels row by row -------------------------

local function random_picture(width, height, white, density)
  local picture = {width = width, height = height, white = white}
  for i = 1, width * height do
    local bright = random() < density
    picture[i] = bright and random(floor(white / 2) + 1, white) or random(0, floor(white / 2))
  end
  return picture
end

local function plain(picture)
  local words = {"P2 # a comment\n#another\n", picture.width, " ", picture.height, "\n",
                 picture.white, "\n"}
  for i, value in ipairs(picture) do
    words[#words + 1] = value .. (i % 17 == 0 and "\n" or i % 5 == 0 and " \t" or " ")
  end
  return table.concat(words)
end

local function binary(picture, header)
  header = header or "P5\n%d\n#\n%d %d "
  local bytes = {header:format(picture.width, picture.height, picture.white)}
  for i, value in ipairs(picture) do
    bytes[i + 1] = picture.white > 255 and string.char(floor(value / 256), value % 256)
      or string.char(value)
  end
  return table.concat(bytes)
end

-- The components of pixels above a threshold by filling one after the other: a list of tables.
local function filled(picture, threshold, touch)
  local width, seen, list = picture.width, {}, {}
  for first = 1, #picture do
    if picture[first] > threshold and not seen[first] then
      local one = {left = 1 / 0, top = 1 / 0, right = 0, bottom = 0, pixels = 0, sum = 0}
      local open = {first}
      seen[first] = true
      while #open > 0 do
        local at = table.remove(open)
        local x, y = (at - 1) % width + 1, floor((at - 1) / width) + 1
        one.left, one.right = math.min(one.left, x), math.max(one.right, x)
        one.top, one.bottom = math.min(one.top, y), math.max(one.bottom, y)
        one.pixels, one.sum = one.pixels + 1, one.sum + picture[at]
        for dy = -1, 1 do
          for dx = -1, 1 do
            local next, side = at + dy * width + dx, x + dx
            if (touch == 8 or dx * dy == 0) and side >= 1 and side <= width and picture[next]
                and picture[next] > threshold and not seen[next] then
              seen[next] = true
              open[#open + 1] = next
            end
          end
        end
      end
      list[#list + 1] = one
    end
  end
  return list
end

local function csv(components, least)
  local lines = {"left,top,right,bottom,pixels,mean"}
  for _, c in ipairs(components) do
    if c.pixels >= least then
      lines[#lines + 1] = format("%d,%d,%d,%d,%d,%.3f", c.left, c.top, c.right, c.bottom, c.pixels,
        c.sum / c.pixels)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The picture that it draws: half as bright without a component, the boxes white.
local function drawn(picture, threshold, components)
  local canvas = {width = picture.width, height = picture.height, white = picture.white}
  for i, value in ipairs(picture) do canvas[i] = value > threshold and value or floor(value / 2) end
  for _, c in ipairs(components) do
    for y = c.top, c.bottom do
      for x = c.left, c.right do
        if x == c.left or x == c.right or y == c.top or y == c.bottom then
          canvas[(y - 1) * picture.width + x] = picture.white
        end
      end
    end
  end
  return canvas
end

local function half_way(picture)
  local least, most = 1 / 0, 0
  for _, value in ipairs(picture) do
    least, most = math.min(least, value), math.max(most, value)
  end
  return (least + most) / 2
end

local function check(picture, form)
  local path = written("picture.pgm", form(picture))
  for _, touch in ipairs {4, 8} do
    local components = filled(picture, half_way(picture), touch)
    assert.same({0, csv(components, 1), ""}, {run(("--touch %d %s"):format(touch, path))})
  end
  local threshold = random(0, picture.white)
  local components = filled(picture, threshold, 8)
  local out = folder .. "/boxes.pgm"
  assert.same({0, csv(components, 1), ""},
    {run(("--threshold=%d --out %s %s"):format(threshold, out, path))})
  local canvas = drawn(picture, threshold, components)
  assert.equal(binary(canvas, "P5\n%d %d\n%d\n"), files.read(out))
  assert.same({0, csv(components, 4), ""},
    {run(("--threshold %d --least 4 %s"):format(threshold, path))})
end

describe("examples/pictures.lua #host #once #program", function()
  it("finds the components of random pictures", function()
    math.randomseed(81)
    for _, case in ipairs {{1, 1, 255, 0.5}, {1, 9, 255, 0.6}, {9, 1, 7, 0.6}, {40, 30, 255, 0.3},
                           {33, 50, 65535, 0.5}, {64, 48, 1000, 0.6}, {25, 70, 1, 0.4}} do
      local picture = random_picture(unpack(case))
      check(picture, plain)
      check(picture, binary)
    end
  end)

  it("follows a line that winds through the whole picture", function()
    local picture = {width = 41, height = 41, white = 9}
    for y = 1, 41 do
      for x = 1, 41 do
        local turn = y % 4 == 0 and x == 41 or y % 4 == 2 and x == 1
        picture[#picture + 1] = (y % 2 == 1 or turn) and 9 or 0
      end
    end
    assert.equal(1, #filled(picture, 4, 4))
    check(picture, binary)
  end)

  it("finds nothing where all pixels are alike", function()
    local path = written("grey.pgm", "P2 2 2 9 5 5 5 5")
    assert.same({0, csv({}, 1), ""}, {run(path)})
  end)

  it("makes a picture of its own, which it reads again", function()
    local out = folder .. "/own.pgm"
    local status, text, err = run("--out " .. out)
    assert.same({0, ""}, {status, err})
    local _, lines = text:gsub("\n", "")
    assert.equal(4, lines)
    assert.equal(#"P5\n60 24\n255\n" + 60 * 24, #files.read(out))
    assert.equal(0, (run(out)))
  end)

  it("reads standard input, and no more pixels than the header says", function()
    local path = written("two.pgm", "P5 2 1 255\n\200\0P5 1 1 255\nx")
    local status, text = files.example("pictures", "- <" .. path, folder)
    assert.same({0, "left,top,right,bottom,pixels,mean\n1,1,1,1,1,200.000\n"}, {status, text})
  end)

  for bytes, what in pairs {
    [""] = " is no PGM picture: it begins with neither P2 nor P5",
    ["P6 1 1 255 abc"] = " is no PGM picture: it begins with neither P2 nor P5",
    ["P5"] = " is cut off before its width",
    ["P5 # only a comment"] = " is cut off before its width",
    ["P51 1 255\nx"] = ": its width is no whole number from 1 to 2147483647",
    ["P5 0 1 255\n"] = ": its width is no whole number from 1 to 2147483647",
    ["P5 -3 1 255\n"] = ": its width is no whole number from 1 to 2147483647",
    ["P5 3"] = " is cut off before its height",
    ["P5 3 99999999999999999999 255\n"] = ": its height is no whole number from 1 to 2147483647",
    ["P5 3 2\n"] = " is cut off before its greatest value",
    ["P5 3 2 65536\n"] = ": its greatest value is no whole number from 1 to 65535",
    ["P5 3 2 255"] = ": no white space stands between its header and its pixels",
    ["P5 3 2 255\nabcde"] = " is cut off: it has 5 bytes of pixels, its header asks for 6",
    ["P5 3 2 256\nabcdefgh"] = " is cut off: it has 8 bytes of pixels, its header asks for 12",
    ["P5 2147483647 2147483647 255\nabc"] =
      " is cut off: it has 3 bytes of pixels, its header asks for 4611686014132420608",
    ["P2 2147483647 2147483647 255\n1 2 3"] =
      " is cut off: its header asks for 4611686014132420608 pixels",
    ["P2 2 2 9 1 2 3      "] = " is cut off: it has 3 pixels, its header asks for 4",
    ["P2 2 2 9 1 2 3 -4"] = ": pixel 4 is no whole number up to 65535",
    ["P2 2 2 9 1 2 x 4 5"] = ": pixel 3 is no whole number up to 65535",
    ["P2 2 2 9 1 2 70000 4"] = ": pixel 3 is no whole number up to 65535",
    ["P2 2 2 9 1 2 10 4"] = ": a pixel is 10, and its header allows 9",
    ["P5 2 1 100\n\100\101"] = ": a pixel is 101, and its header allows 100",
  } do
    it("says of a file that it" .. what, function()
      local path = written("bad.pgm", bytes)
      assert.same({1, "", ("pictures: %s%s\n"):format(path, what)}, {run(path)})
    end)
  end

  it("says in one sentence what else is wrong", function()
    local good = written("good.pgm", "P2 1 1 9 5")
    for words, sentence in pairs {
      ["--touch 6"] = "--touch must be 4 or 8, got '6'",
      ["--least 0"] = "--least must be a whole number of at least 1, got '0'",
      ["--threshold x"] = "--threshold must be a number of at least 0, got 'x'",
      ["a b"] = "at most 1 file must be named, got 2: see --help",
      [folder .. "/none.pgm"] = "cannot read " .. folder .. "/none.pgm: No such file or directory",
      [folder] = "cannot read " .. folder,
      ["--out /dev/full " .. good] = "cannot write /dev/full: No space left on device",
      ["--out " .. folder .. "/no/where.pgm " .. good] =
        ("cannot write %s/no/where.pgm: %s/no/where.pgm: No such file or directory"):format(folder,
          folder),
    } do
      assert.same({1, "", "pictures: " .. sentence .. "\n"}, {run(words)})
    end
    local status, out, err = run "--help"
    assert.same({0, ""}, {status, err})
    assert.truthy(out:find("usage: luajit pictures", 1, true))
  end)
end)
