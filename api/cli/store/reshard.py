"""`trickbook shards count`: copy the log into another number of shards."""

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.processes import bars
from api.cli.common.stores import require_games, require_no_servers
from api.config import Config
from api.container import open_games
from api.ops.lost_log import find_loss
from api.ops.shards import require_one_server
from domain.store.shards.layout import MOST_SHARDS
from domain.store.shards.opening import open_copy
from domain.store.shards.reshard import CannotReshard, reshard
from replay.audit import WRONG


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


commands: list[click.Command] = [reshard_command]
