"""The legal routes of any variant, from nothing but the fields of its record.

Where :class:`~kingme.rules.moves.Generator` knows short steps alone, this one walks along
rays: men and kings that capture in any direction, flying kings, boards of all squares,
captures ranked by rules, pieces that leave at once or at the end.

A flying king that jumps twice on one line could rest between the two pieces on any of the
squares there; that is one route, which names the square next behind the first piece. Where
some landing allows a further jump, one of those must be chosen. Two orders of the same
captures are two routes.

Captures can explode in number, with Frisian kings above all: the work is counted, and
:class:`~kingme.errors.CaptureLimitError` ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from kingme.errors import CaptureLimitError
from kingme.rules.moves import Generator, Route
from kingme.rules.squares import Geometry, bits
from kingme.rules.terms import Choice, Crowning, Direction, Goal, Removal

if TYPE_CHECKING:
    from kingme.rules.record import Variant

__all__ = ["LIMIT", "LongRange"]

LIMIT = 30_000
"""Landings that one enumeration of captures may look at, a fraction of a second's work."""

_MAN, _KING = 100, 199
"""Frisian values: n kings are worth less than 2n men and more than 2n - 1."""

#: The steps of each direction for a piece that moves down, as rows and files.
_STEPS = {
    Direction.FORWARD: ((1, 0),),
    Direction.BACKWARD: ((-1, 0),),
    Direction.SIDEWAYS: ((0, 1), (0, -1)),
    Direction.FORWARD_DIAGONAL: ((1, 1), (1, -1)),
    Direction.BACKWARD_DIAGONAL: ((-1, 1), (-1, -1)),
}
_VECTORS = tuple(step for steps in _STEPS.values() for step in steps)

#: For each square the rays that leave it: the bit of the direction, the squares, and all of them.
Rays = dict[int, tuple[tuple[int, tuple[int, ...], int], ...]]


def _opposites() -> dict[int, int]:
    bit = {vector: 1 << index for index, vector in enumerate(_VECTORS)}
    return {bit[row, file]: bit[-row, -file] for row, file in _VECTORS}


_OPPOSITE = _opposites()


@lru_cache(maxsize=64)
def _rays(
    geometry: Geometry, directions: frozenset[Direction], down: bool, longest: int | None
) -> Rays:
    """Return the rays in ``directions``, cut to ``longest`` squares, without empty ones."""
    vectors = {step for direction in directions for step in _STEPS[direction]}
    if not down:
        vectors = {(-row, file) for row, file in vectors}
    found: Rays = {}
    for square in range(1, geometry.squares + 1):
        rays = []
        for index, (row, file) in enumerate(_VECTORS):
            if (row, file) in vectors:
                ray = geometry.ray(square, row, file)[:longest]
                if ray:
                    rays.append((1 << index, ray, sum(ray)))
        found[geometry.masks[square]] = tuple(rays)
    return found


class LongRange(Generator):
    """The legal routes of the variant whose record it is given."""

    __slots__ = (
        "becomes",
        "choice",
        "crowned_ends",
        "flying",
        "geometry",
        "king_jumps",
        "king_steps",
        "lands_next",
        "man_jumps",
        "man_steps",
        "men_take_kings",
        "now",
        "passes",
        "reverses",
    )

    def __init__(self, record: Variant) -> None:
        """Lay the rays and keep what the loops ask for."""
        geometry = record.geometry
        super().__init__(geometry)
        self.geometry = geometry
        steps, jumps = (None, None) if record.flying_kings else (1, 2)
        ways = (False, True)
        self.man_steps = tuple(_rays(geometry, record.man_moves, down, 1) for down in ways)
        self.man_jumps = tuple(_rays(geometry, record.man_jumps, down, 2) for down in ways)
        self.king_steps = _rays(geometry, record.king_moves, True, steps)
        self.king_jumps = _rays(geometry, record.king_jumps, True, jumps)
        self.flying = record.flying_kings
        self.lands_next = record.king_lands_next
        self.men_take_kings = record.men_may_jump_kings
        self.choice = record.choice
        self.passes = record.crowning is Crowning.PASS
        self.becomes = record.crowning is Crowning.BECOME
        self.now = record.removal is Removal.NOW
        self.reverses = record.may_reverse
        self.crowned_ends = record.goal is Goal.CROWN_FIRST

    def jumpers(self, own: int, enemy: int, kings: int, down: bool) -> int:
        """Return the pieces of ``own`` that jump in some legal route."""
        found = 0
        for path, _ in self._captures(own, enemy, kings, down):
            found |= path[0]
        return found

    def routes(self, own: int, enemy: int, kings: int, down: bool) -> list[Route]:
        """Return every legal route, jumps alone where there is one.

        Raises :class:`~kingme.errors.CaptureLimitError` where the jumps are too many.
        """
        if self.crowned_ends and kings:
            return []
        return self._captures(own, enemy, kings, down) or self._quiet(own, enemy, kings, down)

    def count(self, own: int, enemy: int, kings: int, down: bool) -> int:
        """Return how many legal routes there are."""
        return len(self.routes(own, enemy, kings, down))

    def crowns(self, path: tuple[int, ...], down: bool) -> bool:
        """Whether a man that goes along ``path`` is a king at its end."""
        landings = path[1:] if self.becomes else path[-1:]
        return any(landing & self.crown[down] for landing in landings)

    def _quiet(self, own: int, enemy: int, kings: int, down: bool) -> list[Route]:
        occupied = own | enemy
        routes: list[Route] = []
        men = self.man_steps[down]
        for piece in bits(own):
            for _, ray, _ in (self.king_steps if piece & kings else men)[piece]:
                for square in ray:
                    if square & occupied:
                        break
                    routes.append(((piece, square), 0))
        return routes

    def _captures(self, own: int, enemy: int, kings: int, down: bool) -> list[Route]:
        if self.crowned_ends and kings:
            return []
        routes: list[Route] = []
        empty = self.board & ~(own | enemy)
        hunt = _Hunt(self, routes, enemy, kings, down)
        for piece in bits(own):
            hunt.empty = empty | piece
            if piece & kings:
                hunt.king((piece,), 0, 0)
            else:
                hunt.man((piece,), 0, 0)
        if len(routes) > 1:
            for choice in self.choice:
                routes = _best(routes, self._rank(choice, kings))
        return routes

    def _rank(self, choice: Choice, kings: int) -> Callable[[Route], tuple[int, ...]]:
        """Return what a rule makes of a route: the greater, the better."""
        if choice is Choice.MOST_PIECES:
            return lambda route: (route[1].bit_count(),)
        if choice is Choice.MOST_KINGS:
            return lambda route: ((route[1] & kings).bit_count(),)
        if choice is Choice.WITH_KING:
            return lambda route: (route[0][0] & kings and 1,)
        if choice is Choice.MOST_VALUE:
            return lambda route: (
                _MAN * (route[1] & ~kings).bit_count() + _KING * (route[1] & kings).bit_count(),
            )
        return lambda route: tuple(
            int(bool(piece & kings)) for piece in self.geometry.jumped(*route)
        )


def _best(routes: list[Route], rank: Callable[[Route], tuple[int, ...]]) -> list[Route]:
    ranks = [rank(route) for route in routes]
    best = max(ranks)
    return [route for route, its in zip(routes, ranks, strict=True) if its == best]


class _Hunt:
    """One enumeration of captures: the pieces there are, what is found, and the work done."""

    __slots__ = ("_crown", "_enemy", "_generator", "_men", "_prey", "_work", "empty", "routes")

    def __init__(
        self, generator: LongRange, routes: list[Route], enemy: int, kings: int, down: bool
    ) -> None:
        self._generator = generator
        self._enemy = enemy
        self._prey = enemy if generator.men_take_kings else enemy & ~kings
        self._men = generator.man_jumps[down]
        self._crown = generator.crown[down]
        self._work = 0
        self.empty = 0
        self.routes = routes

    def man(self, path: tuple[int, ...], captured: int, skip: int) -> None:
        """Add every way on for a man at the end of ``path``, not in the directions ``skip``."""
        self._spend()
        generator = self._generator
        prey = self._prey & ~captured
        empty = self.empty | captured if generator.now else self.empty
        ended = True
        for direction, ray, _ in self._men[path[-1]]:
            if len(ray) < 2 or not ray[0] & prey or not ray[1] & empty or direction & skip:
                continue
            ended = False
            over, land = ray
            onward = (*path, land)
            back = 0 if generator.reverses else _OPPOSITE[direction]
            if not land & self._crown or generator.passes:
                self.man(onward, captured | over, back)
            elif not generator.becomes or not self.king(onward, captured | over, back):
                self.routes.append((onward, captured | over))
        if ended and captured:
            self.routes.append((path, captured))

    def king(self, path: tuple[int, ...], captured: int, skip: int) -> bool:
        """Add every way on for a king at the end of ``path``; tell whether there is one."""
        self._spend()
        found = False
        prey = self._enemy & ~captured
        for direction, ray, squares in self._generator.king_jumps[path[-1]]:
            if (
                squares & prey
                and not direction & skip
                and self._line(path, captured, direction, ray)
            ):
                found = True
        return found

    def _line(
        self, path: tuple[int, ...], captured: int, direction: int, ray: tuple[int, ...]
    ) -> bool:
        """Add every capture along one ray, with what follows; tell whether there is one."""
        generator = self._generator
        empty = self.empty | captured if generator.now else self.empty
        prey = self._enemy & ~captured
        for over in ray:
            if over & prey:
                break
            if not over & empty or not generator.flying:
                return False
        else:
            return False
        behind = ray[ray.index(over) + 1 :]
        landings = []
        for square in behind:
            if not square & empty:
                break
            landings.append(square)
            if generator.lands_next:
                break
        if not landings:
            return False
        taken = captured | over
        skip = 0 if generator.reverses else _OPPOSITE[direction]
        onward = False
        if generator.flying:
            # Straight on is one route, whichever of the squares between the king rests on.
            onward = self._line((*path, landings[0]), taken, direction, behind[1:])
            skip |= direction
        for landing in landings:
            onward |= self.king((*path, landing), taken, skip)
        if not onward:
            self.routes += [((*path, landing), taken) for landing in landings]
        return True

    def _spend(self) -> None:
        self._work += 1
        if self._work > LIMIT:
            raise CaptureLimitError(f"too many captures to list: the work ends at {LIMIT} landings")
