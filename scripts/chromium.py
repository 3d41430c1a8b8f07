"""Make sure that the tests of the page can run: a Chromium, and Playwright's driver to steer it.

Finds them, or installs Debian's packages where that is allowed. Without them those tests are
skipped, and this says so and why. With `--require` that is a failure, for a machine that is there
to run every test; there the headless shell is installed beside another Chromium too.

The headless shell is Chromium without its window: the same pages, styles and scripts, for about
40 % of the processor time that a page costs the whole browser.
"""

from __future__ import annotations

import os
import shutil
import sys

import debian

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The driver is a program that needs the second one; the pages' first choice of font is the third.
PACKAGES = (SHELL, "libatomic1", "fonts-liberation")
# What older systems have, which do not know the shell.
WHOLE = ("chromium", *PACKAGES[1:])
BY_HAND = debian.by_hand(PACKAGES)
SAYING = "Installing Debian's {} for the tests of the page, once."


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


def install() -> str:
    """Install the shell, or else what the tests lack; return why not, or nothing."""
    reason = debian.install(PACKAGES, SAYING.format(SHELL))
    if reason and missing():
        return debian.install(WHOLE, SAYING.format(WHOLE[0])) and reason
    return reason


def main() -> int:
    """Find or install; exit 1 only if the tests of the page are required and cannot run."""
    lacking, required = missing(), "--require" in sys.argv[1:]
    if not lacking and (shutil.which(SHELL) or not required):
        return 0
    if not os.environ.get("KINGME_CHROMIUM"):
        reason = install()
        lacking = missing()
        if not lacking:
            if reason:
                print(f"The tests take the whole browser, which is slower: {reason}.", flush=True)
            return 0
        lacking += f"; {reason}" if reason else ""
    elif not lacking:
        return 0
    print(f"The tests of the page cannot run: {lacking}.")
    print(f"They will be skipped. To run them: {BY_HAND}", flush=True)
    return 1 if required else 0


if __name__ == "__main__":
    sys.exit(main())
