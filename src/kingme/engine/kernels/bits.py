"""Single machine instructions that Python has no word for, and the board's constants.

Each instruction has a plain twin, used where the kernels run as Python; there an array stands
for its own address.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from kingme.engine.kernels.jit import COMPILED

Word: TypeAlias = np.uint64
Words: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]
Octets: TypeAlias = npt.NDArray[np.uint8]

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
SPAN = 35
"""Bits from the first square to the last, borders among them."""

BOARD = np.uint64(sum(1 << bit for bit in range(SPAN) if bit % 9 != 8))
TOP = np.uint64(0xF)
BOTTOM = np.uint64(0xF << 31)


@intrinsic
def _popcount(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], target.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@intrinsic
def _turned(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        reverse = builder.bitreverse(args[0])
        return builder.lshr(reverse, target.get_constant(types.uint64, 64 - SPAN))

    return types.uint64(types.uint64), generate


@intrinsic
def _address(context: Any, array: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return make_array(signature.args[0])(target, builder, args[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic
def _load(context: Any, pointer: Any, index: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = target.get_value_type(types.int64)
        place = builder.gep(args[0], [args[1]], source_etype=number)
        return builder.load_atomic(place, "monotonic", 8, typ=number)

    return types.int64(types.CPointer(types.int64), types.int64), generate


@intrinsic
def _decrease(context: Any, pointer: Any, index: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        small = target.get_value_type(types.uint8)
        place = builder.gep(args[0], [args[1]], source_etype=small)
        before = builder.atomic_rmw("sub", place, target.get_constant(types.uint8, 1), "monotonic")
        return builder.zext(before, target.get_value_type(types.int64))

    return types.int64(types.CPointer(types.uint8), types.int64), generate


def _reader(width: int) -> Any:
    """Make the intrinsic that reads a signed number of so many bits beside an address."""

    @intrinsic
    def _read(context: Any, address: Any, index: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            small, large = ir.IntType(width), target.get_value_type(types.int64)
            base = builder.inttoptr(args[0], small.as_pointer())
            place = builder.gep(base, [args[1]], source_etype=small)
            return builder.sext(builder.load(place, typ=small), large)

        return types.int64(types.int64, types.int64), generate

    return _read


@intrinsic
def _peek(context: Any, address: Any, index: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        small, large = ir.IntType(8), ir.IntType(64)
        place = builder.gep(
            builder.inttoptr(args[0], small.as_pointer()), [args[1]], source_etype=small
        )
        read = builder.load(builder.bitcast(place, large.as_pointer()), align=1, typ=large)
        return builder.bswap(read) if sys.byteorder == "big" else read

    return types.int64(types.int64, types.int64), generate


_PLAIN: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def address_of(array: npt.NDArray[Any]) -> int:
    """Return where an array lies, for kernels to read from; its owner must keep it alive."""
    address = int(array.ctypes.data)
    if not COMPILED:
        _PLAIN[address] = array
    return address


def _plain_reader(width: int) -> Callable[[int, int], int]:
    kind = np.dtype(f"i{width // 8}")
    return lambda address, index: int(_PLAIN[int(address)].view(kind)[index])


def _plain_peek(address: int, index: int) -> int:
    eight = _PLAIN[int(address)].view(np.uint8)[index : index + 8].tobytes()
    return int.from_bytes(eight, "little", signed=True)


def _plain_popcount(word: np.uint64) -> int:
    return int(word).bit_count()


def _plain_lowest(word: np.uint64) -> int:
    return (int(word) & -int(word)).bit_length() - 1


def _plain_turned(word: np.uint64) -> np.uint64:
    return np.uint64(int(f"{int(word):0{SPAN}b}"[::-1], 2))


def _plain_decrease(pointer: Octets, index: int) -> int:
    pointer[index] -= 1
    return int(pointer[index]) + 1


def _plain_address(array: Any) -> Any:
    return array


def _plain_load(pointer: Numbers, index: int) -> int:
    return int(pointer[index])


popcount = cast(Callable[[np.uint64], int], _popcount if COMPILED else _plain_popcount)
"""Count the bits of a word."""

lowest = cast(Callable[[np.uint64], int], _lowest if COMPILED else _plain_lowest)
"""Return the index of the lowest bit of a word that is not zero."""

turned = cast("Callable[[np.uint64], np.uint64]", _turned if COMPILED else _plain_turned)
"""Turn a set of squares round by half a turn, as the other player sees it."""

words = cast(Callable[[Words], Words], _address if COMPILED else _plain_address)
"""Return the address of an array of words."""

numbers = cast(Callable[[Numbers], Numbers], _address if COMPILED else _plain_address)
"""Return the address of an array of signed words."""

octets = cast(Callable[[Octets], Octets], _address if COMPILED else _plain_address)
"""Return the address of an array of bytes."""

decrease = cast(Callable[[Octets, int], int], _decrease if COMPILED else _plain_decrease)
"""Take 1 from a byte that other threads may change too; return what it was."""

load = cast(Callable[[Numbers, int], int], _load if COMPILED else _plain_load)
"""Read a word that another thread may set at any moment."""

read8 = cast(Callable[[int, int], int], _reader(8) if COMPILED else _plain_reader(8))
"""Read the signed byte of an index in what lies at an address (`address_of`)."""

read16 = cast(Callable[[int, int], int], _reader(16) if COMPILED else _plain_reader(16))
"""Read the signed 16-bit number of an index in what lies at an address."""

read32 = cast(Callable[[int, int], int], _reader(32) if COMPILED else _plain_reader(32))
"""Read the signed 32-bit number of an index in what lies at an address."""

read64 = cast(Callable[[int, int], int], _reader(64) if COMPILED else _plain_reader(64))
"""Read the signed 64-bit number of an index in what lies at an address."""

peek = cast(Callable[[int, int], int], _peek if COMPILED else _plain_peek)
"""Read the eight bytes from a place on, the least first, which need not be aligned."""

signed = cast("Callable[[np.uint64], int]", np.int64)
"""Take a word for a signed one, which may be mixed with literals."""
