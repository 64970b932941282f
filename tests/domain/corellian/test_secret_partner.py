"""Corellian Pitch with a called partner who stays secret until they play the card (R-C29's other answer)."""

import pytest

from domain.cards import Card
from domain.commands import CallPartner, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, PartnerRevealed
from domain.rules.choices import Phase
from tests.games.corellian_changes import TURNS, hand, partner_revealed, play_rest, ready, turn
from tests.games.corellian_hands import call_card, change_rule, play_tricks, rules_of
from tests.games.hands import fact_names, only_fact
from tests.given import Given

ALONE = ((0,), (1, 2, 3))
FOUR = ("AH 4H 3H", "KH 9H", "QH 8H 2H", "7H 6H 5H")
QUEEN = Card("QH")


def secret(*hands: str, call: str | None = None, points: str = "10", partners: str = "call") -> Given:
    """Return a table that keeps the called partner secret."""
    return ready(*(hands or FOUR), call=call, rules=rules_of(points, partners=partners, call="secret"))


def test_R_C29_a_secret_partner_is_revealed_when_they_play_the_card() -> None:
    at = secret(call="QH")
    assert (hand(at).sides, turn(at), partner_revealed(at.facts)) == (ALONE, 0, None)
    at = play_tricks(at, "0: 3H 9H")
    assert legal_moves(at.state, 2) == (PlayCard(2, QUEEN),)
    at.when(PlayCard(2, QUEEN)).then(
        CardPlayed(2, QUEEN, next=()), PartnerRevealed(0, 2, QUEEN, TURNS["across"], next=(3,))
    )


def test_R_C29_a_secret_partner_is_revealed_by_the_last_card_of_a_trick() -> None:
    facts = play_tricks(secret(call="7H"), "0: 3H 9H 8H").when(PlayCard(3, Card("7H"))).facts
    assert fact_names(facts) == ["CardPlayed", "PartnerRevealed", "TrickTaken"]
    assert [fact.next for fact in facts if hasattr(fact, "next")] == [(), (), (1,)]


@pytest.mark.parametrize("call", ["secret", "announced"])
def test_R_C31_a_call_for_which_the_table_waits_ends_the_pitchers_turn(call: str) -> None:
    """The pitcher has taken the trick in which the rules changed, and leads after the call."""
    at = ready(*FOUR, rules=rules_of("10", call=call))
    at = play_tricks(change_rule(play_tricks(at, "0: AH"), "partners:call"), "1: KH QH 7H")
    assert (at.state.phase, turn(at), hand(at).lead) == (Phase.WAITING, 0, 0)
    after = at.when(CallPartner(0, Card("8H"))).happens()
    assert turn(after) == 0
    assert after.state.turn_version > at.state.turn_version


def test_R_C31_a_call_during_a_trick_leaves_the_turn_to_the_seat_that_plays() -> None:
    at = change_rule(play_tricks(ready(*FOUR, rules=rules_of("10", call="secret")), "0: AH"), "partners:call")
    after = at.when(CallPartner(0, Card("8H"))).happens()
    assert (turn(after), after.state.turn_version) == (1, at.state.turn_version)


@pytest.mark.parametrize(
    ("card", "points", "partner"),
    [
        pytest.param("AS", "4", None, id="C14 R-C29 no seat has it"),
        pytest.param("JD", "4", 2, id="R-C29 it could not be played"),
    ],
)
def test_a_secret_partner_is_revealed_at_the_end_of_the_hand(card: str, points: str, partner: int | None) -> None:
    at = secret("AH", "KH", "QH JD", "9H", call=card, points=points)
    facts = play_tricks(at, "0: AH KH QH").when(PlayCard(3, Card("9H"))).facts
    assert fact_names(facts) == ["CardPlayed", "TrickTaken", "PartnerRevealed", "HandScored"]
    assert only_fact(PartnerRevealed, facts).seat == partner


def test_C14_R_C29_a_bidder_who_holds_the_called_card_can_choose_when_to_play_it() -> None:
    at = secret(call="AH")
    assert len(legal_moves(at.state, 0)) == 3
    at = play_tricks(at, "0: AH")
    assert at.facts[-1] == PartnerRevealed(0, None, Card("AH"), ALONE, next=(1,))


def test_R_C31_R_C61_a_card_played_before_the_call_takes_effect_makes_no_partner() -> None:
    at = change_rule(play_tricks(secret(partners="across"), "0: 3H"), "partners:call")
    at = play_tricks(call_card(at, "9H"), "1: 9H 8H 7H")
    assert (hand(at).sides, partner_revealed(at.facts)) == (TURNS["across"], None)
    told = [each for each in play_rest(at, "1: KH QH 6H AH", "0: 4H - 2H 5H") if isinstance(each, PartnerRevealed)]
    assert told == [PartnerRevealed(0, None, Card("9H"), ALONE, next=())]
