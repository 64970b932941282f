"""How long-running work reports its progress; `api.cli.common.processes` shows it."""

from collections.abc import Callable

SetProgress = Callable[[int], None]
AddBar = Callable[[str, int | None], SetProgress]
"""`add_bar(label, total)` starts a progress bar (total None: unknown); call its result with the amount done.

If the label ends with "games", "events" or "rows", the bar shows how many of them are done in a second.
"""


def no_bar(_label: str, _total: int | None) -> SetProgress:
    """Show nothing."""
    return lambda _done: None
