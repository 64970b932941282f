"""`trickbook store log` and `store clock`: what stops a server from storing, until its host says that all is right."""

import sys
from contextlib import closing
from pathlib import Path

import click

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config, no_store_error
from api.cli.common.stores import require_games, require_no_servers
from api.clock import ClockHold
from api.config import Config
from api.monitoring.log_watch import LOG_FILE
from api.ops.backup.manifest import ACCOUNTS
from api.ops.lost_log import Loss, accept_loss, find_loss
from domain.engine.timestamps import format_time
from domain.store.held_clock import machine_time
from replay.audit import WRONG

MOST_GAMES = 100


@click.command(name="log")
@click.option(
    "--accept", metavar="EVENTS", type=click.IntRange(0),
    help="Serve the log without the events that it lacks: as many as the command names.",
)  # fmt: skip
@data_option
def log_command(accept: int | None, data: Path | None) -> None:
    """Name what the log lacks: events that the accounts have seen, games of boards, and what receipts were given for.

    A server that misses something stores nothing more, and doesn't start. First try to put the right log back, or
    restore your last backup. With --accept, after every server has stopped, servers use the log as it is; the
    administration log records that, and every later audit mentions it.

    Exit code 1 if something is lost, 2 if the log can't be read.
    """
    config = load_config(data)
    if config.database_url is None and not any((config.data / name).exists() for name in (ACCOUNTS, LOG_FILE)):
        raise no_store_error(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        loss = find_loss(accounts, config)
        click.echo("\n".join(_lines(loss)))
        if accept is None:
            sys.exit(WRONG if loss.is_real else 0)
        _accept(accounts, config, loss, accept)
    click.echo("accepted: servers use the log as it is")


def _accept(accounts: Accounts, config: Config, loss: Loss, accept: int) -> None:
    if not loss.is_real:
        raise CannotAnswer("There is nothing to accept.")
    if accept != loss.events:
        raise CannotAnswer(f"The log lacks {loss.events} events, not {accept}.")
    require_no_servers(accounts, config)
    accept_loss(accounts, config, loss)


def _lines(loss: Loss) -> list[str]:
    seen = None if loss.newest is None else f"event {loss.newest.at.number}, at {format_time(loss.newest.seen)}"
    if not loss.is_real:
        return [
            "the accounts have seen no event of this log"
            if seen is None
            else f"the log has what the accounts have seen; the last was {seen}"
        ]
    lines = []
    if loss.unknown:
        lines.append(
            "lost: the accounts, which know no game of this log"
            if seen is None
            else f"lost: what the accounts had after {seen}: they are older than the log"
        )
        lines += [f"lost: the accounts of board {board} (game {game})" for board, game in loss.unknown[:MOST_GAMES]]
        if len(loss.unknown) > MOST_GAMES:
            lines.append(f"lost: and those of {len(loss.unknown) - MOST_GAMES} more games")
    if loss.events or loss.is_cut:
        lines.append(f"lost: {loss.events} events, or more; the accounts have seen {seen or 'none'}")
    if loss.is_cut:
        lines.append("lost: what was in log.db-wal, which is missing: up to a second more than that")
    lines += [f"lost: {each}" for each in loss.games[:MOST_GAMES]]
    if len(loss.games) > MOST_GAMES:
        lines.append(f"lost: and events of {len(loss.games) - MOST_GAMES} more games")
    return [*lines, f"to serve the log without them: trickbook store log --accept {loss.events}"]


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


commands: list[click.Command] = [log_command, server_clock]
