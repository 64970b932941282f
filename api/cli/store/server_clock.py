"""`trickbook store clock`: whether the server trusts its clock, and an operator's word that it's right."""

import sys
from contextlib import closing
from pathlib import Path

import click

from api.accounts.accounts import open_accounts
from api.cli.common.config import data_option, exit_on_store_errors, load_config
from api.cli.common.stores import require_games
from api.clock.records import ClockHold
from domain.engine.timestamps import format_time
from domain.store.held_clock import machine_time


@click.group("clock")
def server_clock() -> None:
    """Show whether the clock is held, or say that it's right.

    While it's held, nobody runs out of time and no game ends by time; players get that time back.
    """


@server_clock.command()
@data_option
def status(data: Path | None) -> None:
    """Show heartbeats and holds. Exit code 1 means that the clock is held."""
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        heartbeats, holds = accounts.clock_records.heartbeats(), accounts.clock_records.holds()
        is_held = bool(accounts.clock_records.open_holds())
    click.echo(f"this machine's clock: {format_time(machine_time())}")
    for each in heartbeats[:10]:
        click.echo(f"heartbeat of {each.server}: {format_time(each.at)}{'' if each.sure else ', in doubt'}")
    for hold in holds:
        click.echo(_describe(hold))
    click.echo("the clock is held: nobody runs out of time" if is_held else "the clock isn't held")
    sys.exit(1 if is_held else 0)


def _describe(hold: ClockHold) -> str:
    ended = "now" if hold.ended is None else format_time(hold.ended)
    reason = "no worker ran" if hold.reason == "down" else "a worker doubted its clock"
    return f"held from {format_time(hold.began)} to {ended}: {reason}"


@server_clock.command()
@data_option
def release(data: Path | None) -> None:
    """Say that this machine's clock is right. Servers that agree with it trust theirs again within seconds."""
    config = load_config(data)
    require_games(config)
    now = machine_time()
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        ended = accounts.clock_records.release(now)
    click.echo(f"the time is {format_time(now)}; {ended} hold{'' if ended == 1 else 's'} ended")


commands: list[click.Command] = [server_clock]
