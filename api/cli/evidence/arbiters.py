"""Disputes from the command line: the queue, a dispute with its evidence, and rulings.

Read from the store by its operator, or from a server by a player or an arbiter (`--server`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from marshmallow import ValidationError

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.histories import is_stored, json_option, print_json, print_rich
from api.cli.sources.interface import DecisionRequest, DisputeReading
from api.cli.sources.selection import open_source
from api.evidence.services.schemas import APPEAL, MAX_TEXT_LENGTH
from api.evidence.stored.dispute_texts import note_of
from api.problem import Problem
from api.web.strict_json import parse_object
from domain.events import RulingGiven
from domain.events.dispute_codes import AppealOutcome, Ruling, StandardOfProof
from domain.protocols.merkle_log import canonical
from projections.lists.arbiter_queue import MAX_PAGE
from replay.text import terminal
from replay.text.layout import sanitize
from replay.text.narrate import narrate

TABLE_HEADINGS = ("board", "dispute", "hand", "about", "state", "waiting since", "game")
TABLE_FIELDS = ("board", "dispute", "hand", "kind", "status", "since", "game")
DECISIONS = [each.value for each in (*Ruling, *AppealOutcome)]
STANDARDS = [each.value for each in StandardOfProof]
WRONG = 1


@click.command(name="list")
@data_option
@json_option
def list_disputes(data: Path | None, as_json: bool) -> None:
    """List the disputes of all games that wait for an arbiter, oldest first; at most 500."""
    page = open_source(data).waiting_disputes(MAX_PAGE)
    if as_json:
        return print_json(page["items"])
    table = terminal.make_table(*TABLE_HEADINGS)
    for item in page["items"]:
        terminal.add_row(table, *(item[name] for name in TABLE_FIELDS))
    print_rich(table if page["items"] else terminal.text_line("No dispute waits for an arbiter."))
    if page["next"] is not None:
        click.echo(f"There are more: these are the {MAX_PAGE} oldest.", err=True)
    return None


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--erase", is_flag=True, help="Erase its texts, as a moderator; the facts stay.")
@click.option("--by", metavar="NAME", help="The name of the moderator who erases; with --server it's you.")
@data_option
@json_option
def show(game: str, number: int, erase: bool, by: str | None, data: Path | None, as_json: bool) -> None:
    """Show dispute NUMBER of GAME: its facts and texts, and whether the evidence of its ruling is this log.

    GAME is a stored game, by board number or id: texts are stored beside the log and in no export. Exit code 1 if the
    evidence is of another log, or if a text doesn't match its note.
    """
    source = open_source(data)
    if erase:
        erased = source.erase_dispute(require_stored(game), number, by)
        click.echo("the texts are erased" if erased is None else f"{erased} texts erased")
        return
    reading = source.dispute(require_stored(game), number)
    checks = _check_evidence(reading)
    if as_json:
        print_json({**reading.shown, "checks": checks})
    else:
        for line in _lines(reading, checks):
            click.echo(sanitize(line))
    if not all(checks.values()):
        click.get_current_context().exit(WRONG)


def _check_evidence(reading: DisputeReading) -> dict[str, bool]:
    """Return whether the evidence is this log, and whether each text that is shown matches its note."""
    checks: dict[str, bool] = {}
    ruling = reading.shown["ruling"]
    if ruling is not None:
        size, root = ruling["evidence"]["size"], ruling["evidence"]["root"]
        checks["evidence is this log"] = size < len(reading.roots) and reading.roots[size] == root
    for part in ("opened", "ruling"):
        part_json = reading.shown[part]
        if part_json is not None and part_json.get("text") is not None:
            details = canonical(part_json["details"]).decode() if "details" in part_json else None
            expected = note_of(part_json["salt"], part_json["text"], details)
            checks[f"text of the {part} part"] = expected == part_json["note"]
    return checks


def _lines(reading: DisputeReading, checks: dict[str, bool]) -> Iterator[str]:
    """Yield the dispute part by part."""
    record, shown, names = reading.record, reading.shown, reading.names
    opened, *_ = record.parts.values()
    yield f"dispute {record.number} on hand {opened.data.hand}, {opened.data.kind}: {record.status}"
    for part, event in record.parts.items():
        yield f"{part}: event {event.version}, {event.at}, by {names.get(event.by, event.by)}"
        yield f"  {narrate(event.data, dict(reading.seats))}"
        if isinstance(event.data, RulingGiven):
            evidence = event.data.evidence
            yield f"  based on a log of {evidence.size} events, root {evidence.root}"
        yield from _text_lines(shown[part])
        yield from _detail_lines(shown[part].get("details", {}), reading.seats)
    for answer in shown.get("answers", ()):
        yield f"answer: {answer['at']}, by {reading.seats.get(answer['seat'], answer['seat'])}"
        yield from _text_lines(answer)
    yield f"as played: {_scores(reading.scores, reading.seats)}"
    if reading.ruled is not None:
        yield f"as ruled: {_scores(reading.ruled, reading.seats)}"
    yield from (f"{what}: {'ok' if right else 'WRONG'}" for what, right in checks.items())


def _scores(scores: Sequence[int], seats: Mapping[int, str]) -> str:
    return ", ".join(f"{seats[seat]} {score}" for seat, score in enumerate(scores))


def _text_lines(part: dict[str, Any]) -> Iterator[str]:
    """Yield the text of a part, or why it isn't shown; nothing if it has none."""
    if "text" not in part:
        yield "  text: only for the players of this game and for arbiters"
    elif part["erased"]:
        yield "  text: erased"
    elif part["withheld"]:
        yield "  text: withheld until the hand is over"
    elif part["text"] is not None:
        yield f"  text: {part['text']}"


def _detail_lines(details: Mapping[str, Any], seats: Mapping[int, str]) -> Iterator[str]:
    """Yield the accused and the events that the dispute names."""
    accused = details.get("accused")
    if accused is not None:
        trick = f", trick {accused['trick']}" if "trick" in accused else ""
        card = f", card {accused['card']}" if "card" in accused else ""
        yield f"  accused: {seats.get(accused['seat'], accused['seat'])}{trick}{card}"
    for question in ("revokes", "draws"):
        if details.get(question):
            yield f"  evidence from {question}: events {', '.join(map(str, details[question]))}"


def require_stored(game: str) -> str:
    """Return `game` if it names a game of the store; raise CannotAnswer if not."""
    if not is_stored(game):
        raise CannotAnswer(
            f"{game}: Give the board number or id of a stored game. Exports don't contain the texts of disputes."
        )
    return game


def parse_text(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return the text if the HTTP API would accept it too."""
    if text is not None:
        try:
            APPEAL.load(parse_object(json.dumps({"text": text}).encode()))
        except (Problem, ValidationError):
            raise click.BadParameter(f"A text is one paragraph of 1 to {MAX_TEXT_LENGTH} characters.") from None
    return text


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@click.argument("decision", type=click.Choice(DECISIONS))
@click.option("--by", metavar="NAME", help="The name of the arbiter who decides; with --server it's you.")
@click.option("--changes", help="With adjust: points for each seat, such as --changes=-1,2,-1.")
@click.option("--basis", help="A clause of the game's rules, such as S34 or R-C13.")
@click.option("--standard", type=click.Choice(STANDARDS), default=StandardOfProof.RECORDED.value, show_default=True)
@click.option("--text", callback=parse_text, help="The reasons, stored beside the log. A ruling needs them.")
@data_option
def rule(
    game: str, number: int, decision: str, by: str | None, text: str | None, data: Path | None, **ruling: Any
) -> None:
    """Rule on dispute NUMBER of GAME for an arbiter: none, adjust or void; or decide an appeal: upheld or reversed.

    A ruling (none, adjust or void) needs its reasons in --text. For the decision on an appeal, --text is optional.
    The answer is the dispute, with the ruling and the scores by it.
    """
    source, game = open_source(data), require_stored(game)
    if text is None and decision in tuple(Ruling):
        raise click.UsageError("A ruling needs its reasons: give them with --text.")
    changes = _parse_changes(ruling["changes"])
    if decision in tuple(AppealOutcome) and (changes or ruling["basis"]):
        raise click.UsageError("--changes and --basis are only for rulings: an appeal has neither.")
    request = DecisionRequest(decision, text, by, changes, ruling["basis"], ruling["standard"])
    version, fact = source.decide(game, number, request)
    click.echo(sanitize(f"event {version}: {fact}"))
    reading = source.dispute(game, number)
    for line in _lines(reading, _check_evidence(reading)):
        click.echo(sanitize(line))


def _parse_changes(text: str | None) -> tuple[int, ...]:
    try:
        return () if text is None else tuple(int(each) for each in text.split(","))
    except ValueError:
        raise CannotAnswer("--changes needs whole numbers with commas, one for each seat, such as -1,2,-1.") from None


commands: list[click.Command] = [list_disputes, show, rule]
