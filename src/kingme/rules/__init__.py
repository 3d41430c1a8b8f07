"""The rules of draughts: squares, variants, positions, moves, results, and their texts.

Pure Python on the standard library alone: no clock, no chance, no network, no disk.
"""
