"""Follows the log, and the notes of the accounts, into the outbox of mails: each page once, in one transaction."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from api.accounts.inbox.outbox import OutboxEntry
from api.accounts.mail.board_mails import BoardMailKey
from api.accounts.mail.levels import MailLevel
from api.services.container import Services
from api.services.mail.outbox_rows import GameFacts, authors, rows_of
from domain.events import Event
from domain.state import State
from domain.store import NoSuchGame, Notice
from domain.store.aggregate import Corrupt
from domain.store.positions import Positions

PAGE = 500
SIT, INVITATION = "question", "invitation"
Progress = tuple[Positions, int]


class MailFollower:
    """Several processes may each run one: only one of them takes each page."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._mails = services.accounts.board_mails
        self._delay_us = services.config.mail_delay_s * 1_000_000

    def turn(self) -> int:
        """Take everything that is new, and return how many pages that were."""
        pages = 0
        while self._take_page():
            pages += 1
        return pages

    def _take_page(self) -> bool:
        """Take the next page; return False if nothing is new, or another process was faster."""
        before, log = self._mails.progress(), self._services.games.log
        if before is None or not log.has_positions(before[0]):
            return self._mails.add((), (), before, self._end()) and False
        page = log.read(before[0], PAGE)
        notes = self._services.accounts.outbox.after(before[1], PAGE)
        if not page.rows and not notes:
            return False
        games: dict[str, list[Event[Any]]] = defaultdict(list)
        for row in page.rows:
            if isinstance(row, Notice):
                games[row.game].append(row.event)
        rows, acts = list[BoardMailKey](), list[tuple[str, str, int]]()
        for facts in self._facts(games):
            players = frozenset(seat.player for seat in facts.state.seats if seat.kind == "human")
            acts += [(player, facts.state.game, at) for player, at in authors(facts.events, players).items()]
            rows += rows_of(facts, self._levels(facts.state), self._delay_us)
        rows += self._of_notes(notes)
        reached = page.end, notes[-1].number if notes else before[1]
        return self._mails.add(rows, acts, before, reached)

    def _end(self) -> Progress:
        """Return the end of the log: a server that begins to send mail tells nothing of the past."""
        log = self._services.games.log
        return log.heads(), self._services.accounts.outbox.last()

    def _facts(self, games: dict[str, list[Event[Any]]]) -> Iterable[GameFacts]:
        for game, events in games.items():
            try:
                yield GameFacts(self._services.games.state(game), events)
            except (Corrupt, NoSuchGame):  # it fails for all, and lists name it
                continue

    def _levels(self, state: State) -> dict[str, MailLevel]:
        levels = self._services.accounts.mail_levels
        players = {seat.player for seat in state.seats if seat.kind == "human"}
        return {player: levels.of(player, state.game) for player in levels.addresses(players)}

    def _of_notes(self, notes: Iterable[OutboxEntry]) -> Iterable[BoardMailKey]:
        """Return the rows for questions to sit and for offers of seats."""
        levels = self._services.accounts.mail_levels
        for entry in notes:
            note = entry.note
            if note.about is None or note.kind not in (SIT, INVITATION):
                continue
            if levels.of(note.player, note.about) != "none" and levels.addresses([note.player]):
                yield BoardMailKey(note.player, note.about, 0, INVITATION, 0)
