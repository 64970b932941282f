"""A viewer's view of a game (docs/views.md): a function of the first `version` events and the viewer.

Only events visible to the viewer are folded, so a view can't show more. It looks the same whether cards were withheld
at the time or have been revealed since: of every hand it shows only the cards that the rules let that seat see.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Protocol

from domain.engine.cuts import cut_deadline, missing_cutters, pending_deal
from domain.engine.deadlines import forfeits_at
from domain.events import Event, Play, TrickTaken
from domain.evolve import evolve
from domain.protocols.beacon import publication_time
from domain.protocols.merkle_log import EMPTY
from domain.state import EMPTY_STATE, Ceremony, DelayCall, Hand, Holder, State, Trick
from projections.views.audience import Viewer, ceremonies_revealed_by, revealed_ceremonies, seat_shown, visible
from projections.views.clock import clock_json
from projections.views.commit_end import has_facts_due, minimum_facts_after
from projections.views.own_seat import own_seat_json
from projections.views.ruled_scores import disputes_json, ruled_json, ruled_scores
from projections.views.rules import rules_json
from projections.views.uncounted_games import reason_of

View = dict[str, Any]


class VisibleLine(Protocol):
    """An entry of a log or a line of an export; `event` is None if it is withheld."""

    @property
    def event(self) -> Event[Any] | None: ...

    @property
    def leaf(self) -> bytes: ...


class ViewFold:
    """The fold of the events that a viewer sees, up to `version`.

    Add every event in order, None for a withheld one. `revealed` are ceremonies that are revealed before the view is
    made, even if the fold hasn't reached the reveal. A former holder of a seat gets the view of a spectator.
    """

    def __init__(self, viewer: Viewer, revealed: Iterable[int] = ()) -> None:
        self.viewer = seat_shown(viewer)
        self.version = 0
        self.state = EMPTY_STATE
        self._revealed = frozenset(revealed)
        self._commit_end = 0

    def copy(self) -> "ViewFold":
        """Return a copy that can be folded on or shown independently."""
        twin = object.__new__(ViewFold)
        twin.__dict__ = self.__dict__.copy()
        return twin

    def add(self, event: Event[Any] | None) -> None:
        """Fold in the next event."""
        self.version += 1
        if event is None:
            return
        if ceremonies := ceremonies_revealed_by(event):
            self._revealed = self._revealed.union(ceremonies)
        if event.seen_by is None or visible(event, self.viewer, self._revealed):
            if following := minimum_facts_after(self.state, event.data):
                self._commit_end = max(self._commit_end, self.version + following)
            self.state = evolve(self.state, event)

    @property
    def is_commit_end(self) -> bool:
        """Whether the facts so far can be the end of a commit. If they can't, no seat can move."""
        return self.version >= self._commit_end and not has_facts_due(self.state)


def view_json(fold: ViewFold, root: str) -> View:
    """Return the view as JSON values; `root` is the log's root, in hex, at `fold.version`.

    Raise LookupError before the opening, and for a seat that the game doesn't have.
    """
    state, is_commit_end = fold.state, fold.is_commit_end
    if state.opened is None:
        raise LookupError("the game is not open yet")
    if fold.viewer is not None and not 0 <= fold.viewer < len(state.seats):
        raise LookupError(f"the game has no seat {fold.viewer}")
    hand = state.hand
    shown: View = {
        "id": state.game,
        "board": state.opened.board,
        "variant": state.opened.variant,
        "version": fold.version,
        "root": root,
        "status": "active" if state.result is None else "finished",
        "phase": state.phase.value,
        "rules": rules_json(state),
        "seats": _seats(state),
        "sides": [list(side) for side in (hand and hand.sides) or state.opened.sides],
        "hand": None if hand is None else _hand(state, hand),
        "ceremony": _ceremony(state),
        "turn": _turn(state, is_commit_end=is_commit_end),
    }
    if (unrated := reason_of(state)) is not None:
        shown["unrated"] = unrated
    if (clock := clock_json(state, is_commit_end=is_commit_end)) is not None:
        shown["clock"] = clock
    if fold.viewer is not None:
        shown["you"] = own_seat_json(state, fold.viewer, is_commit_end=is_commit_end)
    return shown | {
        "last_hand": _last_hand(state),
        "proposal": _proposal(state),
        "handover": _handover(state),
        "delay": None if state.delay is None else _delay(state.delay),
        "disputes": disputes_json(state),
        "ruled": ruled_scores(state),
        "result": _result(state),
    }


def _turn(state: State, *, is_commit_end: bool) -> View:
    """Return the seats in turn, when the turn began, and when they forfeit (R-P10)."""
    seats, until = (list(state.turn), forfeits_at(state)) if is_commit_end else ([], None)
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
            "earlier": [_holder(past) for past in sitting.earlier],
        }
        for seat, sitting in enumerate(state.seats)
    ]


def _holder(past: Holder) -> View:
    """Return an earlier player of a seat, and the first and the last version of their time."""
    return {"player": past.player, "kind": past.kind, "first": past.from_version, "last": past.to_version}


def _hand(state: State, hand: Hand) -> View:
    face_down = state.rules.won_face_down
    jokers = {"first_joker": hand.first_joker} if state.rules.jokers else {}
    return {
        "number": hand.number,
        "redeal": hand.redeal,
        "dealer": hand.dealer,
        "eldest": hand.eldest,
        "bids": list(hand.bids),
        "passed": sorted(hand.passed),
        "pitcher": hand.pitcher,
        "bid": hand.bid,
        "trump": hand.trump,
        "marker": hand.marker,
        "upcard": hand.upcard,
        "called": hand.called,
        "trick": _trick(state.trick),
        "last_trick": _last_trick(hand.last_trick, face_down=face_down),
        "commit": hand.commit,
        "grade": hand.grade,
        **({} if hand.beacon is None else {"beacon": {"source": hand.beacon, "counts": hand.has_beacon}}),
        **jokers,
    }


def _ceremony(state: State) -> View | None:
    """Return the deal that waits: commitment, seals, seats that cut, seats that haven't, beacon, and the deadline."""
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
        **({} if ceremony.beacon is None else {"beacon": _named_round(ceremony, ceremony.beacon)}),
    }


def _named_round(ceremony: Ceremony, source: str) -> View:
    """Return the round that the ceremony named, when it's published, and whether its signature is recorded."""
    recorded = ceremony.beacon_cut is not None
    return {"source": source, "published": publication_time(source), "recorded": recorded}


def _plays(plays: Iterable[Play]) -> list[View]:
    return [{"seat": play.seat, "card": play.card} for play in plays]


def _trick(trick: Trick | None) -> View | None:
    return None if trick is None else {"number": trick.number, "leader": trick.leader, "plays": _plays(trick.plays)}


def _last_trick(trick: TrickTaken | None, *, face_down: bool) -> View | None:
    """Return the last gathered trick, without its cards if won cards lie face down (T16, R-T12)."""
    if trick is None:
        return None
    return {"number": trick.trick, "seat": trick.seat, "plays": [] if face_down else _plays(trick.plays)}


def _last_hand(state: State) -> View | None:
    last = state.last_hand
    return None if last is None else {"hand": last.hand, "changes": list(last.changes), "scores": list(last.scores)}


def _proposal(state: State) -> View | None:
    """Return the open undo or draw: who asked, who has agreed so far, and the version that an undo goes back to."""
    proposal = state.proposal
    return (
        None
        if proposal is None
        else {
            "kind": proposal.kind,
            "seat": proposal.accepted[0],
            "accepted": sorted(proposal.accepted),
            "to_version": proposal.to_version,
        }
    )


def _handover(state: State) -> View | None:
    """Return the open question about a seat: which one, who would get it, and who has agreed so far."""
    asked = state.handover
    if asked is None:
        return None
    return {"seat": asked.seat, "to": asked.to, "kind": asked.kind, "accepted": sorted(asked.accepted)}


def _delay(call: DelayCall) -> View:
    """Return the open delay call and the votes so far."""
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


def view_at(
    lines: Iterable[VisibleLine],
    viewer: Viewer,
    version: int,
    go_through: Callable[[Iterable[VisibleLine]], Iterable[VisibleLine]] = iter,
) -> View:
    """Return the view after the first `version` events, folded from event 1; `go_through` may pause between them.

    Raise ValueError if there aren't that many. Lines of an export must show all that the viewer may see.
    """
    first = list(islice(lines, max(version, 0)))
    if version < 1 or len(first) < version:
        raise ValueError(f"there are events 1 to {len(first)}, no event {version}")
    revealed = revealed_ceremonies(each.event for each in first if each.event is not None)
    fold, frontier = ViewFold(viewer, revealed), EMPTY
    for each in go_through(first):
        fold.add(each.event)
        frontier = frontier.append(each.leaf)
    return view_json(fold, frontier.root().hex())
