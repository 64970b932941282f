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
FACTS_OF = {
    OPENER: "GameOpened",
    ARBITER: "RulingGiven RulingDecided",
    CAUSE: "RulesChanged RulesChangeDeferred",
    LENDER: "SeatReturned",
    BRINGER: "BeaconRecorded",
    PARTY: "DisputeOpened RulingAppealed",
    SEAT: "CutOpened BidMade BidPassed TrumpNamed TrumpPitched PartnerCalled CardsDiscarded CardsBuried CardsDrawn "
    "StockTaken CardsTaken CardPlayed UndoAsked UndoAnswered DrawProposed DrawAnswered SeatResigned TimeClaimed "
    "DelayCalled DelayVoted HandoverAsked HandoverAnswered",
    TABLE: "SeatsDrawn DealerDrawn CeremonyOpened SeedKept HandDealt CardsDealt StockLaid TrumpTurnedUp "
    "MisdealDeclared HandThrownIn AuctionWon PartnerRevealed TrickTaken HandScored CoinFlipped CeremonyRevealed "
    "CeremonyVoided MovesTakenBack SeatForfeited TurnReminded TurnTimed BidScaled PartnersChanged DelayJudged "
    "DelayDropped GameEnded SeatHandedOver",
}
AUTHORS = {name: author for author, names in FACTS_OF.items() for name in names.split()}
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


def test_the_author_of_each_fact(state: State) -> None:
    found = {
        OPENER: [ASKER, ASKER, ASKER],
        ARBITER: [ASKER, ASKER, ASKER],
        TABLE: [SERVER, SERVER, SERVER],
        SEAT: ["p1", SERVER, "p1"],
        PARTY: ["p1", "p2", "p1"],
        LENDER: ["p9", "p9", "p9"],
        BRINGER: [ASKER, ASKER, ASKER],
        CAUSE: [ASKER, ASKER, SERVER],
    }
    asked = ((1, "host"), (LEFT, "host"), (1, "randomizer"))
    said = {name: [author(state, name, seat, cause) for seat, cause in asked] for name in FACTS}
    assert said == {name: found[AUTHORS[name]] for name in FACTS}
    assert AUTHORS.keys() == FACTS.keys()


def test_B19_the_table_plays_the_hidden_cards_of_the_first_hand_of_blackout_and_seats_play_the_second() -> None:
    table = Table(4, variant="blackout")
    player = table.state.seats[1].player
    assert author(table.state, "CardPlayed", 1, "") == SERVER
    assert author(table.state, "BidMade", 1, "") == player
    assert author(table.plays_out(hands=1).state, "CardPlayed", 1, "") == player
