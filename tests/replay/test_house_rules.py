"""Games by rules of a club are read without a finding, and every check of their choices finds a forged fact."""

from functools import cache
from typing import Any

import pytest

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    DisputeOpened,
    Evidence,
    Play,
    RulingGiven,
)
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    DealerBids,
    Ending,
    Fill,
    Miss,
    Moon,
    OpeningLead,
    Partners,
    Quirk,
    Throw,
    Worth,
)
from domain.rules.model import Auction, Changes, Point, Rules, Version
from domain.rules.variants.corellian_versions import VERSIONS
from replay.audit import audit
from replay.audit.deals.deal import check_hand_dealt
from replay.audit.disputes import ruled_result
from replay.audit.play.auction import check_auction_won, check_bid
from replay.audit.play.exchange import check_cards_buried, check_cards_discarded, check_cards_drawn, check_stock_taken
from replay.audit.play.tricks import check_card_played, plays_kept
from replay.audit.scoring.endings import due_end
from replay.audit.scoring.hand_score import check_hand_scored, hand_total
from replay.audit.scoring.points import pegs_due
from replay.fold import START, DisputeRead, Position, apply_event
from replay.fold.play import read_discards
from replay.history import export_bytes, read_export
from replay.text.narrate import describe_setting
from replay.text.transcribe import format_transcripts, transcripts
from replay.text.transcript import parse_transcripts
from tests.replay.finding import Which, any_of_them, says
from tests.replay.forging import events_of
from tests.replay.house import CINCH, FOUR, HELL, HOUSES, SMEAR, TEN, House, house
from tests.replay.test_variants import sound
from tests.values import replace

OLD = replace(
    TEN,
    seats=(5,),
    partners=Partners.CALL,
    throw=Throw.POINTS_STAY,
    auction=replace(TEN.auction, moon=Moon.NONE),
    misdeal=(),
    opening_lead=OpeningLead.TRUMP,
    quirks=tuple(Quirk),
)
"""Five players and nine cards each, as games were opened whose seats could draw no cards."""
NO_MOON = replace(TEN, auction=replace(TEN.auction, moon=Moon.NONE))
SAME_DEALER = replace(SMEAR, auction=replace(SMEAR.auction, all_pass=AllPass.SAME_DEALER))
RULES = {
    **HOUSES,
    "old": (OLD, 5),
    "teams over changes": (replace(NO_MOON, partners=Partners.TEAMS), 4),
    "the same dealer": (SAME_DEALER, 4),
}


@cache
def played(name: str, seed: int) -> House:
    """Return two hands by those rules, with moves taken back."""
    made = house(seed, *RULES[name])
    made.hands(2, often=0.05)
    return made


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@cache
def before(name: str, fact: str, which: Which = any_of_them) -> tuple[Position, Any]:
    """Return the position of a game by those rules before the first such fact, and the fact."""
    for seed in range(60):
        history = played(name, seed).history
        for event in events_of(history):
            if event["fact"] == fact and which(event["data"]):
                position = START
                for earlier in history.events[: event["version"] - 1]:
                    position = apply_event(position, earlier)
                return position, history.events[event["version"] - 1].data
    raise LookupError(f"no {name} has such a {fact}")


@pytest.mark.parametrize("name", RULES)
def test_games_are_sound_and_so_are_their_transcripts(name: str) -> None:
    history = played(name, 1).history
    sound(read_export(export_bytes(history)))
    text = format_transcripts(transcripts(history))
    assert format_transcripts(parse_transcripts(text)) == text


@pytest.mark.parametrize("name", RULES)
def test_a_running_game_is_sound_for_a_seat_and_for_a_spectator(name: str) -> None:
    made = house(2, *RULES[name], reveal="game")
    for moves in (2, 3, 3, 3, 12):
        made.play(most=moves)
        for viewer in (None, 1):
            sound(read_export(export_bytes(made.seen_by(viewer))))


def test_H1_an_old_game_draws_no_cards_and_a_new_one_does_not() -> None:
    position, fact = before("old", "CardsDrawn", lambda data: data["count"] == 0)
    assert not list(check_cards_drawn(position, fact))
    assert all(event.data.count for event in played("pedro", 3).history.events if event.fact == "CardsDrawn")
    history = played("old", 0).history
    assert audit(history).findings == []


def auction(rules: Rules, *bids: int | None, hand: int = 1) -> Position:
    """Return a table of four before its next call, after these."""
    position, _ = before("four-point-kitty", "BidMade")
    eldest = position.live.dealt.eldest
    calls = tuple(((eldest + turn) % 4, bid) for turn, bid in enumerate(bids))
    live = replace(position.live, dealt=replace(position.live.dealt, hand=hand), calls=calls, totals=(4,) * len(calls))
    return replace(position, hand=live, in_force=rules, turn=((eldest + len(bids)) % 4,))


def by(**fields: Any) -> Rules:
    """Return four-point pitch with a moon and another auction."""
    return replace(FOUR, auction=replace(FOUR.auction, **fields))


LAST_TIES, STUCK = {"dealer": DealerBids.TIES}, {"all_pass": AllPass.DEALER_BIDS_LEAST}
CALLS: list[tuple[Rules, tuple[int | None, ...], str]] = [
    (by(), (), "pass 2 3 4 5"),
    (by(), (None, 3), "pass 4 5"),
    (by(), (2, 3, None), "pass 4 5"),
    (by(), (5,), "pass"),
    (by(moon=Moon.NONE), (4,), "pass"),
    (by(**LAST_TIES), (2, 3, None), "pass 3 5"),
    (by(**LAST_TIES), (5, None, None), "pass"),
    (by(dealer=DealerBids.TIES_OR_RAISES), (2, None, None), "pass 2 3 4 5"),
    (by(**STUCK), (None, None, None), "2 5"),
    (by(all_pass=AllPass.DEALER_BIDS), (None, None, None), "2 3 4 5"),
    (by(all_pass=AllPass.SAME_DEALER), (None, None, None), "pass 2 3 4 5"),
    (replace(HELL, hand_sizes=(3,)), (1, 0, 2), "1 2 3"),
    (replace(HELL, hand_sizes=(3,)), (1, 0), "0 1 2 3"),
    (replace(NO_MOON, auction=Auction(of=Bids.POINTS, least=9)), (9,), "pass 10"),
]


@pytest.mark.parametrize(("rules", "bids", "allowed"), CALLS)
def test_N8_H8_bids_and_passes_are_those_that_the_auction_allows(
    rules: Rules, bids: tuple[int | None, ...], allowed: str
) -> None:
    position = auction(rules, *bids)
    (seat,) = position.turn
    calls: dict[str, BidMade | BidPassed] = {"pass": BidPassed(seat, ())}
    calls |= {str(bid): BidMade(seat, bid, ()) for bid in range(12)}
    assert " ".join(name for name, fact in calls.items() if not list(check_bid(position, fact))) == allowed


def test_H7_a_dealer_who_has_it_bids_least_as_written_if_bids_are_listed() -> None:
    rules = by(moon=Moon.NONE, all_pass=AllPass.DEALER_HAS_IT, least=2)
    position = auction(rules, None, None, None, None)
    won = AuctionWon(position.live.dealt.dealer, 2, forced=True, max=False, sides=position.opening.sides, next=())
    won = replace(won, sides=tuple(sorted(won.sides, key=lambda side: won.seat not in side)))
    assert not list(check_auction_won(position, won))
    says(check_auction_won(replace(position, in_force=replace(rules, quirks=tuple(Quirk))), won), "wins the auction")
    says(check_auction_won(position, replace(won, max=True)), "the highest")


def test_N8_the_moon_is_a_bid_for_everything() -> None:
    position = auction(by(), None, 5, None, None)
    seat = position.live.calls[1][0]
    sides = tuple(sorted(position.opening.sides, key=lambda side: seat not in side))
    won = AuctionWon(seat, 5, forced=False, max=True, sides=sides, next=())
    assert not list(check_auction_won(position, won))
    says(check_auction_won(position, replace(won, max=False)), "less than the highest")


def test_N1_two_teams_have_their_words() -> None:
    assert describe_setting("10", dirty=True, reverse=False, partners="teams").endswith("two teams")


def test_same_dealer_deals_again_after_a_hand_that_was_thrown_in() -> None:
    position, dealt = before("the same dealer", "HandDealt", lambda data: data["hand"] > 1)
    assert position.hand is not None
    thrown = replace(position, hand=replace(position.hand, thrown_in=True))
    says(check_hand_dealt(thrown, dealt), f"deals, but seat {position.hand.dealt.dealer} should")
    again = replace(dealt, dealer=position.hand.dealt.dealer, eldest=position.hand.dealt.eldest)
    assert not list(check_hand_dealt(thrown, again))


KEPT_3 = replace(TEN, kept_cards=3)
STAY, POINTS = replace(KEPT_3, throw=Throw.TRUMPS_STAY), replace(KEPT_3, throw=Throw.POINTS_STAY)
THROWS: list[tuple[Rules, str, str, str, str]] = [
    (STAY, "4H 5H 6S 7S 8S", "6S 7S", "", ""),
    (STAY, "4H 5H 6S 7S 8S", "6S 7S 8S", "", ""),
    (STAY, "4H 5H 6S 7S 8S", "6S", "5H", "must stay"),
    (STAY, "4H 5H 6S 7S 8S", "6S 5H", "", "face up"),
    (STAY, "4H 5H AH JH 6S", "6S", "4H", ""),
    (STAY, "4H 5H AH JH 6S", "6S", "AH", "must stay or be thrown last"),
    (STAY, "4H 5H AH JH 6S", "", "4H 5H", "must stay or be thrown last"),
    (STAY, "4H 5H AH JH 6S", "6S", "4H 5H", "must keep 3"),
    (STAY, "2H 3H AH JH JD", "", "2H JD", ""),
    (POINTS, "4H 5H AH JH 6S", "6S 4H 5H", "", ""),
    (POINTS, "4H 5H AH JH 6S", "6S AH", "", "scores and could be kept"),
    (POINTS, "4H 5H AH JH 6S", "6S", "4H", "must show none"),
    (POINTS, "4H 5H AH JH 6S", "4H", "6S", "not trumps"),
    (replace(POINTS, most_thrown=1), "4S 5S 6S 7S 8S", "4S 5S", "", ""),
    (replace(POINTS, most_thrown=1), "4S 5S 6S 7S 8S", "4S 5S 6S", "", "may throw 2 to 2"),
    (replace(POINTS, most_thrown=3), "4S 5S 6S 7S 8S", "4S 5S 6S", "", ""),
    (replace(POINTS, fill=Fill.KITTY), "4S 5S 6S 7S 8S", "4S 5S 6S", "", "must throw 2"),
]


def throw(rules: Rules, held: str, hidden: str, shown: str, **hand: Any) -> list[str]:
    """Return what the audit says if a seat other than the pitcher throws these cards; hearts are trump."""
    position, fact = before("ten-point", "CardsDiscarded")
    live, seat = position.live, fact.seat
    counts = tuple(len(cards(held)) if each == seat else count for each, count in enumerate(live.counts))
    live = replace(live, trump="H", counts=counts, cards={seat: cards(held)}, discarded=(), **hand)
    position = replace(position, hand=live, in_force=rules, turn=(seat,))
    discarded = CardsDiscarded(seat, len(cards(f"{hidden} {shown}")), cards(shown), ())
    said = list(check_cards_discarded(position, discarded))
    if hidden:
        after = replace(position, hand=read_discards(position, discarded)["hand"])
        said += check_cards_buried(after, CardsBuried(live.dealt.n, seat, cards(hidden)))
    return said


@pytest.mark.parametrize(("rules", "held", "hidden", "shown", "says_what"), THROWS)
def test_N5_N6_H3_a_card_that_must_stay_is_not_thrown(
    rules: Rules, held: str, hidden: str, shown: str, says_what: str
) -> None:
    said = throw(rules, held, hidden, shown)
    assert any(says_what in each for each in said) if says_what else not said, said


@pytest.mark.parametrize("rules", [STAY, POINTS])
def test_H3_the_called_card_is_not_thrown_but_in_old_games(rules: Rules) -> None:
    assert any("the called card" in each for each in throw(rules, "4H 5H 6S 7S 8S", "6S 7S", "", called="6S"))
    assert not throw(rules, "4H 5H 6S 7S 8S", "7S 8S", "", called="6S")
    assert not throw(replace(rules, quirks=tuple(Quirk)), "4H 5H 6S 7S 8S", "6S 7S", "", called="6S")


def test_N3_N4_the_right_seat_takes_the_right_cards_of_the_stock() -> None:
    position, fact = before("ten-point-five", "StockTaken")
    assert not list(check_stock_taken(position, fact))
    says(check_stock_taken(position, replace(fact, count=fact.count + 1)), "but 4 must be")
    position, fact = before("pedro", "StockTaken")
    assert fact.seat == position.live.dealt.dealer
    says(check_stock_taken(position, replace(fact, seat=(fact.seat + 1) % 4)), f"but seat {fact.seat} must")
    says(check_cards_drawn(position, CardsDrawn(fact.seat, 0)), "takes the stock")


def lead(rules: Rules, card: str, held: str) -> list[str]:
    position, fact = before("cinch", "CardPlayed")
    live = replace(position.live, trump="H", cards={fact.seat: cards(held)})
    return list(check_card_played(replace(position, hand=live, in_force=rules), CardPlayed(fact.seat, Card(card), ())))


def test_N7_H4_the_first_lead_is_a_trump_if_the_rules_ask_for_one() -> None:
    ways = {each: replace(CINCH, opening_lead=each) for each in OpeningLead}
    wrong = "is led first, but a trump must be"
    for way, held, found in (
        (OpeningLead.TRUMP, "6S 7S", True),
        (OpeningLead.TRUMP_IF_HELD, "6S 7H", True),
        (OpeningLead.TRUMP_IF_HELD, "6S 7S", False),
        (OpeningLead.ANY, "6S 7H", False),
    ):
        assert any(wrong in each for each in lead(ways[way], "6S", held)) is found
    assert not any(wrong in each for each in lead(ways[OpeningLead.TRUMP], "7H", "6S 7H"))


def test_H6_a_joker_is_not_the_lowest_card_that_is_kept() -> None:
    position, _ = before("smear", "TrickTaken")
    rules, hand = replace(SMEAR, keeps=True, dirty=False), replace(position.live, trump="H")
    plays = (Play(0, Card("2H")), Play(1, Card("AH")), Play(2, Card("X1")))
    assert plays_kept(rules, hand, plays) == plays[:1]
    assert plays_kept(replace(rules, reverse=True), hand, plays) == plays[1:2]
    assert plays_kept(replace(rules, quirks=tuple(Quirk)), hand, plays) == ()
    assert plays_kept(replace(rules, ranks=("X",)), hand, plays) == ()


def scoring(name: str, taken: str, bid: int, others: str = "", **fields: Any) -> Position:
    """Return a game before its score: the pitcher took these cards, and the next seat others, or all other trumps."""
    position, _ = before(name, "HandScored", lambda data: data["made"] is not None)
    live = position.live
    assert live.won is not None
    seat, seats = live.won.seat, position.seats
    piles: list[tuple[Card, ...]] = [()] * seats
    piles[seat] = cards(taken)
    hearts = [card for card in position.opening.deck if card[-1] == "H" or card in cards("X1 X2 JD")]
    piles[(seat + 1) % seats] = cards(others) or tuple(card for card in hearts if card not in piles[seat])
    won = replace(live.won, bid=bid, max=bid >= position.rules.total)
    hand = {"trump": "H", "taken": tuple(piles), "won": won, "takers": (seat,), "calls": (), "totals": ()}
    live = replace(live, gathered=(), **hand)
    return replace(position, hand=live, **{"scores": (0,) * seats, **fields})


def side(position: Position, numbers: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of the pitcher and of the seat after them."""
    assert position.live.won is not None
    seat = position.live.won.seat
    return numbers[seat], numbers[(seat + 1) % len(numbers)]


ALL_TEN = "JH JD X1 X2 10H 3H 2H AH"


@pytest.mark.parametrize(
    ("moon", "taken", "score", "changes"),
    [
        (Moon.GAME, ALL_TEN, -4, (4, 0)),
        (Moon.GAME, ALL_TEN, 12, (40, 0)),
        (Moon.GAME, ALL_TEN, 60, (0, 0)),
        (Moon.GAME, "JH JD X1 X2 10H 3H 2H", 12, (-10, 1)),
        (Moon.DOUBLE, ALL_TEN, 12, (20, 0)),
        (Moon.DOUBLE, "JH JD X1 X2 10H 3H 2H", 12, (-20, 1)),
    ],
)
def test_H8_the_moon(moon: Moon, taken: str, score: int, changes: tuple[int, int]) -> None:
    position = scoring("ten-point", taken, 11, scores=(score,) * 4)
    rules = replace(TEN, auction=replace(TEN.auction, moon=moon))
    total = hand_total(replace(position, in_force=rules), position.live)
    assert side(position, total.changes) == changes
    assert total.made is (taken == ALL_TEN)
    assert [peg.credited for peg in total.pegs] == [False] * 8 if total.made else [False] * 7 + [True]
    first = replace(rules, settle="points_first", goal=20)
    assert hand_total(replace(position, in_force=first), position.live).changes == total.changes or total.made


@pytest.mark.parametrize(
    ("taken", "others", "bid", "changes"),
    [
        ("AH 5D 2H 10H", "JH 5H", 8, (2, 0)),
        ("AH 5D 2H 10H", "JH 5H", 9, (0, 15)),
        ("AH", "JH 5H", 1, (0, 5)),
        ("5D JH", "5H AH", 6, (0, 0)),
    ],
)
def test_N9_E9_the_difference(taken: str, others: str, bid: int, changes: tuple[int, int]) -> None:
    position = scoring("cinch", taken, bid, others)
    assert side(position, hand_total(position, position.live).changes) == changes


def test_N10_a_missed_bid() -> None:
    position, fact = before("oh-hell", "HandScored")
    live = replace(position.live, calls=((0, 1), (1, 0), (2, 2)), takers=(0, 2, 2, 2))
    expected = {
        Miss.NOTHING: (11, 10, 0),
        Miss.TRICKS: (11, 10, 3),
        Miss.BID: (11, 10, -2),
        Miss.BID_AND_TEN: (11, 10, -12),
        Miss.TEN_EACH: (11, 10, -12),
    }
    for miss, changes in expected.items():
        at = replace(position, in_force=replace(HELL, miss=miss), hand=live)
        assert hand_total(at, at.live).changes == changes
    passed = replace(live, calls=((0, 1), (1, None), (2, 2)))
    assert hand_total(replace(position, hand=passed), passed).changes[1] == 0
    says(check_hand_scored(position, replace(fact, changes=(0, 0, 0))), "the changes are")


def test_H10_points_peg_in_the_order_of_the_rules_or_of_their_versions() -> None:
    position = scoring("ten-point", ALL_TEN, 5)
    named = tuple(reversed(TEN.points))
    at_end = pegs_due(replace(position, in_force=replace(TEN, points=named)), position.live)
    assert [peg.point for peg in at_end] == ["ace", "two", "three", "ten", "joker", "joker", "off_jack", "jack"]
    changes = Changes(versions=(VERSIONS["4"], Version("late", VERSIONS["9"].points, ())))
    rules = replace(TEN, points=VERSIONS["5"].points[::-1], worth=Worth.WHEN_TAKEN, changes=changes)
    assert [peg.point for peg in pegs_due(replace(position, in_force=rules), position.live)] == ["game", "low", "high"]
    old = replace(rules, quirks=tuple(Quirk))
    assert [peg.point for peg in pegs_due(replace(position, in_force=old), position.live)] == ["high", "low", "game"]


LOW = Point("two", Award.LOWEST)


def test_H6_a_joker_is_never_low_and_counts_for_game_as_the_rules_say() -> None:
    points = tuple(LOW if point.name == "two" else point for point in SMEAR.points)
    low = replace(SMEAR, points=points, joker_count=1)
    position = replace(scoring("smear", "X1 JH", 3), in_force=low)
    assert side(position, hand_total(position, position.live).counts) == (2, 20)
    assert {peg.point: peg.card for peg in pegs_due(position, position.live)}["two"] == "2H"
    old = replace(position, in_force=replace(low, quirks=tuple(Quirk)))
    assert {peg.point: peg.card for peg in pegs_due(old, old.live)}["two"] == "X1"


def test_the_last_trick_and_all_tricks_score_for_their_taker_and_a_side_that_bid_everything() -> None:
    position = scoring("four-point-kitty-draw", "AH", 7)
    assert position.live.won is not None
    seat = position.live.won.seat
    pegs = {peg.point: peg.seat for peg in pegs_due(position, position.live)}
    assert (pegs["last"], pegs["all"]) == (seat, seat)
    for hand in ({"takers": (seat, (seat + 1) % 4)}, {"won": replace(position.live.won, max=False)}, {"takers": ()}):
        assert "all" not in {peg.point for peg in pegs_due(position, replace(position.live, **hand))}


def ended(rules: Rules, scores: tuple[int, ...], *, made: bool, bid: int = 6, **hand: Any) -> Any:
    """Return the end due after a hand of four in which seat 0 pitched, of sides 0, 2 and 1, 3."""
    position, _ = before("ten-point", "HandScored")
    sides = hand.pop("sides", ((0, 2), (1, 3)))
    won = AuctionWon(0, bid, forced=False, max=False, sides=sides, next=())
    live = replace(position.live, over=True, won=won, sides=sides, **hand)
    due = due_end(replace(position, hand=live, in_force=rules, scores=scores, made=made, turn=()))
    return due and (due.reason, due.winners)


def test_N11_N12_H8_who_wins() -> None:
    only, highest = replace(TEN, ending=Ending.BIDDER_ONLY), replace(TEN, ending=Ending.HIGHEST)
    assert ended(only, (42, 56, 42, 56), made=True) is None
    assert ended(only, (52, 56, 52, 56), made=True) == ("goal", (0, 2))
    assert ended(only, (52, 56, 52, 56), made=False) is None
    assert ended(only, (52, 56, 52, 56), made=True, thrown_in=True) is None
    called = replace(only, partners=Partners.CALL)
    assert ended(called, (50, 56, 60, 56), made=True, sides=((0, 2), (1, 3))) is None
    assert ended(called, (52, 56, 60, 56), made=True, sides=((0, 2), (1, 3))) == ("goal", (0,))
    assert ended(highest, (52, 56, 52, 56), made=True) == ("goal", (1, 3))
    assert ended(highest, (56, 56, 56, 56), made=False) == ("goal", (0, 2))
    assert ended(highest, (50, 56, 50, 56), made=False, sides=((0,), (1,), (2,), (3,))) is None
    assert ended(highest, (56, 56, 56, 56), made=False, thrown_in=True) is None
    assert ended(TEN, (52, 0, 52, 0), made=True, bid=11) == ("moon", (0, 2))
    assert ended(TEN, (0, 0, 0, 0), made=True, bid=11) is None
    assert ended(TEN, (-10, 0, -10, 0), made=False, bid=11) == ("moon", (1, 3))
    assert ended(TEN, (-10, 0, -10, 0), made=False, bid=11, misdealt=True) is None
    shared = replace(HELL, ending=Ending.HANDS_SHARED, hand_sizes=(1,))
    assert ended(shared, (5, 5, 4, 1), made=False) == ("hands", (0, 1))
    assert ended(replace(shared, hand_sizes=(1, 1, 1, 1)), (5, 5, 4, 1), made=False) is None


def as_ruled(rules: Rules, reason: str, scores: tuple[int, ...], decision: str = "adjust") -> tuple[int, ...]:
    """Return who wins as ruled a game of sides 0, 2 and 1, 3, won by 1 and 3, in which seat 0 pitched and made it."""
    position, ended_by = before("ten-point", "GameEnded")
    assert position.hand is not None
    won = AuctionWon(0, 6, forced=False, max=False, sides=((0, 2), (1, 3)), next=())
    hand = replace(position.hand, won=won, sides=won.sides, thrown_in=False, misdealt=False)
    ruling = RulingGiven(1, decision, scores, None, "", Evidence(0, ""), "", None, None)
    opened = DisputeOpened(1, 0, hand.dealt.hand, 1, "score", "")
    position = replace(
        position, hand=hand, in_force=rules, scores=(0,) * 4, made=True, disputes=(DisputeRead(opened, ruling),)
    )
    ruled = ruled_result(position, replace(ended_by, reason=reason, winners=(1, 3)))
    assert ruled is not None
    return ruled.winners


def test_N11_N12_who_wins_by_the_scores_as_ruled() -> None:
    only, highest = replace(TEN, ending=Ending.BIDDER_ONLY), replace(TEN, ending=Ending.HIGHEST)
    first, shared = replace(TEN, ending=Ending.BIDDER_FIRST), replace(HELL, ending=Ending.HANDS_SHARED)
    for rules in (only, first):
        assert as_ruled(rules, "goal", (52, 56, 52, 56)) == (0, 2)
        assert as_ruled(rules, "goal", (50, 56, 50, 56)) == (1, 3)
        assert as_ruled(rules, "goal", (52, 56, 52, 56), "void") == (1, 3)
    assert as_ruled(highest, "goal", (56, 56, 56, 56)) == (0, 2)
    assert as_ruled(highest, "goal", (56, 56, 56, 56), "void") == (0, 1, 2, 3)
    assert as_ruled(replace(TEN, ending=Ending.FIRST_TO_GOAL), "goal", (50, 56, 50, 56)) == (1, 3)
    assert as_ruled(shared, "hands", (5, 5, 4, 1)) == (0, 1)
    assert as_ruled(TEN, "moon", (52, 0, 52, 0)) == (1, 3)
    assert as_ruled(TEN, "moon", (52, 0, 52, 0), "void") == (0, 2)
