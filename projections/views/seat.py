"""What one viewer sees of a game (docs/views.md): a function of the first `version` events and the viewer.

Only events visible to the viewer are folded, so nothing here can show more. A view looks the same whether its cards
were withheld at the time or have been revealed since: of all hands it shows only what the rules let that seat see.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Protocol

from domain.engine.cuts import cut_deadline, missing_cutters, pending_deal
from domain.engine.deadlines import forfeits_at
from domain.events import Event, Play, TrickTaken
from domain.evolve import evolve
from domain.protocols.merkle_log import EMPTY
from domain.state import EMPTY_STATE, DelayCall, Hand, State, Trick
from projections.views.audience import Viewer, revealed_by, reveals, visible
from projections.views.commit_end import has_facts_due, minimum_facts_after
from projections.views.own_seat import own_seat_json
from projections.views.ruled_scores import disputes_json, ruled_json, ruled_scores
from projections.views.rules import rules_json

View = dict[str, Any]


class LogLine(Protocol):
    """An entry of a log, or a line of an export: `event` is None where it is withheld."""

    @property
    def event(self) -> Event[Any] | None: ...

    @property
    def leaf(self) -> bytes: ...


class ViewFold:
    """What a viewer has been shown of a game up to `version`, folded. Give it every event in order, None if withheld.

    `revealed` are ceremonies known to be revealed by the version that will be shown.
    """

    def __init__(self, viewer: Viewer, revealed: Iterable[int] = ()) -> None:
        self.viewer = viewer
        self.version = 0
        self.state = EMPTY_STATE
        self._revealed = frozenset(revealed)
        self._settles = 0

    def copy(self) -> "ViewFold":
        """The same as it stands now, which goes on or is shown by itself."""
        twin = object.__new__(ViewFold)
        twin.__dict__ = self.__dict__.copy()
        return twin

    def add(self, event: Event[Any] | None) -> None:
        """Fold the next event in."""
        self.version += 1
        if event is None:
            return
        if told := reveals(event):
            self._revealed = self._revealed.union(told)
        if visible(event, self.viewer, self._revealed):
            self._settles = max(self._settles, self.version + minimum_facts_after(self.state, event.data))
            self.state = evolve(self.state, event)

    @property
    def is_settled(self) -> bool:
        """Whether the facts so far can be the end of a commit; where they cannot, nobody is heard."""
        return self.version >= self._settles and not has_facts_due(self.state)


def view_json(seen: ViewFold, root: str) -> View:
    """The view as JSON values; `root` is the log's root, in hex, at `seen.version`.

    LookupError before the opening, and for a seat the game does not have.
    """
    state, settled = seen.state, seen.is_settled
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
        "rules": rules_json(state),
        "seats": _seats(state),
        "sides": [list(side) for side in (hand and hand.sides) or state.opened.sides],
        "hand": None if hand is None else _hand(state, hand),
        "ceremony": _ceremony(state),
        "turn": _turn(state, settled=settled),
    }
    if seen.viewer is not None:
        shown["you"] = own_seat_json(state, seen.viewer, settled=settled)
    return shown | {
        "last_hand": _last_hand(state),
        "proposal": _proposal(state),
        "delay": None if state.delay is None else _delay(state.delay),
        "disputes": disputes_json(state),
        "ruled": ruled_scores(state),
        "result": _result(state),
    }


def _turn(state: State, *, settled: bool) -> View:
    """Whose turn it is, since when, and when who is awaited will be out of time (R-P10)."""
    seats, until = (list(state.turn), forfeits_at(state)) if settled else ([], None)
    return {"seats": seats, "since": state.turn_since or None, "deadline": until}


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
    face_down = state.rules.won_face_down
    jokers = {"first_joker": hand.first_joker} if state.rules.jokers else {}
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
        "upcard": hand.upcard,
        "called": hand.called,
        "trick": _trick(state.trick),
        "last_trick": _taken(hand.last_trick, face_down=face_down),
        "commit": hand.commit,
        "grade": hand.grade,
        **jokers,
    }


def _ceremony(state: State) -> View | None:
    """The deal that waits for cuts: its commitment, who sealed and who has cut, who has not, and until when."""
    ceremony = pending_deal(state)
    if ceremony is None or (closes := cut_deadline(state, ceremony)) is None:
        return None
    return {
        "n": ceremony.n,
        "subject": ceremony.subject,
        "commit": ceremony.commit,
        "seals": {str(seat): seal for seat, seal in ceremony.seals},
        "cuts": sorted(seat for seat, _ in ceremony.cuts),
        "waits_for": list(missing_cutters(state, ceremony)),
        "deadline": closes,
    }


def _plays(plays: Iterable[Play]) -> list[View]:
    return [{"seat": play.seat, "card": play.card} for play in plays]


def _trick(trick: Trick | None) -> View | None:
    return None if trick is None else {"number": trick.number, "leader": trick.leader, "plays": _plays(trick.plays)}


def _taken(trick: TrickTaken | None, *, face_down: bool) -> View | None:
    """The trick gathered last; its cards are turned over where won cards lie face down (T16, R-T12)."""
    if trick is None:
        return None
    return {"number": trick.trick, "seat": trick.seat, "plays": [] if face_down else _plays(trick.plays)}


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


def _delay(call: DelayCall) -> View:
    """The open delay call, and the votes so far."""
    votes = [{"seat": seat, "guilty": guilty} for seat, guilty in call.votes]
    return {"seat": call.seat, "accused": call.accused, "waited_ms": call.waited_ms, "votes": votes}


def _result(state: State) -> View | None:
    ended = state.result
    return (
        None
        if ended is None
        else {
            "reason": ended.reason,
            "winners": list(ended.winners),
            "scores": list(ended.scores),
            "ruled": ruled_json(state.ruled),
        }
    )


def view_at(lines: Iterable[LogLine], viewer: Viewer, version: int) -> View:
    """The view after the first `version` events, folded from event 1; ValueError where there are not so many.

    Lines of an export must be of the viewer's own or a wider one.
    """
    first = list(islice(lines, max(version, 0)))
    if version < 1 or len(first) < version:
        raise ValueError(f"there are events 1 to {len(first)}, no event {version}")
    seen, frontier = ViewFold(viewer, revealed_by(each.event for each in first if each.event is not None)), EMPTY
    for each in first:
        seen.add(each.event)
        frontier = frontier.append(each.leaf)
    return view_json(seen, frontier.root().hex())
