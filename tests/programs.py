"""Programs of the system that some tests run. Without one they are left out, and the end of the run names it."""

import os
import shutil
from collections.abc import Iterable, Iterator

import pytest

PACKAGES = {
    "chromium": "chromium-headless-shell",
    "nginx": "nginx-light",
    "caddy": "caddy",
    "go": "golang-go",
    "etcd": "etcd-server",
    "postfix": "postfix",
}
"""The Debian package of each program."""
NAMES = {"chromium": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")}
"""Other names of a program. Without windows, Chromium takes half the processor time."""
NEEDS = "needs the program "


def find_program(name: str) -> str | None:
    """Return the path of a program, or None."""
    names = NAMES.get(name, (name,))
    return next((at for each in names for place in (None, "/usr/sbin") if (at := shutil.which(each, path=place))), None)


def need_program(name: str) -> str:
    """Return the path of a program. Without it, skip the test, or fail if REQUIRE_PROGRAMS=1."""
    found = find_program(name)
    if found is None:
        leave_out(NEEDS + name)
    return str(found)


def leave_out(reason: str) -> None:
    """Skip the test, or fail if REQUIRE_PROGRAMS=1."""
    if os.environ.get("REQUIRE_PROGRAMS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def left_out(reasons: Iterable[str]) -> Iterator[str]:
    """Yield a line for each missing program in the reasons of skipped tests, then the command that installs them."""
    skipped = list(reasons)
    missing = [name for name in PACKAGES if any(reason.endswith(NEEDS + name) for reason in skipped)]
    for name in missing:
        yield f"{sum(reason.endswith(NEEDS + name) for reason in skipped)} tests need {name}, which isn't installed"
    if missing:
        packages = " ".join(PACKAGES[name] for name in missing)
        yield f"To run them, type: sudo apt-get install --no-install-recommends {packages}"
