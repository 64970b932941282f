"""The facts of one commit of Corellian Pitch: their order, authors and audiences (docs/events.md)."""

import re
from itertools import product

import pytest

from domain.decide.whose_turn import TURN_ENDING_FACTS
from domain.state import SERVER
from domain.store.aggregate import Entry
from tests.games.tables import Table

DEAL = r"CeremonyOpened SeedKept HandDealt( CardsDealt){4} StockLaid"
DEALS = rf"({DEAL} MisdealDeclared CeremonyRevealed )*{DEAL}"
FILLED = r"( StockTaken CardsTaken)?( PartnerRevealed)?"
CARD = r"CardPlayed( PartnerRevealed)?( TrickTaken)?( PartnerRevealed)?"
COMMITS = re.compile(
    rf"GameOpened CeremonyOpened SeedKept DealerDrawn CeremonyRevealed {DEALS}"
    r"|Bid(Made|Passed)( AuctionWon)?"
    rf"|TrumpNamed{FILLED}"
    rf"|PartnerCalled{FILLED}"
    rf"|CardsDiscarded( CardsBuried)?( CardsDrawn CardsTaken)?{FILLED}"
    rf"|{CARD}"
    rf"|{CARD} HandScored CeremonyRevealed {DEALS}"
)
OWN = {"BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "CardsBuried", "CardsDrawn"}
OWN |= {"CardsTaken", "StockTaken", "CardPlayed"}
"""Facts whose author is the player of their seat."""
HIDDEN = {"CardsDealt", "CardsBuried", "CardsTaken"}
"""Facts that only their seat sees."""


def turns(entries: tuple[Entry, ...]) -> list[tuple[int, ...]]:
    """Return the value of `next` in each fact of the commit that has it, except in a hand that ends with the commit."""
    facts = [entry.event.data for entry in entries]
    ends = max((at for at, fact in enumerate(facts) if isinstance(fact, TURN_ENDING_FACTS)), default=-1)
    early = [fact.next for fact in facts[: ends + 1] if hasattr(fact, "next")]
    assert all(not seats for seats in early)
    return [fact.next for fact in facts[ends + 1 :] if hasattr(fact, "next")]


@pytest.mark.parametrize(
    ("deal", "call", "follow"),
    [
        pytest.param(*options, id=f"C5 R-C2 R-C28 R-C49 {' '.join(options)}")
        for options in product(("fill", "all"), ("announced", "secret"), ("trumps", "suit_or_trump"))
    ],
)
@pytest.mark.parametrize("partners", ["across", "call"])
def test_every_commit_of_a_game_is_in_order(deal: str, call: str, follow: str, partners: str) -> None:
    draws = {"when": [1, 1], "end": None, "points": [], "dirty": False, "reverse": False, "partners": [partners]}
    game = Table(variant="corellian", seed=7, randomizer=draws, deal=deal, call=call, follow=follow).plays_out(hands=3)
    for entries in game.commits:
        said = " ".join(entry.event.fact for entry in entries if entry.event.fact != "RulesChanged")
        assert COMMITS.fullmatch(said), said
        *before, last = turns(entries)
        assert len(last) == 1
        assert not any(before)
        assert len({(entry.event.command, entry.event.at) for entry in entries}) == 1


def test_the_author_and_the_audience_of_each_fact() -> None:
    game = Table(variant="corellian", bots=(2,), seed=3, randomizer=None).plays_out(hands=2)
    seen = set()
    for event in game.events[1:]:
        own = event.fact in OWN
        assert event.by == (game.state.seats[event.data.seat].player if own else SERVER), event.fact
        only = (event.data.seat,) if event.fact in HIDDEN else None
        assert event.seen_by == (() if event.fact in {"SeedKept", "StockLaid"} else only), event.fact
        seen.add(event.fact)
    assert seen >= OWN - {"PartnerCalled", "CardsDrawn"}


def test_R_C22_trump_is_named_once_in_a_hand() -> None:
    game = Table(variant="corellian", seed=9, randomizer={"when": [1, 2], "end": None}).plays_out(hands=4)
    facts = [event.fact for event in game.events]
    assert facts.count("TrumpNamed") == facts.count("HandScored")
