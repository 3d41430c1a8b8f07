"""Make sure that the browser tests have a Chromium: find one, or install Debian's where it may.

Without one those tests are skipped, and this says so and why. With `--require` that is a failure,
for a machine that is there to run every test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The browser to test with: the one named in KINGME_CHROMIUM, else the first one on PATH."""
    named = os.environ.get("KINGME_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for path in map(shutil.which, NAMES) if path), None)


def install_chromium() -> str:
    """Install Debian's chromium as root or by passwordless sudo; return why not, or nothing."""
    if not shutil.which("apt-get"):
        return "this is not a Debian system"
    if os.geteuid() == 0:
        as_root: tuple[str, ...] = ()
    elif shutil.which("sudo") and not run("sudo", "-n", "true").returncode:
        as_root = ("sudo", "-n")
    else:
        return "it is not installed, and installing it needs root"
    print("Installing Debian's chromium for the browser tests, once.", flush=True)
    options = ("-q", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends")
    apt = (*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *options)
    for step in (("update",), ("install", "chromium")):
        done = run(*apt, *step)
        if done.returncode:
            last = done.stdout.strip().splitlines()[-1:] or ["it said nothing"]
            return f"'apt-get {' '.join(step)}' failed: {last[0]}"
    return ""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, keeping what it prints."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def main() -> int:
    """Find or install; exit 1 only if a browser is required and missing."""
    named = os.environ.get("KINGME_CHROMIUM")
    if find_chromium():
        return 0
    reason = f"KINGME_CHROMIUM names {named}, which is no program" if named else install_chromium()
    if not reason and find_chromium():
        return 0
    print(f"No Chromium for the browser tests: {reason or 'it is still not on PATH'}.")
    print("Those tests will be skipped. To run them: sudo apt-get install chromium", flush=True)
    return 1 if "--require" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
