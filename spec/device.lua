-- SPDX-License-Identifier: MIT
-- Run before the specs where LOCUS_TEST_DEVICE names a device: tensors made without `device` are
-- then made there. All spec files share this one Lua half of the module.
require "locus".set_default_device(os.getenv "LOCUS_TEST_DEVICE")
