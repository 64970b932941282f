"""Games in quarantine: those that the lists leave out because an event can't be read or folded."""

import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.confirmation import ask, yes_option
from api.cli.common.histories import json_option, print_json, print_rich
from api.cli.common.stores import require_games, resolve_game
from api.container import Services, open_services
from api.tables.stored.boards import Boards
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from projections.storage.quarantine import GAME_LOG, QuarantineEntry
from replay.text import terminal
from replay.text.layout import sanitize

HEADINGS = ("board", "game", "event", "why", "left out of", "since", "state")
MAX_ENTRIES = 10_000
WRONG = 1
NO_GAME = "No game is in quarantine."
NOT_IN_QUARANTINE = "Game {game} isn't in quarantine. `trickbook store quarantine list` shows the games that are."


@click.group()
def quarantine() -> None:
    """List, retry or drop the games that lists leave out because an event can't be read."""


@quarantine.command(name="list")
@data_option
@json_option
def list_games(data: Path | None, as_json: bool) -> None:
    """List the games in quarantine. A line has the first event that can't be read, and the reason."""
    with _open(data) as services:
        games = list(_by_game(services.rows.quarantined(MAX_ENTRIES), services.accounts.boards))
    if as_json:
        return print_json(games)
    table = terminal.make_table(*HEADINGS)
    for game in games:
        state = "dropped" if game["dropped"] else "in quarantine"
        lists = ", ".join(game["lists"])
        cells = (game["board"] or "", game["game"], game["version"], game["reason"], lists, game["since"], state)
        terminal.add_row(table, *(sanitize(str(cell)) for cell in cells))
    return print_rich(table if games else terminal.text_line(NO_GAME))


@quarantine.command()
@click.argument("games", nargs=-1)
@click.option("--all", "all_games", is_flag=True, help="Retry every game in quarantine that wasn't dropped.")
@data_option
def retry(games: tuple[str, ...], all_games: bool, data: Path | None) -> None:
    """Fold GAMES again, after a repair or an upgrade. Exit code 1 means that one still fails."""
    if bool(games) == all_games:
        raise CannotAnswer("Name the games to retry, or pass --all.")
    failed = False
    with _open(data) as services:
        entries = services.rows.quarantined(MAX_ENTRIES)
        known = {each.fault.game for each in entries}
        named = [_require_in_quarantine(services, game, known) for game in games]
        retried = named or sorted({each.fault.game for each in entries if not each.dropped})
        if not retried:
            click.echo(NO_GAME)
        for game in retried:
            reason = _retry(services, game)
            failed = failed or reason is not None
            click.echo(f"{sanitize(game)}: {'back in the lists' if reason is None else sanitize(reason)}")
    sys.exit(WRONG if failed else 0)


def _require_in_quarantine(services: Services, reference: str, known: Collection[str]) -> str:
    """Return the id of a game. Raise CannotAnswer if it isn't in quarantine."""
    game = resolve_game(services.accounts, reference)
    if game not in known:
        raise CannotAnswer(NOT_IN_QUARANTINE.format(game=sanitize(reference)))
    return game


def _retry(services: Services, game: str) -> str | None:
    """Fold a game again in every list. Return None if it's out of quarantine, otherwise the reason."""
    for fault in services.followers.retry(game):
        return f"event {fault.version}: {fault.reason}"
    try:
        services.games.state(game)
    except (Corrupt, NoSuchGame) as error:
        return str(error)
    services.rows.release_log(game)
    return None


@quarantine.command()
@click.argument("game")
@yes_option
@data_option
def drop(game: str, yes: bool, data: Path | None) -> None:
    """Remove GAME from every list until the next rebuild, after asking. Its log isn't changed."""
    with _open(data) as services:
        game_id = resolve_game(services.accounts, game)
        ask(f"Remove {sanitize(game_id)} from every list?", yes=yes)
        if not services.rows.drop_game(game_id):
            raise CannotAnswer(NOT_IN_QUARANTINE.format(game=sanitize(game)))
    click.echo(f"{sanitize(game_id)}: dropped from every list")


def _by_game(entries: Iterable[QuarantineEntry], boards: Boards) -> Iterator[dict[str, Any]]:
    for game, group in groupby(entries, key=lambda entry: entry.fault.game):
        several = list(group)
        first = min(several, key=lambda entry: entry.fault.version)
        yield {
            "game": game,
            "board": boards.number_of(game),
            "position": first.fault.position,
            "version": first.fault.version,
            "reason": first.fault.reason,
            "newer": any(entry.fault.too_new for entry in several),
            "lists": [entry.projection for entry in several if entry.projection != GAME_LOG],
            "dropped": all(entry.dropped for entry in several),
            "since": min(entry.since for entry in several),
        }


@contextmanager
def _open(data: Path | None) -> Iterator[Services]:
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        yield services


commands: list[click.Command] = [quarantine]
