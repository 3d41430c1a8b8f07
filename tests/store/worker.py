"""A process that plays and says what is done, until it is killed: ``python -m ... URL SEED``.

Each line names a game and a version that were acknowledged, or a game that was settled.
"""

from __future__ import annotations

import random
import sys

from tests.store.places import TERMS, begin, moves, over, started

from kingme.store import open_store


def main(url: str, seed: int) -> None:
    """Play in batches, and now and then end a game and begin another."""
    chance = random.Random(seed)
    store = open_store(url)
    store.migrate()
    ann, bob = store.users.user("ann"), store.users.user("bob")
    assert ann is not None and bob is not None
    first = started(ann, bob, terms=TERMS, rated=True)
    say(f"ready {seed}")

    def new() -> str:
        return begin(store, first, name=f"{seed}-{chance.random()}")

    plies = {new(): 0 for _ in range(5)}
    while True:
        batch = [moves(game, plies[game]) for game in chance.sample(list(plies), 3)]
        for item, fits in zip(batch, store.games.append(batch), strict=True):
            assert fits
            plies[item.game] += 1
            say(f"version {item.game} {item.expected + 1}")
        if chance.random() < 0.3:
            game = chance.choice(list(plies))
            assert store.games.finish(over(game, plies.pop(game) + 1, first, None))
            say(f"settled {game}")
            plies[new()] = 0


def say(line: str) -> None:
    """Acknowledge, as a server would to a player."""
    print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
