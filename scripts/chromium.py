"""Make sure that the tests of the page can run: a Chromium, and Playwright's driver to steer it.

Finds them, or installs Debian's packages where that is allowed. Without them those tests are
skipped, and this says so and why. With `--require` that is a failure, for a machine that is there
to run every test.
"""

from __future__ import annotations

import os
import shutil
import sys

import debian

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The driver is a program that needs the second one; the pages' first choice of font is the third.
PACKAGES = ("chromium", "libatomic1", "fonts-liberation")
BY_HAND = debian.by_hand(PACKAGES)
SAYING = "Installing Debian's chromium for the tests of the page, once."


def find_chromium() -> str | None:
    """The browser to test with: the one that KINGME_CHROMIUM names, else the first on PATH."""
    named = os.environ.get("KINGME_CHROMIUM")
    names = (named,) if named else NAMES
    return next((path for path in map(shutil.which, names) if path), None)


def missing() -> str:
    """What keeps the tests of the page from running, or nothing."""
    if not find_chromium():
        named = os.environ.get("KINGME_CHROMIUM")
        return f"KINGME_CHROMIUM names {named}, which is no program" if named else "no Chromium"
    driver = debian.run(sys.executable, "-m", "playwright", "--version")
    if driver.returncode:
        return f"Playwright's driver does not start ({debian.last_line(driver)})"
    return ""


def main() -> int:
    """Find or install; exit 1 only if the tests of the page are required and cannot run."""
    lacking = missing()
    if not lacking:
        return 0
    if not os.environ.get("KINGME_CHROMIUM"):
        reason = debian.install(PACKAGES, SAYING)
        lacking = missing()
        if not lacking:
            return 0
        lacking += f"; {reason}" if reason else ""
    print(f"The tests of the page cannot run: {lacking}.")
    print(f"They will be skipped. To run them: {BY_HAND}", flush=True)
    return 1 if "--require" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
