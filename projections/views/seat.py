"""A viewer's view of a game (docs/views.md): a function of the first `version` events and the viewer.

Only events visible to the viewer are folded, so a view can't show more. It looks the same whether cards were withheld
at the time or have been revealed since: of every hand it shows only the cards that the rules let that seat see.

Inside a commit no seat can move. Where a commit can end depends only on what everyone sees, so a view inside one is the
same for every viewer, live or replayed.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Annotated, Any, Literal, Protocol, TypedDict

from domain.decide.rule_changes import count_effects, is_deferred_change_due
from domain.decide.table_talk import can_vote, is_handover_agreed
from domain.engine.cuts import is_incomplete
from domain.engine.deadlines import forfeits_at, is_timing_due
from domain.engine.discards import cards_to_draw
from domain.engine.endings import verdict
from domain.events import (
    CardsDiscarded,
    CardsDrawn,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DelayVoted,
    Event,
    HandDealt,
    RulesChanged,
    RulingGiven,
    StockTaken,
    TrumpPitched,
)
from domain.evolve import evolve
from domain.json_fields import Hash, Outcome, PlayerKind, SeatState, Sides, Time, Uuid, one_of, says
from domain.protocols.merkle_log import EMPTY
from domain.rules.choices import Phase, Quirk, Trump
from domain.state import EMPTY_STATE, Holder, State, current_hand
from projections.views.audience import Viewer, ceremonies_revealed_by, revealed_ceremonies, seat_shown, visible
from projections.views.own_seat import OwnSeat, own_seat_json
from projections.views.results import (
    DisputeLine,
    GameResult,
    UnratedReason,
    disputes_json,
    reason_of,
    result_json,
    ruled_scores,
)
from projections.views.rules import TableRules, rules_json
from projections.views.table import (
    OpenDelayCall,
    OpenHandover,
    OpenProposal,
    TableClock,
    TableHand,
    WaitingDeal,
    clock_json,
    delay_call_json,
    hand_json,
    handover_json,
    proposal_json,
    waiting_deal_json,
)


class EarlierHolder(TypedDict):
    """A player who held a seat before, and the first and the last version of their time."""

    player: str
    kind: PlayerKind
    first: int
    last: int


class SeatLine(TypedDict):
    """A seat as everybody sees it."""

    seat: int
    player: Annotated[str, says("The player's id, or a bot's.")]
    kind: PlayerKind
    score: Annotated[int, says("The score as played.")]
    count: Annotated[int, says("How many cards the seat holds.")]
    tricks: Annotated[int, says("How many tricks it took in this hand.")]
    state: SeatState
    earlier: list[EarlierHolder]


class TableTurn(TypedDict):
    """The seats that must move now, and their time."""

    seats: list[int]
    since: Annotated[Time | None, says("When the turn began.")]
    deadline: Annotated[Time | None, says("From when on the seat is out of time.")]


class LastHand(TypedDict):
    """The hand scored last, as played."""

    hand: int
    changes: Annotated[list[int], says("The change of each seat's score.")]
    scores: Annotated[list[int], says("The scores after it.")]


class OptionalParts(TypedDict, total=False):
    """The parts that only the views of some tables have."""

    unrated: Annotated[UnratedReason, says("Why the game counts for nobody. Missing if it can count.")]
    clock: Annotated[TableClock, says("Missing if time is in days and the clock takes seats.")]


class OwnPart(TypedDict, total=False):
    """The part that only the view of a seat has."""

    you: Annotated[OwnSeat, says("Only in the view of a seat.")]


class ViewParts(OptionalParts):
    """The parts that all views have."""

    id: Uuid
    board: Annotated[int, says("The game's public number.")]
    variant: str
    version: Annotated[int, says("The number of the last event.")]
    status: Literal["active", "finished"]
    phase: Annotated[str, one_of(*(phase for phase in Phase if phase is not Phase.UNOPENED))]
    rules: TableRules
    seats: list[SeatLine]
    sides: Sides
    hand: TableHand | None
    ceremony: WaitingDeal | None
    turn: TableTurn
    last_hand: LastHand | None
    proposal: OpenProposal | None
    handover: OpenHandover | None
    delay: OpenDelayCall | None
    disputes: list[DisputeLine]
    ruled: Annotated[Outcome | None, says("The scores with the rulings in force, or null if they change none.")]
    result: GameResult | None


class View(ViewParts, OwnPart):
    """A game as one viewer sees it at one version."""

    root: Annotated[Hash, says("The root of the log at that version.")]


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
            if following := _minimum_facts_after(self.state, event.data):
                self._commit_end = max(self._commit_end, self.version + following)
            self.state = evolve(self.state, event)

    @property
    def is_commit_end(self) -> bool:
        """Whether the facts so far can be the end of a commit. If they can't, no seat can move."""
        return self.version >= self._commit_end and not _has_facts_due(self.state)


def view_json(fold: ViewFold, root: str) -> View:
    """Return the view; `root` is the log's root, in hex, at `fold.version`.

    Raise LookupError before the opening, and for a seat that the game doesn't have.
    """
    state, is_commit_end = fold.state, fold.is_commit_end
    if state.opened is None:
        raise LookupError("the game is not open yet")
    if fold.viewer is not None and not 0 <= fold.viewer < len(state.seats):
        raise LookupError(f"the game has no seat {fold.viewer}")
    hand = state.hand
    return {
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
        "hand": None if hand is None else hand_json(state, hand),
        "ceremony": waiting_deal_json(state),
        "turn": _turn(state, is_commit_end=is_commit_end),
        **_optional_parts(state, is_commit_end=is_commit_end),
        **_own_part(fold, is_commit_end=is_commit_end),
        "last_hand": _last_hand(state),
        "proposal": proposal_json(state),
        "handover": handover_json(state),
        "delay": None if state.delay is None else delay_call_json(state.delay),
        "disputes": disputes_json(state),
        "ruled": ruled_scores(state),
        "result": None if state.result is None else result_json(state.result, state.ruled),
    }


def _optional_parts(state: State, *, is_commit_end: bool) -> OptionalParts:
    shown = OptionalParts()
    if (unrated := reason_of(state)) is not None:
        shown["unrated"] = unrated
    if (clock := clock_json(state, is_commit_end=is_commit_end)) is not None:
        shown["clock"] = clock
    return shown


def _own_part(fold: ViewFold, *, is_commit_end: bool) -> OwnPart:
    if fold.viewer is None:
        return {}
    return {"you": own_seat_json(fold.state, fold.viewer, is_commit_end=is_commit_end)}


def _turn(state: State, *, is_commit_end: bool) -> TableTurn:
    """Return the seats in turn, when the turn began, and when they forfeit (R-P10)."""
    seats, until = (list(state.turn), forfeits_at(state)) if is_commit_end else ([], None)
    return {"seats": seats, "since": state.turn_since or None, "deadline": until}


def _seats(state: State) -> list[SeatLine]:
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


def _holder(past: Holder) -> EarlierHolder:
    """Return an earlier player of a seat, and the first and the last version of their time."""
    return {"player": past.player, "kind": past.kind, "first": past.from_version, "last": past.to_version}


def _last_hand(state: State) -> LastHand | None:
    last = state.last_hand
    return None if last is None else {"hand": last.hand, "changes": list(last.changes), "scores": list(last.scores)}


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


def _minimum_facts_after(before: State, fact: object) -> int:
    """Return how many facts follow `fact` in its commit at least; `before` is the state without it.

    Facts with a `next` aren't counted: if one of them follows, the turn is empty after `fact`.
    """
    count = _FOLLOWING_FACTS.get(type(fact))
    return 0 if count is None else count(before, fact)


def _count_deal(before: State, dealt: HandDealt) -> int:
    """Count the cards of each seat, the stock, and the card turned up."""
    stock = int(dealt.stock > 0)
    return len(dealt.counts) + stock + stock * (before.rules.trump is Trump.TURNED_UP)


def _count_fill(before: State, thrown: CardsDiscarded) -> int:
    """Count the cards thrown face down, and the draw of a seat that doesn't take the stock, if there is any."""
    rules, hand = before.rules, current_hand(before)
    can_draw = hand.stock_left > 0 or Quirk.EMPTY_DRAWS in rules.quirks
    draws = can_draw and cards_to_draw(rules, hand, thrown.seat, thrown.count) > 0
    return (thrown.count > len(thrown.shown)) + 2 * draws


def _count_verdict(before: State, voted: DelayVoted) -> int:
    """Count the verdict if this is the deciding vote."""
    votes = 1 if before.delay is None else len(before.delay.votes) + 1
    return int(not voted.guilty or votes == len(before.seats) - 1)


def _one(before: State, fact: object) -> int:
    return 1


_FOLLOWING_FACTS: dict[type[Any], Callable[[State, Any], int]] = {
    HandDealt: _count_deal,
    CardsDiscarded: _count_fill,
    CardsDrawn: _one,
    StockTaken: _one,
    TrumpPitched: _one,
    RulesChanged: count_effects,
    DelayVoted: _count_verdict,
    CeremonyOpened: _one,
    CeremonyRevealed: _one,
    CeremonyVoided: _one,
    RulingGiven: lambda _, fact: int(fact.voids is not None),
}


def _has_facts_due(state: State) -> bool:
    """Return whether the table must write more facts before a seat can act.

    They are a deal, the end of the game, an agreed undo or hand-over, votes of seats that left, a deferred change, or
    the clock of a turn.
    """
    if is_timing_due(state):
        return True
    proposal = state.proposal
    agreed = proposal is not None and set(state.persons) <= set(proposal.accepted)
    agreed = agreed or is_handover_agreed(state)
    idle = not state.turn and not _waits_for_cuts(state)
    deferred = state.hand is not None and state.hand.deferred and is_deferred_change_due(state)
    return idle or agreed or verdict(state) is not None or bool(deferred) or _has_absent_votes(state)


def _waits_for_cuts(state: State) -> bool:
    ceremony = state.pending_deal
    return ceremony is not None and is_incomplete(state, ceremony)


def _has_absent_votes(state: State) -> bool:
    """Return whether a seat that left still has to vote (R-C66)."""
    if state.delay is None:
        return False
    return any(sitting.state != "in" and can_vote(state, seat) for seat, sitting in enumerate(state.seats))
