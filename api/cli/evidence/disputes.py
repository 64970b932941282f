"""Disputes and appeals of players from the command line.

On the server's own machine its operator enters them for a player; with `--server`, players do so themselves.
"""

from pathlib import Path
from typing import Any

import click

from api.cli.common.config import data_option
from api.cli.evidence.arbiters import KINDS, parse_text, require_stored
from api.cli.sources.interface import DisputeRequest
from api.cli.sources.selection import open_source
from domain.cards import NotACard, parse_card
from replay.text.layout import sanitize

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


commands: list[click.Command] = [open_dispute, withdraw, appeal]
