"""An engine in this process: buffers of its own around the compiled kernels."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Literal

import numpy as np

from kingme.engine.api import Bound, EngineError, GameOverError, Info, Limits, Score
from kingme.engine.endgames import EndgameError, Tables
from kingme.engine.endgames.guide import Guide
from kingme.engine.endgames.ready import ready
from kingme.engine.endgames.roots import Root
from kingme.engine.kernels import tables
from kingme.engine.machine import processors, require_table
from kingme.engine.timing import Alarm, Allowance, Patience, ProcessorClock, Stopwatch, allot
from kingme.engine.turns import Turns
from kingme.engine.weights import Weights, default
from kingme.engine.worker import DEEPEST, Board, Worker, named
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

__all__ = ["LocalEngine"]

BUCKET = 64
"""Bytes of a bucket of the table."""

MOST_SIGHT = 99

SLOW = 6
"""Plies of a line that are looked up in packed distances, which takes some milliseconds each."""

TOGETHER = 8
"""Depth from which on the other threads help: below it they cost more than they bring."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A search that was asked for; stops count for those asked for before, by ``number``."""

    number: int
    history: History
    limits: Limits
    preset: DrawPreset
    lines: int = 1
    ponder: bool = False
    on_info: Callable[[Info], None] | None = None
    root: Root | None = None


class LocalEngine:
    """Searches with a table of ``table_mib`` MiB (rounded down to a power of two).

    ``threads`` search together on one table, but never more of them than there are processors,
    since they would keep each other from hearing a stop; with one thread the same search of an
    engine that is new or `clear` finds the same. Limits of time count seconds of the wall's
    clock or, with ``clock="cpu"``, processor seconds of the threads that search. Any thread may
    call the engine; one search runs at a time, another waits for it. Many engines may run in a
    process, each with buffers of its own, and none holds the GIL while it searches.

    ``weights`` are those of the evaluation, the ones that come with the package where not given;
    ``endgames`` are solved positions, which the search then knows: those that `warming` and
    `kingme endgames build` have built, where they are ready, or others, or none. ``sight`` is how
    often a side that is threatened with a jump moves once more at a leaf.

    Raises ``ValueError`` or ``TypeError`` for an argument that makes no sense, and `EngineError`
    for a table that this machine has no memory for.
    """

    def __init__(
        self,
        table_mib: int = 16,
        *,
        threads: int = 1,
        clock: Literal["wall", "cpu"] = "wall",
        sight: int = 1,
        weights: Weights | None = None,
        endgames: Tables | Literal["ready", "none"] = "ready",
    ) -> None:
        table_mib = _whole("table_mib", table_mib, 1)
        threads = _whole("threads", threads, 1)
        sight = _whole("sight", sight, 0, MOST_SIGHT)
        _require(clock, weights, endgames)
        require_table(table_mib)
        self.threads = min(threads, processors())
        """How many threads search."""
        buckets = 1
        while 2 * buckets * BUCKET <= table_mib << 20:
            buckets *= 2
        try:
            self._table = np.zeros(buckets * BUCKET // 8, np.uint64)
        except MemoryError:
            raise EngineError(f"there is no memory for a table of {table_mib} MiB") from None
        self._weights = weights or default()
        self._endgames = endgames if isinstance(endgames, Tables) else None
        if endgames == "ready":
            self._endgames = ready()
        self._guide = None if self._endgames is None else Guide(self._endgames)
        self._workers = [Worker(self._table, buckets - 1, sight) for _ in range(self.threads)]
        for worker in self._workers:
            worker.ctl[tables.WEIGHTS] = self._weights.address
            if self._endgames is not None:
                worker.solved(self._endgames)
        self._main = self._workers[0]
        self._clock = clock
        self._turns = Turns("engine")
        self._helpers: list[threading.Thread] = []
        self._gate = threading.Lock()  # over what follows; never held while searching
        self._asked = 0
        self._halted = 0
        self._hit = 0
        self._alarm: Alarm | None = None

    def analyse(
        self,
        history: History,
        limits: Limits,
        preset: DrawPreset = STANDARD,
        *,
        lines: int = 1,
        ponder: bool = False,
        on_info: Callable[[Info], None] | None = None,
    ) -> Iterator[Info]:
        """Yield an info after each iteration, the last one perhaps of a depth half done.

        Where a stop or a limit cut a depth short before anything came of it, the infos of the
        depth before come once more at the end, with the nodes and the time of the whole search.
        With ``lines`` each iteration gives so many infos, best line first. With ``ponder``, to
        think in the other side's time, ``history`` ends with the reply that is expected and
        limits of time hold from `ponderhit` on. ``on_info`` is called with every info before it
        is yielded. Draws within the search follow ``preset``. Close the iterator if you leave
        it early: until then the engine is taken, other threads wait, and the one that holds the
        iterator gets an `EngineError` if it asks for anything else. Raises `GameOverError` where
        no move is legal, `EngineError` for a game of another variant than English, and
        ``ValueError`` or ``TypeError`` for an argument that makes no sense.
        """
        _require_search(history, limits, preset)
        lines = _whole("lines", lines, 1)
        return self._iterate(_Task(self._ticket(), history, limits, preset, lines, ponder, on_info))

    def best_move(self, history: History, limits: Limits, preset: DrawPreset = STANDARD) -> Info:
        """Return the last info of a search."""
        for found in self.analyse(history, limits, preset):
            info = found
        return info

    def judge(
        self, history: History, limits: Limits, preset: DrawPreset = STANDARD
    ) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        """Give every legal move an exact score at the greatest depth that the limits allow.

        Of several routes to one result the first stands for all. Takes some times as long as a
        search for the best move alone, and one thread does it. Raises `GameOverError` where no
        move is legal.
        """
        _require_search(history, limits, preset)
        task = _Task(self._ticket(), history, limits, preset)
        with self._turns.taken():
            return self._judge(task)

    def stop(self) -> None:
        """End the search that runs and those that wait; each still returns what it has."""
        with self._gate:
            self._halted = self._asked
            self._main.stop()

    def ponderhit(self) -> None:
        """Let the limits of time hold from now on: the reply that was expected has come."""
        with self._gate:
            self._hit = self._asked
            if self._alarm is not None:
                self._alarm.release()

    def clear(self) -> None:
        """Forget everything learnt from earlier searches."""
        with self._turns.taken():
            self._rest()
            self._table[:] = 0
            for worker in self._workers:
                worker.forget()

    def _ticket(self) -> int:
        with self._gate:
            self._asked += 1
            return self._asked

    def _begin(self, task: _Task, alarm: Alarm) -> list[Board]:
        """Load the position into every worker, and heed what came before the search began."""
        self._rest()
        share = task.limits.nodes and max(1, task.limits.nodes // len(self._workers))
        with self._gate:
            self._main.ctl[tables.STOP] = 0
            if task.number <= self._halted:
                self._main.stop()
            if task.number <= self._hit:
                alarm.release()
            self._alarm = alarm
        return [worker.load(task.history, share, task.preset) for worker in self._workers]

    @property
    def _nodes(self) -> int:
        """Positions that all workers have searched since `_begin`."""
        return sum(worker.nodes for worker in self._workers)

    def _pondering(self, task: _Task) -> bool:
        return task.ponder and task.number > self._hit

    def _timekeepers(
        self, task: _Task, processor: ProcessorClock
    ) -> tuple[Stopwatch, Alarm, Allowance | None]:
        """Return the watch and the alarm of a search, and what it may take of a clock."""
        limits = task.limits
        allowance = None
        longest = limits.seconds
        if limits.clock is not None:
            allowance = allot(limits.clock, limits.increment, limits.moves)
            longest = min(allowance.longest, longest or allowance.longest)
        read = processor if self._clock == "cpu" else time.monotonic
        speed = len(self._workers) if self._clock == "cpu" else 1
        alarm = Alarm(longest, self._main.stop, read=read, speed=speed, held=task.ponder)
        return Stopwatch(longest, read), alarm, allowance

    def _iterate(self, task: _Task) -> Iterator[Info]:
        processor = ProcessorClock()
        with self._turns.taken():
            watch, alarm, allowance = self._timekeepers(task, processor)
            root = Root.of(task.history, self._endgames, task.preset)
            if root is not None and root.settled:
                yield from self._told(
                    task, self._looked_up(root, root.ranked()[: task.lines], watch.seconds)
                )
                return
            task = replace(task, root=root)
            with alarm:
                boards = self._begin(task, alarm)
                first = self._guided(root, task, watch, processor)
                patience = Patience(allowance, int(self._main.ctl[tables.COUNT]))
                last = min(task.limits.depth or DEEPEST, DEEPEST)
                for depth, found in self._deepenings(task, boards, watch, processor, last):
                    infos = self._founded(found, root, task, first)
                    yield from self._told(task, infos)
                    best = infos[0]
                    plies = best.score.plies_to_end
                    if self._main.stopped or (plies is not None and plies <= depth):
                        break
                    if self._pondering(task):
                        continue
                    if watch.over or patience.gone(best.move, best.score.value, watch.seconds):
                        break
                if self._main.stopped and self._nodes > best.nodes:
                    nodes, seconds = self._nodes, watch.seconds
                    whole = [replace(info, nodes=nodes, seconds=seconds) for info in infos]
                    yield from self._told(task, whole)

    def _told(self, task: _Task, infos: list[Info]) -> Iterator[Info]:
        """Yield infos, each told before."""
        for info in infos:
            if task.on_info is not None:
                task.on_info(info)
            yield info
            self._turns.pass_on()

    def _guided(
        self, root: Root | None, task: _Task, watch: Stopwatch, processor: ProcessorClock
    ) -> Move | None:
        """Bind the search to the moves that make headway in a won root; return one of them.

        To find them may take half of the time.
        """
        if root is None or self._guide is None or not root.won:
            return None

        with processor.counting():
            moves = self._guide.moves(root, lambda: self._main.stopped or watch.half)
        for worker in self._workers:
            worker.prefer(moves, only=task.lines == 1)
        return moves[0]

    def _founded(
        self, infos: list[Info], root: Root | None, task: _Task, first: Move | None
    ) -> list[Info]:
        """Return what was found, or what the database says where that is no worse.

        Where a draw rule may come before an end whose distance is known, a search may prove that it
        does not, or save the side that loses; else it knows less than the database.
        """
        if root is None or root.untold:
            return infos
        ranked = root.ranked()
        if first is not None and task.lines == 1:
            ranked = [(first, root.worths[first].score)]
        found = infos[0]
        if found.score.value > ranked[0][1] and not found.score.likely:
            return infos
        return [
            replace(info, depth=found.depth, nodes=found.nodes, deepest=found.deepest)
            for info in self._looked_up(root, ranked[: task.lines], found.seconds)
        ]

    def _looked_up(self, root: Root, ranked: list[tuple[Move, int]], seconds: float) -> list[Info]:
        """Put moves with what the database says of them in infos, the best first."""
        return [
            Info(
                1,
                Score(score),
                len(root.worths),
                seconds,
                self._to_the_end(root.position, (move,), root.worths[move].plies),
                line=number,
                deepest=1,
                solved=True,
            )
            for number, (move, score) in enumerate(ranked, start=1)
        ]

    def _deepenings(
        self,
        task: _Task,
        boards: list[Board],
        watch: Stopwatch,
        processor: ProcessorClock,
        deepest: int,
    ) -> Iterator[tuple[int, list[Info]]]:
        """Yield each depth with what was found there, best line first."""
        count = min(task.lines, int(self._main.ctl[tables.COUNT]))
        scores = [0] * count
        for depth in range(1, deepest + 1):
            infos: list[Info] = []
            for index in range(count):
                with self._helped(boards, depth, scores[index], processor):
                    score, bound = self._main.deepen(boards[0], depth, scores[index], index)
                if self._main.stopped and self._main.ctl[tables.DONE] == 0 and (depth > 1 or index):
                    break
                scores[index] = score
                infos.append(self._info(task, depth, score, bound, watch.seconds, index))
            if not infos:
                return
            yield depth, infos

    @contextlib.contextmanager
    def _helped(
        self, boards: list[Board], depth: int, score: int, processor: ProcessorClock
    ) -> Iterator[None]:
        """Let the other workers search too, into the common table, while the context lasts."""
        pairs = list(zip(self._workers, boards, strict=False))[1:] if depth >= TOGETHER else []

        self._rest()
        for number, (worker, board) in enumerate(pairs, start=1):
            if not worker.wake():
                continue
            thread = threading.Thread(
                target=self._help,
                args=(worker, board, depth + number % 2, score, processor),
                name="kingme-helper",
            )
            thread.daemon = True
            thread.start()
            self._helpers.append(thread)
        try:
            with processor.counting():
                yield
        finally:
            for worker, _ in pairs:
                worker.stop()

    def _rest(self) -> None:
        """Wait for the helpers of the last depth, which have been stopped.

        That is put off to the next depth or search: a helper may have no processor just now, and
        the answer is there without it.
        """
        for thread in self._helpers:
            thread.join()
        self._helpers.clear()

    def _help(
        self, worker: Worker, board: Board, depth: int, score: int, processor: ProcessorClock
    ) -> None:
        """Deepen from ``depth`` on until the worker is stopped, in a thread of its own."""
        with processor.counting():
            for deeper in range(depth, DEEPEST + 1):
                score, _ = worker.deepen(board, deeper, score)
                if worker.stopped:
                    return

    def _judge(self, task: _Task) -> tuple[tuple[Move, ...], tuple[Score, ...], Info]:
        processor = ProcessorClock()
        watch, alarm, _ = self._timekeepers(task, processor)
        main, position = self._main, task.history.position
        root = Root.of(task.history, self._endgames, task.preset)
        with alarm, processor.counting():
            board = self._begin(task, alarm)[0]
            count = int(main.ctl[tables.COUNT])
            moves = tuple(named(position, int(word)) for word in main.mem[:count])
            if root is not None and root.settled:
                scores = tuple(Score(root.worths[move].score) for move in moves)
                return moves, scores, self._looked_up(root, root.ranked()[:1], watch.seconds)[0]
            scores = tuple(Score(0) for _ in moves)
            reached = 0
            for depth in range(1, min(task.limits.depth or DEEPEST, DEEPEST) + 1):
                main.judge(board, depth)
                if main.stopped:
                    break
                at = tables.ROOT_SCORES
                scores = tuple(Score(int(value)) for value in main.ctl[at : at + count])
                reached = depth
        best = max(range(count), key=lambda i: scores[i])
        info = Info(reached, scores[best], main.nodes, watch.seconds, (moves[best],))
        return moves, scores, info

    def _info(
        self, task: _Task, depth: int, score: int, bound: Bound, seconds: float, index: int
    ) -> Info:
        """Put what the kernels found in the words of the rules."""
        position, root = task.history.position, task.root
        line = self._main.line(position, index)
        return Info(
            depth,
            Score(score),
            self._nodes,
            seconds,
            self._to_the_end(position, line, Score(score).plies_to_end),
            line=index + 1,
            bound=bound,
            deepest=int(self._main.ctl[tables.DEEPEST]),
            solved=root is not None and root.agrees(line[0], score),
        )

    def _to_the_end(
        self, position: Position, line: tuple[Move, ...], plies: int | None
    ) -> tuple[Move, ...]:
        """Return a line; one that decides in so many plies, on to its end as far as is known."""
        if plies is None or self._endgames is None:
            return line
        moves = list(line)
        for move in line:
            position = position.after(move)
        slow = SLOW
        with contextlib.suppress(EndgameError):
            while len(moves) < plies and slow and position.legal_moves:
                slow -= len(position.pieces) > self._endgames.block_pieces
                best = self._endgames.best_moves(position)[0]
                moves.append(best)
                position = position.after(best)
        return tuple(moves)


def _whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return a whole number; raise where it is none, or none that is allowed."""
    allowed = f"{low} or more" if high is None else f"{low} to {high}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} is a whole number, {allowed}, not {value!r}")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} is {allowed}, not {number}")
    return number


def _require(clock: object, weights: object, endgames: object) -> None:
    if clock not in ("wall", "cpu"):
        raise ValueError(f"clock is 'wall' or 'cpu', not {clock!r}")
    if weights is not None and not isinstance(weights, Weights):
        raise TypeError(f"weights are Weights or None, not {weights!r}")
    if not isinstance(endgames, Tables) and endgames not in ("ready", "none"):
        raise ValueError(f"endgames are Tables, 'ready' or 'none', not {endgames!r}")


def _require_search(history: History, limits: Limits, preset: DrawPreset) -> None:
    for name, value, kind in (
        ("history", history, History),
        ("limits", limits, Limits),
        ("preset", preset, DrawPreset),
    ):
        if not isinstance(value, kind):
            raise TypeError(f"{name} is a {kind.__name__}, not {value!r}")
    variant = history.position.variant
    if variant != ENGLISH:
        raise EngineError(
            f"the compiled engine plays {ENGLISH.title}, not {variant.title}: "
            "kingme.engine.generic plays every variant"
        )
    if preset.endings:
        raise EngineError(
            f"the compiled engine does not count what {preset.title} asks of endings with few "
            f"pieces: the draw presets of {ENGLISH.title} are {', '.join(ENGLISH.draws)}"
        )
    if not history.position.legal_moves:
        raise GameOverError(f"{history.position.turn.title} has no move: the game is over")
