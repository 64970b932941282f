"""Sends the mails of the outbox and the answers to mails, in a thread of its own.

A message is stored before it's handed to the relay, and its rows are deleted after the relay has taken it. After a
crash in between, the same message with the same Message-ID goes again: mail programs show it once.
"""

import logging
import threading
from collections.abc import Iterator
from email import message_from_string, policy
from email.message import EmailMessage
from urllib.parse import urlsplit

from api.container import Services
from api.mail.outgoing.board_mail import BoardLetter, write_board, write_invitation
from api.mail.outgoing.messages import Letter, message_id, message_text
from api.mail.outgoing.notices import write_digest, write_offer
from api.mail.services.addresses import PLAY, MailAddresses
from api.mail.services.outbox_follower import ALL_BOARDS, MailFollower
from api.mail.services.relay import Delivery, send
from api.mail.stored.answers import MOST_TRIES as MOST_ANSWER_TRIES
from api.mail.stored.answers import MailAnswer
from api.mail.stored.board_mails import MOST_TRIES, TakenMail
from api.mail.stored.levels import ALL_GAMES, USUAL_LEVEL
from api.monitoring.logs import log_event
from api.monitoring.metrics import MAILS
from domain.store import NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from projections.followers.troubles import TroubleLog
from projections.followers.wakeups import Poll
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.mail")
POLL_S, IDLE_POLL_S = 0.5, 5.0
"""How often the outbox is looked at after a change, and how often at last without one."""
ANSWERS_AT_ONCE = 20
ALWAYS = ("over", "invitation")
"""Kinds that go although the player has acted since: a game's end is worth a mail of its own."""


class BoardPostman:
    """Takes facts into the outbox, and sends what is due. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._services, self._config = services, services.config
        self._accounts, self._mails = services.accounts, services.accounts.board_mails
        self._follower = MailFollower(services)

    @property
    def is_on(self) -> bool:
        """Whether the settings name a relay and a domain."""
        return self._config.smtp_url is not None and self._config.mail_domain is not None

    def run(self, stop: threading.Event) -> None:
        """Follow and send until `stop` is set, despite errors."""
        if not self.is_on:
            return
        trouble, poll = TroubleLog(LOG, "mail about boards"), Poll(self._services.wakeups, POLL_S, IDLE_POLL_S)
        while not poll.wait(stop):
            with trouble.attempt(RowsUnavailable, StoreUnavailable):
                self.run_once()

    def run_once(self) -> int:
        """Take what is new, send what is due, and return how many mails were sent."""
        if not self.is_on:
            return 0
        self._follower.run_once()
        sent = sum(self._send_answer(answer) for answer in self._answers())
        for player, game in self._mails.due():
            taken = self._mails.take(player, game)
            if taken is not None:
                sent += self._send_board(taken)
        return sent

    def _answers(self) -> Iterator[MailAnswer]:
        """Yield answers to send, each taken when its turn comes: a slow relay outlives no lease."""
        for _ in range(ANSWERS_AT_ONCE):
            answer = self._accounts.mail_answers.take()
            if answer is None:
                return
            yield answer

    def _send_answer(self, answer: MailAnswer) -> bool:
        outcome = self._hand_over(answer.message, answer.return_path, answer.address, answer.player)
        if outcome in (Delivery.YES, Delivery.NO_SUCH_ADDRESS, Delivery.REFUSED) or answer.tries >= MOST_ANSWER_TRIES:
            self._accounts.mail_answers.finish(answer)
        return outcome is Delivery.YES

    def _send_board(self, taken: TakenMail) -> bool:
        """Send the mail of a pair, and return whether it was sent."""
        address = self._accounts.mail_levels.addresses([taken.player]).get(taken.player)
        last = taken.rows[-1][0] if taken.rows else taken.mailed
        if address is None or not self._wanted_kinds(taken):
            self._mails.drop(taken, last)
            return False
        message, version = taken.pending, taken.pending_version
        if message is None or version is None or not self._still_fits(message, taken.game, address):
            written = self._write(taken, address)
            if written is None:
                self._mails.drop(taken, last)
                return False
            message, version = written
            if not self._mails.keep(taken, message, version):
                return False
        outcome = self._hand_over(message, self._return_path(taken.player, address), address, taken.player)
        if outcome is Delivery.YES or outcome is Delivery.REFUSED or taken.tries + 1 >= MOST_TRIES:
            self._mails.finish(taken, version)
        else:
            # what may have arrived goes again as it is, with its Message-ID; otherwise the next try tells what is new
            is_unknown = outcome is Delivery.UNKNOWN or message is taken.pending  # now, or at an earlier try
            self._mails.fail(taken, may_have_arrived=is_unknown)
        return outcome is Delivery.YES

    def _write(self, taken: TakenMail, address: str) -> tuple[str, int] | None:
        """Return the message of a pair and the version that it tells; None if nothing is news any more."""
        try:
            letter = self._letter(taken, self._wanted_kinds(taken))
        except (NoSuchGame, Corrupt):
            return None
        if letter is None:
            return None
        first = taken.rows[0]
        identity = message_id(self._addresses.domain, taken.player, taken.game, *first, letter.version)
        return compose(self._services, (taken.player, address, taken.game), letter, identity), letter.version

    def _wanted_kinds(self, taken: TakenMail) -> list[str]:
        """Return the kinds of news that the player wants, and doesn't know from their own moves."""
        levels = self._accounts.mail_levels.all_of(taken.player)
        usual = levels.get(ALL_GAMES, USUAL_LEVEL)
        wants_any = "digest" in levels.values() if taken.game == ALL_BOARDS else levels.get(taken.game, usual) != "none"
        news = [kind for version, kind in taken.rows if version > taken.acknowledged or kind in ALWAYS]
        return news if wants_any else []

    def _still_fits(self, message: str, game: str, address: str) -> bool:
        """Return whether a message goes to the player's address of today, with a reply address that counts."""
        written = message_from_string(message, EmailMessage, policy=policy.default)
        local = self._addresses.local_part(str(written["Reply-To"])) or ""
        replies = game == ALL_BOARDS or local == PLAY or self._addresses.read_reply(local) is not None
        return str(written["To"]) == address and replies

    def _letter(self, taken: TakenMail, kinds: list[str]) -> BoardLetter | None:
        if taken.game == ALL_BOARDS:
            return write_digest(self._services, taken.player, taken.rows[-1][0])
        if kinds == ["invitation"]:
            invited = write_invitation(self._services, taken.player, taken.game)
            return invited or write_offer(self._services, taken.player, taken.game)
        since = max(0, taken.mailed, taken.acknowledged)
        return write_board(self._services, taken.player, taken.game, kinds, since)

    def _return_path(self, player: str, address: str) -> str:
        return self._addresses.about("bounce", player, address)

    @property
    def _addresses(self) -> MailAddresses:
        return MailAddresses(self._services)

    def _hand_over(self, message: str, sender: str, address: str, player: str) -> Delivery:
        """Hand a message to the relay; an address that it refuses for good gets no more mail."""
        outcome, words = send(urlsplit(self._config.smtp_url or ""), message, sender, address)
        MAILS.labels("sent" if outcome is Delivery.YES else "failed").inc()
        if outcome is not Delivery.YES:
            LOG.warning("a mail wasn't sent: %s (%s)", outcome.value, words)
        if outcome is Delivery.NO_SUCH_ADDRESS and player:
            self._accounts.mail_levels.stop(player, address, words)
            log_event(LOG, "mail-stopped", player=player)
        return outcome


def compose(
    services: Services, to: tuple[str, str, str], letter: BoardLetter, identity: str, answers: str | None = None
) -> str:
    """Return a mail about a board to (player, address, game) as a message; `answers` is the id of the mail answered."""
    player, address, game = to
    addresses = MailAddresses(services)
    reply_to = None
    if game and letter.takes_replies:
        place = letter.board, _seat(services, game, player, letter.version), letter.version
        reply_to = addresses.reply(player, address, game, place)
    return message_text(
        Letter(
            sender=sender_of(services),
            address=address,
            reply_to=reply_to or f"{PLAY}@{addresses.domain}",
            subject=letter.subject if answers is None else f"Re: {letter.subject}",
            body=letter.body,
            id=identity,
            thread=message_id(addresses.domain, "thread", player, game),
            at=services.clock.now_us(),
            unsubscribe=unsubscribe_links(services, player, address),
            automatic="auto-generated" if answers is None else "auto-replied",
            answers=answers,
        )
    )


def _seat(services: Services, game: str, player: str, version: int) -> int:
    """Return the seat of a player in a game, or at a table that forms."""
    if version:
        return services.games.state(game).seat_of(player) or 0
    table = services.accounts.forming.read(game)
    seat = None if table is None else table.seat_of(player)
    return 0 if seat is None else seat.seat


def sender_of(services: Services) -> str:
    """Return the address from which mails come."""
    return services.config.mail_from or f"cards@{services.config.mail_domain}"


def unsubscribe_links(services: Services, player: str, address: str) -> tuple[str, ...]:
    """Return where the player ends all mails: by a request, if the server has an address on the web, and by mail."""
    addresses, url = MailAddresses(services), services.config.url
    links = (f"mailto:{addresses.about('unsubscribe', player, address)}",)
    if url is None:
        return links
    return (f"{url}/mail/unsubscribe/{addresses.key_of('unsubscribe', player, address)}", *links)
