"""Install Debian's packages for tests, where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

__all__ = ["by_hand", "install", "last_line", "run"]


def by_hand(packages: Sequence[str]) -> str:
    """What a person types for the same."""
    return f"sudo apt-get install {' '.join(packages)}"


def install(packages: Sequence[str], saying: str) -> str:
    """Install packages as root or by passwordless sudo; return why not, or nothing."""
    if not shutil.which("apt-get"):
        return "this is not a Debian system"
    if os.geteuid() == 0:
        as_root: tuple[str, ...] = ()
    elif shutil.which("sudo") and not run("sudo", "-n", "true").returncode:
        as_root = ("sudo", "-n")
    else:
        return "installing needs root"
    print(saying, flush=True)
    options = ("-q", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends")
    apt = (*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *options)
    for step in (("update",), ("install", *packages)):
        done = run(*apt, *step)
        if done.returncode:
            return f"'apt-get {step[0]}' failed: {last_line(done)}"
    return ""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, keeping what it prints."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The last thing that a command said."""
    return (done.stdout.strip().splitlines() or ["it said nothing"])[-1]
