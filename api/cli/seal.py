"""`trickbook seal`: a cut and its seal, made on the player's own machine, so that no server knows the cut before."""

import json
import re
import secrets

import click

from domain.engine.cuts import is_hex
from domain.protocols import fairdeal

GAME = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _parse_game(_ctx: click.Context, _argument: click.Parameter, game: str) -> str:
    if GAME.fullmatch(game) is None:
        raise click.BadParameter("the id of a game is a UUID in lower case; a board number will not do")
    return game


def _parse_cut(_ctx: click.Context, _option: click.Parameter, cut: str | None) -> str | None:
    if cut is not None and not is_hex(cut):
        raise click.BadParameter("a cut is 32 bytes: 64 digits 0 to 9 and a to f")
    return cut


@click.command()
@click.argument("game", callback=_parse_game)
@click.argument("seat", type=click.IntRange(0, 7))
@click.option("--cut", callback=_parse_cut, metavar="HEX", help="Seal this cut; without, a new one is made by chance.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def seal(game: str, seat: int, cut: str | None, as_json: bool) -> None:
    """Make a cut for SEAT of GAME, and the seal to promise it with: keep the cut to yourself until its deal comes.

    No server is asked. A seal holds for one game and seat; what to do with both stands in docs/fairness.md.
    """
    mine = cut or secrets.token_hex(32)
    sealed = fairdeal.seal(game, str(seat), bytes.fromhex(mine)).hex()
    click.echo(json.dumps({"cut": mine, "seal": sealed}) if as_json else f"cut  {mine}\nseal {sealed}")


commands: list[click.Command] = [seal]
