"""A server for one world after another: the accounts are put back each time, and the log and the lists are new."""

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from flask import Flask

from api.app import create_app
from api.conduct.stored.chat_messages import PARTNER, TABLE, ChatDraft
from api.container import open_conduct
from api.evidence.services.audit_reports import ReportCache
from api.evidence.services.receipts import ReceiptIssuer
from api.inbox.services.entries import GameLabels
from api.inbox.services.outbox_follower import OutboxFollower
from api.play.services.autoplay import AutoPlayer
from api.play.services.game_reader import GameReader
from api.play.services.gate import GameGate, LateBoards
from api.web.context import attach_services
from domain.engine.paces import EVENT_TIME
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from projections.views.cache import ViewCache
from tests.api.conftest import services_of
from tests.api.given_http import store_events
from tests.api.worlds import Events, state_of
from tests.campaigns.worlds.office import Office, config_at
from tests.campaigns.worlds.sight import Message, Setup, side_of
from tests.given import AT, GAME
from tests.plugins.chance import seeded_randomness


class CountingClock:
    """A clock that moves on by a millisecond each time it's read, so that a time tells how much was done before."""

    def __init__(self, start: str) -> None:
        self._start, self._reads = datetime.fromisoformat(start), count()

    def __call__(self) -> str:
        return (self._start + timedelta(milliseconds=next(self._reads))).strftime(EVENT_TIME)

    def restart(self) -> None:
        """Begin again."""
        self._reads = count()


class Server:
    """A server in this process. `put` replaces all that it holds; close it at the end."""

    def __init__(self, office: Office, folder: Path) -> None:
        self._office, self._folder, self._count = office, folder, 0
        self.clock = CountingClock(AT)
        shutil.copytree(office.data, folder)
        self.app: Flask = create_app(config_at(folder))
        self._games, self._rows = services_of(self.app).games, services_of(self.app).rows

    def close(self) -> None:
        """Close the stores."""
        services_of(self.app).close()
        self._games.close()
        self._rows.close()

    def put(self, setup: Setup, now: str) -> None:
        """Hold this game and nothing else; the store's clock begins at `now`."""
        self._put_accounts_back()
        self._open_stores(now)
        here = services_of(self.app)
        if setup.events:
            store_events(here.games, setup.events)
            here.receipts.issue_missing(here.games.log.last_numbers())
        for message in setup.chat:
            self._say(setup.events, message)
        if setup.offered_to is not None and setup.events:
            with seeded_randomness("offer"):
                opener = state_of(setup.events).seats[0].player
                here.accounts.handover_offers.make("0f" * 16, GAME, 0, opener, setup.offered_to)
        self.follow()

    def follow(self) -> None:
        """Bring the lists and the inboxes up to date."""
        here = services_of(self.app)
        here.followers.catch_up()
        OutboxFollower(here.accounts.outbox, here.rows).run_once()

    def _put_accounts_back(self) -> None:
        with (
            closing(sqlite3.connect(self._office.data / "office.db")) as kept,
            closing(sqlite3.connect(self._folder / "office.db")) as mine,
        ):
            kept.backup(mine)

    def _open_stores(self, now: str) -> None:
        here, data = services_of(self.app), self._folder / "worlds" / str(self._count)
        if self._count:
            here.rows.close()
            here.games.close()
            shutil.rmtree(data.parent / str(self._count - 1))
        self._count += 1
        data = data.parent / str(self._count - 1)
        data.mkdir(parents=True)
        self.clock = CountingClock(now)
        games = Games(data, entropy=lambda size: b"\7" * size, clock=self.clock)
        here.games, here.rows, here.reports = games, RowStore(data, None, PROJECTIONS), ReportCache()
        here.views, here.followers = ViewCache(games), LogFollower(games, here.rows)
        here.autoplayer = AutoPlayer(games, here.views)
        here.gate = GameGate(games, here.views, here.accounts.roles, here.handovers.is_invited)
        here.reader = GameReader(games, here.views, here.accounts)
        here.late_boards, here.labels = LateBoards(here.gate), GameLabels(here.rows, games, here.accounts.tables)
        here.receipts = ReceiptIssuer(here.accounts.database, here.receipts.keys, games)
        here.conduct = open_conduct(here.accounts, games, here.receipts.keys, here.config.limits, here.limit_storage)
        attach_services(self.app, here)

    def _say(self, events: Events, message: Message) -> None:
        state, sender = state_of(events), f"{message.number:032x}"
        people = {seat: each.player for seat, each in enumerate(state.seats) if each.player != message.author}
        readers = [
            player
            for seat, player in people.items()
            if message.channel == TABLE or (message.channel == PARTNER and side_of(state, seat) == message.side)
        ]
        draft = ChatDraft(message.author, message.channel, message.side, message.version, None, message.text,
                          sender, sender)  # fmt: skip
        with seeded_randomness(f"message {message.number}"):
            services_of(self.app).accounts.chat.add(GAME, draft, readers)
