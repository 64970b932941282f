"""Commands that check histories: `audit` and `verify`, and `rejudge` by today's rules.

Exit codes: 0 all is well, 1 something is wrong, 2 not known yet.
"""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.corrupt_log import CorruptLog
from api.cli.common.evidence_options import NO_EVIDENCE, EvidenceArgs, check_proof, evidence_options, proof_options
from api.cli.common.files import VerdictCount, check_file, game_option, has_many_games
from api.cli.common.histories import is_stored, json_option, load_history, print_json, print_rich
from api.cli.common.processes import jobs_option
from replay.audit import CANNOT_TELL, GREEN, WRONG, Report, audit
from replay.history import History
from replay.history.findings import Finding
from replay.history.receipts import check_receipts
from replay.rejudge import rejudge
from replay.text import terminal
from replay.text.audit_text import report_text
from replay.text.layout import names_by_seat, say_names


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
    """Check all of GAME: links, root, deals, turns, tricks, scores, and each move by today's rules.

    A stored game is also compared with every receipt that the server has issued for it. In a file of many games, check
    each, or the one named by --game. With --root, also check that the log once had that root; with --receipt, that it
    is the log of the receipt.

    Exit code 1 if something is wrong, 2 if something can't be checked: a hand that isn't revealed yet, events of a
    newer format, a receipt signed by an unknown key, or a file without a receipt, whose end can be missing. With --key
    or --root, the latter is wrong.
    """
    if not is_stored(game):
        sys.exit(_check_file(game, which, EvidenceArgs(**evidence), as_json, jobs, live_is_fine=False))
    try:
        report = _audit_stored(game, data, EvidenceArgs(**evidence))
    except CorruptLog as broken:
        report = broken.report
    sys.exit(_print_report(report, as_json, live_is_fine=False))


def _audit_stored(game: str, data: Path | None, evidence: EvidenceArgs) -> Report:
    from api.cli.sources.selection import open_source  # late: a file is read without any database's driver

    history, receipts = open_source(data).check_receipts(game, evidence.receipts, evidence.keys)
    return audit(history, rejudge(history), evidence.kept, receipts)


def audit_history(history: History, evidence: EvidenceArgs = NO_EVIDENCE) -> Report:
    """Return the report on a history, by today's rules."""
    receipts = check_receipts(history, evidence.receipts, keys=evidence.keys, file_roots=evidence.kept)
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
    """Check an export without a server or database: links, root, points, and each move by today's rules.

    In a file of many games, check each, or the one named by --game. Hands that aren't revealed yet are fine. With
    --root, also check that the log once had that root; with --receipt, that it is the log of the receipt. Give --key;
    without it the file itself says who signed it.

    --proof checks a proof of inclusion without an export: that one event is in the log of a receipt.

    Exit code 1 if something is wrong, 2 if something can't be checked: events of a newer format, a receipt signed by an
    unknown key, or a file without a receipt, whose end can be missing. With --key or --root, the latter is wrong.
    """
    if (file is None) == (proof is None):
        raise click.UsageError("Name the FILE of an export, or give --proof.")
    if proof is not None:
        sys.exit(check_proof(proof, leaf, EvidenceArgs(**evidence).keys, as_json))
    sys.exit(_check_file(_require_file(file or "-"), which, EvidenceArgs(**evidence), as_json, jobs, live_is_fine=True))


def _check_file(
    file: str, which: str | None, evidence: EvidenceArgs, as_json: bool, jobs: int | None, *, live_is_fine: bool
) -> int:
    """Check the game or games of a file; return the exit code."""
    if evidence.receipts and which is None and file != "-" and has_many_games(file):
        raise click.UsageError("A receipt is of one game: name the game with --game.")

    check = partial(audit_history, evidence=evidence)

    def end(report: Report) -> int:
        return _print_report(report, as_json, live_is_fine=live_is_fine)

    return check_file(file, which, check, end, VerdictCount(as_json, live_is_fine), jobs)


def _require_file(file: str) -> str:
    """Return the path of a file; raise CannotAnswer for a name that may be a stored game."""
    if is_stored(file) and not Path(file).exists():
        missing = f"There is no file {file}, and verify needs the FILE of an export"
        raise CannotAnswer(f"{missing}. `trickbook game audit {file}` checks a stored game.")
    return file if file == "-" else str(Path(file).absolute())


def _print_report(report: Report, as_json: bool, *, live_is_fine: bool) -> int:
    if as_json:
        print_json(report.to_json(live_is_fine=live_is_fine))
    else:
        names = report.history.header.players.values()
        print_rich(report_text(report, live_is_fine=live_is_fine), names=names)
    return report.code(live_is_fine=live_is_fine)


@click.command(name="rejudge")
@click.argument("game")
@game_option
@data_option
@json_option
def rejudge_command(game: str, which: str | None, data: Path | None, as_json: bool) -> None:
    """Decide every command of GAME again by today's rules, and print differences from the record.

    Exit code 1 if there are differences, 2 if not every command can be judged yet.
    """
    history = load_history(game, data, which)
    judged = rejudge(history)
    if as_json:
        print_json(judged.to_json())
    else:
        lines = _rejudged_lines(judged.commands, judged.upto, judged.findings, judged.waits)
        who = names_by_seat(history)
        print_rich(*(terminal.text_line(say_names(each, who)) for each in lines), names=history.header.players.values())
    sys.exit(WRONG if judged.findings else CANNOT_TELL if judged.waits else GREEN)


def _rejudged_lines(commands: int, upto: int, findings: tuple[Finding, ...], waits: str | None) -> list[str]:
    lines = [f"{commands} commands up to event {upto} judged by today's rules: {len(findings)} differences"]
    lines += [str(finding) for finding in findings]
    return lines if waits is None else [*lines, f"not everything was judged: {waits}"]


commands: list[click.Command] = [audit_command, rejudge_command, verify]
