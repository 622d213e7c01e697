-- SPDX-License-Identifier: MIT
-- Spans of time in text, as buckets and windows take them: every unit in every form, the words of
-- other libraries, and numbers that a unit cannot hold.
local internal = require "locus.core".internal
local support = require "spec.support"

local span = internal.span

local SECONDS = {second = 1, minute = 60, hour = 3600, day = 86400, week = 604800}
local BRIEF = {second = "s", minute = "m", hour = "h", day = "d", week = "w"}
local PER_SECOND = {s = 1, ms = 1e3, us = 1e6, ns = 1e9}

describe("spans #once", function()
  it("count their unit in the unit of the times", function()
    for word, seconds in pairs(SECONDS) do
      for unit, per_second in pairs(PER_SECOND) do
        local one = seconds * per_second
        for text, expected in pairs {
          [word] = one, ["1 " .. word] = one, ["3" .. word .. "s"] = 3 * one,
          [" 12  " .. word .. "s "] = 12 * one, [BRIEF[word]] = one,
          ["90" .. BRIEF[word]] = 90 * one, ["007 " .. BRIEF[word]] = 7 * one,
        } do
          assert.equal(expected, tonumber(span(text, unit)), text .. " in " .. unit)
        end
      end
    end
    assert.equal(250, span("250ms", "ms"))
    assert.equal(2.5e5, span("250 milliseconds", "us"))
    assert.equal(5, span("5us", "us"))
    assert.equal(5000, span("5 microseconds", "ns"))
    assert.equal(7, span("7 nanoseconds", "ns"))
    assert.equal(2, span("2000ms", "s"))
    assert.equal(14, span("2 weeks", "day"))
    assert.equal(1, span("24h", "day"))
  end)

  it("that are other libraries' words say what to write", function()
    for text, advice in pairs {
      ["1mo"] = "1 month", ["3mo"] = "3 months", ["1M"] = "1 month", mo = "month",
      ["2ME"] = "2 months",
      ["15min"] = "15 minutes", ["15T"] = "15 minutes", ["1H"] = "1 hour", ["2 Hours"] = "2 hours",
      D = "day", ["1q"] = "1 quarter", ["1y"] = "1 year", ["10L"] = "10 milliseconds",
      ["5\xc2\xb5s"] = "5 microseconds", ["2 secs"] = "2 seconds", ["1W"] = "1 week", YS = "year",
    } do
      assert.equal(("span: 'span' is \"%s\"; write \"%s\""):format(text, advice),
                   support.message(span, text, "s"))
    end
  end)

  it("that are none, 0, too long or no whole number say so", function()
    local form = 'write "15m", "1h", "day", "2 weeks", "month" or the like'
    for text, sentence in pairs {
      [""] = form, ["5"] = form, x = form, ["5 m m"] = form, ["m5"] = form, ["1h30m"] = form,
      ["dayss"] = form, ["\0"] = form,
      ["0m"] = "write a span that is not 0", ["-5m"] = "write it without a sign",
      ["+5m"] = "write it without a sign", ["1.5h"] = "write a whole number of a smaller unit",
      ["99999999999999999999m"] = "write a number that int64 can hold",
    } do
      assert.matches(sentence, support.message(span, text, "s"), 1, true)
    end
    assert.equal("span: 'gap' is \"1 month\", which has no fixed length: write it in days, \"30d\"",
                 support.message(span, "1 month", "us", "gap"))
    assert.matches('is "250ms", which is no whole number of the time\'s unit',
                   support.message(span, "250ms", "s"), 1, true)
    assert.matches("which is no whole number of days", support.message(span, "1h", "day"), 1, true)
    assert.matches("which is longer than int64 can hold",
                   support.message(span, "9223372036854775807s", "ns"), 1, true)
    assert.equal(9223372036854775807LL, span("9223372036854775807s", "s"))
    assert.matches('must be a span such as "5m" or "1 day", got the number 5',
                   support.message(span, 5, "s"), 1, true)
  end)
end)
