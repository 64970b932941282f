"""What one viewer sees of a game (contract.md section 3): a function of the first `version` events and the viewer.

Only events visible to the viewer are folded, so nothing here can show more. A view looks the same whether its cards
were withheld at the time or have been revealed since: of all hands it shows only what the rules let that seat see.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Any, Protocol

from domain.cardlog import EMPTY, Frontier
from domain.cards import in_order
from domain.commands import AnswerProposal, AskUndo, ProposeDraw, Resign, SeatCommand
from domain.decider import decide
from domain.endings import verdict
from domain.events import Event, HandDealt, Play, TrickTaken, TrumpPitched
from domain.evolve import evolve
from domain.game import Entry
from domain.legal import legal_moves
from domain.rejections import Rejected
from domain.rules import Sight
from domain.state import NEW, Hand, State, Trick
from projections.audience import Viewer, revealed_by, reveals, visible
from projections.moves import move_json

View = dict[str, Any]


class Line(Protocol):
    """An entry of a log, or a line of an export: `event` is None where it is withheld."""

    @property
    def event(self) -> Event[Any] | None: ...

    @property
    def leaf(self) -> bytes: ...


class Seen:
    """What a viewer has been shown of a game up to `version`, folded. Give it every event in order, None if withheld.

    `revealed` are ceremonies known to be revealed by the version that will be shown.
    """

    def __init__(self, viewer: Viewer, revealed: Iterable[int] = ()) -> None:
        self.viewer = viewer
        self.version = 0
        self.state = NEW
        self._revealed = set(revealed)
        self._settles = 0

    def add(self, event: Event[Any] | None) -> None:
        """Fold the next event in."""
        self.version += 1
        if event is None:
            return
        self._revealed.update(reveals(event))
        if visible(event, self.viewer, self._revealed):
            self.state = evolve(self.state, event)
            self._settles = max(self._settles, self.version + _brings(event.data))

    @property
    def settled(self) -> bool:
        """Whether the facts so far can be the end of a commit; where they cannot, nobody is heard."""
        return self.version >= self._settles and not _table_owes(self.state)


def _brings(fact: object) -> int:
    """How many facts are sure to follow this one in its commit."""
    if isinstance(fact, HandDealt):
        return len(fact.counts) + (fact.stock > 0)
    return 1 if isinstance(fact, TrumpPitched) else 0


def _table_owes(state: State) -> bool:
    """Whether more facts must come before any seat may act: a deal, the game's end, an undo everybody agreed to."""
    proposal = state.proposal
    agreed = proposal is not None and set(state.persons) <= set(proposal.accepted)
    return not state.turn or agreed or verdict(state) is not None


def view(seen: Seen, root: str) -> View:
    """The view as JSON values; `root` is the log's root, in hex, at `seen.version`.

    LookupError before the opening, and for a seat the game does not have.
    """
    state, settled = seen.state, seen.settled
    if state.opened is None:
        raise LookupError("the game is not open yet")
    if seen.viewer is not None and not 0 <= seen.viewer < len(state.seats):
        raise LookupError(f"the game has no seat {seen.viewer}")
    hand = state.hand
    shown: View = {
        "id": state.game,
        "board": state.opened.board,
        "variant": state.opened.variant,
        "version": seen.version,
        "root": root,
        "status": "active" if state.result is None else "finished",
        "phase": state.phase.value,
        "rules": {"goal": state.rules.goal},
        "seats": _seats(state),
        "sides": [list(side) for side in (hand and hand.sides) or state.opened.sides],
        "hand": None if hand is None else _hand(state, hand),
        "turn": {"seats": list(state.turn) if settled else [], "since": state.since or None, "deadline": None},
    }
    if seen.viewer is not None:
        shown["you"] = _you(state, seen.viewer, settled)
    return shown | {
        "last_hand": _last_hand(state),
        "proposal": _proposal(state),
        "disputes": [],
        "result": _result(state),
    }


def _seats(state: State) -> list[View]:
    none = (0,) * len(state.seats)
    counts, tricks = (none, none) if state.hand is None else (state.hand.counts, state.hand.tricks)
    return [
        {
            "seat": seat,
            "player": sitting.player,
            "kind": sitting.kind,
            "score": state.scores[seat],
            "count": counts[seat],
            "tricks": tricks[seat],
            "state": sitting.state,
        }
        for seat, sitting in enumerate(state.seats)
    ]


def _hand(state: State, hand: Hand) -> View:
    return {
        "number": hand.number,
        "redeal": hand.redeal,
        "dealer": hand.dealer,
        "eldest": hand.eldest,
        "bids": list(hand.bids),
        "pitcher": hand.pitcher,
        "bid": hand.bid,
        "trump": hand.trump,
        "marker": hand.marker,
        "upcard": None,
        "called": None,
        "trick": _trick(state.trick),
        "last_trick": _taken(hand.last_trick),
        "commit": hand.commit,
        "grade": hand.grade,
    }


def _plays(plays: Iterable[Play]) -> list[View]:
    return [{"seat": play.seat, "card": play.card} for play in plays]


def _trick(trick: Trick | None) -> View | None:
    return None if trick is None else {"number": trick.number, "leader": trick.leader, "plays": _plays(trick.plays)}


def _taken(trick: TrickTaken | None) -> View | None:
    return None if trick is None else {"number": trick.trick, "seat": trick.seat, "plays": _plays(trick.plays)}


def _you(state: State, seat: int, settled: bool) -> View:
    heard = settled and seat in state.still_in
    return {
        "seat": seat,
        **_cards(state, seat),
        "legal": [move_json(move) for move in legal_moves(state, seat)] if heard else [],
        "choose": None,
        "may": [kind for kind, command in _anytime(seat) if _is_heard(state, command)] if heard else [],
    }


def _cards(state: State, seat: int) -> View:
    """Own cards, or the others' where the hand is seen from outside; in canonical order."""
    hand = state.hand
    if hand is None:
        return {"cards": [], "sees": {}}
    held = [None if cards is None else list(in_order(cards)) for cards in hand.cards]
    if state.rules.sight(hand.number) is Sight.OWN:
        return {"cards": held[seat], "sees": {}}
    return {"cards": None, "sees": {str(other): held[other] for other in range(len(held)) if other != seat}}


def _anytime(seat: int) -> tuple[tuple[str, SeatCommand], ...]:
    """What may be heard out of turn, in the order of contract.md section 4."""
    return (
        ("undo", AskUndo(seat)),
        ("propose_draw", ProposeDraw(seat)),
        ("accept", AnswerProposal(seat, accept=True)),
        ("reject", AnswerProposal(seat, accept=False)),
        ("resign", Resign(seat)),
    )


def _is_heard(state: State, command: SeatCommand) -> bool:
    try:
        decide(state, command)
    except Rejected:
        return False
    return True


def _last_hand(state: State) -> View | None:
    last = state.last_hand
    return None if last is None else {"hand": last.hand, "changes": list(last.changes), "scores": list(last.scores)}


def _proposal(state: State) -> View | None:
    """The open undo or draw: who asked, who has agreed so far, and the version an undo would go back to."""
    open_one = state.proposal
    return (
        None
        if open_one is None
        else {
            "kind": open_one.kind,
            "seat": open_one.accepted[0],
            "accepted": sorted(open_one.accepted),
            "to_version": open_one.to_version,
        }
    )


def _result(state: State) -> View | None:
    ended = state.result
    return (
        None
        if ended is None
        else {"reason": ended.reason, "winners": list(ended.winners), "scores": list(ended.scores)}
    )


def view_at(lines: Iterable[Line], viewer: Viewer, version: int) -> View:
    """The view after the first `version` events, folded from event 1; ValueError where there are not so many.

    Lines of an export must be of the viewer's own or a wider one.
    """
    first = list(islice(lines, max(version, 0)))
    if version < 1 or len(first) < version:
        raise ValueError(f"there are events 1 to {len(first)}, no event {version}")
    seen, frontier = Seen(viewer, revealed_by(each.event for each in first if each.event is not None)), EMPTY
    for each in first:
        seen.add(each.event)
        frontier = frontier.append(each.leaf)
    return view(seen, frontier.root().hex())


class Log(Protocol):
    """What views need of the store."""

    def entries(self, game: str, /, after: int = 0, upto: int | None = None) -> list[Entry]:
        """The game's entries above version `after`, up to and with `upto`; LookupError for a game that is not there."""


class _Table:
    """One game as all who have looked at it see it, folded as far as anybody has looked."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.frontier: Frontier = EMPTY
        self.viewers: dict[Viewer, Seen] = {}

    def add(self, entries: Iterable[Entry]) -> None:
        """Fold in what is new of `entries`; a gap before the first new one leaves the table as it is."""
        for entry in entries:
            if entry.event.version == self.frontier.size + 1:
                self.frontier = self.frontier.append(entry.leaf)
                for seen in self.viewers.values():
                    seen.add(entry.event)


class Views:
    """Views of running games, kept beside the games and folded on by what is new. Any number of threads may ask."""

    def __init__(self, log: Log, size: int = 1000) -> None:
        self._log = log
        self._size = size
        self._lock = Lock()
        self._tables: OrderedDict[str, _Table] = OrderedDict()

    def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The view of `viewer` now or, refolded from event 1, at version `at`; ValueError beyond the last event."""
        table = self._table(game)
        with table.lock, self._sound(game):
            if at is None or at > table.frontier.size:
                table.add(self._log.entries(game, table.frontier.size))
            if at is None or at == table.frontier.size:
                return view(self._seen(game, table, viewer), table.frontier.root().hex())
        return view_at(self._log.entries(game, 0, at), viewer, at)

    def feed(self, game: str, entries: Iterable[Entry]) -> None:
        """Fold in entries just committed, where the game is kept here: the next view need not read them."""
        with self._lock:
            table = self._tables.get(game)
        if table is not None:
            with table.lock, self._sound(game):
                table.add(entries)

    def kept(self) -> list[str]:
        """The games kept here, the longest unasked first."""
        with self._lock:
            return list(self._tables)

    def _table(self, game: str) -> _Table:
        with self._lock:
            table = self._tables.setdefault(game, _Table())
            self._tables.move_to_end(game)
            while len(self._tables) > self._size:
                self._tables.popitem(last=False)
            return table

    def _seen(self, game: str, table: _Table, viewer: Viewer) -> Seen:
        if viewer not in table.viewers:
            seen = Seen(viewer)
            for entry in self._log.entries(game, 0, table.frontier.size):
                seen.add(entry.event)
            table.viewers[viewer] = seen
        return table.viewers[viewer]

    @contextmanager
    def _sound(self, game: str) -> Iterator[None]:
        """Forgets a table whose folding broke off: half of it is worth nothing."""
        try:
            yield
        except BaseException:
            with self._lock:
                self._tables.pop(game, None)
            raise
