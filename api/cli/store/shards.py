"""`trickbook shards`: show, check and move shards, and copy the log into another number of them."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import click
import psycopg

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import CannotAnswer, ask, data_option, exit_on_store_errors, load_config, yes_option
from api.cli.common.processes import bars, progress
from api.cli.common.stores import require_games, require_no_servers
from api.config import Config
from api.config.settings import redact_url
from api.container import open_games
from api.ops.lost_log import find_loss
from api.ops.shards import (
    ShardCheck,
    ShardLocation,
    check_shard,
    old_copies,
    read_locations,
    reason,
    require_one_server,
    shard_size,
)
from domain.store.shards.layout import MOST_SHARDS
from domain.store.shards.move import CannotMove, ShardMove
from domain.store.shards.opening import open_copy, open_move
from domain.store.shards.reshard import CannotReshard, reshard
from replay.audit import GREEN, WRONG

shard_argument = click.argument("shard", type=click.IntRange(0, MOST_SHARDS - 1))


class NotMoved(click.ClickException):
    """A shard that couldn't be moved, or a copy that couldn't be dropped; exit code 1."""

    exit_code = WRONG


@click.command()
@data_option
def show(data: Path | None) -> None:
    """Show each shard of the log: the server that holds it, rows, last position, size, and old copies of it.

    Then show the servers of TRICKBOOK_DATABASE_URL, which is called home, and TRICKBOOK_SERVERS, without passwords.
    The log must be in PostgreSQL.
    """
    config, locations = _read(data)
    click.echo(f"{'shard':>5}  {'server':12}  {'rows':>12}  {'last':>12}  {'MB':>10}")
    for location in locations:
        click.echo(_line(config, location, len(locations)).rstrip())
    for name, url in config.server_urls.items():
        click.echo(f"{name}: {redact_url(url)}")


def _line(config: Config, location: ShardLocation, count: int) -> str:
    notes = [] if location.moving_to is None else [f"a move to {location.moving_to} was interrupted, or still runs"]
    notes += [f"old copy on {server}" for server in old_copies(config, location, count)]
    try:
        size = shard_size(config, location, count)
        figures = f"{size.rows:12}  {size.last:12}  {size.bytes / 1e6:10.1f}"
    except KeyError:
        figures, notes = " " * 38, [*notes, "TRICKBOOK_SERVERS doesn't name its server"]
    except psycopg.Error as error:
        figures, notes = " " * 38, [*notes, f"can't be read: {reason(error)}"]
    return f"{location.shard:5}  {location.server:12}  {figures}  {'; '.join(notes)}"


@click.command()
@data_option
def check(data: Path | None) -> None:
    """Check that each shard is on its server and on no other one, and every version and root of its games.

    Games may go on meanwhile. Print for each shard the numbers of games and rows, and a digest of the games with their
    versions and roots: a copy of the shard has the same. Exit code 1 if anything is wrong, with what to do.
    """
    config, locations = _read(data)
    with (
        exit_on_store_errors(),
        closing(open_games(replace(config, shards=None), migrate=False)) as games,
        bars() as bar,
    ):
        checks = [
            check_shard(config, location, len(locations), games.log.mapper, bar(f"shard {location.shard}, rows", None))
            for location in locations
        ]
    for each in checks:
        _print(each)
    sys.exit(WRONG if any(each.findings for each in checks) else GREEN)


def _print(checked: ShardCheck) -> None:
    location = checked.location
    verdict = "as it should be" if not checked.findings else "wrong"
    click.echo(
        f"shard {location.shard} on {location.server}: games: {checked.games}, rows: {checked.rows},"
        f" digest {checked.digest or '-'}: {verdict}"
    )
    for text in (*checked.findings, *(f"note: {note}" for note in checked.notes)):
        click.echo(f"  {text}")


@click.command()
@shard_argument
@click.option("--to", "target", required=True, metavar="SERVER", help="A name of TRICKBOOK_SERVERS, or home.")
@data_option
def move(shard: int, target: str, data: Path | None) -> None:
    """Move SHARD to another PostgreSQL server, while games are played.

    Every server needs this version of trickbook and the same TRICKBOOK_SERVERS before the first move. The command
    copies the shard and compares the copy with it. Then the games of this shard pause: moves in them are answered 503
    with Retry-After, until what came meanwhile is copied and compared too, and the map names the new server. Servers
    notice by themselves. The old copy stays, and takes no rows; `trickbook shards drop` drops it.

    You can interrupt the command at any time: the same command goes on, and --to with the server that holds the shard
    gives the move up. Exit code 1 if the shard can't be moved; then it is where it was. It's 2 if there is no such
    shard or server.
    """
    config, locations = _read(data)
    mover = _mover(config, locations, shard)
    with exit_on_store_errors():
        if target == locations[shard].server:
            return _give_up(mover, shard, target)
        steps = dict[str, float]()
        with _exit_if_not_moved(), bars() as bar:
            moved = mover.run(
                target,
                bar("copying", None),
                bar("comparing rows", None),
                lambda step: steps.update({step: monotonic()}),
            )
    pause = steps["done"] - steps["fence"]
    click.echo(f"shard {shard} is on {target} now: games: {moved.games}, rows: {moved.events}, last: {moved.last}")
    click.echo(
        f"Its games paused for {pause:.2f} seconds. The old copy is on {locations[shard].server} until you drop it."
    )
    return None


def _give_up(mover: ShardMove, shard: int, server: str) -> None:
    with _exit_if_not_moved():
        given_up = mover.give_up()
    if given_up is None:
        click.echo(f"shard {shard} is on {server} already.")
    else:
        click.echo(f"shard {shard} stays on {server}. The move to {given_up} is given up.")


@click.command()
@shard_argument
@click.option("--from", "server", required=True, metavar="SERVER", help="The server that holds the old copy.")
@yes_option
@data_option
def drop(shard: int, server: str, yes: bool, data: Path | None) -> None:
    """Drop the old copy of SHARD that a move has left on a server, if the shard's server holds each row of it.

    The command asks first.

    Exit code 1 if there's no such copy, or if it has other rows; then it stays. It's 2 if there is no such shard or
    server.
    """
    config, locations = _read(data)
    ask(f"Drop the old copy of shard {shard} on {server}?", yes=yes)
    with exit_on_store_errors(), progress("comparing", None), _exit_if_not_moved():
        rows = _mover(config, locations, shard).drop_old(server)
    click.echo(f"dropped the old copy of shard {shard} on {server}; it had {rows} rows")


@contextmanager
def _exit_if_not_moved() -> Iterator[None]:
    try:
        yield
    except CannotMove as error:
        raise NotMoved(str(error)) from None


def _read(data: Path | None) -> tuple[Config, list[ShardLocation]]:
    """Return the settings, and the location of each shard."""
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors():
        return config, read_locations(config)


def _mover(config: Config, locations: list[ShardLocation], shard: int) -> ShardMove:
    if shard >= len(locations):
        raise CannotAnswer(f"This log has the shards 0 to {len(locations) - 1}; name one of these, not {shard}.")
    return open_move(config.server_urls, config.with_long_statements().timeouts, shard, len(locations))


@click.command(name="count")
@click.argument("shards", type=click.IntRange(1, MOST_SHARDS))
@data_option
def reshard_command(shards: int, data: Path | None) -> None:
    """Give the log SHARDS shards: copy it within its database, compare the copy with it, and let it take its place.

    Stop every server first, and make a backup. You may interrupt the copy at any time: nothing has changed then, and
    the same command goes on where it stopped. With the number that the log has already, it gives such a copy up. Exit
    code 1 if a row can't be copied or the copy differs; then nothing has changed. Servers build their lists again when
    you start them.
    """
    config = replace(load_config(data), shards=None).with_long_statements()
    require_games(config)
    try:
        with exit_on_store_errors():
            require_one_server(config, "reshard")
            with closing(open_accounts(config)) as accounts:
                require_no_servers(accounts, config)
                if find_loss(accounts, config).is_real:
                    raise CannotAnswer("The log isn't whole: `trickbook store log` says what it lacks.")
                click.echo(_reshard(accounts, config, shards))
    except CannotReshard as error:
        click.echo(str(error), err=True)
        sys.exit(WRONG)


def _reshard(accounts: Accounts, config: Config, shards: int) -> str:
    with closing(open_games(config)) as games, bars() as bar:
        log = games.log
        last = sum(log.last_numbers())
        with open_copy(log, config.data, config.database_url, shards, config.timeouts) as place:
            if log.shards == shards:
                place.abandon()
                return f"The log has this number of shards already: {shards}."
            accounts.log_positions.forget()  # the copy gives events other numbers
            copied = reshard(log, place, bar("copying", last), bar("comparing", 2 * last))
    counts = f"{copied.games} games, {copied.events} events, shards: {shards}"
    return f"{counts}\nStart the servers; they build the lists again."


commands: list[click.Command] = [show, check, move, drop, reshard_command]
