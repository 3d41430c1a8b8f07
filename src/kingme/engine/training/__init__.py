"""How the evaluation learns: the engine plays itself, and weights are fitted to what came of it.

`selfplay` writes quiet positions with their results, `fit` makes weights of them. See
`docs/howto/training.md`; the search itself imports nothing from here.
"""
