"""Sends all mails that wait in the queue, in a thread of its own.

A message is stored before it's handed to the relay, and deleted after the relay has taken it. After a crash in between,
the same message with the same Message-ID goes again: mail programs show it once.
"""

import logging
import threading
from collections.abc import Callable
from email import message_from_string, policy
from email.message import EmailMessage
from itertools import islice
from math import inf
from urllib.parse import urlsplit

from api.config import Config
from api.container import Services
from api.delivery.stored.queue import ACCOUNT_MAILS, BOARD_MAILS, MAIL_ANSWERS, TakenItem
from api.mail.outgoing.board_mail import BoardLetter, web_lines, write_board, write_invitation
from api.mail.outgoing.messages import SENTINEL, Letter, message_id, message_text
from api.mail.services.addresses import PLAY, MailAddresses
from api.mail.services.mail_follower import ALL_BOARDS, MailFollower
from api.mail.services.relay import Delivery, send
from api.mail.stored.board_mails import INVITATION, TakenMail
from api.mail.stored.levels import ALL_GAMES, USUAL_LEVEL
from api.monitoring.logs import log_event
from api.monitoring.metrics import MAILS
from api.people.services.seats import running_seats
from domain.engine.timestamps import iso_time
from domain.rules.variants import KNOWN
from domain.store import NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from domain.store.sql.database import DATABASE_ERRORS
from domain.store.wakeups import Poll
from projections.followers.troubles import TroubleLog
from projections.storage.rows import RowsUnavailable
from replay.text.layout import fold_text, minute_of

MOST_BOARDS = 10
MOST_SEATS = 300
"""How many of a player's boards are looked at, the newest first."""
SUBJECT = "Your boards today"
HEAD = "These boards wait for you. Each has an address of its own for your move."
MOVE_TO = "To move on board {board}, write the move to:\n{address}"


def write_digest(services: Services, player: str, day: int) -> BoardLetter | None:
    """Return the mail about all boards that wait for a player; None if no board waits."""
    address = services.accounts.mail_levels.confirmed_address(player)
    if address is None:
        return None
    addresses, parts = MailAddresses(services), list[str]()
    levels = services.accounts.mail_levels.all_of(player)
    usual = levels.get(ALL_GAMES, USUAL_LEVEL)
    for board, game, seat in islice(running_seats(services, player), MOST_SEATS):
        if len(parts) >= MOST_BOARDS:
            break
        if levels.get(game, usual) != "digest":
            continue
        try:
            letter = write_board(services, player, game, ["turn", "question"], services.games.state(game).version)
        except (NoSuchGame, Corrupt):
            continue
        if letter is None:
            continue
        to = addresses.reply(player, address, game, (board, seat, letter.version))
        parts.append(f"{letter.body.partition(chr(10))[2].strip()}\n\n{MOVE_TO.format(board=board, address=to)}")
    if not parts:
        return None
    body = ("\n\n" + "-" * 40 + "\n\n").join([fold_text(HEAD), *parts])
    return BoardLetter(SUBJECT, body + "\n", 0, day)


OFFERED = """{asker} offers you their seat at board {board}, {title}: seat {seat}.
The others at the table are asked once you agree.

To take the seat, or to decline it, use the page. The offer ends on {expires} UTC.
This mail can't be answered by a line.
{web}"""


def write_offer(services: Services, player: str, game: str) -> BoardLetter | None:
    """Return the mail about the open offer of a seat in a game to a player; None if it has ended."""
    offered = services.accounts.handover_offers.of(player)
    offers = [each for each in offered if (each.game, each.taker) == (game, player)]
    state, board = services.games.state(game), services.accounts.boards.number_of(game)
    if not offers or board is None or state.opened is None or state.result is not None:
        return None
    offer, title = offers[-1], KNOWN[state.opened.variant].title
    names = services.accounts.users.names_of([offer.asker])
    body = OFFERED.format(
        asker=names.get(offer.asker, "Somebody"),
        board=board,
        title=title,
        seat=offer.seat,
        expires=minute_of(iso_time(offer.expires) or ""),
        web="\n".join(web_lines(services, board)),
    )
    return BoardLetter(f"Board {board}, {title}", f"{SENTINEL}\n\n{fold_text(body)}\n", board, 0, takes_replies=False)


LOG = logging.getLogger("trickbook.mail")
POLL_S, IDLE_POLL_S = 0.5, 1.0
"""How often the queue is looked at after a change, and how often at last without one."""
LOG_POLL_S = 60.0
"""How often the log is read while nothing happens: the ring of a change may have been lost."""
MAILS_AT_ONCE = 50
QUEUE_S = 10.0
"""How long one queue is sent, before others have their turn."""
SLOW_S = 1.0
"""The relay may ask a player's mail server before it answers. If a mail takes longer, the player's next ones wait."""
REST = 10
"""How often the time of that mail they wait: so a player has a tenth of the time at most."""
SLOW = "an earlier mail to this player took long, and failed"
FINAL = Delivery.YES, Delivery.NO_SUCH_ADDRESS, Delivery.REFUSED
"""The outcomes that another try doesn't change."""
ALWAYS = ("over", INVITATION)
"""Kinds that go although the player has acted since: a game's end is worth a mail of its own."""


class Mailer:
    """Takes facts into the outbox, and sends what is due. Several processes may each run one."""

    def __init__(self, services: Services) -> None:
        self._services, self._config = services, services.config
        self._accounts, self._mails = services.accounts, services.accounts.board_mails
        self._queue, self._follower = services.accounts.deliveries, MailFollower(services)
        self._senders = {ACCOUNT_MAILS: self._send_account_mail}
        """Those who wait for a code to sign up go first."""
        self._finish: dict[str, Callable[[TakenItem, str | None], object]] = {
            ACCOUNT_MAILS: self._accounts.emails.finish,
            MAIL_ANSWERS: self._queue.end,
            BOARD_MAILS: self._finish_board,
        }
        self._read_at = -inf
        self._timer = services.wakeups.timer
        self._rests = dict[str, tuple[float, bool]]()
        """Until when players wait whose last mail took long, and whether it was sent."""
        if self._config.mail_domain is not None:
            self._senders |= {MAIL_ANSWERS: self._send_answer, BOARD_MAILS: self._send_board}

    def run(self, stop: threading.Event) -> None:
        """Follow and send until `stop` is set, despite errors."""
        trouble, poll = TroubleLog(LOG, "mail"), Poll(self._services.wakeups, POLL_S, IDLE_POLL_S)
        while self._config.smtp_url is not None and not poll.wait(stop):
            with trouble.attempt(RowsUnavailable, StoreUnavailable):
                self.run_once(reads_log=self.may_find_news())

    def may_find_news(self) -> bool:
        """Return whether the log may have news: something has rung, or a minute has passed without that."""
        wakeups = self._services.wakeups
        return not wakeups.has_settled() or self._timer() - self._read_at >= LOG_POLL_S

    def run_once(self, *, reads_log: bool = True) -> int:
        """Take what is new in the log, send what is due, and return how many mails were sent."""
        if self._config.smtp_url is None:
            return 0
        if reads_log:
            self._read_at = -inf  # also if it fails
            if BOARD_MAILS in self._senders:
                self._follower.run_once()
            self._read_at = self._timer()
        if not self._queue.any_due(*self._senders):
            return 0
        sent = 0
        self._rests = {player: rest for player, rest in self._rests.items() if rest[0] > self._timer()}
        for name, send_item in self._senders.items():
            until = self._timer() + QUEUE_S
            for item in self._queue.take_due(name, MAILS_AT_ONCE):
                sent += self._send_in_turn(item, send_item)
                if self._timer() >= until:
                    break
        return sent

    def _send_in_turn(self, item: TakenItem, send_item: Callable[[TakenItem], bool]) -> bool:
        """Send an item unless its player's last mail took long; return whether it was sent."""
        begun = self._timer()
        until, last_was_sent = self._rests.get(item.player, (begun, True))
        if until > begun:
            if last_was_sent:
                self._queue.give_back(item, until - begun)
            else:
                self._put_off(item, SLOW)
            return False
        sent = self._send(item, send_item)
        took = self._timer() - begun
        if took >= SLOW_S and item.player:
            self._rests[item.player] = self._timer() + took * REST, sent
        return sent

    def _send(self, item: TakenItem, send_item: Callable[[TakenItem], bool]) -> bool:
        """Send an item, and return whether it was sent. One that can't be written has failed, and stops no other."""
        try:
            return send_item(item)
        except (RowsUnavailable, StoreUnavailable, *DATABASE_ERRORS):
            raise
        except Exception as error:
            LOG.exception("an item of %s can't be sent", item.queue)
            self._put_off(item, f"it can't be written: {type(error).__name__}")
            return False

    def _put_off(self, item: TakenItem, why: str) -> None:
        """Have an item tried again, or give it up with all that it stands for."""
        if self._queue.is_last_try(item):
            self._finish[item.queue](item, why)
        else:
            self._queue.fail(item, why)

    def _finish_board(self, item: TakenItem, why: str | None) -> None:
        taken = self._mails.read(item)
        self._mails.finish(taken, taken.last, told=False, failure=why)

    def _send_account_mail(self, item: TakenItem) -> bool:
        mail = self._accounts.emails.mail(item)
        message = item.message
        if mail is not None and message is None:
            at = self._services.clock.now_us()
            message = message_text(
                Letter(
                    sender=sender_of(self._config),
                    address=mail.address,
                    reply_to=None,
                    subject=mail.subject,
                    body=mail.body,
                    # numbers begin again at those of a backup that was restored
                    id=message_id(domain_of(self._config), self._services.secret.hex(), "account", mail.number, at),
                    thread=None,
                    at=at,
                )
            )
            if not self._queue.keep(item, message):
                return False
        if mail is None or message is None:
            self._queue.end(item)
            return False
        outcome = self._hand_over(message, sender_of(self._config), mail.address)
        return self._settle(item, outcome)

    def _send_answer(self, item: TakenItem) -> bool:
        if item.message is None:
            self._queue.end(item)
            return False
        address = str(message_from_string(item.message, EmailMessage, policy=policy.default)["To"])
        path = self._return_path(item.player, address) if item.player else self._addresses.stranger_path()
        outcome = self._hand_over(item.message, path, address, item.player)
        return self._settle(item, outcome)

    def _settle(self, item: TakenItem, outcome: Delivery) -> bool:
        """Finish with an item that no other try changes, or let it be tried again; return whether it was sent."""
        if outcome in FINAL:
            self._finish[item.queue](item, failure_of(outcome))
        else:
            self._put_off(item, outcome.value)
        return outcome is Delivery.YES

    def _send_board(self, item: TakenItem) -> bool:
        """Send the mail of a pair, and return whether it was sent."""
        taken = self._mails.read(item)
        address = self._accounts.mail_levels.addresses([item.player]).get(item.player)
        is_banned = self._accounts.steps.status(item.player).banned
        if address is None or is_banned or not self._wanted_kinds(taken):
            self._mails.finish(taken, taken.last, told=False)
            return False
        message, version = item.message, item.version
        if message is None or version is None or not self._still_fits(message, taken.game, address):
            written = self._write(taken, address)
            if written is None:
                self._mails.finish(taken, taken.last, told=False)
                return False
            message, version = written
            if not self._queue.keep(item, message, version):
                return False
        outcome = self._hand_over(message, self._return_path(item.player, address), address, item.player)
        if outcome in (Delivery.YES, Delivery.REFUSED) or self._queue.is_last_try(item):
            self._mails.finish(taken, version, told=True, failure=failure_of(outcome))
        else:
            # what may have arrived goes again as it is, with its Message-ID; otherwise the next try tells what is new
            is_unknown = outcome is Delivery.UNKNOWN or message is item.message  # now, or at an earlier try
            self._queue.fail(item, outcome.value, keeps=is_unknown)
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
        # versions come again after a return to a backup, with other news
        place = taken.player, taken.game, *first, letter.version, letter.root or letter.body
        identity = message_id(self._addresses.domain, self._services.secret.hex(), *place)
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
        if kinds == [INVITATION]:
            invited = write_invitation(self._services, taken.player, taken.game)
            return invited or write_offer(self._services, taken.player, taken.game)
        since = max(0, taken.mailed, taken.acknowledged)
        return write_board(self._services, taken.player, taken.game, kinds, since)

    def _return_path(self, player: str, address: str) -> str:
        return self._addresses.about("bounce", player, address)

    @property
    def _addresses(self) -> MailAddresses:
        return MailAddresses(self._services)

    def _hand_over(self, message: str, sender: str, address: str, player: str = "") -> Delivery:
        """Hand a message to the relay; an address of a player that it refuses for good gets no more mail."""
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
            sender=sender_of(services.config),
            address=address,
            reply_to=reply_to or f"{PLAY}@{addresses.domain}",
            subject=letter.subject if answers is None else f"Re: {letter.subject}",
            body=letter.body,
            id=identity,
            thread=message_id(addresses.domain, services.secret.hex(), "thread", player, game),
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


def failure_of(outcome: Delivery) -> str | None:
    """Return why a mail didn't go out; None if it did."""
    return None if outcome is Delivery.YES else outcome.value


def domain_of(config: Config) -> str:
    """Return the domain by which the server names itself in mails: its own, otherwise that of the relay."""
    return config.mail_domain or urlsplit(config.smtp_url or "").hostname or "localhost"


def sender_of(config: Config) -> str:
    """Return the address from which mails come."""
    return config.mail_from or f"cards@{domain_of(config)}"


def unsubscribe_links(services: Services, player: str, address: str) -> tuple[str, ...]:
    """Return where the player ends all mails: by a request, if the server has an address on the web, and by mail."""
    addresses, url = MailAddresses(services), services.config.url
    links = (f"mailto:{addresses.about('unsubscribe', player, address)}",)
    if url is None:
        return links
    return (f"{url}/mail/unsubscribe/{addresses.key_of('unsubscribe', player, address)}", *links)
