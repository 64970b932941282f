"""The history of a game or a hand as its caller may see it: audits, transcripts, results, and views at a version."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypedDict, TypeVar

import msgspec

from api.caller import Caller
from api.container import Services
from api.evidence.services.audit_reports import corrupt_log_report
from api.play.services.game_reader import NO_HAND, NO_SEAT, NamedView
from api.play.services.games import visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from domain.cards import Suit
from domain.events import CeremonyOpened, Event, GameEnded, HandDealt, HandScored, HandThrownIn
from domain.json_fields import CardText, Names, says
from domain.state import State, require
from domain.store.aggregate import Corrupt
from projections.views.audience import Viewer, ceremonies_revealed_in, visible
from replay.audit import Report, audit
from replay.history import History, NoSuchHand, from_entries
from replay.history.steps import find_hand_versions
from replay.rejudge import rejudge
from replay.text.audit_text import report_text as as_text
from replay.text.terminal import plain_text
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript

AUDIT_PASSES, TRANSCRIPT_PASSES, REPLAY_PASSES = 7, 2, 3
"""How often these go through all events of a game (`api.web.route.Route.passes`)."""


def visible_history(services: Services, access: GameAccess) -> History:
    """Return the history of the game as the caller may see it now."""
    revealed, names = ceremonies_revealed_in(access.state), services.reader.user_names(access.state)
    entries = services.gate.entries(access)
    history = from_entries(entries, names, [visible(entry.event, access.viewer, revealed) for entry in entries])
    return replace(history, admin_log=services.accounts.admin_log.to_json(history.header.game))


def print_game_audit(services: Services, caller: Caller, reference: str, *, width: int | None = None) -> bytes:
    """Return the report on a game (trickbook-audit/1) as JSON, or as text of `width` columns, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    try:
        return _print_audit(services, visible_game(services, caller, reference), None, width)
    except Corrupt as error:
        accounts = services.accounts
        log = accounts.admin_log.to_json(error.game)
        report = corrupt_log_report(error, accounts.boards.number_of(error.game), log)
        return _print_report(report, width)


def print_hand_audit(
    services: Services, caller: Caller, reference: str, hand: int, *, width: int | None = None
) -> bytes:
    """Return the report on one hand, from an audit of the whole game. Raise Problem for a hand that can't be seen."""
    try:
        return _print_audit(services, visible_game(services, caller, reference), hand, width)
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


def print_transcript(services: Services, caller: Caller, reference: str, hand: int) -> str:
    """Return a hand in the style of PBN; `??` stands for cards that the caller may not see."""
    try:
        history = visible_history(services, visible_game(services, caller, reference))
        return format_transcript(transcript_of(history, hand))
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


def view_at(services: Services, caller: Caller, reference: str, at: int | None, seat: int | None) -> NamedView:
    """Return the view at a version as a seat or the caller saw it, byte for byte as it was sent then.

    A caller's own seat is always allowed. Raise Problem for another seat before the hand is revealed.
    """
    access = visible_game(services, caller, reference)
    version = requested_version(access, at)
    view = services.gate.view(access, require_entitled(services, access, version, seat), version)
    return {**view, "names": services.reader.names(access.state)}


def requested_version(access: GameAccess, at: int | None) -> int:
    """Return the version that was asked for, the last by default. Raise Problem beyond what the caller may see."""
    if at is not None and at > access.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {access.version}.")
    return access.version if at is None else at


def require_entitled(services: Services, access: GameAccess, at: int, seat: int | None) -> Viewer:
    """Return the requested seat, or the caller's. Raise Problem for others if a hand dealt by `at` isn't revealed."""
    if seat is None or seat == access.viewer:
        return access.viewer
    state, entries = access.state, services.gate.entries(access, upto=at)
    ceremonies = {entry.event.data.n for entry in entries if isinstance(entry.event.data, CeremonyOpened)}
    if seat >= len(state.seats) or not ceremonies <= ceremonies_revealed_in(state):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat


def _print_audit(services: Services, access: GameAccess, hand: int | None, width: int | None) -> bytes:
    history = visible_history(services, access)
    receipts = services.receipts.check(history, at_most=access.head)

    def make() -> bytes:
        report = audit(history, rejudge(history), receipts=receipts)
        return _print_report(report if hand is None else report.of_hand(hand), width)

    return services.reports.printed(history, receipts, (hand, width), make)


def _print_report(report: Report, width: int | None) -> bytes:
    if width is None:
        return msgspec.json.encode(report.to_json()) + b"\n"
    return plain_text(as_text(report), width).encode()


F = TypeVar("F")


@dataclass(frozen=True)
class HandRange:
    """The events of one hand, from its first deal to the last event before the next hand's ceremony."""

    events: tuple[Event[Any], ...]

    @property
    def first(self) -> int:
        """The version of the first event."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """The version of the last event."""
        return self.events[-1].version

    @property
    def ceremonies(self) -> frozenset[int]:
        """The numbers of the ceremonies it was dealt from: several if it was dealt again."""
        return frozenset(event.data.n for event in self.events if isinstance(event.data, HandDealt))

    def fact(self, kind: type[F]) -> F | None:
        """Return the last fact of a kind, or None."""
        return next((event.data for event in reversed(self.events) if isinstance(event.data, kind)), None)


def hand_range(events: Sequence[Event[Any]], hand: int) -> HandRange | None:
    """Return the range of hand `hand` (from 1) in all of a game's events, or None before its deal."""
    versions = find_hand_versions(hand, events, len(events))
    return None if versions is None else HandRange(tuple(events[versions.start - 1 : versions.stop - 1]))


HandStatus = Literal["live", "scored", "thrown_in", "broken_off"]


class HandSummary(TypedDict):
    """A hand and its result."""

    hand: int
    status: HandStatus
    first: Annotated[int, says("The first version that it spans.")]
    last: Annotated[int, says("The last one so far.")]
    dealer: int
    eldest: int
    redeal: int
    bids: list[int | None]
    pitcher: int | None
    bid: int | None
    trump: Suit | None
    upcard: CardText | None
    called: CardText | None
    score: HandScored | None
    revealed: bool
    names: Names


def summarize_hand(services: Services, caller: Caller, reference: str, hand: int) -> HandSummary:
    """Return dealer, bids, trump and points of a hand; `first` and `last` are its versions, for replay."""
    access = visible_game(services, caller, reference)
    played = _hand(services, access, hand)
    shown = require(services.gate.view(access, None, played.last)["hand"])
    return {
        "hand": shown["number"],
        "status": _status(played),
        "first": played.first,
        "last": played.last,
        "dealer": shown["dealer"],
        "eldest": shown["eldest"],
        "redeal": shown["redeal"],
        "bids": shown["bids"],
        "pitcher": shown["pitcher"],
        "bid": shown["bid"],
        "trump": shown["trump"],
        "upcard": shown["upcard"],
        "called": shown["called"],
        "score": played.fact(HandScored),
        "revealed": _is_revealed(access.state, played),
        "names": services.reader.names(access.state),
    }


def view_hand_at(
    services: Services, caller: Caller, reference: str, hand: int, at: int | None, seat: int | None
) -> NamedView:
    """Return the view at a version of the hand, the last by default, as a seat or the caller saw it.

    A caller's own seat is always allowed. Raise Problem for another seat before the hand is revealed.
    """
    access = visible_game(services, caller, reference)
    played = _hand(services, access, hand)
    viewer = _require_entitled(access, played, seat)
    version = played.last if at is None else at
    if not played.first <= version <= played.last:
        raise Problem("malformed", f"at must be a version of this hand, {played.first} to {played.last}.")
    view = services.gate.view(access, viewer, version)
    return {**view, "names": services.reader.names(access.state)}


def _hand(services: Services, access: GameAccess, hand: int) -> HandRange:
    """Return the hand as far as the caller may see the game; 404 for a hand that isn't dealt by then."""
    span = hand_range([entry.event for entry in services.gate.entries(access)], hand)
    if span is None:
        raise Problem("not-found", NO_HAND.format(hand))
    return span


def _status(played: HandRange) -> HandStatus:
    ends: dict[type[Any], HandStatus] = {HandScored: "scored", HandThrownIn: "thrown_in", GameEnded: "broken_off"}
    return next((status for fact, status in ends.items() if played.fact(fact) is not None), "live")


def _is_revealed(state: State, played: HandRange) -> bool:
    """Return whether everybody may see the cards of the hand."""
    return played.ceremonies <= ceremonies_revealed_in(state)


def _require_entitled(access: GameAccess, played: HandRange, seat: int | None) -> Viewer:
    own, state = access.viewer, access.state
    if seat is None or seat == own:
        return own
    if seat >= len(state.seats) or not _is_revealed(state, played):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat
