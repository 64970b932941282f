"""Checks whether a deal was fair: its commitment, its cuts, and all cards recomputed from the seed (fairdeal/1)."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from domain.events import BeaconRecorded, CardsDealt, CeremonyVoided, Event, StockLaid
from domain.json_fields import CardText, Time, says
from domain.protocols import beacon, fairdeal
from domain.state import require
from replay.audit.deals.deal_ledger import WRONG, DealRecord, DeckCheck, PromisedDeal
from replay.audit.ledger import Ledger, check_events
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import deals, player_names, unrevealed_notes

DEAL_FACTS = frozenset(
    {"CeremonyOpened", "SeedKept", "CutOpened", "BeaconRecorded", "HandDealt", "CardsDealt", "StockLaid"}
    | {"TrumpTurnedUp", "MisdealDeclared", "CeremonyRevealed", "CeremonyVoided"}
)
"""The facts of a deal."""


class DealOrder(TypedDict):
    """The version of each step of a deal."""

    opened: int | None
    cuts: dict[str, int]
    dealt: int | None
    first_bid: int | None
    revealed: int | None


class CheckedCut(TypedDict):
    """A cut that counts."""

    source: str
    cut: str
    sealed: bool
    fits: Annotated[bool, says("Whether it's the cut that was sealed.")]


class CheckedBeacon(TypedDict):
    """The round of a beacon that a deal named."""

    source: str
    published: Annotated[Time | None, says("When the round is published.")]
    version: Annotated[int | None, says("The version at which its signature was recorded.")]
    signature: str | None
    signed: Annotated[bool | None, says("Whether it's the signature of that round.")]
    counts: Annotated[bool, says("Whether the deal rests on it.")]


class CheckedDeal(PromisedDeal):
    """A deal as recorded and as recomputed; what isn't revealed is null."""

    redeal: int | None
    dealer: int | None
    eldest: int | None
    order: DealOrder
    seals: dict[str, str]
    cuts: list[CheckedCut]
    beacon: CheckedBeacon | None
    missing: list[int]
    grade: str | None
    revealed: bool
    seed: str | None
    commit_recomputed: str | None
    key: str | None
    deck: list[CardText] | None
    hands: list[list[CardText]] | None
    stock: list[CardText] | None
    recorded: dict[str, list[CardText]]
    check: DeckCheck


class VoidedDeal(PromisedDeal):
    """A ceremony that ended without a deal."""

    reason: str | None
    seed: str | None


class DealAnswer(HandAnswer):
    """How a hand was dealt."""

    deals: list[CheckedDeal]
    voided: list[VoidedDeal]


def deal(history: History, hand: int) -> Answer[DealAnswer]:
    """Return each deal of hand `hand`, with a finding for each fault. Raise NoSuchHand if it wasn't dealt."""
    selected, ledger = deals(history, hand), check_events(history)
    own = [record for record in ledger.deals if record.dealt is not None and record.dealt.hand == hand]
    deals_json = [_deal_json(history, ledger, record) for record in own]
    findings = [finding for record in own for finding in record.findings if _is_dealing(history, finding)]
    names, waits = player_names(history, ledger.position), unrevealed_notes(selected)
    body: DealAnswer = {
        **question_json(history, "deal"),
        "hand": hand,
        "deals": deals_json,
        "voided": [_void_json(each) for each in ledger.deals if _is_void(each)],
        **findings_json(findings, waits),
    }
    notes = [line for each in deals_json for line in _notes(each, names)]
    return Answer(history, body, notes=tuple(notes), findings=tuple(findings), waits=waits)


def _is_void(record: DealRecord) -> bool:
    return isinstance(record.closed, CeremonyVoided)


def _void_json(record: DealRecord) -> VoidedDeal:
    reason, seed = getattr(record.closed, "reason", None), getattr(record.closed, "seed", None)
    return {**record.ceremony_json(), "reason": reason, "seed": seed}


def _is_dealing(history: History, finding: Finding) -> bool:
    event = history.lines[(finding.version or 1) - 1].event
    return event is not None and event.fact in DEAL_FACTS


def _deal_json(history: History, ledger: Ledger, record: DealRecord) -> CheckedDeal:
    """Return one deal as JSON: its ceremony as recorded and as recomputed; values not revealed are null."""
    n, dealt = record.opened.n, record.dealt
    ceremony, recomputed = ledger.position.ceremonies[n], record.recomputed
    seed = None if recomputed is None else ceremony.seed
    events = [event for event in history.events if getattr(event.data, "n", None) == n]
    return {
        **record.ceremony_json(),
        "redeal": getattr(dealt, "redeal", None),
        "dealer": getattr(dealt, "dealer", None),
        "eldest": getattr(dealt, "eldest", None),
        "order": _order(history, record, events),
        "seals": dict(record.opened.seals),
        "cuts": _cuts(history, record),
        "beacon": _beacon(record, events),
        "missing": list(getattr(dealt, "missing", ())),
        "grade": getattr(dealt, "grade", None),
        "revealed": record.closed is not None,
        "seed": seed,
        "commit_recomputed": None
        if seed is None
        else fairdeal.commit(history.header.game, n, ceremony.subject, _raw(seed)).hex(),
        "key": recomputed.key.hex() if recomputed is not None and recomputed.key is not None else None,
        "deck": None if recomputed is None else list(recomputed.deck),
        "hands": None if recomputed is None else [list(cards) for cards in recomputed.cards],
        "stock": None if recomputed is None else list(recomputed.stock),
        "recorded": _recorded(events),
        "check": record.deck if not [each for each in record.findings if _is_dealing(history, each)] else WRONG,
    }


def _raw(seed: str) -> bytes:
    return bytes.fromhex(seed)


def _cuts(history: History, record: DealRecord) -> list[CheckedCut]:
    """Return each seat's cut that counts, whether the seat had sealed it, and whether it matches the seal."""
    seals, cuts = record.opened.seals, getattr(record.dealt, "cuts", ())
    return [
        {
            "source": source,
            "cut": cut,
            "sealed": source in seals,
            "fits": source not in seals or fairdeal.seal(history.header.game, source, _raw(cut)).hex() == seals[source],
        }
        for source, cut in cuts
        if source != record.opened.beacon
    ]


def _beacon(record: DealRecord, events: list[Event[Any]]) -> CheckedBeacon | None:
    """Return the round that the promise named, its signature if it's recorded, and whether the deal rests on it."""
    named = record.opened.beacon
    if named is None:
        return None
    recorded = next((event for event in events if isinstance(event.data, BeaconRecorded)), None)
    signature = None if recorded is None else recorded.data.signature
    return {
        "source": named,
        "published": beacon.publication_time(named),
        "version": None if recorded is None else recorded.version,
        "signature": signature,
        "signed": None if signature is None else beacon.is_signed(named, signature),
        "counts": any(source == named for source, _ in getattr(record.dealt, "cuts", ())),
    }


def _order(history: History, record: DealRecord, events: list[Event[Any]]) -> DealOrder:
    """Return the version of each step of the deal, up to the first call."""
    bids = [each for each in history.events if each.fact in {"BidMade", "BidPassed"} and record.first < each.version]
    own = [each.version for each in bids if each.version <= record.last]
    return {
        "opened": _at(events, "CeremonyOpened"),
        "cuts": {str(each.data.seat): each.version for each in events if each.fact == "CutOpened"},
        "dealt": _at(events, "HandDealt"),
        "first_bid": own[0] if own else None,
        "revealed": _at(events, "CeremonyRevealed"),
    }


def _at(events: list[Event[Any]], fact: str) -> int | None:
    return next((each.version for each in events if each.fact == fact), None)


def _recorded(events: list[Event[Any]]) -> dict[str, list[str]]:
    """Return the cards in the log by seat, and the stock, as far as they are shown."""
    recorded: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event.data, CardsDealt | StockLaid):
            where = "stock" if isinstance(event.data, StockLaid) else str(event.data.seat)
            recorded[where] = list(event.data.cards)
    return recorded


def _notes(deal: CheckedDeal, names: Mapping[int, str]) -> list[str]:
    order, deck, hands = deal["order"], deal["deck"], deal["hands"]
    lines = [
        f"{deal['subject']} (ceremony {deal['n']}), dealt by {names[require(deal['dealer'])]}, grade {deal['grade']}",
        f"  commitment  {deal['commit']}, event {order['opened']}",
        *(f"  cut of {_cutter(each['source'], names)}    {each['cut']}, {_seal_note(each)}" for each in deal["cuts"]),
        *(f"  {names[seat]} had sealed a cut and withheld it" for seat in deal["missing"]),
        *_beacon_notes(deal["beacon"]),
        f"  dealt       event {order['dealt']}, {_first_bid(order['first_bid'])}",
    ]
    if deck is None or hands is None:
        return [*lines, f"  the deck is {deal['check']}"]
    fits = "the same" if deal["commit_recomputed"] == deal["commit"] else "ANOTHER"
    lines += [
        f"  seed        {deal['seed']}, event {order['revealed']}",
        f"  recomputed  {deal['commit_recomputed']}: {fits}",
        f"  key         {deal['key']}",
        f"  deck        {' '.join(deck)}",
    ]
    for seat, cards in enumerate(hands):
        lines.append(f"  {names[seat]} gets {' '.join(cards)}{_difference_note(deal, str(seat), cards)}")
    lines += (
        [f"  stock {' '.join(deal['stock'])}{_difference_note(deal, 'stock', deal['stock'])}"] if deal["stock"] else []
    )
    return [*lines, f"  the deck is {deal['check']}"]


def _cutter(source: str, names: Mapping[int, str]) -> str:
    return names.get(int(source), source) if source.isdecimal() else source


def _beacon_notes(round_: CheckedBeacon | None) -> list[str]:
    if round_ is None:
        return []
    if not round_["counts"]:
        return [f"  beacon      {round_['source']} didn't come in time, and doesn't count"]
    signed = "signed by the beacon" if round_["signed"] else "NOT signed by the beacon"
    return [f"  beacon      {round_['source']}, {signed}, event {round_['version']}"]


def _first_bid(version: int | None) -> str:
    return "nobody has bid" if version is None else f"first bid event {version}"


def _seal_note(cut: CheckedCut) -> str:
    if not cut["sealed"]:
        return "open"
    return "as sealed" if cut["fits"] else "NOT as sealed"


def _difference_note(deal: CheckedDeal, place: str, cards: list[str]) -> str:
    recorded = deal["recorded"].get(place)
    return "" if recorded in (None, cards) else f"; the log has {' '.join(recorded)}"
