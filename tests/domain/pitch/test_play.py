"""gamerz Pitch and Setback, the play of the cards, which is the same (S7, S18, S32-S37, S47, R-S7 to R-S9, T12-T23)."""

from typing import Any

import pytest

from domain.cards import DECK_52, parse_exact_card, suit_of
from domain.commands import PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, HandScored, Play, TrickTaken, TrumpPitched
from domain.rejections import NotInHand, OutOfTurn
from projections.views.seat import ViewFold, view_json
from tests.games.hands import (
    card,
    check_legal_cards,
    fact_names,
    facts_of_kind,
    go_on,
    hands_of_plays,
    only_fact,
    plays,
    with_hand_size,
)
from tests.games.setback_hands import after_auction
from tests.games.tables import Table
from tests.given import Given, auction, cards, deal, events, game_opened, given

VARIANTS = ("pitch", "setback")
# Seat 0 pitches hearts; seats 1 and 3 have trumps, seat 2 has none.
FOUR = ["AH QS 2C 4C 5C 6C", "2H 3H KS 7C 8C 9C", "4S 5S 6S 7S 8S 9S", "6H 4D 5D 6D 7D 8D"]
FIRST = ["0 AH", "1 2H", "2 4S", "3 6H"]


def table(variant: str, hands: list[str], *moves: str, bids: tuple[int, ...] = ()) -> Given:
    """Return the situation after these cards and an auction that seat 0 wins, unless `bids` give another one."""
    said = bids or (2, *[0] * (len(hands) - 1))
    if variant == "setback":
        game = after_auction(said, hands)
    else:
        opened = game_opened(len(hands), rules=with_hand_size(game_opened().rules, len(hands[0].split())))
        game = given(opened, *deal(hands), *auction(*said))
    return go_on(game, *map(card, moves))


@pytest.mark.parametrize("variant", VARIANTS)
def test_S33_R_S7_T12_T19_the_suit_of_the_first_lead_is_trump_and_stays_trump(variant: str) -> None:
    for lead in cards(FOUR[0]):
        first = TrumpPitched(0, suit_of(lead), lead), CardPlayed(0, lead, next=(1,))
        table(variant, FOUR).when(PlayCard(0, lead)).then(*first)
    game = table(variant, FOUR, *FIRST).when(card("0 QS"))
    hand = game.then(CardPlayed(0, parse_exact_card("QS"), next=(1,))).state.hand
    assert hand
    assert (hand.trump, hand.marker) == ("H", "AH")


@pytest.mark.parametrize("variant", VARIANTS)
def test_S18_T19_T20_a_card_not_held_is_refused_with_the_same_message_wherever_it_is(variant: str) -> None:
    for moves, asked in (([], "0 KS"), ([], "0 AD"), (FIRST, "0 AH"), (["0 AH"], "1 6H")):
        refused = table(variant, FOUR, *moves).when(card(asked)).rejected(NotInHand)
        assert (refused.code, str(refused)) == ("not-in-hand", f"You don't hold {asked.split()[1]}.")


def following(variant: str, hand: str, trump: str, led: str) -> Given:
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
    return table(variant, hands, *first, f"0 {led}")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("hand", "trump", "led", "legal"),
    [
        pytest.param("2H 3H 7C KS", "H", "AH", "2H 3H", id="S34 T20 trump led, trumps held"),
        pytest.param("7C 8C 9D KS", "H", "AH", "7C 8C 9D KS", id="R-S8 S34 S36 T20 trump led, none held"),
        pytest.param("7C 2H 3H KS", "H", "AS", "2H 3H KS", id="S35 T21 T23 follow or trump, even when able to follow"),
        pytest.param("7C 8D 2H 3H", "H", "AS", "7C 8D 2H 3H", id="S36 T22 T23 trumps, but not the suit led: any card"),
        pytest.param("9D", "C", "AD", "9D", id="S35 T21 the last card follows"),
    ],
)
def test_the_legal_cards(variant: str, hand: str, trump: str, led: str, legal: str) -> None:
    check_legal_cards(following(variant, hand, trump, led), 1, hand, legal)


@pytest.mark.parametrize("variant", VARIANTS)
def test_S37_T17_T18_the_highest_trump_takes_the_first_trick(variant: str) -> None:
    for fell, taker in (("9H KH 2H 3H", 1), ("9H 10H 8H JH", 3), ("QH KH 10H AH", 3), ("2H AS KS AD", 0)):
        moves = plays([f"0: {fell}"], 4)
        spare = [each for each in DECK_52 if each not in fell.split()]
        game = table(variant, [f"{own} {spare[seat]}" for seat, own in enumerate(hands_of_plays(moves, 4))])
        taken = only_fact(TrickTaken, go_on(game, *moves).facts)
        assert (taken.seat, taken.next) == (taker, (taker,)), fell


@pytest.mark.parametrize("variant", VARIANTS)
def test_S47_R_S9_T14_T15_the_taker_leads_any_card_to_the_next_trick(variant: str) -> None:
    game = table(variant, FOUR, "0 QS", "1 KS", "2 4S")
    on_table = tuple(Play(seat, each) for seat, each in enumerate(cards("QS KS 4S 6H")))
    last = CardPlayed(3, parse_exact_card("6H"), next=())
    game = game.when(card("3 6H")).then(last, TrickTaken(1, 1, 1, on_table, (), (1,)))
    assert game.state.hand
    assert game.state.hand.taken == ((), cards("QS KS 4S 6H"), (), ())
    game.when(card("0 AH")).rejected(OutOfTurn)
    assert list(legal_moves(game.state, 1)) == [PlayCard(1, each) for each in cards("7C 8C 9C 2H 3H")]
    game.when(card("1 7C")).then(CardPlayed(1, parse_exact_card("7C"), next=(2,)))


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        *(pytest.param("pitch", number, id=f"S18 S47 {number} players") for number in (2, 5, 7)),
        *(pytest.param("setback", number, id=f"T13 {number} players") for number in (3, 4)),
    ],
)
def test_play_goes_to_the_left_and_six_tricks_make_a_hand(variant: str, players: int) -> None:
    facts = [event.data for event in Table(players, variant=variant, seed=3).plays_out(hands=1).events]
    taken = list(facts_of_kind(TrickTaken, facts))
    assert [each.trick for each in taken] == [1, 2, 3, 4, 5, 6]
    assert [each.plays[0].seat for each in taken[1:]] == [each.seat for each in taken[:-1]]
    for each in taken:
        assert [play.seat for play in each.plays] == [(each.plays[0].seat + turn) % players for turn in range(players)]
    ended = facts.index(only_fact(HandScored, facts))
    assert (taken[-1].next, fact_names(facts[ended - 2 : ended])) == ((), ["CardPlayed", "TrickTaken"])


def test_T16_R_T12_a_gathered_trick_lies_face_down_except_for_the_marker_and_the_log_keeps_it() -> None:
    played = table("setback", FOUR, *FIRST)
    assert [play.card for play in only_fact(TrickTaken, played.facts).plays] == ["AH", "2H", "4S", "6H"]
    for viewer in (0, 1, 3, None):
        seen = ViewFold(viewer)
        for event in events(played.facts):
            seen.add(event)
        shown: Any = view_json(seen, "")["hand"]
        last = shown["last_trick"]
        assert (shown["trump"], shown["marker"]) == ("H", "AH")
        assert (last["number"], last["seat"], bool(last["plays"])) == (1, 0, False)
    seen = ViewFold(None)
    for event in events(table("setback", FOUR, *FIRST, "0 QS").facts):
        seen.add(event)
    shown = view_json(seen, "")["hand"]
    assert shown["trick"]["plays"] == [{"seat": 0, "card": "QS"}]
