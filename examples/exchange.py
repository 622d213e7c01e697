# SPDX-License-Identifier: MIT
"""Tensors and frames of locus in a Python program, and those of Python in locus, without a copy:
LuaJIT runs inside Python, and DLPack and Arrow carry the addresses. Needs NumPy, from 1.26 on; takes
PyTorch, JAX, pyarrow and polars, too, where they are.

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


# -- The glue for tensors: thirty lines -------------------------------------------------------------

NAMES = b"dltensor_versioned", b"dltensor"  # of capsules; libraries before 2025 know the second
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]


def pointer_of(capsule):
    """The pointer in a capsule of DLPack, and the arguments of from_dlpack for it."""
    versioned = bool(api.PyCapsule_IsValid(capsule, NAMES[0]))
    pointer = api.PyCapsule_GetPointer(capsule, NAMES[0] if versioned else NAMES[1])
    return f"ffi.cast('void *', {pointer}ULL), {{versioned = {str(versioned).lower()}}}"


def use(capsule):
    """Says that somebody has taken over what is in the capsule."""
    versioned = api.PyCapsule_IsValid(capsule, NAMES[0])
    api.PyCapsule_SetName(capsule, b"used_dltensor_versioned" if versioned else b"used_dltensor")


class Tensor:
    """A tensor of locus, by the name of its global variable: numpy.from_dlpack, torch.from_dlpack
    and jax.numpy.from_dlpack take it. A library that refuses it leaves the capsule its name; what is
    in it then goes when the Tensor goes."""

    def __init__(self, name):
        self.name, self.capsules = name, []

    def __dlpack__(self, max_version=None, **_):
        versioned = max_version is not None and max_version[0] >= 1
        made = f"{self.name}:to_dlpack{{versioned = {str(versioned).lower()}}}"
        capsule = api.PyCapsule_New(address(made), NAMES[0 if versioned else 1], None)
        self.capsules.append(capsule)
        return capsule

    def __dlpack_device__(self):
        return 1, 0

    def __del__(self):
        for capsule in self.capsules:
            if any(api.PyCapsule_IsValid(capsule, name) for name in NAMES):
                lua(f"locus.from_dlpack({pointer_of(capsule)}):free()")
                use(capsule)


def to_lua(name, array):
    """Makes the array, of NumPy, PyTorch or JAX, a global variable of Lua."""
    try:
        capsule = array.__dlpack__(max_version=(1, 0))
    except TypeError:  # NumPy before 2.1
        capsule = array.__dlpack__()
    lua(f"{name} = locus.from_dlpack({pointer_of(capsule)})")
    use(capsule)


# -- The glue for columns and frames: twenty lines --------------------------------------------------

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
    """Makes an array or a table of pyarrow, or a frame of whatever library, a global variable."""
    if hasattr(data, "__arrow_c_stream__"):
        capsule = data.__arrow_c_stream__()
        stream = api.PyCapsule_GetPointer(capsule, b"arrow_array_stream")
        lua(f"{name} = locus.from_arrow_stream(ffi.cast('void *', {stream}ULL))")
    else:
        schema, array = data.__arrow_c_array__()
        pointers = (api.PyCapsule_GetPointer(array, b"arrow_array"),
                    api.PyCapsule_GetPointer(schema, b"arrow_schema"))
        lua("%s = locus.from_arrow(ffi.cast('void *', %dULL), ffi.cast('void *', %dULL))"
            % (name, *pointers))


# -- What it is for ---------------------------------------------------------------------------------

def main():
    lua("locus, ffi = require 'locus', require 'ffi'")
    to_lua("prices", np.array([99.5, 101.25, 101.5, 103.0]))
    lua("positions = prices:searchsorted{101.3, 99, 200}")
    print("positions in Python:", np.from_dlpack(Tensor("positions")))
    shared = np.from_dlpack(Tensor("prices"))
    if shared.flags.writeable:
        shared[0] = 100
    else:  # NumPy 1 writes to no array that came by DLPack
        lua("prices[1] = 100")
        assert shared[0] == 100
    print("prices in Lua:", lua("return tostring(prices)"))
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # others cannot say that it is read-only
        fixed = np.arange(3)
        fixed.flags.writeable = False
        to_lua("fixed", fixed)
        print("read-only:", lua("return select(2, pcall(fixed.add_, fixed, 1))").split(": ")[-1])
    for example in with_torch, with_jax, with_pyarrow, with_polars:
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


def with_jax():
    import jax.numpy as jnp
    to_lua("grid", jnp.arange(6).reshape(2, 3))
    lua("sums = grid:sum(1):int()")
    print("from JAX:", lua("return grid.dtype .. ' ' .. tostring(grid.shape)"))
    print("in JAX:", jnp.from_dlpack(Tensor("sums")))


def with_pyarrow():
    import pyarrow as pa
    columns_to_lua("sizes", pa.array([3, 1, 2]))
    print("from pyarrow:", lua("return sizes:max()"))
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
