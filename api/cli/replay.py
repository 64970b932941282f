"""Commands that read histories: a game of the store by board number or id, or the file of an export.

The operator sees no more of a live hand than everybody does; a file shows what it holds. Exit codes: 0 all is well,
1 something is wrong, 2 it cannot be told.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option, load_config
from api.cli.common.corrupt_log import CorruptLog
from api.cli.common.evidence_options import NO_EVIDENCE, Evidence, evidence_options, proof_options
from api.cli.common.game_files import Tally, check_file, game_option, has_many_games
from api.cli.common.histories import is_stored, json_option, load_history, print_json, print_rich, require_consistent
from api.cli.common.processes import jobs_option
from api.cli.common.proofs import check_proof
from replay.audit import CANNOT_TELL, GREEN, WRONG, Report, audit
from replay.history import History
from replay.history.findings import Finding
from replay.history.receipts import check_receipts
from replay.history.steps import NotShown, Step, steps, view_of
from replay.queries import view_bytes
from replay.rejudge import rejudge
from replay.text import terminal
from replay.text.narrate import narrate

BACK_KEYS = {"b", "p", "\x1b[D", "\x1b[A"}
QUIT_KEYS = {"q", "\x03", "\x04", "\x1b"}

seat_option = click.option("--seat", type=click.IntRange(min=0), help="As this seat saw it; without, as everybody did.")


@click.command()
@click.argument("game")
@click.option("--at", type=int, help="After this event; without, after the last.")
@seat_option
@click.option("--bytes", "as_bytes", is_flag=True, help="Print the very bytes the API answered at that moment.")
@game_option
@data_option
@json_option
def show(
    game: str, at: int | None, seat: int | None, as_bytes: bool, which: str | None, data: Path | None, as_json: bool
) -> None:
    """Show the table of GAME, a board number, a game's id, or the file of an export, now or at any moment."""
    history = require_consistent(load_history(game, data, which))
    names = history.header.players
    try:
        view = view_of(history, seat, at)
    except NotShown as error:
        raise CannotAnswer(str(error)) from None
    if as_bytes:
        click.echo(view_bytes(history, seat, at), nl=False)
    elif as_json:
        print_json(view | {"names": dict(names)})
    else:
        print_rich(terminal.view_table(view, names))


@click.command()
@click.argument("game")
@click.option("--hand", type=click.IntRange(min=1), required=True, help="Which hand, from 1.")
@seat_option
@click.option("--all", "everything", is_flag=True, help="Print every step, and wait for no key.")
@game_option
@data_option
@json_option
def replay(
    game: str, hand: int, seat: int | None, everything: bool, which: str | None, data: Path | None, as_json: bool
) -> None:
    """Go through a hand of GAME move by move: Enter or an arrow for the next step, b for the one before, q to leave."""
    history = require_consistent(load_history(game, data, which))
    try:
        made = list(steps(history, hand, seat))
    except NotShown as error:
        raise CannotAnswer(str(error)) from None
    names = history.header.players
    if as_json:
        print_json(
            {"hand": hand, "seat": seat, "names": dict(names), "steps": [_step_json(each, names) for each in made]}
        )
    elif everything or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for step in made:
            _print_step(step, names)
    else:
        step_through(made, names)


def _describe(step: Step, names: dict[str, str]) -> str:
    return narrate(step.event.data, terminal.seat_names(step.view, names))


def _step_json(step: Step, names: dict[str, str]) -> dict[str, Any]:
    event, says = step.event, _describe(step, names)
    return {"version": event.version, "at": event.at, "fact": event.fact, "says": says, "view": step.view}


def _print_step(step: Step, names: dict[str, str]) -> None:
    print_rich(
        terminal.text_line(f"{step.event.version}: {_describe(step, names)}"),
        terminal.view_table(step.view, names),
        above=1,
    )


def step_through(made: list[Step], names: dict[str, str], key: Callable[[], str] = click.getchar) -> None:
    """Step through at the pace of `key`, from the first step on, until past the last or told to stop."""
    place = 0
    while place < len(made):
        click.clear()
        _print_step(made[place], names)
        click.echo(f"\n{place + 1} of {len(made)}: Enter or an arrow, b for back, q to leave")
        pressed = key()
        if pressed in QUIT_KEYS:
            return
        place = max(0, place - 1) if pressed in BACK_KEYS else place + 1


@click.command(name="audit")
@click.argument("game")
@game_option
@data_option
@evidence_options
@jobs_option
@json_option
def audit_command(
    game: str, which: str | None, data: Path | None, jobs: int | None, as_json: bool, **evidence: Any
) -> None:
    """Check everything about GAME: links, root, every deal, turn, trick and score, and each move by today's rules.

    Of a stored game the log is also held against every receipt the server has kept of it. Of a file of many games,
    each, or that of --game. With --root, also that the log once had that root; with --receipt, that it is the log the
    receipt was given of. Exit code 2 where something cannot be told: a hand that is not revealed yet, events of a
    newer format, a receipt signed by a key that nobody knows.
    """
    if not is_stored(game):
        sys.exit(_check_file(game, which, Evidence(**evidence), as_json, jobs, live_is_fine=False))
    try:
        report = _audit_stored(game, data, Evidence(**evidence))
    except CorruptLog as broken:
        report = broken.report
    sys.exit(_print_report(report, as_json, live_is_fine=False))


def _audit_stored(game: str, data: Path | None, evidence: Evidence) -> Report:
    from api.cli.common.stored_games import stored_checked  # late: a file is read without any database's driver

    history, receipts = stored_checked(load_config(data), game, evidence.receipts, evidence.keys)
    return audit(history, rejudge(history), evidence.kept, receipts)


def audit_history(history: History, evidence: Evidence = NO_EVIDENCE) -> Report:
    """The report on a history, with today's rules."""
    receipts = check_receipts(history, evidence.receipts, keys=evidence.keys)
    return audit(history, rejudge(history), evidence.kept, receipts)


@click.command()
@click.argument("file", required=False)
@game_option
@evidence_options
@proof_options
@jobs_option
@json_option
def verify(
    file: str | None,
    which: str | None,
    proof: str | None,
    leaf: str | None,
    jobs: int | None,
    as_json: bool,
    **evidence: Any,
) -> None:
    """Check an export, with no server and no database: links, root, books, and each move by today's rules.

    Of a file of many games, each, or that of --game. Hands not yet revealed are fine. With --root, also that the log
    once had that root; with --receipt, that it is the log the receipt was given of. Give --key, or whoever made the
    file is believed about who signed it.

    --proof checks a proof of inclusion, with no export: that one event is in the log that a receipt is of.
    """
    if (file is None) == (proof is None):
        raise click.UsageError("name the FILE of an export, or else --proof")
    if proof is not None:
        sys.exit(check_proof(proof, leaf, Evidence(**evidence).keys, as_json))
    sys.exit(_check_file(_require_file(file or "-"), which, Evidence(**evidence), as_json, jobs, live_is_fine=True))


def _check_file(
    file: str, which: str | None, evidence: Evidence, as_json: bool, jobs: int | None, *, live_is_fine: bool
) -> int:
    """Check the game or games of a file; the exit code."""
    if evidence.receipts and which is None and file != "-" and has_many_games(file):
        raise click.UsageError("a receipt is of one game: name it with --game")

    check = partial(audit_history, evidence=evidence)

    def end(report: Report) -> int:
        return _print_report(report, as_json, live_is_fine=live_is_fine)

    return check_file(file, which, check, end, Tally(as_json, live_is_fine), jobs)


def _require_file(file: str) -> str:
    """The path of a file; CannotAnswer for what names no file but may name a game of the store."""
    if is_stored(file) and not Path(file).exists():
        takes = f"verify takes the FILE of an export, and there is none called {file}"
        raise CannotAnswer(f"{takes}; `trickbook audit {file}` checks a stored game")
    return file if file == "-" else str(Path(file).absolute())


def _print_report(report: Report, as_json: bool, *, live_is_fine: bool) -> int:
    if as_json:
        print_json(report.to_json(live_is_fine=live_is_fine))
    else:
        print_rich(terminal.report_text(report, live_is_fine=live_is_fine))
    return report.code(live_is_fine=live_is_fine)


@click.command(name="rejudge")
@click.argument("game")
@game_option
@data_option
@json_option
def rejudge_command(game: str, which: str | None, data: Path | None, as_json: bool) -> None:
    """Let today's rules decide every command of GAME anew, and print where they differ from the record."""
    history = load_history(game, data, which)
    judged = rejudge(history)
    if as_json:
        print_json(judged.to_json())
    else:
        _print_rejudged(judged.commands, judged.upto, judged.findings, judged.waits)
    sys.exit(WRONG if judged.findings else CANNOT_TELL if judged.waits else GREEN)


def _print_rejudged(commands: int, upto: int, findings: tuple[Finding, ...], waits: str | None) -> None:
    said = [f"{commands} commands up to event {upto} judged by today's rules: {len(findings)} differences"]
    said += [str(finding) for finding in findings]
    said += [] if waits is None else [f"not all was judged: {waits}"]
    print_rich(*map(terminal.text_line, said))


commands: list[click.Command] = [show, replay, audit_command, rejudge_command, verify]
