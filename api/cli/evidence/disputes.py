"""`trickbook dispute`: what players ask for, and what arbiters decide."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from marshmallow import ValidationError

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.histories import is_stored, json_option, print_json, print_rich
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest
from api.cli.sources.selection import open_source
from api.evidence.services.disputes import check_dispute
from api.evidence.services.schemas import APPEAL
from api.lines.list_texts import rulings_text
from api.problem import Problem
from api.schemas import MAX_TEXT_LENGTH, parse_object
from domain.cards import NotACard, parse_card
from domain.events.disputes import AppealOutcome, DisputeKind, Ruling, StandardOfProof
from projections.lists.arbiter_queue import MAX_PAGE
from replay.queries.dispute_case import case_lines
from replay.text import terminal
from replay.text.layout import sanitize

TABLE_HEADINGS = ("board", "dispute", "hand", "about", "state", "waiting since", "game")
TABLE_FIELDS = ("board", "dispute", "hand", "kind", "status", "since", "game")
KINDS = [each.value for each in DisputeKind]
DECISIONS = [each.value for each in (*Ruling, *AppealOutcome)]
STANDARDS = [each.value for each in StandardOfProof]
WRONG = 1


@click.command(name="list")
@click.option("--kind", type=click.Choice(KINDS), help="List the rulings on disputes about this instead.")
@click.option("--clause", help="List the rulings by this clause, such as S34, instead.")
@data_option
@json_option
def list_disputes(kind: str | None, clause: str | None, data: Path | None, as_json: bool) -> None:
    """List the disputes of all games that wait for an arbiter, oldest first; at most 500.

    With --kind or --clause: the rulings like these, newest first, with their reasons.
    """
    page = open_source(data).waiting_disputes(MAX_PAGE, kind, clause)
    if as_json:
        return print_json(page["items"])
    if kind is not None or clause is not None:
        return click.echo(rulings_text(page["items"], page["names"]))
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
    """Show dispute NUMBER of GAME, to read or print: facts, texts, what the log shows, scores, and hashes of the log.

    GAME is a stored game, by board number or id: texts are stored beside the log and in no export. Exit code 1 if the
    evidence of the ruling is of another log, or if a text doesn't match its note.
    """
    source = open_source(data)
    if erase:
        erased = source.erase_dispute(require_stored(game), number, by)
        click.echo("the texts are erased" if erased is None else f"{erased} texts erased")
        return
    reading = source.dispute(require_stored(game), number)
    checks = _check(reading)
    if as_json:
        print_json({**reading.shown, "checks": checks})
    else:
        _print_case(reading, checks)
    if not all(checks.values()):
        click.get_current_context().exit(WRONG)


def _print_case(reading: DisputeReading, checks: Mapping[str, bool]) -> None:
    for line in case_lines(reading.history, reading.shown, reading.names, checks):
        click.echo(line)


def _check(reading: DisputeReading) -> dict[str, bool]:
    return check_dispute(reading.shown, [line.prev.hex() for line in reading.history.lines])


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
    _print_case(reading, _check(reading))


def _parse_changes(text: str | None) -> tuple[int, ...]:
    try:
        return () if text is None else tuple(int(each) for each in text.split(","))
    except ValueError:
        raise CannotAnswer("--changes needs whole numbers with commas, one for each seat, such as -1,2,-1.") from None


by_option = click.option("--by", metavar="NAME", help="The name of the player; with --server it's you.")


def _parse_card(_ctx: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    try:
        return None if text is None else parse_card(text)
    except NotACard as error:
        raise click.BadParameter(str(error)) from None


@click.command(name="open")
@click.argument("game")
@click.argument("hand", type=click.IntRange(min=1))
@click.argument("kind", type=click.Choice(KINDS))
@by_option
@click.option("--at", type=click.IntRange(min=1), help="The event as of which you dispute; the last one if absent.")
@click.option("--seat", type=click.IntRange(min=0), help="The seat that you accuse, counted from 0.")
@click.option("--trick", type=click.IntRange(min=1), help="The trick, with --seat.")
@click.option("--card", callback=_parse_card, help="The card that was played, with --seat, such as 5C.")
@click.option("--text", required=True, callback=parse_text, help="The text of the dispute, stored beside the log.")
@data_option
def open_dispute(
    game: str, hand: int, kind: str, by: str | None, at: int | None, text: str, data: Path | None, **accused: Any
) -> None:
    """Dispute HAND of GAME as a player who sits or sat there. KIND says what it's about.

    `trickbook ask revokes` and `trickbook ask draws` show what the log has on it; an arbiter sees that too.
    """
    named = {name: each for name, each in accused.items() if each is not None}
    if named and "seat" not in named:
        raise click.UsageError("--trick and --card need --seat, the seat that you accuse.")
    details = {"accused": named} if named else {}
    source = open_source(data)
    version, fact = source.open_dispute(require_stored(game), DisputeRequest(hand, kind, text, by, at, details))
    click.echo(sanitize(f"event {version}: {fact}"))


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@by_option
@click.option("--text", callback=parse_text, help="Your reasons, stored beside the log.")
@data_option
def appeal(game: str, number: int, by: str | None, text: str | None, data: Path | None) -> None:
    """Ask another arbiter to look at the ruling on dispute NUMBER of GAME. The ruling stays in force until then."""
    version, fact = open_source(data).appeal(require_stored(game), number, text, by)
    click.echo(sanitize(f"event {version}: {fact}"))


@click.command()
@click.argument("game")
@click.argument("number", type=click.IntRange(min=1))
@by_option
@data_option
def withdraw(game: str, number: int, by: str | None, data: Path | None) -> None:
    """Withdraw dispute NUMBER of GAME, which you opened, before an arbiter rules. You can dispute the hand again."""
    version, fact = open_source(data).withdraw(require_stored(game), number, by)
    click.echo(sanitize(f"event {version}: {fact}"))


commands: list[click.Command] = [list_disputes, show, rule, open_dispute, withdraw, appeal]
