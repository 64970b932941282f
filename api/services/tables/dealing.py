"""Deals a table that has closed. Any process may do it, any number of times: the game opens once."""

import hashlib
import hmac
import logging

from api.accounts.tables.seats import FormingTable, TableStatus
from api.services.container import Services
from api.services.logs import log_event
from api.services.tables.seat_plan import opening_command
from domain.rejections import Rejected
from domain.store import Commit

LOG = logging.getLogger("trickbook.tables")


def command_of_table(secret: bytes, game: str) -> str:
    """Return the id of the command that opens a table's game: the same in every process, and unknown to clients."""
    text = hmac.new(secret, f"table\n{game}".encode(), hashlib.sha256).hexdigest()
    return f"{text[:16]}-{text[16:32]}"


def deal_table(services: Services, table: FormingTable) -> Commit:
    """Open the game of a closed table in the opener's name, and record it. Raise Rejected if the rules refuse it."""
    command = opening_command(services, table.body, table.game, table.seats, table.board)
    command_id = command_of_table(services.secret, table.game)
    try:
        commit = services.games.open(command, by=table.opener, command_id=command_id)
    except Rejected as refusal:  # a newer program may refuse what an older one offered
        log_event(LOG, "table-refused", game=table.game, code=refusal.code)
        services.accounts.forming.finish(table.game, TableStatus.CANCELLED)
        services.accounts.boards.finish([table.game])
        raise
    services.accounts.forming.finish(table.game, TableStatus.DEALT)
    return commit


def lapse_tables(services: Services) -> None:
    """Let the tables lapse whose time is up, unless a jump of the clock may have made it look so."""
    if services.clock.may_end():
        services.accounts.boards.finish(services.accounts.forming.lapse())


def finish_table(services: Services, game: str) -> bool:
    """Deal a closed table that no request has dealt, let its bots play, and return whether there is a game now."""
    table = services.accounts.forming.read(game)
    if table is None:
        return False
    try:
        commit = deal_table(services, table)
    except Rejected:
        return False
    services.autoplayer.play(commit.state, command_of_table(services.secret, game))
    return True
