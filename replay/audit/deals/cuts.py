"""Checks of cuts: sealed beforehand, opened until the cut window closes; and of the beacon that is one (fairdeal/1)."""

from collections.abc import Iterator

from domain.events import BeaconRecorded, CeremonyOpened, CutOpened, HandDealt, Seats
from domain.protocols import beacon, fairdeal
from domain.rules.choices import Cuts
from replay.audit.play.checking import checks, game_of, time_of
from replay.audit.play.deadlines import CLOSING_FACTS, add_time, game_deadline
from replay.fold import CeremonyRead, Position

_ALWAYS_WHILE_CUTTING = frozenset(
    {"CutOpened", "HandDealt", "SeatResigned", "DrawProposed", "DrawAnswered", "HandoverAnswered"}
)


def ceremony_waiting_for_cuts(position: Position) -> tuple[int, CeremonyRead] | None:
    """Return the number and the record of the ceremony whose deal is due, or None."""
    return position.deal_due


def cutters(position: Position) -> Seats:
    """Return the seats of the people still in the game whose cuts count."""
    if position.opening.fairness.cuts == Cuts.NONE:
        return ()
    return tuple(seat for seat in position.persons if seat not in position.barred)


def seats_to_cut(position: Position, ceremony: CeremonyRead) -> Seats:
    """Return the seats that haven't cut yet."""
    return tuple(seat for seat in cutters(position) if seat not in ceremony.cuts)


def seals(position: Position) -> dict[str, str]:
    """Return `{seat: seal}` for the seals that count for the next deal."""
    return {str(seat): seal for seat in cutters(position) if (seal := position.sealed.get(seat)) is not None}


@checks(CutOpened, given=game_of)
def check_cut_opened(position: Position, fact: CutOpened, game: str) -> Iterator[str]:
    """Check that the cut is for the deal that is due, the seat's only one, and the one that it sealed."""
    due = ceremony_waiting_for_cuts(position)
    if due is None or due[0] != fact.n:
        yield f"it cuts for ceremony {fact.n}, whose deal isn't due"
        return
    ceremony = due[1]
    if fact.seat not in seats_to_cut(position, ceremony):
        yield f"seat {fact.seat} cuts, but no cut of this seat is due"
    sealed = ceremony.seals.get(str(fact.seat))
    if sealed is not None and fairdeal.seal(game, str(fact.seat), bytes.fromhex(fact.cut)).hex() != sealed:
        yield f"its cut isn't the one that seat {fact.seat} sealed"
    if fact.next_seal is not None and position.opening.fairness.cuts != Cuts.SEALED:
        yield "it seals a cut, but the cuts of this game are open"


def check_mix(position: Position, fact: HandDealt, at: str) -> Iterator[str]:
    """Check that the deal uses the cuts and the beacon that came, and waited for the others until the window closed."""
    ceremony = position.ceremonies[fact.n]
    cuts = [[str(seat), cut] for seat, cut in sorted(ceremony.cuts.items())]
    if ceremony.beacon_cut is not None:
        cuts.append([str(ceremony.beacon), ceremony.beacon_cut])
    if [list(each) for each in fact.cuts] != cuts:
        yield f"its cuts aren't those that were made for ceremony {fact.n}"
    closes = _window_end(position)
    if closes is None or at >= closes:
        return
    if missing := seats_to_cut(position, ceremony):
        yield f"it deals at {at} without the cuts of seats {list(missing)}, but must wait for them until {closes}"
    if is_beacon_due(ceremony):
        yield f"it deals at {at} without {ceremony.beacon}, but must wait for it until {closes}"


def _window_end(position: Position) -> str | None:
    window = position.opening.fairness.window_s
    return None if window is None else add_time(position.ceremony_at, 0, seconds=window)


def facts_due_while_cutting(position: Position) -> frozenset[str]:
    """Return the facts due while a deal waits: only HandDealt if nothing is missing, none in games without cuts.

    Beside cuts come what needs no turn: talk, votes on a delay call that is still open, and changes by the host.
    """
    waiting = ceremony_waiting_for_cuts(position)
    if waiting is None or position.opening.fairness.cuts == Cuts.NONE:
        return frozenset()
    waits_for_beacon = is_beacon_due(waiting[1])
    if not seats_to_cut(position, waiting[1]) and not waits_for_beacon:
        return frozenset({"HandDealt"})
    beacon = frozenset({"BeaconRecorded"}) if waits_for_beacon else frozenset[str]()
    over = frozenset() if game_deadline(position) is None else CLOSING_FACTS - {"GameEnded"}
    votes = frozenset() if position.delay_call is None else frozenset({"DelayVoted"})
    changes = frozenset({"RulesChanged"}) if position.rules.changes.host else frozenset[str]()
    return over | beacon | votes | changes | _ALWAYS_WHILE_CUTTING


def is_beacon_due(ceremony: CeremonyRead) -> bool:
    """Return whether the ceremony named a round that isn't recorded yet."""
    return ceremony.beacon is not None and ceremony.beacon_cut is None


def check_named_round(position: Position, fact: CeremonyOpened, at: str) -> Iterator[str]:
    """Check that a deal names the first round after the lead if the table has a beacon, and no round otherwise."""
    chain = position.opening.fairness.beacon if fact.subject.startswith("deal ") else None
    due = None if chain is None else beacon.round_to_name(chain, at)
    if chain is not None and due is None:
        yield f"the beacon {chain} of this game isn't known"
    elif fact.beacon != due:
        yield f"it names {fact.beacon or 'no round of a beacon'}, but must name {due or 'none'}"


@checks(BeaconRecorded, given=time_of)
def check_beacon_recorded(position: Position, fact: BeaconRecorded, at: str) -> Iterator[str]:
    """Check that the round is the one named for the deal that is due, published by then, signed, and hashed."""
    due = position.deal_due
    if due is None or due[0] != fact.n:
        yield f"it brings a beacon for ceremony {fact.n}, whose deal isn't due"
    elif not is_beacon_due(due[1]):
        yield f"no beacon of ceremony {fact.n} is due"
    elif fact.source != due[1].beacon:
        yield f"it brings {fact.source}, but ceremony {fact.n} named {due[1].beacon}"
    published = beacon.publication_time(fact.source)
    if published is not None and at < published:
        yield f"it brings {fact.source} at {at}, but this round is published at {published}"
    if not beacon.is_signed(fact.source, fact.signature):
        yield f"its signature isn't that of {fact.source}"
    if not beacon.is_signature(fact.signature) or fact.cut != beacon.cut_of(fact.signature):
        yield "its cut isn't the hash of its signature"
