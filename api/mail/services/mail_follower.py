"""Follows the log, and the notes of the accounts, into the outbox of mails: each page once, in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from api.container import Services
from api.delivery.stored.log_reader import LogReader, ReadPage
from api.inbox.stored.outbox import OutboxEntry
from api.mail.stored.board_mails import INVITATION, BoardMailKey
from api.mail.stored.levels import MailLevel
from domain.events import (
    CeremonyOpened,
    DisputeOpened,
    DisputeWithdrawn,
    DrawProposed,
    Event,
    GameEnded,
    GameOpened,
    HandoverAsked,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatHandedOver,
    SeatReturned,
    TurnReminded,
    UndoAsked,
)
from domain.rules.choices import Cuts
from domain.state import State
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt

DAY_US = 24 * 3600 * 1_000_000
DIGEST = "digest"
ALL_BOARDS = ""
"""Stands for the game in the key of a digest, whose version is the number of its day since 1970."""
QUESTIONS = (UndoAsked, DrawProposed, HandoverAsked)
TOLD_TO_ALL: Mapping[type[Any], str] = {
    GameEnded: "over",
    SeatForfeited: "forfeit",
    DisputeOpened: "dispute",
    DisputeWithdrawn: "dispute",
    RulingGiven: "dispute",
    RulingDecided: "dispute",
}
AFTER_LEAVING = ("over", "dispute")
"""The events of which a player who has resigned gets mails."""
WITHOUT_DELAY = ("over", "forfeit", "reminder", "invitation")
"""Kinds that nobody can have answered meanwhile."""


@dataclass(frozen=True)
class GameFacts:
    """The facts of one game in a page, in order, and the game as it is now."""

    state: State
    events: Sequence[Event[Any]]


def kinds_of(event: Event[Any], state: State) -> Iterator[tuple[int, str]]:
    """Yield the seats that get the news of a fact whatever their level, and as what."""
    fact, everybody = event.data, range(len(state.seats))
    told = TOLD_TO_ALL.get(type(fact))
    if told is not None:
        yield from ((seat, told) for seat in everybody)
    if isinstance(fact, TurnReminded):
        yield fact.seat, "reminder"
    if isinstance(fact, QUESTIONS):
        yield from ((seat, "question") for seat in everybody if seat != fact.seat)
    if isinstance(fact, CeremonyOpened) and fact.subject.startswith("deal ") and _has_cuts(state):
        yield from ((seat, "turn") for seat in everybody)  # those who cut; the others' rows need no mail
    if isinstance(fact, SeatHandedOver | SeatReturned):
        yield fact.seat, "turn"
    yield from ((seat, "turn") for seat in getattr(fact, "next", None) or ())


def _has_cuts(state: State) -> bool:
    return state.opened is not None and state.opened.fairness.cuts != Cuts.NONE


def authors(events: Iterable[Event[Any]], players: frozenset[str]) -> dict[str, int]:
    """Return for each player who acted the last version of their commits: the answer has shown them all of it.

    The opener gets a mail all the same if they begin: it has their first reply address.
    """
    by_command, last, opening = dict[str, str](), dict[str, int](), ""
    for event in events:
        opening = event.command if isinstance(event.data, GameOpened) else opening
        if event.by in players and opening != event.command:
            by_command.setdefault(event.command, event.by)
        author = by_command.get(event.command)
        if author is not None:
            last[author] = event.version
    return last


def rows_of(facts: GameFacts, levels: Mapping[str, MailLevel], delay_us: int) -> list[BoardMailKey]:
    """Return the rows of the outbox for the facts of a game; `levels` has the players who may get mail."""
    state, found = facts.state, dict[tuple[str, int, str], BoardMailKey]()
    acts = authors(facts.events, frozenset(levels))
    for event in facts.events:
        at = _microseconds(event.at)
        for seat, kind in (*kinds_of(event, state), *((seat, "move") for seat in range(len(state.seats)))):
            player = state.seats[seat].player
            level = levels.get(player, "none")
            if state.seats[seat].state != "in" and kind not in AFTER_LEAVING:
                continue
            if level == "none" or (kind == "move" and (level != "every" or acts.get(player, 0) >= event.version)):
                continue
            row = _row(player, event, kind, level, at, delay_us)
            found[row.player, row.version, row.kind] = row
    return _without_older_moves(found.values())


def _row(player: str, event: Event[Any], kind: str, level: MailLevel, at: int, delay_us: int) -> BoardMailKey:
    if level == DIGEST:
        day = at // DAY_US
        return BoardMailKey(player, ALL_BOARDS, day, DIGEST, (day + 1) * DAY_US)
    return BoardMailKey(player, event.game, event.version, kind, at + (0 if kind in WITHOUT_DELAY else delay_us))


def _without_older_moves(rows: Iterable[BoardMailKey]) -> list[BoardMailKey]:
    """Return the rows with the newest move of each player alone: one mail tells them all."""
    newest: dict[str, int] = defaultdict(int)
    listed = list(rows)
    for row in listed:
        if row.kind == "move":
            newest[row.player] = max(newest[row.player], row.version)
    return [row for row in listed if row.kind != "move" or row.version == newest[row.player]]


def _microseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1_000_000)


READER = "board mails"
SIT = "question"


class MailFollower:
    """Several processes may each run one: only one of them takes each page."""

    def __init__(self, services: Services) -> None:
        self._services, accounts = services, services.accounts
        self._delay_us = services.config.mail_delay_s * 1_000_000
        self._reader = LogReader(READER, accounts.database, services.games, accounts.outbox, from_end=True)

    def run_once(self) -> int:
        """Take everything that is new, and return how many pages that were."""
        pages = 0
        while (page := self._reader.next_page()) is not None and self._take(page):
            pages += 1
        return pages

    def _take(self, page: ReadPage) -> bool:
        """Take a page; return False if another process was faster."""
        games: dict[str, list[Event[Any]]] = defaultdict(list)
        for fact in page.facts:
            games[fact.game].append(fact.event)
        rows, acts = list[BoardMailKey](), list[tuple[str, str, int]]()
        for facts in self._facts(games):
            players = frozenset(seat.player for seat in facts.state.seats if seat.kind == "human")
            acts += [(player, facts.state.game, at) for player, at in authors(facts.events, players).items()]
            rows += rows_of(facts, self._levels(facts.state), self._delay_us)
        rows += self._of_notes(page.notes)
        add = self._services.accounts.board_mails.add
        return self._reader.go_on(page, lambda transaction: add(transaction, rows, acts))

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
                yield BoardMailKey(note.player, note.about, 0, INVITATION, _microseconds(entry.at))
