"""The author of each fact (`by`), in one row for every fact (docs/events.md)."""

from typing import Any

import pytest

from domain.commands import Resign
from domain.decide.envelope import fact_author
from domain.events import FACTS
from domain.state import SERVER, State
from tests.games.tables import Table

ASKER = "the player of the command"
SEAT, TABLE, PARTY = "the seat's player", "the table", "the seat's player, even after they left"
LENDER = "the player who gets the seat back"
OPENER, ARBITER, CAUSE = "the opener", "the arbiter", "the host or the table"
BRINGER = "the player who brings it, or the server"
AUTHORS = {
    "GameOpened": OPENER,
    "SeatsDrawn": TABLE,
    "DealerDrawn": TABLE,
    "CeremonyOpened": TABLE,
    "SeedKept": TABLE,
    "CutOpened": SEAT,
    "HandDealt": TABLE,
    "CardsDealt": TABLE,
    "StockLaid": TABLE,
    "TrumpTurnedUp": TABLE,
    "MisdealDeclared": TABLE,
    "BidMade": SEAT,
    "BidPassed": SEAT,
    "HandThrownIn": TABLE,
    "AuctionWon": TABLE,
    "TrumpNamed": SEAT,
    "TrumpPitched": SEAT,
    "PartnerCalled": SEAT,
    "PartnerRevealed": TABLE,
    "CardsDiscarded": SEAT,
    "CardsBuried": SEAT,
    "CardsDrawn": SEAT,
    "StockTaken": SEAT,
    "CardsTaken": SEAT,
    "CardPlayed": SEAT,
    "TrickTaken": TABLE,
    "HandScored": TABLE,
    "CoinFlipped": TABLE,
    "BeaconRecorded": BRINGER,
    "CeremonyRevealed": TABLE,
    "CeremonyVoided": TABLE,
    "UndoAsked": SEAT,
    "UndoAnswered": SEAT,
    "MovesTakenBack": TABLE,
    "DrawProposed": SEAT,
    "DrawAnswered": SEAT,
    "SeatResigned": SEAT,
    "SeatForfeited": TABLE,
    "TurnReminded": TABLE,
    "TimeClaimed": SEAT,
    "TurnTimed": TABLE,
    "RulesChanged": CAUSE,
    "RulesChangeDeferred": CAUSE,
    "BidScaled": TABLE,
    "PartnersChanged": TABLE,
    "DelayCalled": SEAT,
    "DelayVoted": SEAT,
    "DelayJudged": TABLE,
    "DelayDropped": TABLE,
    "DisputeOpened": PARTY,
    "RulingGiven": ARBITER,
    "RulingAppealed": PARTY,
    "RulingDecided": ARBITER,
    "GameEnded": TABLE,
    "HandoverAsked": SEAT,
    "HandoverAnswered": SEAT,
    "SeatHandedOver": TABLE,
    "SeatReturned": LENDER,
}
"""The author of each fact, written down a second time."""
LEFT = 2
"""The seat that resigned."""


@pytest.fixture(scope="module")
def state() -> State:
    """Return a game of p0 to p2 in play, where p2 left."""
    table = Table(3)
    table.says(Resign(LEFT))
    return table.state


def fact_of(name: str, **fields: Any) -> Any:
    """Return a fact with these fields and nothing in the others."""
    kind = FACTS[name]
    return kind(**{field: fields.get(field) for field in kind.__struct_fields__})


def author(state: State, name: str, seat: int, cause: str) -> str:
    """Return the author of a fact of that seat and cause, brought about by a command of ASKER."""
    return fact_author(fact_of(name, seat=seat, cause=cause, to="p9"), state, ASKER)


def test_every_fact_has_a_row() -> None:
    assert AUTHORS.keys() == FACTS.keys()


@pytest.mark.parametrize("name", FACTS)
def test_the_author_of_each_fact(state: State, name: str) -> None:
    said = [author(state, name, 1, "host"), author(state, name, LEFT, "host"), author(state, name, 1, "randomizer")]
    assert (
        said
        == {
            OPENER: [ASKER, ASKER, ASKER],
            ARBITER: [ASKER, ASKER, ASKER],
            TABLE: [SERVER, SERVER, SERVER],
            SEAT: ["p1", SERVER, "p1"],
            PARTY: ["p1", "p2", "p1"],
            LENDER: ["p9", "p9", "p9"],
            BRINGER: [ASKER, ASKER, ASKER],
            CAUSE: [ASKER, ASKER, SERVER],
        }[AUTHORS[name]]
    )


def test_B19_the_table_plays_the_hidden_cards_of_the_first_hand_of_blackout_and_seats_play_the_second() -> None:
    table = Table(4, variant="blackout")
    player = table.state.seats[1].player
    assert author(table.state, "CardPlayed", 1, "") == SERVER
    assert author(table.state, "BidMade", 1, "") == player
    assert author(table.plays_out(hands=1).state, "CardPlayed", 1, "") == player
