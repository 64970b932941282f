"""The mailboxes of a simulation's players: each mail comes once, and each tells what its reader doesn't know yet."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email import message_from_string
from typing import Any
from urllib.parse import SplitResult

import pytest

from api.accounts.accounts import Accounts
from api.delivery.stored.queue import BOARD_MAILS
from api.mail.services.addresses import REPLY
from api.mail.services.relay import Delivery
from domain.events import Event, GameEnded, GameOpened
from tests.campaigns.simulation.clients import Client
from tests.campaigns.simulation.observer import GameLog, Observer, Violation
from tests.campaigns.simulation.seam import Seam
from tests.campaigns.simulation.servers import SimulatedServer, relay_of
from tests.campaigns.simulation.simulated_time import SimulatedTime
from tests.mail.post_office import newest_code

LEVELS = {"ann": "every", "bob": "turn", "cid": "digest", "dee": "turn"}
HOURS = 48
"""How long the last mails may take: pauses after failures, and a digest a day later."""


class Mailboxes:
    """The mails that have arrived. A mail may come again only if its sender couldn't know that it had arrived."""

    def __init__(self) -> None:
        self.mails: dict[str, str] = {}
        self.told: dict[tuple[str, int], int] = defaultdict(lambda: -1)
        """The version up to which the owner of an address has been told about a board."""
        self.violation: Violation | None = None
        """The newest one in a mail: the server takes an error there for a mail that can't be written, and goes on."""
        self._unsure: set[str] = set()
        self._answered: dict[str, str] = {}

    def arrive(self, message: str) -> str:
        """Put a mail into its box and return its id. Raise Violation for one that may not come."""
        mail = message_from_string(message)
        name, address = str(mail["Message-ID"]), str(mail["To"])
        if name in self.mails:
            if name not in self._unsure:
                raise Violation("each mail once", f"{address} gets {name} again, which was noted as sent")
            if self.mails[name] != message:
                raise Violation("a mail that comes again is the same", f"{address}: {name}")
            return name
        match = re.match(REPLY, str(mail["Reply-To"]))
        if match is not None:
            board, version = int(match[1]), int(match[3])
            if version <= self.told[address, board]:
                raise Violation("each mail tells news", f"{address}: {version} of board {board} again")
            self.told[address, board] = version
        self.mails[name] = message
        self._unsure.add(name)
        return name

    def note(self, server: str) -> None:
        """Note that a server continues after the answer to its last mail: it has recorded that the mail was sent."""
        self._unsure.discard(self._answered.pop(server, ""))

    def forget(self, server: str) -> None:
        """Note that a server's turn ended before it recorded its last mail."""
        self._answered.pop(server, None)

    def hand_over(self, server: str, seam: Seam, message: str) -> tuple[Delivery, str]:
        """Take a mail from a server, with the fault that is set; return what the server learns."""
        self.note(server)
        fault = seam.take_mail_fault()
        if fault == "refused for now":
            return Delivery.LATER, "451 try later"
        if fault == "nothing arrives":
            return Delivery.UNKNOWN, "SMTPServerDisconnected"
        name = self.arrive(message)
        seam.crash_after(fault)
        if fault == "the reply is lost":
            return Delivery.UNKNOWN, "SMTPServerDisconnected"
        self._answered[server] = name
        return Delivery.YES, ""

    def take_turn(self, server: SimulatedServer) -> str:
        """Let a server send its mails; return what became of that in a word. Raise the Violation of a mail."""
        before = len(self.mails)
        ended = server.turn("mail")
        (self.note if ended == "done" else self.forget)(server.name)
        if self.violation is not None:
            raise self.violation
        return f"{ended}, {len(self.mails) - before} new mails"


@contextmanager
def simulated_mail(servers: Sequence[SimulatedServer], boxes: Mailboxes) -> Iterator[None]:
    """Put the mails of these servers into the mailboxes."""
    by_relay = {relay_of(server.name): server for server in servers}

    def send(url: SplitResult, message: str, _sender: str, _recipient: str) -> tuple[Delivery, str]:
        server = by_relay[url.hostname or ""]
        try:
            check_is_stored(server.services.accounts, message)
            return boxes.hand_over(server.name, server.seam, message)
        except Violation as violation:
            boxes.violation = violation
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.mail.outgoing.sender.send", send)
        yield


def check_is_stored(accounts: Accounts, message: str) -> None:
    """Raise Violation for a mail that would be written again if its server ended now."""
    with accounts.database.transaction(writes=False) as transaction:
        if not transaction.run("SELECT 1 FROM deliveries WHERE message = ?", message):
            raise Violation("a mail is stored before it leaves", str(message_from_string(message)["Message-ID"]))


def confirm_address(accounts: Accounts, client: Client) -> None:
    """Give a player an address and a level of mail."""
    accounts.emails.ask(client.player, address_of(client))
    code = newest_code(accounts.database)
    accounts.database.run("DELETE FROM deliveries WHERE queue = 'account-mails'")
    assert accounts.emails.confirm(client.player, code) is not None
    accounts.mail_levels.set(client.player, LEVELS[client.name])  # type: ignore[arg-type]


def address_of(client: Client) -> str:
    """Return the address of a player."""
    return f"{client.name}@example.net"


def finish_mails(servers: Sequence[SimulatedServer], boxes: Mailboxes, time: SimulatedTime) -> None:
    """Let the servers send what is left. Raise Violation if something stays."""
    for _ in range(HOURS):
        time.pass_s(3600)
        for server in servers:
            boxes.take_turn(server)
    waiting = servers[0].services.accounts.deliveries.state_of(BOARD_MAILS).waiting
    if waiting:
        raise Violation("every mail is sent", f"{waiting} rows wait")


def check_mails(accounts: Accounts, clients: Sequence[Client], observer: Observer, boxes: Mailboxes) -> None:
    """Check that each player was told that it's their turn, and that their games are over."""
    boards = {game: accounts.boards.number_of(game) or 0 for game in observer.logs}
    for client in clients:
        if LEVELS[client.name] == "digest":
            continue
        for game, log in observer.logs.items():
            must, told = _must_know(client.player, log), boxes.told[address_of(client), boards[game]]
            if told < must:
                raise Violation("nothing is forgotten by mail", f"{client.name} in {game}: {told}, but {must} is news")


def _must_know(player: str, log: GameLog) -> int:
    """Return the version up to which a mail must have told a player, or -1."""
    seat = log.state.seat_of(player)
    if seat is None:
        return -1
    last = log.events[-1]
    if log.state.result is not None:
        return next((each.version for each in reversed(log.events) if isinstance(each.data, GameEnded)), last.version)
    if seat not in log.state.turn:
        return -1
    began = max((each.version for each in log.events if seat in (getattr(each.data, "next", None) or ())), default=-1)
    return began if began > _last_act(player, log.events) else -1


def _last_act(player: str, events: Sequence[Event[Any]]) -> int:
    """Return the last version of the player's own commits, which their answers have shown them."""
    opening = {each.command for each in events if isinstance(each.data, GameOpened)}
    own = {each.command for each in events if each.by == player} - opening
    return max((each.version for each in events if each.command in own), default=-1)
