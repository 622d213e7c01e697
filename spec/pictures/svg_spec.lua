-- SPDX-License-Identifier: MIT
-- Pictures as SVG: elements that are closed, texts that are escaped, numbers where they belong; and
-- what p:save leaves in a folder.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local inf, nan, message = math.huge, support.nan, support.message

-- The elements of XML as a list of {name, attributes, text}; raises where it is not well formed.
local function parse(xml)
  local list, open = {}, {}
  local at = assert(xml:match("^<%?xml version=\"1.0\" encoding=\"UTF%-8\"%?>\n()"))
  while at <= #xml do
    local content, tag, after = xml:match("^([^<]*)<([^<>]*)>()", at)
    if not content then
      assert(xml:find("^%s*$", at), "text behind the last element")
      break
    end
    assert(not content:gsub("&%l+;", ""):find("[&>]"), content)
    if open[1] then open[#open].text = open[#open].text .. content end
    local slash, name, rest = tag:match("^(/?)(%l+)(.-)/?$")
    if slash == "/" then
      assert(table.remove(open).name == name, "closes " .. name)
    else
      local element = {name = name, text = ""}
      local spare = rest:gsub(' ([%w-]+)="([^"<&]*)"', function(key, value)
        assert(not element[key], key)
        element[key] = value
        return ""
      end)
      assert(spare == "", spare)
      list[#list + 1] = element
      if tag:sub(-1) ~= "/" then open[#open + 1] = element end
    end
    at = after
  end
  assert(#open == 0 and list[1].name == "svg" and list[1].xmlns == "http://www.w3.org/2000/svg")
  return list
end

local function named(list, name)
  local found = {}
  for _, element in ipairs(list) do
    if element.name == name then found[#found + 1] = element end
  end
  return found
end

local function texts(list)
  local all = {}
  for i, element in ipairs(named(list, "text")) do all[i] = element.text end
  return table.concat(all, "|")
end

describe("svg #once", function()
  it("is well formed, and has no number that is none, whatever is drawn", function()
    local far = support.integer("9223372036854775807")
    local pictures = {}
    for _, x in ipairs {locus.zeros(0), locus.tensor(5), locus.tensor {nan, nan},
                        locus.tensor {3, 3}, locus.tensor {1, inf, nan, 2, -inf},
                        locus.tensor {-1.7e308, 1.7e308}, locus.tensor {0, 5e-324},
                        locus.tensor {far, far - 5}, locus.tensor {true, false},
                        locus.arange(3000) % 17} do
      pictures[#pictures + 1] = x:hist()
      pictures[#pictures + 1] = x:spark()
      pictures[#pictures + 1] = x:plot()
      pictures[#pictures + 1] = x:plot {x = x, points = true}
      pictures[#pictures + 1] = locus.plot {x, x}
      pictures[#pictures + 1] = x:reshape(1, -1):image()
    end
    for _, picture in ipairs(pictures) do
      for _, element in ipairs(parse(picture:svg())) do
        for key, value in pairs(element) do
          if key ~= "text" then assert.is_nil(value:find("nan") or value:find("inf"), value) end
        end
      end
    end
  end)

  it("has a bar for each bin, as high as its number", function()
    local list = parse(locus.hist({1, 1, 1, 2, 4}, {0, 2, 3, 4, 5}):svg())
    local heights, widths = {}, {}
    for _, bar in ipairs(named(list, "rect")) do
      if bar.fill == "#0072b2" then
        heights[#heights + 1], widths[#widths + 1] = tonumber(bar.height), tonumber(bar.width)
      end
    end
    assert.equal(3, #heights)
    assert.is_true(math.abs(heights[1] - 3 * heights[2]) < 0.05)
    assert.equal(heights[2], heights[3])
    assert.is_true(math.abs(widths[1] - 2 * widths[2]) < 0.05)
    assert.equal("0|1|2|3|0|1|2|3|4|5|[5 elements in 4 bins]", texts(list))
  end)

  it("draws a spark as lines between what is missing, a lone number as a dot", function()
    local lines = named(parse(locus.spark({0, 1, nan, 2, nan, nan, 4, 3, 4}):svg()), "polyline")
    assert.equal(3, #lines)
    for i, count in ipairs {2, 2, 3} do
      assert.equal(count, select(2, lines[i].points:gsub("[^ ]+", "")))
    end
    assert.equal(lines[2].points:match("^(.-) "), lines[2].points:match(" (.-)$"))
    assert.same({}, named(parse(locus.spark {nan}:svg()), "polyline"))
  end)

  it("has a line through all points, which ends where one is missing", function()
    local list = parse(locus.plot({0, 1, nan, 1, 0}):svg())
    local lines = named(list, "polyline")
    assert.equal(2, #lines)
    local x0, y0, x1, y1 = lines[1].points:match("^([%d.]+),([%d.]+) ([%d.]+),([%d.]+)$")
    local x3, y3 = lines[2].points:match(" ([%d.]+),([%d.]+)$")
    assert.is_true(tonumber(y0) > tonumber(y1) and y3 == y0)
    assert.is_true(math.abs(4 * (x1 - x0) - (x3 - x0)) < 0.1)
    assert.equal(5, #named(parse(locus.plot({1, 2, 3, 2, 1}, {points = true}):svg()), "circle"))
  end)

  it("has an element for each block of an image", function()
    local list = parse(locus.image {{0, 1}, {nan, 2}}:svg())
    local fills = {}
    for _, block in ipairs(named(list, "rect")) do
      if tonumber(block.width) > 100 and block.fill ~= "#ffffff" then
        fills[#fills + 1] = block.fill
      end
    end
    assert.same({"#440154", "#21918c", "#fde725"}, fills)
    assert.truthy(texts(list):find("[2x2: 0 to 2; 1 NaN left out]", 1, true))
  end)

  it("has a scale beside an image, whose ends are named at their height", function()
    local list = parse(locus.image {{0, 1}, {nan, 2}}:svg())
    local top, bottom = math.huge, 0
    for _, step in ipairs(named(list, "rect")) do
      if step.width == "12" then
        top = math.min(top, step.y)
        bottom = math.max(bottom, step.y + step.height)
      end
    end
    local labels = {}
    for _, label in ipairs(named(list, "text")) do labels[label.text] = tonumber(label.y) end
    assert.same({bottom + 4, top + 4}, {labels["0.0"], labels["2.0"]}) -- whose digits are 8 high
  end)

  it("has square elements in an image", function()
    local list = parse(locus.arange(60):view(3, 20):image():svg())
    local count = 0
    for _, block in ipairs(named(list, "rect")) do
      if block["shape-rendering"] and block.width ~= "12" then
        count = count + 1
        assert.is_true(math.abs(block.width - block.height) < 0.05)
      end
    end
    assert.equal(60, count)
  end)

  it("escapes names", function()
    local list = parse(locus.plot({{1, 2}, {3, 4}}, {names = {'<a href="x">', "b & c"}}):svg())
    assert.truthy(texts(list):find("&lt;a href=&quot;x&quot;&gt;|b &amp; c|", 1, true))
    local f = locus.frame {{"a\1<", {1, 2}}, {"b\255", {3, 4}}}
    list = parse(f:plot("a\1<", "b\255"):svg())
    assert.truthy(texts(list):find("[b\\xff by a\\x01&lt;, 2 points]", 1, true))
  end)
end)

describe("a picture #once", function()
  it("is text where it is printed or joined, and does not change", function()
    local x = locus.tensor {1, 2}
    local p = x:spark()
    x:fill_(7)
    assert.equal("▁█  1 to 2", tostring(p))
    assert.equal("x: ▁█  1 to 2.", "x: " .. p .. ".")
    assert.equal("picture", getmetatable(p))
    assert.matches("a picture has no 'show'; it has svg and save", message(function()
      return p.show
    end))
    assert.matches("a picture does not change", message(function() p.width = 5 end))
    assert.equal("svg: 'picture' must be made by hist, spark, plot or image, got the "
      .. "number 5",
      message(p.svg, 5))
  end)

  it("keeps no tensor alive #host", function()
    local function drawn()
      local x = locus.rand(100, 100)
      local row = x:view(-1)
      return {x:hist(), row:spark(), row:plot(), x:image(), row:plot {x = row, points = true}}
    end
    local function held()
      collectgarbage()
      collectgarbage()
      return locus.live_bytes()
    end
    local before = held()
    local pictures = drawn()
    local after = held()
    assert.is_true(after - before < 80000) -- as much as x has
    for _, p in ipairs(pictures) do parse(p:svg()) end
  end)
end)

describe("save #once", function()
  local folder
  before_each(function() folder = text.new_folder() end)
  after_each(function() os.execute("rm -rf " .. support.quote(folder)) end)

  local function files()
    local pipe = io.popen("ls -A " .. support.quote(folder))
    local list = pipe:read("*a")
    pipe:close()
    return list
  end

  it("writes the text of svg, in the place of what was there #host", function()
    local p, path = locus.plot {1, 2}, folder .. "/a.svg"
    text.write(path, "before")
    p:save(path)
    assert.equal(p:svg(), text.read(path))
    assert.equal("a.svg\n", files())
  end)

  it("leaves what was there where it cannot write #host", function()
    local p = locus.plot {1, 2}
    assert.equal(("save: '%s/none/a.svg' cannot be opened: No such file or directory"):format(
      folder), message(p.save, p, folder .. "/none/a.svg"))
    os.execute("mkdir " .. support.quote(folder .. "/b.svg"))
    assert.equal(("save: '%s/b.svg' cannot be opened: Is a directory"):format(folder),
      message(p.save, p, folder .. "/b.svg"))
    assert.equal("b.svg\n", files())
    assert.matches("^save: '/dev/full' cannot be written: ", message(p.save, p, "/dev/full"))
    assert.is_not_nil(io.open("/dev/full"))
  end)
end)
