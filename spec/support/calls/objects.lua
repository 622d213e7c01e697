-- SPDX-License-Identifier: MIT
-- The objects made of tensors that have methods of their own: the class in meta.lua, the prefix of
-- the calls in spec/ops, the methods, and the fields.
local builder = require "locus.frame.builder"
require "locus.write.csv"
require "locus.write.json"
require "locus.window.grouped"
require "locus.files.folder"
require "locus.arrow.export"
require "locus.sql.read"
require "locus.sql.write"

return {
  {class = "locus.Frame", prefix = "frame:", methods = require("locus.frame.frame").methods,
   fields = "bad"},
  {class = "locus.Strings", prefix = "strings:", methods = require("locus.frame.strings").methods,
   fields = "ids names device dtype"},
  {class = "locus.Group", prefix = "group:", methods = require("locus.frame.group").methods,
   fields = "keys ids"},
  {class = "locus.Windows", prefix = "windows:",
   methods = require("locus.window.windows").methods, fields = ""},
  {class = "locus.Builder", prefix = "builder:", methods = builder.of_column, fields = ""},
  {class = "locus.Writer", prefix = "writer:", methods = require("locus.files.writer"),
   fields = ""},
  {class = "locus.Connection", prefix = "connection:",
   methods = require("locus.sql.connection").methods, fields = ""},
  {class = "locus.Generator", prefix = "generator:",
   methods = require("locus.derived.generator").methods, fields = ""},
  {class = "locus.Sketch", prefix = "sketch:", methods = require("locus.derived.sketch").methods,
   fields = ""},
  {class = "locus.Picture", prefix = "picture:", methods = require("locus.plot.picture").methods,
   fields = ""},
  {class = "locus.FrameBuilder", prefix = "builder:", methods = builder.of_frame, fields = ""},
}
