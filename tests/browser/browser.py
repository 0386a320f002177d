"""A browser for the tests: an installed Chromium or Chrome, else Playwright's own, else Debian's package if it may install it.

python tests/browser/browser.py     prints where it is, and installs one if it has to and can
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
ADVICE = (
    "no browser for the tests: install Chromium (Debian, Ubuntu: apt-get install chromium), or run: playwright install chromium"
)


def installed() -> str | None:
    """The browser that is there."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return str(own) if own.exists() else None


def install() -> None:
    """Try to get one; whether that worked, `installed` tells."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True)
    if installed() is None and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update"], capture_output=True)
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "chromium"], env=quiet, capture_output=True)


if __name__ == "__main__":
    if installed() is None:
        install()
    path = installed()
    print(path or ADVICE)
    sys.exit(path is None and os.environ.get("CI") == "true")
