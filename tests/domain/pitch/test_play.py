"""gamerz Pitch, the play of the cards (S7, S18, S32-S37, S47, R-S7 to R-S9)."""

import pytest

from domain.cards import DECK_52, parse_exact_card
from domain.commands import MakeBid, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, HandScored, Play, TrickTaken, TrumpPitched
from domain.rejections import MustFollow, NotInHand, OutOfTurn, WrongPhase
from domain.rules.variants import PITCH
from tests.games.hands import fact_names, hands_of_plays, only_fact, plays, with_hand_size
from tests.given import Given, auction, cards, deal, game_opened, given
from tests.step_limit import steps

# Seat 0 pitches hearts; seats 1 and 3 have trumps, seat 2 has none.
FOUR = ["AH QS 2C 4C 5C 6C", "2H 3H KS 7C 8C 9C", "4S 5S 6S 7S 8S 9S", "6H 4D 5D 6D 7D 8D"]
FIRST = ["0 AH", "1 2H", "2 4S", "3 6H"]


def card(text: str) -> PlayCard:
    """ "2 AH" is the ace played by seat 2."""
    seat, played = text.split()
    return PlayCard(int(seat), parse_exact_card(played))


def table(hands: list[str], *moves: str, bids: tuple[int, ...] = ()) -> Given:
    """Return the situation after these cards and an auction that seat 0 wins, unless `bids` give another one."""
    said = bids or (2, *[0] * (len(hands) - 1))
    game = given(
        game_opened(len(hands), rules=with_hand_size(PITCH, len(hands[0].split()))), *deal(hands), *auction(*said)
    )
    for move in moves:
        game = game.when(card(move)).happens()
    return game


def trick(text: str, hands_of: int) -> Given:
    """Return the situation after one trick, such as "2: AH 3H" led by seat 2; each seat also holds a small club."""
    moves = plays([text], hands_of)
    spare = [each for each in DECK_52 if each not in text.split()]
    hands = [f"{own} {spare[seat]}" for seat, own in enumerate(hands_of_plays(moves, hands_of))]
    bids = tuple(2 if seat == moves[0].seat else 0 for seat in range(hands_of))
    return table(hands, *(f"{move.seat} {move.card}" for move in moves), bids=bids)


def test_S33_the_suit_of_the_first_lead_is_trump() -> None:
    ace = parse_exact_card("AH")
    table(FOUR).when(card("0 AH")).then(TrumpPitched(0, "H", ace), CardPlayed(0, ace, next=(1,)))


def test_S33_no_later_lead_changes_the_trump() -> None:
    after = table(FOUR, *FIRST).when(card("0 QS")).then(CardPlayed(0, parse_exact_card("QS"), next=(1,)))
    assert after.state.hand
    assert (after.state.hand.trump, after.state.hand.marker) == ("H", "AH")


@pytest.mark.parametrize("lead", [pytest.param(lead, id=f"S33 R-S7 {lead}") for lead in FOUR[0].split()])
def test_the_pitcher_can_lead_any_card(lead: str) -> None:
    pitched = only_fact(TrumpPitched, table(FOUR).when(card(f"0 {lead}")).facts)
    assert (pitched.card, pitched.suit) == (lead, lead[-1])


def test_S32_the_pitcher_leads_first_in_any_seat() -> None:
    waiting = table(FOUR, bids=(0, 0, 3, 0))
    waiting.when(card("0 AH")).rejected(OutOfTurn)
    waiting.when(card("3 6H")).rejected(OutOfTurn)
    assert waiting.when(card("2 4S")).facts[-1] == CardPlayed(2, parse_exact_card("4S"), next=(3,))


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        pytest.param([], "1 2H", id="S7 before the pitcher"),
        pytest.param(["0 AH"], "0 QS", id="S7 twice in a row"),
        pytest.param(["0 AH"], "2 4S", id="S7 before the left neighbour"),
        pytest.param(["0 AH"], "3 4S", id="S7 out of turn, any card"),
        pytest.param(FIRST, "1 3H", id="S7 S47 a seat that did not take the trick"),
    ],
)
def test_a_card_out_of_turn_is_refused(moves: list[str], asked: str) -> None:
    table(FOUR, *moves).when(card(asked)).rejected(OutOfTurn)


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        pytest.param([], "0 KS", id="S18 another seat's"),
        pytest.param([], "0 AD", id="S18 one in the stock"),
        pytest.param(FIRST, "0 AH", id="S18 one played before"),
        pytest.param(["0 AH"], "1 6H", id="S18 one that would follow suit"),
    ],
)
def test_a_card_not_held_is_refused(moves: list[str], asked: str) -> None:
    table(FOUR, *moves).when(card(asked)).rejected(NotInHand, asked.split()[1])


def test_S18_a_refusal_does_not_reveal_the_holder_of_the_card() -> None:
    anothers, stock = (table(FOUR).when(card(f"0 {each}")).rejected(NotInHand) for each in ("KS", "AD"))
    assert str(anothers).replace("KS", "AD") == str(stock)


def following(hand: str, trump: str, led: str) -> Given:
    """Seat 1 holds `hand` and is led `led`: the pitched card itself if it is a trump, else in the second trick."""
    pitched = [led] if led.endswith(trump) else [f"K{trump}", led]
    spent = [f"Q{trump}"] * (len(pitched) - 1)
    other = [each for each in DECK_52 if each not in (*hand.split(), *pitched, *spent)]
    size = len(hand.split()) + len(spent)
    own = [*pitched, *other[: size - len(pitched)]]
    moves = [f"{seat} {each}" for pair in zip(pitched, spent, strict=False) for seat, each in enumerate(pair)]
    return table([" ".join(own), " ".join([hand, *spent])], *moves, f"0 {led}")


@pytest.mark.parametrize(
    ("hand", "trump", "led", "legal"),
    [
        pytest.param("2H 3H 7C KS", "H", "AH", "2H 3H", id="S34 trump led, trumps held"),
        pytest.param("7C 8C 9C 2H", "H", "AH", "2H", id="S34 the only trump"),
        pytest.param("7C 8C 9D KS", "H", "AH", "7C 8C 9D KS", id="R-S8 S34 S36 trump led, none held"),
        pytest.param("7C 2H 3H KS", "H", "AS", "2H 3H KS", id="S35 follow or trump, even when able to follow"),
        pytest.param("7C 8C QS KS", "H", "AS", "QS KS", id="S35 able to follow, and no trump"),
        pytest.param("7C 8D 2H 3H", "H", "AS", "7C 8D 2H 3H", id="S36 trumps, but not the suit led: any card"),
        pytest.param("7C 8C 9D 10D", "H", "AS", "7C 8C 9D 10D", id="S36 neither suit led nor trump: any card"),
        pytest.param("2C 7C 9D 10D", "C", "AD", "2C 7C 9D 10D", id="S35 every card follows or is a trump"),
        pytest.param("2C 9D 3H 4S", "C", "AD", "2C 9D", id="S35 one that follows and one trump"),
        pytest.param("9D", "C", "AD", "9D", id="S35 the last card follows"),
        pytest.param("9H", "C", "AD", "9H", id="S36 the last card does not"),
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
            game.when(move).rejected(MustFollow, *legal.split())


@pytest.mark.parametrize(
    ("fell", "players", "taker"),
    [
        pytest.param("0: 9H KH 2H 3H", 4, 1, id="S37 the highest trump"),
        pytest.param("0: 10H 9H JH", 3, 2, id="S37 the jack beats the ten"),
        pytest.param("0: 9H 10H", 2, 1, id="S37 the ten beats the nine"),
        pytest.param("0: AH KH QH JH", 4, 0, id="S37 the ace beats all"),
        pytest.param("2: 2H AS KS AD", 4, 2, id="S37 another suit never beats a trump"),
        pytest.param("3: 2H AC 3H AD 4H AS 5H", 7, 2, id="S37 among seven"),
    ],
)
def test_the_taker_of_the_trick_with_the_pitched_trump(fell: str, players: int, taker: int) -> None:
    taken = only_fact(TrickTaken, trick(fell, players).facts)
    assert (taken.seat, taken.next) == (taker, (taker,))


@pytest.mark.parametrize(
    ("fell", "taker"),
    [
        pytest.param("9S KS 2S", 1, id="S37 no trump: the highest of the suit led"),
        pytest.param("9S AD AC", 0, id="S37 higher cards of other suits can't win"),
        pytest.param("2S 3S 10S", 2, id="S37 the ten beats the small ones"),
        pytest.param("AS 2H KS", 1, id="S37 S35 the smallest trump beats the ace led"),
        pytest.param("AS 2H 3H", 2, id="S37 the higher of two trumps"),
        pytest.param("9S 3H 2H", 1, id="S37 the first of two trumps, if it is higher"),
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


def test_S47_R_S9_the_taker_leads_any_card_to_the_next_trick() -> None:
    game = table(FOUR, "0 QS", "1 KS", "2 4S")
    on_table = tuple(Play(seat, each) for seat, each in enumerate(cards("QS KS 4S 6H")))
    game = game.when(card("3 6H")).then(
        CardPlayed(3, parse_exact_card("6H"), next=()), TrickTaken(1, 1, 1, on_table, (), (1,))
    )
    assert list(legal_moves(game.state, 1)) == [PlayCard(1, each) for each in cards("7C 8C 9C 2H 3H")]
    game.when(card("1 7C")).then(CardPlayed(1, parse_exact_card("7C"), next=(2,)))


def test_R_S9_the_taker_can_lead_trump_again() -> None:
    table(["AH KH", "2H 3C", "3H 4C"], "0 AH", "1 2H", "2 3H").when(card("0 KH")).then(
        CardPlayed(0, parse_exact_card("KH"), next=(1,))
    )


def test_R_S7_the_pitcher_can_lead_their_only_trump() -> None:
    game = table(["2H AS KS", "3C 4C 5C", "6C 7C 8C"])
    assert list(legal_moves(game.state, 0)) == [PlayCard(0, each) for each in cards("2H KS AS")]
    assert only_fact(TrumpPitched, game.when(card("0 2H")).facts).suit == "H"


@pytest.mark.parametrize("players", [pytest.param(number, id=f"S18 S47 {number} players") for number in range(2, 8)])
def test_play_goes_to_the_left_and_six_tricks_make_a_hand(players: int) -> None:
    hands = [" ".join(DECK_52[seat : 6 * players : players]) for seat in range(players)]
    game = given(game_opened(players), *deal(hands))
    spent = steps(1000)
    while game.state.last_hand is None:
        next(spent)
        (seat,) = game.state.turn
        game = game.when(legal_moves(game.state, seat)[-1]).happens()
    taken = [fact for fact in game.facts if isinstance(fact, TrickTaken)]
    assert [each.trick for each in taken] == [1, 2, 3, 4, 5, 6]
    assert [each.plays[0].seat for each in taken[1:]] == [each.seat for each in taken[:-1]]
    assert all(
        [play.seat for play in each.plays] == [(each.plays[0].seat + turn) % players for turn in range(players)]
        for each in taken
    )
    assert (taken[-1].next, fact_names(game.facts)[-3:]) == ((), ["CardPlayed", "TrickTaken", "HandScored"])


def test_S8_every_players_command_is_refused_between_hands() -> None:
    game = table(["AH", "2H"], "0 AH", "1 2H")
    assert isinstance(game.facts[-1], HandScored)
    assert [legal_moves(game.state, seat) for seat in (0, 1)] == [(), ()]
    for command in (card("0 AH"), MakeBid(0, 2), PassBid(1)):
        game.when(command).rejected(WrongPhase)
