# SPDX-License-Identifier: MIT
"""Tensors and frames of locus in a Python program, and those of Python in locus, without a copy:
LuaJIT runs inside Python, and DLPack and Arrow carry the addresses. Needs NumPy; takes PyTorch,
pyarrow and polars, too, where they are.

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


def address(what):
    """Where a pointer or a struct of Lua's FFI is."""
    pointer = f"tonumber(ffi.cast('uintptr_t', ffi.cast('void *', {what})))"
    return int(lua(f"return ('%.0f'):format({pointer})"))


# -- The glue for tensors: twenty lines -------------------------------------------------------------

NAME, USED = b"dltensor_versioned", b"used_dltensor_versioned"
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Tensor:
    """A tensor of locus, by the name of its global variable: numpy.from_dlpack and
    torch.from_dlpack take it. A library that refuses it leaves the capsule its name; what is in it
    then goes when the Tensor goes."""

    def __init__(self, name):
        self.name, self.capsules = name, []

    def __dlpack__(self, **_):
        capsule = api.PyCapsule_New(address(f"{self.name}:to_dlpack()"), NAME, None)
        self.capsules.append(capsule)
        return capsule

    def __dlpack_device__(self):
        return 1, 0

    def __del__(self):
        for capsule in self.capsules:
            if api.PyCapsule_IsValid(capsule, NAME):
                pointer = api.PyCapsule_GetPointer(capsule, NAME)
                api.PyCapsule_SetName(capsule, USED)
                lua(f"locus.from_dlpack(ffi.cast('void *', {pointer}ULL)):free()")


def to_lua(name, array):
    """Makes the array, of NumPy or PyTorch, a global variable of Lua."""
    capsule = array.__dlpack__(max_version=(1, 0))
    pointer = api.PyCapsule_GetPointer(capsule, NAME)
    lua(f"{name} = locus.from_dlpack(ffi.cast('void *', {pointer}ULL))")
    api.PyCapsule_SetName(capsule, USED)


# -- The glue for columns and frames: ten lines -----------------------------------------------------

class Columns:
    """A 1-D tensor, a string column or a frame, by the name of its global variable: pyarrow.array,
    pyarrow.record_batch and polars.DataFrame take it."""

    def __init__(self, name):
        self.name = name

    def __arrow_c_array__(self, requested_schema=None):
        lua(f"arrow_array, arrow_schema = {self.name}:to_arrow()")  # until they have been moved
        return (api.PyCapsule_New(address("arrow_schema"), b"arrow_schema", None),
                api.PyCapsule_New(address("arrow_array"), b"arrow_array", None))


def columns_to_lua(name, data):
    """Makes an array of pyarrow, or a table or frame of whatever library, a global variable."""
    capsule = data.__arrow_c_stream__()
    stream = api.PyCapsule_GetPointer(capsule, b"arrow_array_stream")
    lua(f"{name} = locus.from_arrow_stream(ffi.cast('void *', {stream}ULL))")


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
    for example in with_torch, with_pyarrow, with_polars:
        try:
            example()
        except ImportError:
            pass


def with_torch():
    import torch
    to_lua("half", torch.tensor([1.5, 2.5], dtype=torch.bfloat16))
    lua("rows = locus.arange(6):view(2, 3):t()")
    print("from PyTorch:", lua("return half.dtype .. ' ' .. half:sum()"))
    print("in PyTorch:", torch.from_dlpack(Tensor("rows")).stride())


def with_pyarrow():
    import pyarrow as pa
    columns_to_lua("trades", pa.table({"price": [99.5, 101.25, 101.5], "symbol": ["A", "B", "A"]}))
    lua("sums = trades:group('symbol'):agg{price = {'sum', 'price'}}")
    print("in pyarrow:", pa.record_batch(Columns("sums")).to_pydict())


def with_polars():
    import polars as pl
    columns_to_lua("flags", pl.DataFrame({"at": [3, 1, 2], "ok": [True, None, False]}).drop_nulls())
    lua("flags = flags:sort('at')")
    print("in polars:", pl.DataFrame(Columns("flags")).rows())


if __name__ == "__main__":
    main()
