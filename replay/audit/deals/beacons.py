"""Checks of beacons: the round named at the commitment, not known before it, and its signature (fairdeal/1)."""

from collections.abc import Iterator

from domain.events import BeaconRecorded, CeremonyOpened
from domain.protocols import beacon
from replay.audit.play.checking import checks, time_of
from replay.fold import CeremonyRead, Position


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
