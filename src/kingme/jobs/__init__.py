"""Work that is spread over threads or machines: the large endgame databases.

`ports` says what the work is and who may do it, `endgames` leads it, `local` does it on threads of
this process, and `cluster` on machines that Ray connects.
"""

from __future__ import annotations
