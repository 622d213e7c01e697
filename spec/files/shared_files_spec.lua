-- SPDX-License-Identifier: MIT
-- Long files are read, and their checksums made, by all threads: the same tensors, sums and errors
-- as by one.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
local shared = require "spec.support.trials.shared"
local support = require "spec.support"

-- CRC-32 bit by bit.
local function crc_of(text, crc)
  crc = bit.bnot(crc)
  for i = 1, #text do
    crc = bit.bxor(crc, text:byte(i))
    for _ = 1, 8 do
      crc = bit.bxor(bit.rshift(crc, 1), bit.band(crc, 1) == 1 and 0xEDB88320 or 0)
    end
  end
  return bit.bnot(crc) % 2 ^ 32
end

describe("threads #host", function()
  after_each(shared.restore)

  it("make the checksum of bytes behind others", function()
    locus.manual_seed(3)
    for _, n in ipairs {0, 1, 15, 16, 17, 63, 1000, 1025, 5000} do
      local x = (locus.rand(n) * 256):floor():to("uint8")
      local text = n > 0 and ffi.string(x:data(), n) or ""
      for _, before in ipairs {0, 0x12345678, 0xFFFFFFFF} do
        local expected = crc_of(text, before)
        for _, threads in ipairs {1, 2, 3, 5, 16} do
          for _, tiny in ipairs {false, true} do
            assert.equal(expected, shared.with(threads, tiny, internal.crc32, x, before))
          end
        end
      end
    end
    local long = (locus.rand(5e6) * 256):floor():to("uint8")
    shared.check("long", function() return internal.crc32(long, 7) end)
  end)

  it("read what was saved", function()
    locus.manual_seed(4)
    support.in_folder({}, function(folder)
      for _, n in ipairs {0, 1, 7, 900, 700000} do
        local x, y = locus.rand(n), (locus.rand(n) * 100):to("int8")
        locus.savez(folder .. "/a.npz", {x = x, y = y})
        x:save(folder .. "/x.npy")
        y:tofile(folder .. "/y.raw")
        locus.frame {{"x", x}, {"y", y}}:save(folder .. "/f" .. n)
        shared.check("files of " .. n, function()
          local both, f = locus.load(folder .. "/a.npz"), locus.load(folder .. "/f" .. n)
          assert.is_true(both.x:equal(x) and both.y:equal(y) and f.x:equal(x) and f.y:equal(y))
          return locus.load(folder .. "/x.npy"), locus.from_file(folder .. "/y.raw", "int8")
        end)
      end
    end)
  end)

  it("share a long file and its checksum", function()
    support.in_folder({}, function(folder)
      local x = locus.rand(1e6)
      x:save(folder .. "/x.npy")
      locus.savez(folder .. "/x.npz", {x = x})
      assert.is_true(shared.jobs(2, function() locus.load(folder .. "/x.npy") end) >= 1)
      assert.is_true(shared.jobs(2, function() locus.load(folder .. "/x.npz") end) >= 2)
      assert.is_true(shared.jobs(2, function() internal.crc32(x, 0) end) == 1)
      assert.equal(0, shared.jobs(1, function() locus.load(folder .. "/x.npz") end))
    end)
  end)

  it("say of a file that is cut off or damaged what one says", function()
    support.in_folder({}, function(folder)
      local x = locus.rand(4e5)
      x:save(folder .. "/x.npy")
      locus.savez(folder .. "/x.npz", {x = x})
      local function bytes(name)
        local file = assert(io.open(folder .. name, "rb"))
        local text = file:read("*a")
        file:close()
        return text
      end
      local function put(name, text)
        local file = assert(io.open(folder .. name, "wb"))
        file:write(text)
        file:close()
      end
      put("/cut.npy", bytes("/x.npy"):sub(1, -1e5))
      local packed = bytes("/x.npz")
      put("/bad.npz", packed:sub(1, 1e6) .. string.char((packed:byte(1e6 + 1) + 1) % 256)
        .. packed:sub(1e6 + 2))
      for name, wrong in pairs {["/cut.npy"] = "is cut off", ["/bad.npz"] = "is damaged"} do
        local one = shared.with(1, false, support.message, locus.load, folder .. name)
        assert.matches(wrong, one)
        for _, tiny in ipairs {false, true} do
          assert.equal(one, shared.with(3, tiny, support.message, locus.load, folder .. name))
        end
      end
    end)
  end)
end)
