"""An independent oracle: open-spiel's checkers, its single jumps joined to whole routes."""

import random
from collections import Counter
from pathlib import Path

import pyspiel

from kingme import Position

LOOPS = Path(__file__).parents[1] / "data" / "king_loops.txt"
GAME = pyspiel.load_game("checkers")


def turned(square):
    """The oracle's first player sits at the bottom, ours at the top: turn the board round."""
    file, rank = square[0], int(square[1])
    return Position.start().variant.geometry.number(
        f"{chr(ord('a') + ord('h') - ord(file))}{9 - rank}"
    )


def routes(state):
    """All whole routes of the oracle as {path: actions}; a turn goes on while it may jump."""
    player = state.current_player()
    found = {}

    def follow(node, path, actions):
        for action in node.legal_actions():
            text = node.action_to_string(player, action)
            first, last = turned(text[:2]), turned(text[2:])
            child = node.child(action)
            way = [*(path or [first]), last]
            took = [*actions, action]
            jump = abs(int(text[1]) - int(text[3])) == 2
            if jump and not child.is_terminal() and child.current_player() == player:
                follow(child, way, took)
            else:
                found.setdefault(tuple(way), took)

    follow(state, [], [])
    return found


def board(state):
    """The oracle's pieces as a counter of (square, letter), in our numbers and sides."""
    names = {"o": "b", "8": "B", "+": "w", "*": "W"}
    pieces = Counter()
    for line in str(state).splitlines()[:8]:
        for file, mark in zip("abcdefgh", line[1:], strict=True):
            if mark in names:
                pieces[turned(f"{file}{line[0]}"), names[mark]] += 1
    return pieces


def ours(position):
    return Counter(
        (square, piece.side.code if piece.king else piece.side.code.lower())
        for square, piece in position.pieces.items()
    )


class Pair:
    """One game played on both sides in step, compared at every ply."""

    def __init__(self):
        self.state, self.position, self.quiet = GAME.new_initial_state(), Position.start(), 0

    def compare(self):
        """Assert that both know the same moves and pieces; return the moves by path."""
        assert board(self.state) == ours(self.position)
        theirs = {} if self.state.is_terminal() else routes(self.state)
        mine = {move.path: move for move in self.position.legal_moves}
        assert set(theirs) == set(mine), self.position.fen
        return theirs, mine

    def play(self, actions, move):
        for action in actions:
            self.state.apply_action(action)
        self.quiet = 0 if move.captures else self.quiet + 1
        self.position = self.position.play(move)


def test_random_games_agree_at_every_ply():
    rng = random.Random(20261129)
    compared = jumps = kings = 0
    for _ in range(120):
        pair = Pair()
        # The oracle stops a game after 40 plies without a jump.
        while pair.quiet < 40:
            theirs, mine = pair.compare()
            compared += 1
            kings += bool(pair.position.kings)
            if not mine:
                break
            path = rng.choice(sorted(mine))
            jumps += len(path) > 2
            pair.play(theirs[path], mine[path])
    assert compared > 5_000
    assert jumps > 200
    assert kings > 2_000


def test_king_loops_through_the_start_square_agree():
    games = [line.split() for line in LOOPS.read_text().splitlines() if line[0] != "#"]
    assert len(games) >= 10
    for game in games:
        pair = Pair()
        for text in game:
            theirs, _ = pair.compare()
            move = pair.position.parse(text)
            pair.play(theirs[move.path], move)
        assert move.start == move.end
        pair.compare()
