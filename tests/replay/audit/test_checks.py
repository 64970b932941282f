"""Each check of the audit, on a fact that no server could have written there."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from domain.events import (
    BidPassed,
    CardPlayed,
    CeremonyOpened,
    CeremonyVoided,
    DrawAnswered,
    DrawProposed,
    Fact,
    GameOpened,
    HandDealt,
    HandoverAsked,
    MovesTakenBack,
    Play,
    Rating,
    SeatForfeited,
    SeatResigned,
    SeatReturned,
    TrickTaken,
    TrumpPitched,
    UndoAsked,
)
from replay.audit.deals import ceremonies as rites
from replay.audit.deals import deal
from replay.audit.deals.ceremonies import matches_commitment, mix_grade
from replay.audit.deals.deal import hand_out
from replay.audit.play import openings, table_talk, tricks
from replay.fold import START, CeremonyRead, Position, ProposalRead, positions
from tests import given
from tests.given import AT, GAME, SEED, auction, cards, events, game_opened
from tests.values import replace

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H"]
DEALT = (game_opened(3), *given.deal(HANDS))
TOLD = next(fact for fact in DEALT if isinstance(fact, HandDealt))
SOLD = (*DEALT, *auction(2, 0, 3))
AH, KH, AC, AS = cards("AH KH AC AS")
LED = (*SOLD, TrumpPitched(2, "H", AH), CardPlayed(2, AH, (0,)))


def place(*facts: Fact) -> Position:
    *_, last = positions(events(facts))
    return last


def asked(position: Position, to_version: int | None) -> Position:
    """Return the position with every person agreeing to a proposal of seat 0."""
    return replace(position, proposal=ProposalRead((0, 1, 2), to_version))


def _void(n: int) -> CeremonyVoided:
    return CeremonyVoided(n, "ended", "server", SEED)


PASSED = (*DEALT, BidPassed(0, (1,)))
THREE_PLAYED = (*LED, CardPlayed(0, AC, (1,)), CardPlayed(1, cards("2C")[0], ()))
PILE = tuple(Play(seat, card) for seat, card in ((2, AH), (0, AC), (1, cards("2C")[0])))

BACK = (*LED, CardPlayed(0, AC, (1,)), MovesTakenBack(2, 12, (2,)))
TAKEN_BACK = place(*BACK, TrumpPitched(2, "H", KH), CardPlayed(2, KH, (0,)))


def rated(_: Position, fact: GameOpened) -> Iterator[str]:
    return openings.check_rated(fact)


UNFIT_RATINGS = {
    "a game that counts from the start": Rating(counts=True, reason="guest"),
    "an unknown reason against a rating": Rating(counts=False, reason="friendly"),
    "bots as the reason among people": Rating(counts=False, reason="bots"),
    "private as the reason of a game to watch": Rating(counts=False, reason="private"),
    "practice as the reason of a game with consent": Rating(counts=False, reason="practice"),
}

OPENED, DEALS = openings.check_game_opened, deal.check_hand_dealt
PLAYED, TAKEN = tricks.check_card_played, tricks.check_trick_taken
DRAWS, ASKED, BACK_TO = table_talk.check_draw_proposed, table_talk.check_undo_asked, table_talk.check_moves_taken_back
OPENS, VOIDS = partial(rites.check_ceremony_opened, at=AT), partial(rites.check_ceremony_voided, game=GAME)
AT_DEAL, AT_BID, AT_PITCH, AT_LEAD, AT_TAKING = (place(*facts) for facts in (DEALT[:3], DEALT, SOLD, LED, THREE_PLAYED))
LAST = "just before the last move"
WITH_BOT, HANDS_OVER = place(game_opened(3, bots=[1])), table_talk.check_handover_asked
TO_ANN, FORFEIT = HandoverAsked(0, "ann", "human", None), SeatForfeited(1, "handover")
SAYS: list[tuple[str, Position, Callable[[Position, Any], Iterator[str]], Fact, str]] = [
    ("too many players", START, OPENED, replace(game_opened(7), players=game_opened(7).players * 2), "14 players"),
    ("other sides", START, OPENED, replace(game_opened(2), sides=((0, 1),)), "not those of the recorded rules"),
    *(
        (name, START, rated, replace(game_opened(2), rated=rating), "no such game opens with the rating")
        for name, rating in UNFIT_RATINGS.items()
    ),
    ("a trick not played to", AT_LEAD, TAKEN, TrickTaken(1, 1, 1, (), (), (1,)), "did not play to"),
    ("other cards", AT_TAKING, TAKEN, TrickTaken(1, 1, 2, (), (), (2,)), "the trick is recorded as nothing"),
    ("cards kept", AT_TAKING, TAKEN, TrickTaken(1, 1, 2, PILE, (Play(2, AC),), (2,)), "the kept cards are 2:AC"),
    ("two ceremonies", AT_DEAL, OPENS, CeremonyOpened(2, "deal hand 1", "", {}), "before another ceremony has dealt"),
    ("a short cut", AT_DEAL, DEALS, replace(TOLD, cuts=(("0", "00"),)), "a cut isn't"),
    ("a void of a deal", AT_BID, VOIDS, _void(1), "can't be voided here"),
    ("a void by a person", AT_BID, VOIDS, replace(_void(1), by="p1"), "by p1"),
    ("a draw with a bot", WITH_BOT, DRAWS, DrawProposed(0), "with a bot"),
    ("two proposals", asked(AT_LEAD, None), DRAWS, DrawProposed(0), "still open"),
    ("leaving twice", replace(AT_LEAD, left=(1,)), table_talk.check_seat_resigned, SeatResigned(1), "has left"),
    (
        "a draw answered for an undo",
        asked(AT_LEAD, 9),
        table_talk.check_answer,
        DrawAnswered(0, True),
        "no draw proposal",
    ),
    ("an undo of two moves", place(*PASSED, BidPassed(1, (2,))), ASKED, UndoAsked(0, 8), LAST),
    ("an undo before the deal", place(*PASSED), ASKED, UndoAsked(0, 2), LAST),
    ("an undo to what was taken back", TAKEN_BACK, ASKED, UndoAsked(2, 14), LAST),
    ("a bot that hands itself over", WITH_BOT, HANDS_OVER, replace(TO_ANN, seat=1), "no person plays it"),
    ("a hand-over in a deal", AT_DEAL, HANDS_OVER, TO_ANN, "while a deal is pending"),
    ("a return to a stranger", AT_LEAD, table_talk.check_returned, SeatReturned(1, "p7"), "who did not hand it over"),
    ("a return in a deal", AT_DEAL, table_talk.check_returned, SeatReturned(1, "p7"), "while a deal is pending"),
    ("a forfeit of one of three", AT_LEAD, table_talk.check_forfeited_instead, FORFEIT, "isn't the last person"),
    ("an undo across the auction", AT_PITCH, ASKED, UndoAsked(2, 10), LAST),
]


@pytest.mark.parametrize(("before", "check", "fact", "says"), [each[1:] for each in SAYS], ids=[one[0] for one in SAYS])
def test_a_fact_that_no_server_could_have_written_is_found(
    before: Position, check: Callable[[Position, Any], Iterator[str]], fact: Fact, says: str
) -> None:
    assert any(says in sentence for sentence in check(before, fact)), list(check(before, fact))


def test_a_card_of_another_hand_or_of_the_stock_lies_elsewhere() -> None:
    known = place(*LED)
    hand = replace(known.live, cards={seat: held for seat, held in known.live.cards.items() if seat})
    unknown = replace(known, hand=hand)
    for card in ("2C", "AS"):
        assert "another hand or the stock holds it" in " ".join(
            tricks.check_card_played(unknown, CardPlayed(0, cards(card)[0], (1,)))
        )
    assert list(tricks.check_card_played(unknown, CardPlayed(0, AC, (1,)))) == []


@pytest.mark.parametrize(
    ("seals", "cuts", "grade"),
    [
        pytest.param({}, [], "F0", id="no cut"),
        pytest.param({}, [("drand/quicknet/1", "00")], "F0", id="a beacon alone"),
        pytest.param({}, [("0", "00")], "F1", id="an open cut"),
        pytest.param({"0": "00"}, [("0", "00"), ("1", "00")], "F1", id="one of two sealed"),
        pytest.param({"0": "00", "1": "00"}, [("0", "00"), ("1", "00")], "F2", id="all sealed"),
        pytest.param({"0": "00", "1": "00"}, [("0", "00"), ("1", "00"), ("drand/1", "00")], "F3", id="and a beacon"),
    ],
)
def test_the_grade_of_a_deal(seals: dict[str, str], cuts: list[tuple[str, str]], grade: str) -> None:
    assert mix_grade(seals, cuts, {"0", "1"}) == grade


def test_cards_go_round_one_at_a_time_from_the_eldest_until_each_hand_is_full() -> None:
    told = replace(TOLD, eldest=1, counts=(2, 1, 2))
    assert hand_out(cards("2C 3C 4C 5C 6C 7C"), told) == ((cards("4C 6C"), cards("2C"), cards("3C 5C")), 5)
    assert hand_out(cards("2C 3C"), told) == (((), cards("2C"), cards("3C")), 2)


def test_a_promise_no_ceremony_can_make_is_not_kept() -> None:
    assert not matches_commitment(GAME, 1, CeremonyRead("é", "", {}), SEED)
    assert not matches_commitment(GAME, 1, CeremonyRead("deal hand 1", "00" * 32, {}), SEED)


def test_a_seat_that_left_is_not_returned() -> None:
    before = replace(place(*LED), lent={1: ("p7",)})
    assert list(table_talk.check_returned(before, SeatReturned(1, "p7"))) == []
    says = list(table_talk.check_returned(replace(before, left=(1,)), SeatReturned(1, "p7")))
    assert says == ["seat 1 is returned, but it has left the game"]
