"""The files of games that users name, read within limits, with one or many games each."""

import json
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import click

from api.cli.common.config import CannotAnswer
from api.cli.common.processes import map_in_order, progress
from replay.audit import CANNOT_TELL, GREEN, WRONG, Report
from replay.audit.report import FORMAT, SAYS
from replay.history import History, NotAnExport, read_export
from replay.history.bundle import is_header, read_one_export, split_exports
from replay.text import terminal
from replay.text.layout import names_by_seat, say_names

MIB = 1024 * 1024
MAX_LINE_BYTES = MIB
MAX_GAME_MIB = 256
"""The default for `--max-game-mib`."""
NO_FILE = "There is no file of this name."
STANDARD_INPUT = "standard input"
KINDS = {
    stat.S_IFIFO: "a pipe; to read from a pipe, name the file -",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@contextmanager
def open_file(name: str, missing: str = NO_FILE) -> Iterator[BinaryIO]:
    """Open a regular file, or standard input for `-`; raise CannotAnswer if it can't be read."""
    try:
        if name == "-":
            yield sys.stdin.buffer
            return
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # without waiting for a writer
            kind = KINDS.get(stat.S_IFMT(os.fstat(file.fileno()).st_mode))
            if kind is not None:
                raise CannotAnswer(f"{name}: This is {kind}.")
            yield file
    except FileNotFoundError:
        raise CannotAnswer(f"{name}: {missing}") from None
    except OSError as error:
        raise CannotAnswer(f"{name}: {error.strerror}") from None
    except ValueError as error:
        raise CannotAnswer(f"{_shown(name)}: {error}") from None


def read_file(name: str, max_bytes: int) -> bytes:
    """Return a file of at most `max_bytes`, or standard input for `-`; raise CannotAnswer for a longer one."""
    with open_file(name) as file:
        read = file.read(max_bytes + 1)
    if len(read) > max_bytes:
        raise CannotAnswer(f"{_shown(name)}: This is longer than the {max_bytes // MIB} MiB that the command reads.")
    return read


def bounded_lines(name: str, file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file of games. Raise CannotAnswer for a line or a game that is too long."""
    context = click.get_current_context(silent=True)
    max_mib = MAX_GAME_MIB if context is None else context.find_root().params.get("max_game_mib", MAX_GAME_MIB)
    held = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise CannotAnswer(f"{_shown(name)}: This isn't an export: it has a line of more than 1 MiB.")
        held = len(line) if is_header(line) else held + len(line)
        if held > max_mib * MIB:
            hint = f"`trickbook --max-game-mib {2 * max_mib} ...` reads larger ones"
            raise CannotAnswer(f"{_shown(name)}: A game in it is larger than {max_mib} MiB; {hint}.")
        yield line


def _shown(name: str) -> str:
    return STANDARD_INPUT if name == "-" else name


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


GameReport = Mapping[str, Any] | list[str]
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
