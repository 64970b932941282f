"""Setback, the play of the cards (T12-T23, R-T12)."""

import pytest

from domain.cards import DECK_52, parse_exact_card
from domain.commands import MakeBid, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, Play, TrickTaken, TrumpPitched
from domain.rejections import MustFollow, NotInHand, OutOfTurn, WrongPhase
from projections.views.seat import ViewFold, view_json
from tests.games.hands import fact_names, facts_of_kind, hands_of_plays, only_fact, plays
from tests.games.setback_hands import after_auction
from tests.games.tables import Table
from tests.given import Given, cards, events

# Seat 0 pitches hearts; seats 1 and 3 have trumps, seat 2 has none.
FOUR = ["AH QS 2C 4C 5C 6C", "2H 3H KS 7C 8C 9C", "4S 5S 6S 7S 8S 9S", "6H 4D 5D 6D 7D 8D"]
FIRST = ["0 AH", "1 2H", "2 4S", "3 6H"]


def card(text: str) -> PlayCard:
    """ "2 AH" is the ace played by seat 2."""
    seat, played = text.split()
    return PlayCard(int(seat), parse_exact_card(played))


def table(hands: list[str], *moves: str, bids: tuple[int, ...] = ()) -> Given:
    """Return the situation after these cards and an auction that seat 0 wins, unless `bids` give another one."""
    game = after_auction(bids or (2, *[0] * (len(hands) - 1)), hands)
    for move in moves:
        game = game.when(card(move)).happens()
    return game


def test_T12_the_suit_of_the_first_card_is_trump() -> None:
    ace = parse_exact_card("AH")
    table(FOUR).when(card("0 AH")).then(TrumpPitched(0, "H", ace), CardPlayed(0, ace, next=(1,)))


@pytest.mark.parametrize("lead", [pytest.param(lead, id=f"T12 T19 {lead}") for lead in FOUR[0].split()])
def test_the_winning_bidder_can_lead_any_card(lead: str) -> None:
    pitched = only_fact(TrumpPitched, table(FOUR).when(card(f"0 {lead}")).facts)
    assert (pitched.card, pitched.suit) == (lead, lead[-1])


def test_T12_no_later_lead_changes_the_trump() -> None:
    hand = table(FOUR, *FIRST).when(card("0 QS")).then(CardPlayed(0, parse_exact_card("QS"), next=(1,))).state.hand
    assert hand
    assert (hand.trump, hand.marker) == ("H", "AH")


@pytest.mark.parametrize(
    ("bids", "leader"),
    [
        pytest.param((2, 0, 0, 0), 0, id="T14 the eldest"),
        pytest.param((0, 0, 3, 0), 2, id="T14 another"),
        pytest.param((2, 0, 0, 2), 3, id="T14 the dealer who tied"),
        pytest.param((0, 0, 0, 2), 3, id="T14 the dealer who had to"),
    ],
)
def test_the_winning_bidder_leads_and_play_goes_to_the_left(bids: tuple[int, ...], leader: int) -> None:
    game = table(FOUR, bids=bids)
    for seat in range(4):
        if seat != leader:
            refused = game.when(PlayCard(seat, cards(FOUR[seat])[0])).rejected(OutOfTurn, str(leader))
            assert refused.code == "out-of-turn"
    order = [(leader + turn) % 4 for turn in range(4)]
    for seat in order:
        assert game.state.turn == (seat,)
        game = game.when(legal_moves(game.state, seat)[0]).happens()
    assert [play.seat for play in only_fact(TrickTaken, game.facts).plays] == order


def test_T14_the_winner_of_a_trick_leads_the_next() -> None:
    game = table(FOUR, "0 QS", "1 KS", "2 4S")
    on_table = tuple(Play(seat, each) for seat, each in enumerate(cards("QS KS 4S 6H")))
    game = game.when(card("3 6H")).then(
        CardPlayed(3, parse_exact_card("6H"), next=()), TrickTaken(1, 1, 1, on_table, (), (1,))
    )
    game.when(card("0 AH")).rejected(OutOfTurn)
    assert list(legal_moves(game.state, 1)) == [PlayCard(1, each) for each in cards("7C 8C 9C 2H 3H")]  # T19


@pytest.mark.parametrize("players", [pytest.param(3, id="T13 three"), pytest.param(4, id="T13 four")])
def test_a_deal_is_six_tricks(players: int) -> None:
    facts = [event.data for event in Table(players, variant="setback", seed=3).plays_out(hands=1).events]
    taken = list(facts_of_kind(TrickTaken, facts))
    assert [each.trick for each in taken] == [1, 2, 3, 4, 5, 6]
    assert [each.plays[0].seat for each in taken[1:]] == [each.seat for each in taken[:-1]]  # T14
    assert {len(each.plays) for each in taken} == {players}


def test_T15_the_winner_takes_all_the_cards_of_the_trick() -> None:
    taken = table(FOUR, *FIRST).state
    assert taken.hand
    assert taken.hand.taken == (cards("AH 2H 4S 6H"), (), (), ())
    assert only_fact(TrickTaken, table(FOUR, *FIRST).facts).kept == ()


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        pytest.param([], "0 KS", id="T19 another seat's"),
        pytest.param([], "0 AD", id="T19 one in the stock"),
        pytest.param(FIRST, "0 AH", id="T19 one played before"),
        pytest.param(["0 AH"], "1 6H", id="T20 one that would follow suit"),
    ],
)
def test_a_card_not_held_is_refused_with_the_same_message_wherever_it_is(moves: list[str], asked: str) -> None:
    refused = table(FOUR, *moves).when(card(asked)).rejected(NotInHand)
    assert (refused.code, str(refused)) == ("not-in-hand", f"You don't hold {asked.split()[1]}.")


def following(hand: str, trump: str, led: str) -> Given:
    """Of three, seat 1 holds `hand` and is led `led`: the pitched card itself if trump, else in the second trick."""
    pitched = [led] if led.endswith(trump) else [f"K{trump}", led]
    spent = [f"Q{trump}", f"J{trump}"] if len(pitched) == 2 else []
    other = [each for each in DECK_52 if each not in (*hand.split(), *pitched, *spent)]
    size = len(hand.split()) + len(pitched) - 1
    hands = [
        " ".join([*pitched, *other[: size - len(pitched)]]),
        " ".join([hand, *spent[:1]]),
        " ".join([*spent[1:], *other[20 : 20 + size - len(spent[1:])]]),
    ]
    first = [f"{seat} {each}" for seat, each in enumerate([pitched[0], *spent])] if spent else []
    return table(hands, *first, f"0 {led}")


@pytest.mark.parametrize(
    ("hand", "trump", "led", "legal"),
    [
        pytest.param("2H 3H 7C KS", "H", "AH", "2H 3H", id="T20 trump led, trumps held"),
        pytest.param("7C 8C 9C 2H", "H", "AH", "2H", id="T20 the only trump"),
        pytest.param("7C 8C 9D KS", "H", "AH", "7C 8C 9D KS", id="T20 trump led, none held: any card"),
        pytest.param("7C 2H 3H KS", "H", "AS", "2H 3H KS", id="T21 T23 the suit or trump, even when able to follow"),
        pytest.param("7C 8C QS KS", "H", "AS", "QS KS", id="T21 able to follow, and no trump"),
        pytest.param("7C 8D 2H 3H", "H", "AS", "7C 8D 2H 3H", id="T22 T23 trumps, but not the suit led: any card"),
        pytest.param("7C 8C 9C 10D", "H", "AS", "7C 8C 9C 10D", id="T22 neither: any card"),
        pytest.param("2C 7C 9D 10D", "C", "AD", "2C 7C 9D 10D", id="T21 T23 every card follows or is a trump"),
        pytest.param("9D", "C", "AD", "9D", id="T21 the last card"),
    ],
)
def test_the_legal_cards(hand: str, trump: str, led: str, legal: str) -> None:
    game = following(hand, trump, led)
    allowed = [PlayCard(1, each) for each in cards(legal)]
    assert list(legal_moves(game.state, 1)) == allowed
    for move in (PlayCard(1, each) for each in cards(hand)):
        if move in allowed:
            assert only_fact(CardPlayed, game.when(move).facts).card == move.card
        else:
            assert game.when(move).rejected(MustFollow, *legal.split()).code == "must-follow"


@pytest.mark.parametrize(
    ("fell", "taker"),
    [
        pytest.param("9H KH 2H 3H", 1, id="T17 T18 the highest trump"),
        pytest.param("9H 10H 8H 2H", 1, id="T18 the ten beats the nine"),
        pytest.param("QH KH 10H AH", 3, id="T18 the ace beats the king"),
        pytest.param("2H AS KS AD", 0, id="T17 other suits never beat a trump"),
    ],
)
def test_the_taker_of_the_first_trick(fell: str, taker: int) -> None:
    moves = plays([f"0: {fell}"], 4)
    spare = [each for each in DECK_52 if each not in fell.split()]
    game = table([f"{own} {spare[seat]}" for seat, own in enumerate(hands_of_plays(moves, 4))])
    for move in moves:
        game = game.when(move).happens()
    taken = only_fact(TrickTaken, game.facts)
    assert (taken.seat, taken.next) == (taker, (taker,))


@pytest.mark.parametrize(
    ("fell", "taker"),
    [
        pytest.param("9S KS 2S", 1, id="T17 no trump: the highest of the suit led"),
        pytest.param("9S AD AC", 0, id="T17 higher cards of other suits can't win"),
        pytest.param("AS 2H KS", 1, id="T17 T23 the smallest trump beats the ace led"),
        pytest.param("AS 2H 3H", 2, id="T17 the higher of two trumps"),
        pytest.param("2S 3S 10S", 2, id="T18 the ten beats the three"),
    ],
)
def test_the_taker_of_a_later_trick(fell: str, taker: int) -> None:
    first, second, third = fell.split()
    game = table([f"QH {first} 2C", f"10H {second} 3C", f"9H {third} 4C"], "0 QH", "1 10H", "2 9H")
    game = game.when(card(f"0 {first}")).happens().when(card(f"1 {second}")).happens()
    on_table = tuple(Play(seat, each) for seat, each in enumerate(cards(fell)))
    game.when(card(f"2 {third}")).then(
        CardPlayed(2, parse_exact_card(third), next=()), TrickTaken(1, 2, taker, on_table, (), (taker,))
    )


@pytest.mark.parametrize("viewer", [pytest.param(each, id=f"T16 R-T12 viewer {each}") for each in (0, 1, 3, None)])
def test_a_gathered_trick_lies_face_down_except_for_the_marker(viewer: int | None) -> None:
    seen = ViewFold(viewer)
    for event in events(table(FOUR, *FIRST).facts):
        seen.add(event)
    shown = view_json(seen, "")["hand"]
    assert (shown["trump"], shown["marker"]) == ("H", "AH")
    last = shown["last_trick"]
    assert (last["number"], last["seat"], bool(last["plays"])) == (1, 0, False)


def test_R_T12_the_log_keeps_the_cards_played() -> None:
    facts = table(FOUR, *FIRST).facts
    assert fact_names(facts)[-6:] == ["TrumpPitched", *["CardPlayed"] * 4, "TrickTaken"]
    assert [play.card for play in only_fact(TrickTaken, facts).plays] == ["AH", "2H", "4S", "6H"]


def test_R_T12_the_trick_on_the_table_lies_face_up() -> None:
    seen = ViewFold(None)
    for event in events(table(FOUR, *FIRST, "0 QS").facts):
        seen.add(event)
    assert view_json(seen, "")["hand"]["trick"]["plays"] == [{"seat": 0, "card": "QS"}]


def test_a_bid_is_refused_during_the_play() -> None:
    game = table(FOUR, "0 AH")
    for command in (MakeBid(1, 4), PassBid(1), MakeBid(0, 2)):
        assert game.when(command).rejected(WrongPhase).code == "wrong-phase"
