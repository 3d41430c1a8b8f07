"""Perft of the plain rules against published counts."""

from pathlib import Path

import pytest

from kingme import VARIANTS, Position, divide, perft

DATA = Path(__file__).parents[1] / "data" / "perft_english.tsv"
#: leaves that the plain rules may count for one position, to keep the suite quick
AFFORDABLE = 200_000


def rows():
    for line in DATA.read_text().splitlines():
        if not line.startswith("#"):
            fen, counts = line.split("\t")
            yield fen, [int(count) for count in counts.split()]


@pytest.mark.parametrize(("fen", "counts"), list(rows()))
def test_counts_equal_the_published_ones(fen, counts):
    # One of the published positions has men on their crown row: generators only.
    position = Position.from_fen(fen, strict=False)
    depths = [depth for depth, count in enumerate(counts, 1) if count <= AFFORDABLE]
    assert len(depths) >= 5
    assert [perft(position, depth) for depth in depths] == counts[: len(depths)]


def test_divide_adds_up():
    position = Position.start()
    parts = divide(position, 5)
    assert list(parts) == list(position.legal_moves)
    assert sum(parts.values()) == perft(position, 5) == 7361


def test_depths_that_make_no_sense():
    with pytest.raises(ValueError, match="0 or more"):
        perft(Position.start(), -1)
    with pytest.raises(TypeError):
        perft(Position.start(), 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 or more"):
        divide(Position.start(), 0)
    assert perft(Position.from_fen("W:W5:B1"), 3) == 0


@pytest.mark.parametrize(
    ("name", "counts"), [("russian", [7, 49, 302, 1469]), ("international", [9, 81, 658, 4265])]
)
def test_variants_are_counted_too(name, counts):
    position = Position.start(VARIANTS[name])
    assert [perft(position, depth) for depth in range(1, 5)] == counts
    assert perft(position, 4, unique=True) == counts[-1]
