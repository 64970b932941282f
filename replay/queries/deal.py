"""Checks whether a deal was fair: its commitment, its cuts, and all cards recomputed from the seed (fairdeal/1)."""

from collections.abc import Mapping
from typing import Any

from domain.events import CardsDealt, CeremonyVoided, Event, StockLaid
from domain.protocols import fairdeal
from replay.audit.deals.deal_record import WRONG, DealRecord
from replay.audit.ledger import Ledger, check_events
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer
from replay.queries.reading import deals, player_names, unrevealed_notes

DEAL_FACTS = frozenset(
    {"CeremonyOpened", "SeedKept", "CutOpened", "HandDealt", "CardsDealt", "StockLaid", "TrumpTurnedUp"}
    | {"MisdealDeclared", "CeremonyRevealed", "CeremonyVoided"}
)
"""The facts of a deal."""


def deal(history: History, hand: int) -> Answer:
    """Return each deal of hand `hand`, with a finding for each fault. Raise NoSuchHand if it wasn't dealt."""
    asked, books = deals(history, hand), check_events(history)
    own = [book for book in books.deals if book.dealt is not None and book.dealt.hand == hand]
    told = [_deal_json(history, books, book) for book in own]
    found = [finding for book in own for finding in book.findings if _is_dealing(history, finding)]
    who = player_names(history, books.position)
    body = {"hand": hand, "deals": told, "voided": [_void_json(each) for each in books.deals if _is_void(each)]}
    notes = [line for each in told for line in _notes(each, who)]
    return Answer(history, "deal", body, notes=tuple(notes), findings=tuple(found), waits=unrevealed_notes(asked))


def _is_void(book: DealRecord) -> bool:
    return isinstance(book.closed, CeremonyVoided)


def _void_json(book: DealRecord) -> dict[str, Any]:
    return book.promise() | {name: getattr(book.closed, name, None) for name in ("reason", "seed")}


def _is_dealing(history: History, finding: Finding) -> bool:
    event = history.lines[(finding.version or 1) - 1].event
    return event is not None and event.fact in DEAL_FACTS


def _deal_json(history: History, books: Ledger, book: DealRecord) -> dict[str, Any]:
    """Return one deal as JSON: its ceremony as recorded and as recomputed; values not revealed are null."""
    n, dealt = book.opened.n, book.dealt
    promise, made = books.position.promises[n], book.recomputed
    seed = None if made is None else promise.seed
    events = [event for event in history.events if getattr(event.data, "n", None) == n]
    return {
        **book.promise(),
        "redeal": getattr(dealt, "redeal", None),
        "dealer": getattr(dealt, "dealer", None),
        "eldest": getattr(dealt, "eldest", None),
        "order": _order(history, book, events),
        "seals": dict(book.opened.seals),
        "cuts": _cuts(history, book),
        "missing": list(getattr(dealt, "missing", ())),
        "grade": getattr(dealt, "grade", None),
        "revealed": book.closed is not None,
        "seed": seed,
        "commit_recomputed": seed and fairdeal.commit(history.header.game, n, promise.subject, _raw(seed)).hex(),
        "key": made.key.hex() if made is not None and made.key is not None else None,
        "deck": None if made is None else list(made.deck),
        "hands": None if made is None else [list(cards) for cards in made.cards],
        "stock": None if made is None else list(made.stock),
        "recorded": _recorded(events),
        "check": book.deck if not [each for each in book.findings if _is_dealing(history, each)] else WRONG,
    }


def _raw(seed: str) -> bytes:
    return bytes.fromhex(seed)


def _cuts(history: History, book: DealRecord) -> list[dict[str, Any]]:
    """Return each cut that counts, whether its seat had sealed it, and whether it matches the seal."""
    seals, cuts = book.opened.seals, getattr(book.dealt, "cuts", ())
    return [
        {
            "source": source,
            "cut": cut,
            "sealed": source in seals,
            "fits": source not in seals or fairdeal.seal(history.header.game, source, _raw(cut)).hex() == seals[source],
        }
        for source, cut in cuts
    ]


def _order(history: History, book: DealRecord, events: list[Event[Any]]) -> dict[str, Any]:
    """Return the version of each step of the deal, up to the first call."""
    bids = [each for each in history.events if each.fact in {"BidMade", "BidPassed"} and book.first < each.version]
    own = [each.version for each in bids if each.version <= book.last]
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


def _notes(deal: Mapping[str, Any], who: Mapping[int, str]) -> list[str]:
    order = deal["order"]
    said = [
        f"{deal['subject']} (ceremony {deal['n']}), dealt by {who[deal['dealer']]}, grade {deal['grade']}",
        f"  commitment  {deal['commit']}, event {order['opened']}",
        *(f"  cut of {each['source']}    {each['cut']}, {_seal_note(each)}" for each in deal["cuts"]),
        *(f"  {who[seat]} had sealed a cut and withheld it" for seat in deal["missing"]),
        f"  dealt       event {order['dealt']}, {_first_bid(order['first_bid'])}",
    ]
    if deal["seed"] is None:
        return [*said, f"  the deck is {deal['check']}"]
    fits = "the same" if deal["commit_recomputed"] == deal["commit"] else "ANOTHER"
    said += [
        f"  seed        {deal['seed']}, event {order['revealed']}",
        f"  recomputed  {deal['commit_recomputed']}: {fits}",
        f"  key         {deal['key']}",
        f"  deck        {' '.join(deal['deck'])}",
    ]
    for seat, cards in enumerate(deal["hands"]):
        said.append(f"  {who[seat]} gets {' '.join(cards)}{_difference_note(deal, str(seat), cards)}")
    said += (
        [f"  stock {' '.join(deal['stock'])}{_difference_note(deal, 'stock', deal['stock'])}"] if deal["stock"] else []
    )
    return [*said, f"  the deck is {deal['check']}"]


def _first_bid(version: int | None) -> str:
    return "nobody has bid" if version is None else f"first bid event {version}"


def _seal_note(cut: Mapping[str, Any]) -> str:
    if not cut["sealed"]:
        return "open"
    return "as it was sealed" if cut["fits"] else "NOT as it was sealed"


def _difference_note(deal: Mapping[str, Any], who: str, cards: list[str]) -> str:
    recorded = deal["recorded"].get(who)
    return "" if recorded in (None, cards) else f"; the log has {' '.join(recorded)}"
