"""`trickbook hand seal`: a cut and its seal, made on the player's own machine so that no server knows the cut early."""

import json
import re
import secrets

import click

from domain.engine.cuts import is_hex
from domain.protocols import fairdeal

GAME = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _parse_game(_ctx: click.Context, _argument: click.Parameter, game: str) -> str:
    if GAME.fullmatch(game) is None:
        raise click.BadParameter("The id of a game is a UUID in lower case, not a board number.")
    return game


def _parse_cut(_ctx: click.Context, _option: click.Parameter, cut: str | None) -> str | None:
    if cut is not None and not is_hex(cut):
        raise click.BadParameter("A cut is 32 bytes: 64 digits 0 to 9 and a to f.")
    return cut


@click.command()
@click.argument("game", callback=_parse_game)
@click.argument("seat", type=click.IntRange(0, 7))
@click.option("--cut", callback=_parse_cut, metavar="HEX", help="Seal this cut; by default a new random one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def seal(game: str, seat: int, cut: str | None, as_json: bool) -> None:
    """Make a cut for SEAT of GAME, and the seal that commits to it. Keep the cut secret until its deal.

    This doesn't contact a server. A seal is valid for one game and seat; docs/fairness.md says how to use both.
    """
    mine = cut or secrets.token_hex(32)
    sealed = fairdeal.seal(game, str(seat), bytes.fromhex(mine)).hex()
    click.echo(json.dumps({"cut": mine, "seal": sealed}) if as_json else f"cut  {mine}\nseal {sealed}")


commands: list[click.Command] = [seal]
