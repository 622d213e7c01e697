-- SPDX-License-Identifier: MIT
-- Errors of functions of core.internal about arguments that the files in Lua never hand them: a
-- kernel that trusted them would read outside of its memory.
local locus = require "locus"
local support = require "spec.support"
local internal = require "locus.core".internal

local function long(list, shape) return support.tensor("int64", list, shape) end
local function int(list) return support.tensor("int32", list) end

-- Each is a function, its arguments and the sentence.
local function refuse(cases)
  for _, case in ipairs(cases) do
    local arguments, sentence = case, case.says
    assert.equal(sentence, support.message(internal[case[1]], unpack(arguments, 2, case.n)))
  end
end

local numbers, doubles = long {1, 2, 3}, locus.tensor {1, 2, 3}
local square, strided = locus.zeros(2, 2), locus.zeros(2, 2):select(2, 1)
local ids = int {1, 1, 1}

describe("arguments of internal functions #host #once", function()
  it("of norms and spreads are real", function()
    for _, name in ipairs {"var", "std", "norm1", "norm2"} do
      for _, dtype in ipairs {"complex64", "complex128"} do
        local x = locus.ones(9, {dtype = dtype})
        for _, y in ipairs {x, x:view(3, 3), locus.zeros(0, {dtype = dtype})} do
          refuse {{name, y, says = ("%s: 'input' must be real, got %s"):format(name, dtype)},
                  {name, y, 1, says = ("%s: 'input' must be real, got %s"):format(name, dtype)}}
        end
      end
    end
  end)

  it("of as-of joins are in one piece, and within their groups", function()
    local limits = "asof_rows: 'limits' must be int64, 1-D and contiguous"
    refuse {
      {"asof_rows", doubles, ids, ids, 1, false, 1, says = limits},
      {"asof_rows", long({1}, {1, 1}), ids, ids, 1, false, 1, says = limits},
      {"asof_rows", long({1, 2, 3, 4}, {2, 2}):select(2, 1), ids, ids, 1, false, 1, says = limits},
      {"asof_rows", numbers, numbers, ids, 1, false, 1,
       says = "asof_rows: 'of_rows' must be int32, 1-D and contiguous"},
      {"asof_rows", numbers, ids, numbers, 1, false, 1,
       says = "asof_rows: 'of_values' must be int32, 1-D and contiguous"},
      {"asof_rows", numbers, ids, int {1}, 1, false, 1,
       says = "asof_rows: 'of_values' must be of size 3"},
      {"asof_rows", long {1, 2, 4}, ids, ids, 1, false, 1,
       says = "asof_rows: 'limits' must hold 0..3"},
      {"asof_rows", numbers, int {1, 0, 1}, ids, 1, false, 1,
       says = "asof_rows: 'of_rows' must hold 1..1"},
      {"asof_rows", numbers, ids, int {1, 2, 1}, 1, false, 1,
       says = "asof_rows: 'of_values' must hold 0..1"},
      {"nearest_rows", doubles, doubles:float(), nil, nil, 1, 1, n = 7,
       says = "nearest_rows: 'values' must be float64, 1-D and contiguous"},
      {"nearest_rows", numbers, doubles, nil, nil, 1, 1, n = 7,
       says = "nearest_rows: 'sequence' must be float64, 1-D and contiguous"},
      {"nearest_rows", doubles, doubles, doubles, nil, 1, 1, n = 7,
       says = "nearest_rows: 'before' must be int64, 1-D and contiguous"},
      {"nearest_rows", doubles, doubles, long {1}, nil, 1, 1, n = 7,
       says = "nearest_rows: 'before' must be of size 3"},
      {"nearest_rows", doubles, doubles, nil, long {1, 2, 4}, 1, 1, n = 7,
       says = "nearest_rows: 'after' must hold -1..3"},
      {"unsorted", square,
       says = "unsorted: 'input' must be of one dimension, got a float64 tensor of size 2x2"},
    }
  end)

  it("of histograms are edges, and as many weights as elements", function()
    local shape = "histogram: 'input' must be 1-D, as contiguous float64 edges are"
    refuse {
      {"count_bins", square, doubles, says = shape},
      {"count_bins", doubles, square, says = shape},
      {"count_bins", doubles, doubles:float(), says = shape},
      {"count_bins", doubles, strided, says = shape},
      {"count_bins", doubles, locus.tensor {1},
       says = "histogram: there must be 1 to 1073741824 bins, got 0"},
      {"count_bins", doubles, doubles, locus.tensor {1, 2},
       says = "histogram: 'weights' must have as many elements as 'input'"},
    }
  end)

  it("of choices by rank are rows, ranks and offsets", function()
    local row, none = doubles:view(1, 3), locus.zeros(1, 0, {dtype = "int64"})
    refuse {
      {"kth", row:to("complex64"), none,
       says = "kth: 'input' is complex64, and complex numbers have no order"},
      {"kth", square:t(), none, says = "kth: 'input' must be contiguous"},
      {"kth", row, doubles, says = "kth: 'ranks' must be int64"},
      {"kth", doubles, none, int {0, 3}, says = "kth: 'offsets' must be int64"},
      {"kth", doubles, none, says = "kth: 'input' must be a row with its offsets, or 2-D"},
      {"kth", row, none, long {0, 3}, says = "kth: 'input' must be a row with its offsets, or 2-D"},
      {"kth", doubles, none, long {}, says = "kth: 'input' must be a row with its offsets, or 2-D"},
      {"kth", row, long({0, 1}, {2, 1}),
       says = "kth: 'ranks' must be 1-D, or have a row for each segment"},
      {"kth", row, long({0}, {1, 1, 1}),
       says = "kth: 'ranks' must be 1-D, or have a row for each segment"},
      {"kth", doubles, long({0, 1}, {2, 1}), long {0, 2, 3},
       says = "kth: segment 2 of 1 elements has no rank 1 here"},
    }
  end)

  it("of runs, ranks, repeats and segments are in one piece", function()
    local sorted = "tied_ranks: 'sorted' must be real, 2-D and contiguous"
    local from = "tied_ranks: 'from' must be int64, like 'sorted' and contiguous"
    local places = long({1, 2, 1, 2}, {2, 2})
    local whole = "repeats: 'input' must have dimensions and be contiguous"
    local ends = "repeats: 'ends' must be int64, 1-D and contiguous"
    local starts = "segment_runs: 'starts' must be int64 and contiguous"
    refuse {
      {"runs", square, false, false, 1, says = "runs: 'input' must be 1-D and contiguous"},
      {"runs", strided, false, false, 1, says = "runs: 'input' must be 1-D and contiguous"},
      {"tied_ranks", doubles, places, "min", 1, says = sorted},
      {"tied_ranks", square:t(), places, "min", 1, says = sorted},
      {"tied_ranks", square:to("complex64"), places, "min", 1, says = sorted},
      {"tied_ranks", square, square, "min", 1, says = from},
      {"tied_ranks", square, numbers, "min", 1, says = from},
      {"tied_ranks", square, places:t(), "min", 1, says = from},
      {"repeats", locus.zeros({}), long {}, 1, says = whole},
      {"repeats", strided, long {}, 1, says = whole},
      {"repeats", square, doubles, 1, says = ends},
      {"repeats", square, places, 1, says = ends},
      {"repeats", square, places:select(2, 1), 1, says = ends},
      {"repeats", square, long {1}, 1, says = "repeats: 'ends' must be of size 2, got 1"},
      {"repeats", square, long {1, -2}, 1, says = "repeats: 'ends' must not end with -2"},
      {"segment_runs", doubles, "sum", doubles, 1, says = starts},
      {"segment_runs", doubles, "sum", long {}, 1, says = starts},
      {"segment_runs", doubles, "sum", places:select(2, 1), 1, says = starts},
      {"segment_runs", strided, "sum", long {0, 2}, 1,
       says = "segment_runs: 'input' must be contiguous"},
    }
  end)

  it("of sets are of one dtype", function()
    refuse {
      {"is_among_host", doubles, numbers,
       says = "isin: 'values' must be of input's dtype, got an int64 tensor of size 3"},
    }
  end)

  it("of files are open ones", function()
    local file = assert(io.open("spec/README.md"))
    file:close()
    refuse {{"flush_file", file, says = "attempt to use a closed file"}}
  end)

  it("of numbers and their text are what they stand for", function()
    refuse {
      {"parse_time", 5, says = "parse_time: 'text' must be a string, got the number 5"},
      {"parse_number", 5, "float64",
       says = "parse_number: 'text' must be a string, got the number 5"},
      {"parse_number", "5", "float64", "..",
       says = "parse_number: 'point' must be one character, got the string \"..\""},
      {"format_number", 5, "float64", -1,
       says = "format_number: 'places' must be a whole number from 0 to 99, got the number -1"},
      {"format_number", 5, "float64", 100,
       says = "format_number: 'places' must be a whole number from 0 to 99, got the number 100"},
      {"format_number", "x", "float64",
       says = "format_number: 'value' must be a number, got the string \"x\""},
    }
    for _, other in ipairs {"bool", "complex64"} do
      assert.equal(("format_number: 'dtype' must be a dtype of integers or floats, got the string "
        .. "\"%s\""):format(other), support.message(internal.format_number, 5, other))
    end
  end)

  it("of dictionaries are dictionaries, strings, numbers and tensors", function()
    local d, other = internal.dictionary(), internal.dictionary()
    internal.dictionary_add(d, "one")
    local ids_must = "dictionary_gather: 'ids' must be a contiguous int32 tensor on the CPU, "
      .. "got "
    refuse {
      {"dictionary_gather", 5, d, int {1}, says = "dictionary_gather: 'dictionary' must be a "
        .. "dictionary, got the number 5"},
      {"dictionary_gather", d, 5, int {1},
       says = "dictionary_gather: 'value' must be a dictionary, got the number 5"},
      {"dictionary_gather", d, d, int {1}, says = ids_must .. "an int32 tensor of size 1"},
      {"dictionary_gather", d, other, numbers, says = ids_must .. "an int64 tensor of size 3"},
      {"dictionary_gather", d, other, square:int():select(2, 1),
       says = ids_must .. "an int32 tensor of size 2"},
      {"dictionary_compare", d, 5, says = "dictionary_compare: 'value' must be a string, got the "
        .. "number 5"},
    }
    local in_one_piece = "dictionary_texts_of: 'ids' must be a contiguous int32 tensor on the CPU"
    refuse {
      {"dictionary_texts", 5,
       says = "dictionary_texts: 'dictionary' must be a dictionary, got the number 5"},
      {"dictionary_texts_of", d, numbers, says = in_one_piece .. ", got an int64 tensor of size 3"},
      {"dictionary_texts_of", d, square:int():select(2, 1),
       says = in_one_piece .. ", got an int32 tensor of size 2"},
      {"dictionary_texts_of", d, int {1, 2},
       says = "dictionary_texts_of: a column has the id 2, and there are 1 names"},
      {"dictionary_texts_of", d, int {0},
       says = "dictionary_texts_of: a column has the id 0, and there are 1 names"},
    }
    for _, bad in ipairs {0, 2, 1.5} do
      assert.equal(("ids: the number %s is none of the 1 names"):format(bad),
                   support.message(internal.dictionary_name, d, bad))
    end
  end)

  it("of a dictionary's text lead through it", function()
    local text = locus.from_string("abcd", "uint8")
    assert.is_truthy(internal.dictionary_of(text, long {2, 4}))
    assert.equal(1, select("#", internal.dictionary_of(text, long {2, 4})))
    local text_twice = locus.from_string("abab", "uint8")
    local twice, numbered = internal.dictionary_of(text_twice, long {1, 2, 3, 4})
    assert.equal(2, internal.dictionary_count(twice))
    assert.same({1, 2, 1, 2}, numbered:totable())
    for _, bad in ipairs {{2, 1}, {2, 5}, {0, 0}} do
      assert.is_nil(internal.dictionary_of(text, long(bad)))
    end
  end)
end)

describe("internal functions that answer nothing #host #once", function()
  it("leave nothing behind", function()
    assert.equal(0, select("#", internal.apart(locus.zeros(3), doubles, "x")))
    assert.equal(0, select("#", internal.deliver(numbers, locus.zeros(3), doubles)))
  end)

  it("of names in files are names, and an index of them", function()
    local bytes, ends = locus.tensor({65, 66, 67}, {dtype = "uint8"}), long {1, 3}
    local words = internal.index_of_names(4, bytes, ends, 2)
    local one, its_end = locus.tensor({90}, {dtype = "uint8"}), long {1}
    local of_its_dtype = " must be a contiguous 1-D tensor of its dtype on the CPU, got "
    local count = "'count' must be how many of the ends are those of names, got the number "
    refuse {
      {"index_of_names", 4, ends, ends, 2,
       says = "index_of_names: 'bytes'" .. of_its_dtype .. "an int64 tensor of size 2"},
      {"index_of_names", 4, bytes, doubles, 2,
       says = "index_of_names: 'ends'" .. of_its_dtype .. "a float64 tensor of size 3"},
      {"index_of_names", 4, bytes, ends, 3, says = "index_of_names: " .. count .. "3"},
      {"index_of_names", 4, bytes, ends, -1, says = "index_of_names: " .. count .. "-1"},
      {"index_of_names", -1, bytes, ends, 2,
       says = "index_of_names: 'words' must be a number of names, got the number -1"},
      {"number_names", numbers, bytes, ends, 2, one, its_end,
       says = "number_names: 'words'" .. of_its_dtype .. "an int64 tensor of size 3"},
      {"number_names", words, bytes, ends, 3, one, its_end,
       says = "number_names: " .. count .. "3"},
      {"number_names", words, bytes, ends, 2, one, long {2},
       says = "number_names: 'text_ends' must be where each string ends, got an int64 tensor of "
         .. "size 1"},
      {"number_names", words, bytes, ends, 2, bytes, long {2, 1},
       says = "number_names: 'text_ends' must be where each string ends, got an int64 tensor of "
         .. "size 2"},
    }
    for _, wrong in ipairs {{2, 1}, {1, 4}, {-1, 3}} do
      assert.is_nil(internal.index_of_names(4, bytes, long(wrong), 2))
    end
    for n = 0, #words - 1 do -- of no length but its own
      assert.is_nil(internal.number_names(words[{{1, n}}], bytes, ends, 2, one, its_end))
    end
    assert.is_nil(internal.number_names(words, bytes, ends, 1, one, its_end)) -- it holds another
    local wild = words:clone() -- numbers that another program has put there
    wild[{{15, #wild}}] = 2 ^ 31 - 1
    assert.is_nil(internal.number_names(wild, bytes, ends, 2, one, its_end))
    wild = words:clone()
    wild[{{15, #wild}}] = 2
    for _, wrong in ipairs {{3, 1}, {1, 4}, {-1, 3}} do
      assert.is_nil(internal.number_names(wild, bytes, long(wrong), 2, one, its_end))
    end
    for n = 1, 14 do -- the head, which carries a check of itself
      wild = words:clone()
      wild[n] = wild[n] == 5 and 6 or 5
      assert.is_nil(internal.number_names(wild, bytes, ends, 2, one, its_end))
    end
    assert.equal(3, internal.number_names(words, bytes, ends, 2, one, its_end)[1])
    assert.equal(1, internal.number_names(words, bytes, ends, 2, bytes, long {1})[1])
  end)

  it("of files and folders are open ones", function()
    local closed = assert(io.open("/dev/null"))
    closed:close()
    local folder = internal.open_folder("/tmp")
    for name, arguments in pairs {
      begin_file = {closed, "/tmp/x"}, open_in = {folder, "x", closed, "r"}, is_linked = {closed},
      written_at = {closed},
      lock_file = {closed, true, 0}, cut_file = {closed, 0},
      map_file = {closed, "x", "uint8", {1}, 0, false},
    } do
      assert.matches("attempt to use a closed file", support.message(internal[name],
        unpack(arguments)))
    end
    internal.close_folder(folder)
    internal.close_folder(folder)
    for name, arguments in pairs {
      open_in = {folder, "x", io.stdout, "r"}, remove_in = {folder, "x"},
      rename_in = {folder, "x", "y"}, names_in = {folder}, begin_file = {io.stdout, "x", folder},
      has_other_names = {folder, "x"},
    } do
      assert.matches("attempt to use a closed folder", support.message(internal[name],
        unpack(arguments)))
    end
    assert.is_nil(internal.open_folder("/no/such"))
    assert.is_nil(internal.open_folder("/dev/null"))
    for _, seconds in ipairs {-1, 10, 0 / 0} do
      assert.matches("fewer than ten expected", support.message(internal.pause, seconds))
    end
  end)
end)
