"""Work in the background, without a request.

The projections follow the log; the clock applies deadlines; the autoplayer continues games that requests left to it;
full tables are dealt that no request has dealt; and receipts are issued for hands and games that ended without one.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from api.services.beacons.fetcher import BeaconFetcher
from api.services.beacons.relay import Relay
from api.services.container import Services
from api.services.failing_games import UNAVAILABLE, FailingGames
from api.services.inbox.outbox_follower import OutboxFollower
from api.services.inbox.webhook_sender import WebhookSender
from api.services.people.housekeeping import Housekeeper
from api.services.people.mail import Postman
from api.services.server_commands import new_command_id
from api.services.tables.dealing import finish_table, lapse_tables
from api.services.tables.queued_moves import play_queued, queues_by_game
from domain.commands import Tick
from domain.engine.paces import EVENT_TIME
from domain.rejections import GameOver
from domain.state import SERVER
from domain.store import ClockHeld, StoreUnavailable
from domain.store.positions import Numbers
from projections.followers.troubles import TroubleLog
from projections.lists.deadlines import due_games
from projections.lists.lobby_pages import games_with_choices, idle_games
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.worker")
INTERVAL_S = 1.0
REQUEST_PATIENCE = timedelta(seconds=2)
"""How long a request has to play on by itself after a move that leads to the autoplayer's turn."""
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
        self._seen_until = ""
        self._last_numbers: tuple[Numbers, Numbers] = ((), ())
        self._failing = FailingGames(services.rows)
        self._housekeeper = Housekeeper(services)
        self._postman = Postman(services.accounts.emails, services.config)

    def run(self, stop: threading.Event) -> None:
        """Follow the log and beat in other threads; in this one, apply deadlines, play and issue receipts."""
        following = threading.Thread(target=self._services.followers.run, args=(stop,), name="followers", daemon=True)
        beating = threading.Thread(target=self._write_heartbeats, args=(stop,), name="heartbeat", daemon=True)
        taker = OutboxFollower(self._services.accounts.outbox, self._services.rows)
        taking = threading.Thread(target=taker.run, args=(stop,), name="outbox", daemon=True)
        threads = [following, beating, taking, *self._webhook_threads(stop), *self._beacon_threads(stop)]
        threads += [threading.Thread(target=run, args=(stop,), name=name, daemon=True) for name, run in self._more]
        for thread in threads:
            thread.start()
        with suppress(RowsUnavailable):
            self._services.rows.release_logs()
        tasks: tuple[tuple[str, Callable[[], object]], ...] = (
            ("applying deadlines", self.tick),
            ("autoplay", self.play_waiting_games),
            ("queued moves", self.play_queued_moves),
            ("dealing full tables", self.finish_tables),
            ("issuing receipts", self.issue_receipts),
            ("accounts", self._housekeeper.turn),
            ("sending mail", self._postman.turn),
            ("noting broadcasts", self._services.accounts.private_messages.tell_next),
        )
        troubles = {name: TroubleLog(LOG, name) for name, _ in tasks}
        while not stop.wait(INTERVAL_S):
            for name, turn in tasks:
                with troubles[name].attempt(*UNAVAILABLE):
                    turn()
        for thread in threads:
            thread.join(STOP_TIMEOUT_S)

    def _webhook_threads(self, stop: threading.Event) -> list[threading.Thread]:
        """Return the thread that sends to webhooks, unless they are switched off."""
        services = self._services
        if services.config.webhooks == "off":
            return []
        accounts, pages = services.accounts, services.config.url
        sender = WebhookSender(
            accounts.webhooks, accounts.steps, services.rows, services.labels, services.secret, pages=pages
        )
        return [threading.Thread(target=sender.run, args=(stop,), name="webhooks", daemon=True)]

    def _beacon_threads(self, stop: threading.Event) -> list[threading.Thread]:
        """Return the thread that fetches rounds of a beacon, if the host has named a relay."""
        services = self._services
        if services.config.beacon_url is None:
            return []
        fetcher = BeaconFetcher(services, Relay(services.config.beacon_url))
        return [threading.Thread(target=fetcher.run, args=(stop,), name="beacons", daemon=True)]

    def _write_heartbeats(self, stop: threading.Event) -> None:
        """Compare the clock and write heartbeats, however long the other tasks take."""
        trouble = TroubleLog(LOG, "the heartbeat")
        while not stop.wait(INTERVAL_S):
            try:
                self._services.clock.beat()
            except StoreUnavailable as error:
                trouble.failed(str(error))
            else:
                trouble.succeeded()

    def tick(self) -> int:
        """Send `Tick` to every game with a passed deadline; return their number. An early `Tick` records nothing."""
        with self._services.rows.snapshot("agenda") as reading:
            games = due_games(reading, self._services.clock.now(), MAX_DUE_GAMES)
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
        queues, played = queues_by_game(self._services), list[str]()

        def play(game: str) -> None:
            played.extend(game for held in queues[game] if play_queued(self._services, held))

        self._failing.each(queues, play)
        return len(played)

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
