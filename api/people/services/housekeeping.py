"""The worker's tasks for people, every minute.

It warns those whose turn ends soon, erases people who left, removes unused guests, and deletes what is old. Times
that end an account wait while the clock is held, as in games, and a hold doesn't count as time without use.
"""

import logging
import time
from collections.abc import Callable

from api.accounts.accounts import Accounts
from api.container import Services
from api.evidence.services.disputes import dispute_records
from api.inbox.services.outbox_follower import DeadlineWarner
from api.monitoring.logs import log_event
from api.people.services.seats import games_of, resign_seat, running_seats
from api.people.stored.tokens import DAY_US
from domain.rejections import Rejected
from domain.store import Games, NoSuchGame, RaceLost
from domain.store.aggregate import Corrupt

LOG = logging.getLogger("trickbook.people")
PAUSE_S = 60.0
UNPLAYED_GUEST_US, UNUSED_GUEST_US = DAY_US, 30 * DAY_US
"""How long a guest is kept without use: one who has never had a seat, and one who has."""


class Housekeeper:
    """Every step may be repeated, and several processes may do it at the same time."""

    def __init__(self, services: Services, timer: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._timer = timer
        self._warner = DeadlineWarner(services)
        self._due_at = 0.0

    def run_once(self) -> None:
        """Do everything, if a minute has passed since the last time."""
        if self._timer() < self._due_at:
            return
        self._due_at = self._timer() + PAUSE_S
        self._warner.run_once()
        self.resign_for_erased()
        if not self._services.clock.may_end():
            return
        self.erase_leavers()
        self.remove_unused_guests()
        self._services.accounts.sessions.delete_old()
        self._services.accounts.emails.delete_unconfirmed()
        self._services.accounts.outbox.delete_old()
        self._services.accounts.deliveries.delete_old()
        self._services.accounts.private_messages.delete_old()
        self._services.accounts.deadline_warnings.delete_old()

    def erase_leavers(self) -> int:
        """Erase the people whose day is over, and return their number."""
        accounts = self._services.accounts
        leavers = accounts.leaving.due(accounts.database.now())
        for player in leavers:
            erase_person(self._services, player)
        return len(leavers)

    def resign_for_erased(self) -> int:
        """Resign the seats of people whom a restore erased again, and return their number."""
        erased = self._services.accounts.erasures.seated()
        for player in erased:
            if resign_seats(self._services, player):
                self._services.accounts.erasures.finish(player)
        return len(erased)

    def remove_unused_guests(self) -> int:
        """Remove guests who never played after a day, and erase the others after 30 days without use."""
        accounts = self._services.accounts
        unused = unused_guests(self._services, accounts.database.now(), self._services.clock.held_us)
        for guest, has_played in unused:
            if has_played:
                erase_person(self._services, guest)
            else:
                accounts.erasures.erase_without_trace(guest)
        return len(unused)


def unused_guests(services: Services, at: int, held_us: Callable[[int, int], int]) -> list[tuple[str, bool]]:
    """Return the guests whose time without use is over at a time, and whether each has ever had a seat.

    `held_us` returns how much between two times doesn't count.
    """
    found = list[tuple[str, bool]]()
    for guest in services.accounts.guests.all():
        unused = at - guest.last_use
        if unused >= UNPLAYED_GUEST_US:
            unused -= held_us(guest.last_use, at)
        if unused < UNPLAYED_GUEST_US:
            continue
        has_played = next(games_of(services, guest.id), None) is not None
        if not has_played or unused >= UNUSED_GUEST_US:
            found.append((guest.id, has_played))
    return found


def erase_person(services: Services, player: str) -> None:
    """Resign a player's seats in running games and erase everything that names the player."""
    resign_seats(services, player)
    store_text_authors(services.accounts, services.games)
    services.accounts.erasures.erase(player)
    log_event(LOG, "user-erased", player=player)


def resign_seats(services: Services, player: str) -> bool:
    """Resign a player's seats; return whether all are. A game that refuses or can't be read doesn't stop the others."""
    done = True
    for _, game, seat in list(running_seats(services, player)):
        try:
            resign_seat(services, player, game, seat)
        except (Rejected, RaceLost, Corrupt, NoSuchGame) as error:
            LOG.warning("the seat of an erased player in game %s stays: %s", game, error)
            done = False
    return done


def store_text_authors(accounts: Accounts, games: Games) -> None:
    """Store the authors of all texts that have none, except in games that can't be read."""
    for game in accounts.dispute_texts.games_without_authors():
        try:
            records = dispute_records(entry.event for entry in games.entries(game))
        except (NoSuchGame, Corrupt) as error:
            LOG.warning("the authors of texts of game %s aren't known: %s", game, error)
            continue
        events = (event for record in records for event in record.parts.values())
        accounts.dispute_texts.set_authors({event.command: event.by for event in events})
