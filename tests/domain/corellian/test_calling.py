"""Corellian Pitch, partners by call: the partner, and when a call begins and ends (C11, C13-C15, R-C28 to R-C32)."""

import pytest

from domain.cards import DECK_54, Card
from domain.commands import CallPartner, Discard, NameTrump, PlayCard
from domain.engine.legal_moves import can_call_partner, legal_moves
from domain.events import HandScored, PartnerCalled, PartnerRevealed, PartnersChanged, TrumpNamed
from domain.rejections import MustPlayCalled, NoCall, WrongPhase
from domain.rules.choices import Phase
from tests.games.corellian_changes import (
    THROWN,
    TURNS,
    change_facts,
    hand,
    partner_revealed,
    partnership,
    play_rest,
    ready,
    score_rest,
    turn,
)
from tests.games.corellian_hands import (
    call_card,
    change_rule,
    discard_cards,
    make_bids,
    name_trump,
    play_tricks,
    plays,
    table,
)
from tests.games.hands import fact_names, only_fact
from tests.given import Given, cards

ALONE = ((0,), (1, 2, 3))
FOUR = ("AH 4H 3H", "KH 9H", "QH 8H 2H", "7H 6H 5H")
QUEEN = Card("QH")


def calling() -> Given:
    """Seat 0 has named hearts in an ordinary call hand, and calls before anybody throws cards away."""
    return name_trump(make_bids(table(partners="call"), 4, 0, 0, 0), "H")


def mid_hand(*texts: str) -> Given:
    """The first card of trick 1 is on the table, and then the partner is to be called."""
    return change_rule(play_tricks(ready(*(texts or FOUR)), "0: 3H"), "partners:call")


def test_R_C28_C15_the_bidder_names_trump_and_then_a_card_before_the_discards() -> None:
    at = make_bids(table(partners="call"), 4, 0, 0, 0)
    at.when(CallPartner(0, QUEEN)).rejected(WrongPhase)
    at = at.when(NameTrump(0, "H")).then(TrumpNamed(0, "H", next=(0,)))
    assert (at.state.phase, can_call_partner(at.state, 0), legal_moves(at.state, 0)) == (Phase.CALLING, True, ())
    at.when(Discard(1, cards("AS KS 6C"))).rejected(WrongPhase)
    at = at.when(CallPartner(0, QUEEN)).then(PartnerCalled(0, QUEEN, next=(1,)))
    assert (at.state.phase, can_call_partner(at.state, 0)) == (Phase.DISCARDING, False)
    at.when(CallPartner(0, QUEEN)).rejected(NoCall)


def test_C13_a_card_outside_the_deck_cannot_be_called() -> None:
    for at in (calling(), mid_hand()):
        at.when(CallPartner(0, Card("X3"))).rejected(NoCall, "X3 isn't in this deck")
        at.when(CallPartner(0, QUEEN)).happens()


def test_C13_only_the_bidder_calls_and_only_in_a_call_hand() -> None:
    for seat in (1, 2, 3):
        calling().when(CallPartner(seat, QUEEN)).rejected(NoCall)
        mid_hand().when(CallPartner(seat, QUEEN)).rejected(NoCall)
    ready(*FOUR).when(CallPartner(0, QUEEN)).rejected(NoCall)


def test_R_C28_any_of_the_54_cards_may_be_called() -> None:
    for card in DECK_54:
        assert calling().when(CallPartner(0, card)).facts == (PartnerCalled(0, card, next=(1,)),)


def test_R_C29_R_C28_the_partner_is_announced_before_trick_1() -> None:
    at = discard_cards(call_card(calling(), "QH"), *THROWN[:3])
    assert hand(at).sides == ALONE
    facts = at.when(Discard(0, cards(THROWN[3]))).facts
    assert fact_names(facts) == ["CardsDiscarded", "CardsBuried", "PartnerRevealed"]
    assert facts[-1] == PartnerRevealed(0, 1, QUEEN, ((0, 1), (2, 3)), next=(0,))


WHO = [
    pytest.param("QH", 1, id="R-C30 C13 the seat that holds it"),
    pytest.param("10C", 1, id="R-C30 the seat that has drawn it from the stock by then"),
    pytest.param("AH", None, id="C14 the bidder holds it"),
]


@pytest.mark.parametrize(("card", "partner"), WHO)
def test_the_holder_of_the_card_when_the_call_takes_effect_is_the_partner(card: str, partner: int | None) -> None:
    at = discard_cards(call_card(calling(), card), *THROWN)
    told = only_fact(PartnerRevealed, at.facts)
    assert (told.seat, told.card) == (partner, card)
    assert hand(at).sides == told.sides == (ALONE if partner is None else ((0, 1), (2, 3)))


def test_C11_R_C31_a_call_in_the_middle_of_a_trick_moves_the_sides_with_the_next() -> None:
    at = mid_hand()
    assert (hand(at).sides, turn(at), can_call_partner(at.state, 0)) == (TURNS["across"], 1, True)
    at = at.when(CallPartner(0, Card("KH"))).then(PartnerCalled(0, Card("KH"), next=(1,), begins_turn=False))
    at = play_tricks(at, "1: 9H 8H")
    assert hand(at).sides == TURNS["across"]
    facts = at.when(plays(["3: 7H"])[0]).facts
    assert fact_names(facts) == ["CardPlayed", "TrickTaken", "PartnerRevealed"]
    assert facts[-1] == PartnerRevealed(0, 1, Card("KH"), TURNS["left"], next=(1,))
    assert [fact.next for fact in facts if hasattr(fact, "next")] == [(), (), (1,)]


def test_R_C31_the_game_waits_for_a_card_when_the_next_trick_would_start() -> None:
    at = play_tricks(mid_hand(), "1: KH 8H 7H")
    assert (at.state.phase, at.state.turn, hand(at).lead, hand(at).sides) == (Phase.WAITING, (0,), 1, TURNS["across"])
    at.when(PlayCard(1, Card("9H"))).rejected(WrongPhase)
    at.when(CallPartner(1, QUEEN)).rejected(NoCall)
    at.when(CallPartner(0, QUEEN)).then(
        PartnerCalled(0, QUEEN, next=()), PartnerRevealed(0, 2, QUEEN, TURNS["across"], next=(1,))
    )


def test_R_C61_after_trump_is_named_the_discards_go_on_and_trick_1_waits() -> None:
    at = change_rule(discard_cards(name_trump(make_bids(table(), 4, 0, 0, 0), "H"), THROWN[0]), "partners:call")
    assert (at.state.phase, turn(at), hand(at).sides) == (Phase.DISCARDING, 2, TURNS["across"])
    waiting = discard_cards(at, *THROWN[1:])
    assert (waiting.state.phase, turn(waiting)) == (Phase.WAITING, 0)
    assert call_card(waiting, "X2").facts[-1] == PartnerRevealed(0, 3, Card("X2"), TURNS["right"], next=(0,))
    early = call_card(at, "X2")
    assert early.facts[-1] == PartnerCalled(0, Card("X2"), next=(2,), begins_turn=False)
    assert discard_cards(early, *THROWN[1:]).facts[-1] == PartnerRevealed(0, 3, Card("X2"), TURNS["right"], next=(0,))


@pytest.mark.parametrize(
    "said_before", [pytest.param(0, id="R-C61 in the auction"), pytest.param(4, id="R-C61 before trump is named")]
)
def test_before_trump_is_named_it_is_an_ordinary_call_hand(said_before: int) -> None:
    at = change_rule(make_bids(table(), *(4, 0, 0, 0)[:said_before]), "partners:call")
    at = name_trump(make_bids(at, *(4, 0, 0, 0)[said_before:]), "H")
    assert (at.state.phase, turn(at)) == (Phase.CALLING, 0)


def test_R_C29_the_holder_must_play_the_card_to_that_trick() -> None:
    at = play_tricks(call_card(mid_hand(), "QH"), "1: KH 8H 7H", "1: 9H")
    assert legal_moves(at.state, 2) == (PlayCard(2, QUEEN),)
    at.when(PlayCard(2, Card("2H"))).rejected(MustPlayCalled, "QH")
    assert turn(play_tricks(at, "2: QH")) == 3


def test_C14_R_C30_a_called_card_already_played_makes_no_partner() -> None:
    for card in ("3H", "KH"):
        at = play_tricks(call_card(play_tricks(mid_hand(), "1: KH"), card), "2: 8H 7H")
        assert at.facts[-1] == PartnerRevealed(0, None, Card(card), ALONE, next=(1,))


def test_R_C32_C14_a_lone_bidder_plays_against_the_other_three() -> None:
    at = change_rule(play_tricks(ready("AH 3H JH", "2H 5H", "6H 9H", "7H 8H"), "0: AH"), "partners:call")
    at = play_tricks(call_card(at, "JH"), "1: 2H 6H 7H")
    assert hand(at).sides == ALONE
    score = score_rest(at, "0: JH 5H 9H 8H", "0: 3H")
    assert (score.made, score.changes) == (True, (5, 1, 1, 1))


def test_R_C62_C14_a_lone_bidder_stays_alone_until_an_orientation_gives_a_partner() -> None:
    at = play_tricks(call_card(mid_hand(), "AH"), "1: KH 8H 7H")
    for word in ("dirty:on", "reverse:on", "points:13"):
        changed = change_rule(at, word)
        assert hand(changed).sides == ALONE
        assert not can_call_partner(changed.state, 0)
    for name, partner in (("left", 1), ("across", 2), ("right", 3)):
        assert partnership(change_facts(at, f"partners:{name}")) == PartnersChanged(0, partner, TURNS[name])


def test_R_C62_a_call_cancelled_before_it_takes_effect_keeps_the_old_sides() -> None:
    at = change_rule(play_tricks(call_card(mid_hand(), "KH"), "1: 9H"), "partners:across")
    assert partnership(at.facts) is None
    at = play_tricks(at, "2: 8H 7H")
    assert (hand(at).sides, hand(at).called, partner_revealed(at.facts)) == (TURNS["across"], None, None)
    assert turn(at) == 1
    assert len(legal_moves(at.state, 1)) == 1


def test_R_C62_if_the_call_is_cancelled_while_the_game_waits_for_it_the_next_trick_starts() -> None:
    at = play_tricks(mid_hand(), "1: KH 8H 7H")
    facts = change_facts(at, "partners:across")
    assert (fact_names(facts), change_rule(at, "partners:across").state.turn) == (["RulesChanged"], (1,))
    assert partnership(change_facts(at, "partners:left")) == PartnersChanged(0, 1, TURNS["left"])


def test_R_C62_R_C65_the_duty_to_play_ends_with_the_call_and_unchanged_sides_are_not_repeated() -> None:
    at = play_tricks(call_card(mid_hand(), "QH"), "1: KH 8H 7H", "1: 9H")
    at = change_rule(at, "partners:across")
    assert partnership(at.facts) is None
    assert legal_moves(at.state, 2) == (PlayCard(2, Card("2H")), PlayCard(2, QUEEN))


@pytest.mark.parametrize("card", [None, "QH"])
def test_R_C61_without_another_trick_the_call_lapses_and_the_old_sides_score(card: str | None) -> None:
    at = change_rule(play_tricks(ready("AH JH", "KH 9H", "QH 8H", "7H 6H"), "0: AH KH QH 7H", "0: JH"), "partners:call")
    at = call_card(at, card) if card else at
    facts = play_rest(at, "1: 9H 8H 6H")
    assert fact_names(facts)[:3] == ["CardPlayed", "TrickTaken", "HandScored"]
    assert partner_revealed([*at.facts, *facts]) is None
    assert only_fact(HandScored, facts).changes == (-4, 0, -4, 0)
