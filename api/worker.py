"""Work in the background, without a request.

The projections follow the log; the clock applies deadlines; the autoplayer continues games that requests left to it;
full tables are dealt that no request has dealt; receipts are issued for hands and games that ended without one; and
webhooks and witnesses get what waits for them.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import inf
from time import monotonic

from api.accounts.accounts import PendingWork
from api.container import Services
from api.evidence.services.witness_sender import WitnessSender
from api.inbox.services.outbox_follower import OutboxFollower
from api.inbox.services.webhook_sender import WebhookSender
from api.people.services.housekeeping import Housekeeper
from api.play.services.beacons import BeaconFetcher, Relay
from api.play.services.queued_moves import QueueReader, play_queued
from api.play.services.server_commands import UNAVAILABLE, FailingGames, new_command_id
from api.tables.services.forming import finish_table, lapse_tables
from api.tables.services.rulebook_checks import RulebookChecker
from domain.commands import Tick
from domain.engine.paces import EVENT_TIME
from domain.rejections import GameOver
from domain.state import SERVER
from domain.store import ClockHeld, StoreUnavailable
from domain.store.log import Numbers
from domain.store.wakeups import Poll
from projections.followers.troubles import TroubleLog
from projections.lists.deadlines import DEADLINES, due_games, next_due
from projections.lists.lobby_pages import games_with_choices, idle_games
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.worker")
INTERVAL_S, IDLE_INTERVAL_S = 1.0, 60.0
"""How often everything is looked at while something happens, and how often at other times."""
ACCOUNTS_POLL_S = 0.1
REQUEST_PATIENCE = timedelta(seconds=2)
"""How long a request has to play on by itself after a move that leads to the autoplayer's turn: less than `SETTLED_S`.
"""
MAX_DUE_GAMES = 10_000
"""The number of due games that one turn handles: games that finish their last hand stay due meanwhile."""
STOP_TIMEOUT_S = 10.0
MAX_WAITING_GAMES = 1000
"""The number of games waiting for the autoplayer that one turn handles."""
MAX_GAMES_WITH_CHOICES = 100
"""The number of games that one turn reads because a bot may vote or call a partner outside its turn."""

Background = tuple[str, Callable[[threading.Event], None]]
"""A name, and what runs in a thread of its own until it's stopped."""


class Worker:
    """Runs until it is stopped, despite errors. Several processes may each run one."""

    def __init__(self, services: Services, more: Sequence[Background] = ()) -> None:
        """`more` runs in threads of their own, by name: what lies above the services."""
        self._services, self._more = services, more
        self._waiting = PendingWork()
        """The work that waited in the accounts when they were last asked."""
        self._next_due: str | None = None
        """The first deadline as of the last look at them, or None."""
        self._done_at = -inf
        """When all tasks were last done."""
        self._seen_until = ""
        self._last_numbers: tuple[Numbers, Numbers] = ((), ())
        self._failing = FailingGames(services.rows)
        self._queues = QueueReader(services)
        self._housekeeper = Housekeeper(services)

    def run(self, stop: threading.Event) -> None:
        """Follow the log and beat in other threads; in this one, apply deadlines, play and issue receipts."""
        runs: list[Background] = [
            ("followers", self._services.followers.run),
            ("heartbeat", self._write_heartbeats),
            ("accounts", self._watch_accounts),
            ("witnesses", WitnessSender(self._services).run),
            *self._beacons(),
            ("rulebooks", RulebookChecker(self._services).run),
            *self._more,
        ]
        threads = [threading.Thread(target=run, args=(stop,), name=name, daemon=True) for name, run in runs]
        for thread in threads:
            thread.start()
        with suppress(RowsUnavailable):
            self._services.rows.release_logs()
        troubles: dict[str, TroubleLog] = {}
        while not stop.wait(INTERVAL_S):
            for name, turn in self.tasks():
                with troubles.setdefault(name, TroubleLog(LOG, name)).attempt(*UNAVAILABLE):
                    turn()
        self._services.wakeups.wake()
        for thread in threads:
            thread.join(STOP_TIMEOUT_S)

    def tasks(self) -> list[tuple[str, Callable[[], object]]]:
        """Return what there may be to do now, by name.

        What follows from lists is left out if nothing has changed for a while and nothing failed: it was done. All is
        done every minute, in case that somebody has changed the store by other means.
        """
        waiting, may_find = self._waiting, not self._is_idle()
        tasks: tuple[tuple[bool, str, Callable[[], object]], ...] = (
            (may_find or self._is_due(), "applying deadlines", self.tick),
            (may_find, "autoplay", self.play_waiting_games),
            (may_find or waiting.queued_moves, "queued moves", self.play_queued_moves),
            (may_find or waiting.tables, "dealing full tables", self.finish_tables),
            (may_find, "issuing receipts", self.issue_receipts),
            (True, "accounts", self._housekeeper.run_once),
            (may_find or waiting.broadcasts, "noting broadcasts", self._services.accounts.private_messages.tell_next),
        )
        return [(name, turn) for is_wanted, name, turn in tasks if is_wanted]

    def _is_idle(self) -> bool:
        """Return whether all that followed from the last change is done; if not, it's done now."""
        now = self._services.wakeups.timer()
        if not self._services.wakeups.has_settled() or self._failing or now - self._done_at >= IDLE_INTERVAL_S:
            self._done_at = now
            return False
        return True

    def _is_due(self) -> bool:
        return self._next_due is not None and self._next_due <= self._services.clock.now()

    def _watch_accounts(self, stop: threading.Event) -> None:
        """Ask the accounts what waits there, take notes into inboxes, and send to webhooks."""
        taker, sender = OutboxFollower(self._services.accounts.outbox, self._services.rows), self._webhook_sender()
        names = "asking what waits", "taking notes into inboxes", "sending to webhooks"
        asking, taking, sending = (TroubleLog(LOG, name) for name in names)
        poll, looked_at = Poll(self._services.wakeups, ACCOUNTS_POLL_S), -inf
        while not poll.wait(stop):
            with asking.attempt(*UNAVAILABLE):
                self._waiting = self._services.accounts.pending_work()
            look_s = IDLE_INTERVAL_S if self._services.wakeups.has_settled() else INTERVAL_S
            if taker.is_behind(self._waiting.last_note) or monotonic() - looked_at >= look_s:
                with taking.attempt(*UNAVAILABLE):
                    if taker.run_once():
                        self._services.wakeups.ring()
                    looked_at = monotonic()
            if sender is not None and self._waiting.webhooks:
                with sending.attempt(*UNAVAILABLE):
                    sender.run_once()
        if sender is not None:
            sender.close()

    def _webhook_sender(self) -> WebhookSender | None:
        services = self._services
        if services.config.webhooks == "off":
            return None
        accounts, pages = services.accounts, services.config.url
        return WebhookSender(
            accounts.webhooks, accounts.steps, services.rows, services.labels, services.secret, pages=pages,
            allows_local=services.config.webhooks == "local",
        )  # fmt: skip

    def _beacons(self) -> list[Background]:
        """Return what fetches rounds of a beacon, if the host has named a relay."""
        services = self._services
        if services.config.beacon_url is None:
            return []
        return [("beacons", BeaconFetcher(services, Relay(services.config.beacon_url)).run)]

    def _write_heartbeats(self, stop: threading.Event) -> None:
        """Compare the clock and write heartbeats, however long the other tasks take."""
        trouble = TroubleLog(LOG, "the heartbeat")
        while not stop.wait(INTERVAL_S):
            with trouble.attempt(StoreUnavailable):
                self._services.clock.beat()

    def tick(self) -> int:
        """Send `Tick` to every game with a passed deadline; return their number. An early `Tick` records nothing."""
        with self._services.rows.snapshot(DEADLINES.name) as reading:
            games, self._next_due = due_games(reading, self._services.clock.now(), MAX_DUE_GAMES), next_due(reading)
        return self._failing.each(games, self._tick)

    def _tick(self, game: str) -> None:
        """Send one `Tick`. If it changed the game, the autoplayer plays on at once."""
        command_id = new_command_id()
        try:
            commit = self._services.games.act(game, Tick(), by=SERVER, command_id=command_id)
        except GameOver:  # another worker was faster, and the list of deadlines is behind
            LOG.debug("game %s was over already", game)
            return
        except ClockHeld:
            LOG.debug("game %s waits until the clock isn't held", game)
            return
        if commit.entries:
            self._services.autoplayer.play(commit.state, command_id)

    def play_waiting_games(self, patience: timedelta = REQUEST_PATIENCE) -> int:
        """Play on in every game that has waited for the autoplayer for `patience`; return how many waited only for it.

        Also look for bots' votes and calls outside their turn, starting with the game that changed longest ago: a
        server may have been stopped between a call of delay and its votes.
        """
        since = datetime.fromisoformat(self._services.clock.now()) - patience
        self._failing.each(self._games_with_choices(since), lambda game: self._play(game, since))
        return self._failing.each(self.waiting_games(since), lambda game: self._play(game, since))

    def _games_with_choices(self, since: datetime) -> list[str]:
        """Return the next games in which a bot may act outside its turn, unless they were looked at already."""
        with self._services.rows.snapshot("lobby") as reading:
            games = games_with_choices(reading, self._seen_until, _event_time(since), MAX_GAMES_WITH_CHOICES)
        self._seen_until = games[-1][1] if games else self._seen_until
        return [game for game, _ in games]

    def issue_receipts(self) -> int:
        """Issue the missing receipts of hands and games that have ended, and return their number.

        Events stored since the turn before last are left to the requests that stored them.
        """
        upto = self._last_numbers[0]
        self._last_numbers = (self._last_numbers[1], self._services.games.log.last_numbers())
        return self._services.receipts.issue_missing(upto) if upto else 0

    def play_queued_moves(self) -> int:
        """Play or drop the queued moves whose turn has come, forced or not; return how many were played."""
        queues, played = self._queues.next_by_game(), 0
        again = set(queues)  # also those that the failing ones keep from their turn

        def play(game: str) -> None:
            nonlocal played
            results = [play_queued(self._services, held) for held in queues[game]]
            played += results.count(True)
            if None not in results:
                again.discard(game)

        self._failing.each(queues, play)
        self._queues.look_again(again)
        return played

    def finish_tables(self) -> int:
        """Deal the full tables that no request has dealt, let others lapse; return the number of games dealt."""
        lapse_tables(self._services)
        dealt: list[str] = []

        def finish(game: str) -> None:
            if finish_table(self._services, game):
                dealt.append(game)

        self._failing.each(self._services.accounts.forming.closing(), finish)
        return len(dealt)

    def _play(self, game: str, since: datetime) -> None:
        """Play on unless the game has changed since: then its latest request still plays on by itself."""
        state = self._services.games.state(game)
        if state.at <= _event_time(since):
            self._services.autoplayer.play(state, new_command_id())

    def waiting_games(self, since: datetime) -> list[str]:
        """Return the active games that have waited only for the autoplayer since then."""
        with self._services.rows.snapshot("lobby") as reading:
            return idle_games(reading, _event_time(since), MAX_WAITING_GAMES)


def _event_time(time: datetime) -> str:
    """Return a time in the format of events."""
    return time.strftime(EVENT_TIME)
