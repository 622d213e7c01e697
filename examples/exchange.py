# SPDX-License-Identifier: MIT
"""Tensors of locus in a Python program, and arrays of Python in locus, without a copy: LuaJIT runs
inside Python, and DLPack carries the addresses. Needs NumPy; takes PyTorch, too, where it is.

    LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/?.so;;" python3 examples/exchange.py
"""
import ctypes

import numpy as np

# -- LuaJIT -----------------------------------------------------------------------------------------

luajit = ctypes.CDLL("libluajit-5.1.so.2", mode=ctypes.RTLD_GLOBAL)  # the core finds Lua there
luajit.luaL_newstate.restype = ctypes.c_void_p
luajit.lua_tolstring.restype = ctypes.c_char_p
luajit.lua_tolstring.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
state = ctypes.c_void_p(luajit.luaL_newstate())
luajit.luaL_openlibs(state)


def lua(code):
    """Runs Lua code and gives what it returns, as text."""
    failed = (luajit.luaL_loadstring(state, code.encode())
              or luajit.lua_pcall(state, 0, 1, 0))
    text = luajit.lua_tolstring(state, -1, None)
    luajit.lua_settop(state, 0)
    if failed:
        raise RuntimeError(text.decode())
    return text and text.decode()


# -- The glue: ten lines ----------------------------------------------------------------------------

NAME, USED = b"dltensor_versioned", b"used_dltensor_versioned"
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Tensor:
    """A tensor of locus, by the name of its global variable: numpy.from_dlpack and
    torch.from_dlpack take it."""

    def __init__(self, name):
        self.name = name

    def __dlpack__(self, **_):
        pointer = f"tonumber(ffi.cast('uintptr_t', {self.name}:to_dlpack()))"
        return api.PyCapsule_New(int(lua(f"return ('%.0f'):format({pointer})")), NAME, None)

    def __dlpack_device__(self):
        return 1, 0


def to_lua(name, array):
    """Makes the array, of NumPy or PyTorch, a global variable of Lua."""
    capsule = array.__dlpack__(max_version=(1, 0))
    pointer = api.PyCapsule_GetPointer(capsule, NAME)
    lua(f"{name} = locus.from_dlpack(ffi.cast('void *', {pointer}ULL))")
    api.PyCapsule_SetName(capsule, USED)


# -- What it is for ---------------------------------------------------------------------------------

def main():
    lua("locus, ffi = require 'locus', require 'ffi'")
    to_lua("prices", np.array([99.5, 101.25, 101.5, 103.0]))
    lua("positions = prices:searchsorted{101.3, 99, 200}")
    print("positions in Python:", np.from_dlpack(Tensor("positions")))
    shared = np.from_dlpack(Tensor("prices"))
    shared[0] = 100
    print("prices in Lua:", lua("return tostring(prices)"))
    fixed = np.arange(3)
    fixed.flags.writeable = False
    to_lua("fixed", fixed)
    print("read-only:", lua("return select(2, pcall(fixed.add_, fixed, 1))").split(": ")[-1])
    try:
        import torch
    except ImportError:
        return
    to_lua("half", torch.tensor([1.5, 2.5], dtype=torch.bfloat16))
    lua("rows = locus.arange(6):view(2, 3):t()")
    print("from PyTorch:", lua("return half.dtype .. ' ' .. half:sum()"))
    print("in PyTorch:", torch.from_dlpack(Tensor("rows")).stride())


if __name__ == "__main__":
    main()
