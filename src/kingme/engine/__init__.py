"""The computer player: search in compiled kernels, and what stands in for it until they load.

`api` has the values and the protocol; `opponent` is what a program that serves players uses;
`local` runs searches in this process; `plain` is a small engine in pure Python; `levels` says
how each level thinks. Importing this package, `api`, `levels`, `plain` or `opponent` loads
neither numba nor numpy.
"""

from __future__ import annotations
