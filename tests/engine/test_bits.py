"""Reading numbers at an address, as kernels do with weights and databases."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from kingme.engine.kernels import bits
from kingme.engine.kernels.jit import kernel


@kernel("int64(int64, int64)")
def eight(address: int, index: int) -> int:
    """Read a byte."""
    return bits.read8(address, index)


@kernel("int64(int64, int64)")
def sixteen(address: int, index: int) -> int:
    """Read two bytes."""
    return bits.read16(address, index)


@kernel("int64(int64, int64)")
def thirty_two(address: int, index: int) -> int:
    """Read four bytes."""
    return bits.read32(address, index)


@pytest.mark.parametrize(
    ("read", "kind"), [(eight, np.int8), (sixteen, np.int16), (thirty_two, np.int32)]
)
def test_signed_numbers_are_read_at_an_address(read, kind):
    info = np.iinfo(kind)
    array: npt.NDArray[np.int32] = np.array([0, -1, info.min, info.max, 7], kind)
    address = bits.address_of(array)
    assert [read(address, index) for index in range(5)] == [0, -1, info.min, info.max, 7]
