"""What one viewer sees of a game (contract.md section 3): a function of the first `version` events and the viewer.

Only events visible to the viewer are folded, so nothing here can show more. A view looks the same whether its cards
were withheld at the time or have been revealed since: of all hands it shows only what the rules let that seat see.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Protocol

from domain.cardlog import EMPTY
from domain.cards import in_order
from domain.commands import AnswerProposal, AskUndo, ProposeDraw, Resign, SeatCommand
from domain.decider import decide
from domain.endings import verdict
from domain.events import Event, HandDealt, Play, TrickTaken, TrumpPitched
from domain.evolve import evolve
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
