# SPDX-License-Identifier: MIT
"""LuaJIT inside this process, with bench/driver.lua loaded, and its tensors as NumPy arrays."""
import ast
import ctypes
import json

import numpy as np

# bfloat16 is not a NumPy dtype: its arrays hold the bits.
DTYPES = {"bool": np.bool_, "bfloat16": np.uint16}


class Lua:
    """One Lua state. driver("open", 1, 3) calls a function of bench/driver.lua."""

    def __init__(self):
        # The module finds the symbols of Lua in whatever is loaded globally.
        self.c = ctypes.CDLL("libluajit-5.1.so.2", mode=ctypes.RTLD_GLOBAL)
        self.c.luaL_newstate.restype = ctypes.c_void_p
        self.c.lua_tolstring.restype = ctypes.c_char_p
        self.c.lua_tolstring.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self.state = ctypes.c_void_p(self.c.luaL_newstate())
        self.c.luaL_openlibs(self.state)
        self.run('driver = require "bench.driver"')

    def run(self, code):
        """Runs Lua code and gives what it returns, as text."""
        failed = (self.c.luaL_loadstring(self.state, code.encode())
                  or self.c.lua_pcall(self.state, 0, 1, 0))
        text = self.c.lua_tolstring(self.state, -1, None)
        self.c.lua_settop(self.state, 0)
        if failed:
            raise RuntimeError(f"{code}: {text.decode()}")
        return text and text.decode()

    def driver(self, name, *arguments):
        """What a function of bench/driver.lua answers; JSON's literals are Lua's, too."""
        words = ", ".join(json.dumps(word) for word in (name, *arguments))
        text = self.run(f"return driver.answer({words})")
        return None if text == "nil" else ast.literal_eval(text)


def array(value):
    """The array over the memory of a tensor that the driver described; a number as it is."""
    if not isinstance(value, tuple):
        return value
    dtype, address, sizes, strides = value
    dtype = np.dtype(DTYPES.get(dtype, dtype))
    if 0 in sizes:
        return np.empty(sizes, dtype)
    last = sum((size - 1) * stride for size, stride in zip(sizes, strides))
    memory = (ctypes.c_char * ((last + 1) * dtype.itemsize)).from_address(address)
    flat = np.frombuffer(memory, dtype)
    return np.lib.stride_tricks.as_strided(flat, sizes, [s * dtype.itemsize for s in strides])
