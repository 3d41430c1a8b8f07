"""Notebooks run without a trace in the reader's home, and without a warning about a network.

IPython's kernel listens to this machine alone, but warns that it does so unencrypted.
"""

from __future__ import annotations

import os
from pathlib import Path

QUIET = "c = get_config()\nc.IPKernelApp.log_level = 40\nc.HistoryManager.enabled = False\n"


def keep_to(folder: Path) -> None:
    """Let the kernels that are started from now on keep their files in a folder."""
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(QUIET)
    os.environ["IPYTHONDIR"] = str(folder)
    os.environ["JUPYTER_RUNTIME_DIR"] = str(folder / "runtime")
    os.environ["JUPYTER_DATA_DIR"] = str(folder / "data")
    os.environ["JUPYTER_CONFIG_DIR"] = str(folder / "config")
