"""Files with one or many games: commands read one of the games, or check each in turn."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from api.cli.common.input_files import bounded_lines, open_file
from api.cli.common.processes import map_in_order
from api.cli.common.progress import progress
from replay.audit import CANNOT_TELL, GREEN, WRONG, Report
from replay.audit.report import FORMAT, SAYS
from replay.history import History, NotAnExport, read_export
from replay.history.bundle import read_one_export, split_exports
from replay.text import terminal
from replay.text.seat_names import names_by_seat, say_names

WORST_FIRST = (WRONG, CANNOT_TELL, GREEN)
"""Exit codes, the worst first."""
MAX_FINDINGS = 20
"""The maximum number of findings printed for a game."""

game_option = click.option(
    "--game", "which", metavar="GAME", help="The game in a file of many games: its board number or id."
)


NO_INPUT = "There is no board, game or file of this name."


@contextmanager
def open_games_file(name: str) -> Iterator[Iterator[bytes]]:
    """Yield the lines of a file of games, or of standard input for `-`; raise CannotAnswer if it can't be read."""
    with open_file(name, NO_INPUT) as file:
        yield bounded_lines(name, file)


def read_game(name: str, which: str | None) -> History:
    """Return the only game of a file, or the named one."""
    with open_games_file(name) as file:
        return read_one_export(file, which)


def has_many_games(name: str) -> bool:
    """Return whether a file holds more than one game."""
    with open_games_file(name) as file:
        exports = split_exports(file)
        next(exports)
        return next(exports, None) is not None


def check_file(
    name: str,
    which: str | None,
    check: Callable[[History], Report],
    one: Callable[[Report], int],
    many: "VerdictCount",
    jobs: int | None = None,
) -> int:
    """Check the game or games of a file and return the exit code: `one` prints a single game, `many` several.

    `check` must be importable by name: `jobs` processes share a file of many games.
    """
    if which is not None:
        return one(check(read_game(name, which)))
    with open_games_file(name) as file:
        exports = split_exports(file)
        first, second = next(exports), next(exports, None)
        if second is None:
            return one(check(read_export(first)))
        every = map_in_order(
            partial(_check_export, check, many.live_is_fine, many.as_json), chain((first, second), exports), jobs
        )
        with progress("checking", _size(name)) as set_progress:
            done = 0
            for size, code, says in every:
                many.print_game(code, says)
                done += size
                set_progress(done)
    return many.print_totals()


GameReport = dict[str, Any] | list[str]
"""The report on a game: an object, or lines."""


def _check_export(
    check: Callable[[History], Report], live_is_fine: bool, as_json: bool, export: bytes
) -> tuple[int, int, GameReport]:
    """Return the length of a game's export, its exit code and its report."""
    try:
        report = check(read_export(export))
    except NotAnExport as error:
        unread: GameReport = _unread(str(error)) if as_json else [f"not read: {error}"]
        return len(export), CANNOT_TELL, unread
    code = report.code(live_is_fine=live_is_fine)
    says = report.to_json(live_is_fine=live_is_fine) if as_json else list(_lines(report, code))
    return len(export), code, says


def _unread(why: str) -> dict[str, Any]:
    verdict = {"code": CANNOT_TELL, "says": SAYS[CANNOT_TELL], "findings": 0}
    return {"audit": FORMAT, "unread": why, "verdict": verdict}


def _size(name: str) -> int | None:
    return None if name == "-" else Path(name).stat().st_size


@dataclass
class VerdictCount:
    """A printer that reports games one by one and counts them; as JSON one object a line."""

    as_json: bool
    live_is_fine: bool
    codes: Counter[int] = field(default_factory=Counter)

    def print_game(self, code: int, report: GameReport) -> None:
        """Print and count the next game."""
        self.codes[code] += 1
        if isinstance(report, dict):
            click.echo(json.dumps(report, ensure_ascii=False))
        else:
            for each in report:
                click.echo(terminal.text_line(each).plain)

    def print_totals(self) -> int:
        """Print the number of games by verdict; return the worst exit code."""
        games, worst = self.codes.total(), next((code for code in WORST_FIRST if self.codes[code]), GREEN)
        if self.as_json:
            verdicts = {SAYS[code]: self.codes[code] for code in sorted(SAYS)}
            click.echo(json.dumps({"games": games, "verdicts": verdicts, "code": worst}))
        else:
            click.echo(f"{games} games: " + ", ".join(f"{self.codes[code]} {SAYS[code]}" for code in sorted(SAYS)))
        return worst


def _lines(report: Report, code: int) -> Iterator[str]:
    history, findings = report.history, report.findings
    header, over = history.header, report.ledger.position.ended is not None
    events = f"{len(history.lines)} events, {history.withheld} withheld"
    state = "over" if over else "running"
    yield f"board {header.board} · {header.variant} · game {header.game} · {state} · {events}: {report.says(code)}"
    who = names_by_seat(history)
    yield from (f"  {say_names(str(finding), who)}" for finding in findings[:MAX_FINDINGS])
    if len(findings) > MAX_FINDINGS:
        yield f"  and {len(findings) - MAX_FINDINGS} more"
    if report.receipts.waits is not None:
        yield f"  not checked: {report.receipts.waits}"
