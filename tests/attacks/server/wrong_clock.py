"""Run `trickbook` with a clock that a test sets: `python -m tests.attacks.server.wrong_clock FILE serve ...`.

The file holds the seconds by which the machine's clock seems to be ahead. Nothing of trickbook is changed.
"""

import sys
import time
from pathlib import Path


def show_other_time(ahead: Path) -> None:
    """Make time.time_ns show a time that is ahead by the seconds in the file, in this process and those it forks."""
    usual = time.time_ns
    time.time_ns = lambda: usual() + int(ahead.read_text()) * 1_000_000_000


if __name__ == "__main__":
    show_other_time(Path(sys.argv.pop(1)))
    from api.cli.main import main

    main()
