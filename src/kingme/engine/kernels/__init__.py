"""The compiled core: move generation, evaluation and search over flat buffers.

The modules here are Python in form and C in spirit. Numba compiles them to machine code; run
with ``NUMBA_DISABLE_JIT=1`` they are plain Python, slow but the same. Nothing is compiled when
this package is imported, only when one of its modules is: `cachedir` says where the result is
kept, `sealing` that it is whole, `jit` holds the decorator.

Words used inside the kernels and nowhere else:

=========  =====================================================================================
``bit``    one square as a bit of a 64-bit word, padded layout (below)
``own``    squares of the side to move; ``opp`` those of the other side
``kings``  squares of kings, of both sides
``black``  1 where Black is to move, 0 where White is
``empty``  squares without a piece
``down``   own pieces that may move toward square 32; ``up`` those that may move toward square 1
``taken``  squares of captured pieces
``move``   one move packed in a word: ``taken`` in bits 0-35, from in 36-41, to in 42-47; the
           top sixteen bits hold the order value while a list is being sorted
``mem``    the engine's buffer of words: moves, keys of earlier positions, lines (`tables`)
``ctl``    the engine's buffer of signed words: stop flag, counters, limits, histories (`tables`)
``table``  the transposition table, two words an entry (`tables`)
``ply``    distance from the root; ``depth`` plies still to be searched
``key``    the 64-bit hash of a position
=========  =====================================================================================

The padded layout: rows of four playing squares, top to bottom; the bit of column ``c`` of row
``r`` is ``9 * (r // 2) + c`` for even ``r`` and 4 more for odd ``r``. Every ninth bit is a border
that is never set, so that each of the four directions is one shift by 4 or 5 and no move can
leave the board at its side.

Traps that shape the code: a 64-bit unsigned word mixed with a literal in ``& | ^ + - *`` becomes
signed, so every constant is an ``np.uint64`` at module level; recursive functions carry explicit
signatures; recursion passes pointers, not arrays; a flag that another thread sets is read
atomically (`bits.load`) or it would be read once and never again.

Six functions are longer than a screen: `leaves.settle`, `search.search`, `root.root`,
`games.play_game`, `consistent.traced` and `headway.carry`, a third of which are its words. Each
part split off would hand ten words and more over at every node or move, and what prunes, reduces
and stores hangs on the same bounds, which change on the way down; and two functions that call one
another cannot be compiled.
"""
