"""Each check of the audit, on a fact that no server could have written there."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from domain.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    DrawAnswered,
    DrawProposed,
    Fact,
    HandDealt,
    HandThrownIn,
    MovesTakenBack,
    Play,
    Player,
    Rating,
    SeatResigned,
    SeatReturned,
    SeedKept,
    StockLaid,
    TrickTaken,
    TrumpPitched,
    UndoAsked,
)
from domain.protocols import fairdeal
from domain.rules.choices import BiddingDirection, Sight
from replay.audit import audit
from replay.audit.deals import ceremonies as rites
from replay.audit.deals import deal
from replay.audit.deals.ceremonies import matches_commitment, mix_grade
from replay.audit.deals.deal import RecomputedDeal, hand_out, recompute_deal
from replay.audit.deals.deal_record import DealRecord
from replay.audit.log.envelope import check_envelope
from replay.audit.log.event_order import due_facts
from replay.audit.play import auction as table
from replay.audit.play import consent, handovers, tricks
from replay.audit.play.deadlines import DEADLINE_FACTS
from replay.audit.play.fact_kinds import TABLE_TALK_FACTS
from replay.audit.play.turns import acceptable_turns
from replay.fold import START, CeremonyRead, Position, ProposalRead, positions
from tests import given
from tests.given import AT, GAME, SEED, auction, cards, events, game_opened
from tests.replay.finding import find_fact
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


ODD_BOT = replace(game_opened(2), players=(Player("p0", "human"), Player("p1", "bot")))
PASSED = (*DEALT, BidPassed(0, (1,)))
SPENT = replace(place(*LED), hand=replace(place(*LED).live, counts=(6, 0, 5)))
THREE_PLAYED = (*LED, CardPlayed(0, AC, (1,)), CardPlayed(1, cards("2C")[0], ()))
PILE = tuple(Play(seat, card) for seat, card in ((2, AH), (0, AC), (1, cards("2C")[0])))

BACK = (*LED, CardPlayed(0, AC, (1,)), MovesTakenBack(2, 12, (2,)))
TAKEN_BACK = place(*BACK, TrumpPitched(2, "H", KH), CardPlayed(2, KH, (0,)))

UNFIT_RATINGS = {
    "a game that counts from the start": Rating(counts=True, reason="guest"),
    "an unknown reason against a rating": Rating(counts=False, reason="friendly"),
    "bots as the reason among people": Rating(counts=False, reason="bots"),
    "private as the reason of a game to watch": Rating(counts=False, reason="private"),
    "practice as the reason of a game with consent": Rating(counts=False, reason="practice"),
}

OPENED, BID, DEALS = table.check_game_opened, table.check_bid, deal.check_hand_dealt
PITCHED, PLAYED, TAKEN = tricks.check_trump_pitched, tricks.check_card_played, tricks.check_trick_taken
DRAWS, ASKED, BACK_TO = consent.check_draw_proposed, consent.check_undo_asked, consent.check_moves_taken_back
OPENS, KEEPS = partial(rites.check_ceremony_opened, at=AT), partial(rites.check_seed_kept, game=GAME)
REVEALS, VOIDS = partial(rites.check_ceremony_revealed, game=GAME), partial(rites.check_ceremony_voided, game=GAME)
PLACED_BID = place(*DEALT, BidMade(0, 2, (1,)))
AT_DEAL, AT_BID, AT_PITCH, AT_LEAD, AT_TAKING = (place(*facts) for facts in (DEALT[:3], DEALT, SOLD, LED, THREE_PLAYED))
LAST = "just before the last move"
SAYS: list[tuple[str, Position, Callable[[Position, Any], Iterator[str]], Fact, str]] = [
    ("too many players", START, OPENED, replace(game_opened(7), players=game_opened(7).players * 2), "14 players"),
    ("another deck", START, OPENED, replace(game_opened(2), deck=game_opened(2).deck[::-1]), "not the one of the"),
    ("other sides", START, OPENED, replace(game_opened(2), sides=((0, 1),)), "not those of the recorded rules"),
    ("a bot of no kind", START, OPENED, ODD_BOT, "neither a person nor a named bot"),
    *(
        (name, START, OPENED, replace(game_opened(2), rated=rated), "no such game opens with the rating")
        for name, rated in UNFIT_RATINGS.items()
    ),
    ("a second call", place(*DEALT, BidPassed(0, (0,))), BID, BidPassed(0, (2,)), "in this auction already"),
    ("a call out of turn", place(*DEALT, BidPassed(0, ())), BID, BidPassed(1, (2,)), "turn of no seat"),
    ("thrown in with a bid", PLACED_BID, table.check_hand_thrown_in, HandThrownIn(1), "a seat has bid"),
    ("a second pitch", AT_LEAD, PITCHED, TrumpPitched(0, "C", AC), "has been led already"),
    ("a pitch by another", AT_PITCH, PITCHED, TrumpPitched(0, "C", AC), "is not the pitcher"),
    ("a card before trump", AT_PITCH, PLAYED, CardPlayed(2, AH, (0,)), "trump is not made yet"),
    ("another card than pitched", place(*LED[:-1]), PLAYED, CardPlayed(2, KH, (0,)), "AH pitched"),
    ("a card not held", AT_LEAD, PLAYED, CardPlayed(0, AS, (1,)), "but does not hold it"),
    ("a card gone", AT_LEAD, PLAYED, CardPlayed(0, AH, (1,)), "been played already"),
    ("twice to a trick", AT_LEAD, PLAYED, CardPlayed(2, KH, (0,)), "plays twice"),
    ("no card left", SPENT, PLAYED, CardPlayed(1, AC, (2,)), "has no card left"),
    ("a short trick", AT_LEAD, TAKEN, TrickTaken(1, 1, 2, PILE[:1], (), (2,)), "seat 0, 1 could still"),
    ("a trick not played to", AT_LEAD, TAKEN, TrickTaken(1, 1, 1, (), (), (1,)), "did not play to"),
    ("other cards", AT_TAKING, TAKEN, TrickTaken(1, 1, 2, (), (), (2,)), "the trick is recorded as nothing"),
    ("cards kept", AT_TAKING, TAKEN, TrickTaken(1, 1, 2, PILE, (Play(2, AC),), (2,)), "the kept cards are 2:AC"),
    ("two ceremonies", AT_DEAL, OPENS, CeremonyOpened(2, "deal hand 1", "", {}), "before another ceremony has dealt"),
    ("a seed for later", AT_BID, KEEPS, SeedKept(2, SEED), "isn't the last one opened"),
    ("a deal of no ceremony", AT_DEAL, DEALS, replace(TOLD, n=7), "isn't open for a deal"),
    ("a hand before hand 1", AT_DEAL, DEALS, replace(TOLD, hand=-3), "but hand 1 is due"),
    ("a short cut", AT_DEAL, DEALS, replace(TOLD, cuts=(("0", "00"),)), "a cut isn't"),
    ("a reveal of none", AT_BID, REVEALS, CeremonyRevealed(2, SEED), "can't be revealed here"),
    ("a void of a deal", AT_BID, VOIDS, _void(1), "can't be voided here"),
    ("a void by a person", AT_BID, VOIDS, replace(_void(1), by="p1"), "by p1"),
    ("a draw with a bot", place(game_opened(3, bots=[1])), DRAWS, DrawProposed(0), "with a bot"),
    ("two proposals", asked(AT_LEAD, None), DRAWS, DrawProposed(0), "still open"),
    ("leaving twice", replace(AT_LEAD, left=(1,)), consent.check_seat_resigned, SeatResigned(1), "has left"),
    ("a draw answered for an undo", asked(AT_LEAD, 9), consent.check_answer, DrawAnswered(0, True), "no draw proposal"),
    ("an undo nobody asked for", AT_LEAD, BACK_TO, MovesTakenBack(2, 12, (2,)), "not every player agreed"),
    ("another undo", asked(AT_LEAD, 9), BACK_TO, MovesTakenBack(2, 12, (2,)), "but seat 0 asked for version 9"),
    ("an undo of nothing", AT_BID, ASKED, UndoAsked(0, 7), LAST),
    ("an undo of two moves", place(*PASSED, BidPassed(1, (2,))), ASKED, UndoAsked(0, 8), LAST),
    ("an undo before the deal", place(*PASSED), ASKED, UndoAsked(0, 2), LAST),
    ("an undo to what was taken back", TAKEN_BACK, ASKED, UndoAsked(2, 14), LAST),
    ("an undo across the auction", AT_PITCH, ASKED, UndoAsked(2, 10), LAST),
]


@pytest.mark.parametrize(("before", "check", "fact", "says"), [each[1:] for each in SAYS], ids=[one[0] for one in SAYS])
def test_a_fact_that_no_server_could_have_written_is_found(
    before: Position, check: Callable[[Position, Any], Iterator[str]], fact: Fact, says: str
) -> None:
    assert any(says in sentence for sentence in check(before, fact)), list(check(before, fact))


def test_sound_facts_have_no_findings() -> None:
    assert list(table.check_game_opened(START, game_opened(3))) == []
    unrated = replace(game_opened(3, bots=[1]), rated=Rating(counts=False, reason="bots"))
    assert list(table.check_game_opened(START, unrated)) == []
    assert list(tricks.check_card_played(place(*LED), CardPlayed(0, AC, (1,)))) == []
    assert list(tricks.check_trick_taken(place(*THREE_PLAYED), TrickTaken(1, 1, 2, PILE, (), (2,)))) == []
    assert list(consent.check_undo_asked(place(*PASSED), UndoAsked(0, 8))) == []
    assert list(rites.check_ceremony_voided(place(*DEALT[:3]), _void(1), GAME)) == []


def test_a_card_of_another_hand_or_of_the_stock_lies_elsewhere() -> None:
    known = place(*LED)
    hand = replace(known.live, cards={seat: held for seat, held in known.live.cards.items() if seat})
    unknown = replace(known, hand=hand)
    for card in ("2C", "AS"):
        assert "another hand or the stock holds it" in " ".join(
            tricks.check_card_played(unknown, CardPlayed(0, cards(card)[0], (1,)))
        )
    assert list(tricks.check_card_played(unknown, CardPlayed(0, AC, (1,)))) == []


def test_in_an_auction_to_the_right_the_seat_before_is_next() -> None:
    first = game_opened(3)
    rightward = replace(
        first, rules=replace(first.rules, auction=replace(first.rules.auction, around=BiddingDirection.RIGHT))
    )
    assert acceptable_turns(place(rightward, *DEALT[1:], BidPassed(0, (2,)))) == {(2,)}
    assert acceptable_turns(place(*DEALT, BidPassed(0, (1,)))) == {(1,)}


def test_cards_are_counted_if_all_are_known() -> None:
    hand, deck = place(*LED).live, frozenset(game_opened(3).deck)
    assert list(tricks.check_card_count(hand, deck)) == []
    assert list(tricks.check_card_count(replace(hand, cards={}), deck)) == []
    assert list(tricks.check_card_count(replace(hand, stock=None), deck)) == []
    assert len(list(tricks.check_card_count(replace(hand, counts=(6, 6, 6)), deck))) == 1
    assert len(list(tricks.check_card_count(replace(hand, stock=()), deck))) == 2
    assert list(tricks.check_card_count(replace(hand, stock=(), untaken=3), deck)) == []


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


def test_a_deal_with_cuts_is_recomputed_with_them() -> None:
    ceremony = CeremonyRead("deal hand 1", "", {})
    plain = recompute_deal(GAME, ceremony, TOLD, SEED, game_opened(3).deck)
    cut = recompute_deal(GAME, ceremony, replace(TOLD, cuts=(("0", "22" * 32),)), SEED, game_opened(3).deck)
    assert plain.deck != cut.deck
    assert sorted(plain.deck) == sorted(cut.deck) == sorted(game_opened(3).deck)
    key = fairdeal.key(GAME, 1, "deal hand 1", bytes.fromhex(SEED), [("0", bytes.fromhex("22" * 32))])
    assert cut.deck == tuple(game_opened(3).deck[n] for n in fairdeal.shuffle(key, "deck", 52))


def test_a_promise_no_ceremony_can_make_is_not_kept() -> None:
    assert not matches_commitment(GAME, 1, CeremonyRead("é", "", {}), SEED)
    assert not matches_commitment(GAME, 1, CeremonyRead("deal hand 1", "00" * 32, {}), SEED)


def test_cards_and_stock_of_another_ceremony_or_deal_are_found() -> None:
    before = place(*DEALT[:4])
    other = RecomputedDeal(game_opened(3).deck, ((), (), ()), ())
    says = list(deal.check_cards_dealt(before, CardsDealt(2, 1, cards("AC AC")), 0, other))
    assert len(says) == 5
    assert len(list(deal.check_stock_laid(before, StockLaid(2, cards("AC")), other))) == 3


def test_a_stock_whose_seed_is_not_known_is_only_counted() -> None:
    before, stock = place(*DEALT[:-1]), DEALT[-1]
    assert isinstance(stock, StockLaid)
    assert list(deal.check_stock_laid(before, stock, None)) == []
    counted = [f"the stock is 1 cards, but the deal says {len(stock.cards)}"]
    assert list(deal.check_stock_laid(before, replace(stock, cards=cards("AC")), None)) == counted


def test_the_sentence_about_a_short_cut() -> None:
    short = replace(TOLD, cuts=(("0", "00"),))
    assert "a cut isn't 32 bytes in hex" in list(deal.check_hand_dealt(place(*DEALT[:3]), short))


def test_a_seat_that_left_is_not_returned() -> None:
    before = replace(place(*LED), lent={1: ("p7",)})
    assert list(handovers.check_returned(before, SeatReturned(1, "p7"))) == []
    says = list(handovers.check_returned(replace(before, left=(1,)), SeatReturned(1, "p7")))
    assert says == ["seat 1 is returned, but it has left the game"]


def test_a_hand_that_was_thrown_in_has_that_outcome() -> None:
    history, version = find_fact("gamerz Pitch", "HandThrownIn")
    thrown_in = history.lines[version - 1].event
    assert thrown_in is not None
    hands = [each for each in audit(history).to_json()["hands"] if each["hand"] == thrown_in.data.hand]
    assert "thrown in" in {each["ended"] for each in hands}


def test_the_deal_ledger_says_how_the_hand_ended() -> None:
    book = DealRecord(CeremonyOpened(1, "deal hand 1", "00" * 32, {}))
    assert (book.outcome, book.to_json()["hand"], book.to_json()["score"]) == ("not dealt", None, None)
    book.closed = _void(1)
    assert (book.outcome, book.to_json()["voided"]) == ("voided", True)


def test_an_audience_is_checked_by_the_sight_of_the_hand() -> None:
    first = game_opened(3)
    blind = replace(first, rules=replace(first.rules, sights=(Sight.OTHERS,)))
    facts = (blind, *DEALT[1:])
    folded = events(facts)
    before = place(*facts[:4])
    assert folded[4].seen_by == (1, 2)
    assert list(check_envelope(before, folded[4], None)) == []
    assert "visible only to seat 0, but should be visible only to seats 1, 2" in " ".join(
        check_envelope(before, replace(folded[4], seen_by=(0,)), None)
    )


def test_the_facts_that_may_come_next() -> None:
    words = (TABLE_TALK_FACTS - {"DelayCalled", "DelayVoted"}) | DEADLINE_FACTS | {"DisputeOpened"}
    assert due_facts(START, "", 0) == {"GameOpened"}
    assert due_facts(place(*DEALT[:-1]), "CardsDealt", 3) == {"StockLaid"}
    bare = place(*DEALT[:3], replace(TOLD, counts=(18, 17, 17), stock=0))
    assert due_facts(bare, "CardsDealt", 3) == {"BidMade", "BidPassed"} | words
    assert due_facts(asked(place(*LED), 9), "UndoAnswered", 0) == {"MovesTakenBack"}
    assert due_facts(place(*SOLD), "AuctionWon", 0) == {"TrumpPitched", "CardPlayed"} | words
    assert due_facts(place(*THREE_PLAYED), "CardPlayed", 0) == {"TrickTaken"}
    closing = {"CeremonyRevealed", "CeremonyVoided"}
    assert due_facts(asked(place(*LED), None), "DrawAnswered", 0) == closing
    assert due_facts(replace(place(*DEALT[:3]), left=(0, 1, 2)), "CeremonyVoided", 0) == closing
    assert due_facts(replace(place(game_opened(3)), left=(0, 1, 2)), "CeremonyVoided", 0) == {"GameEnded"}
