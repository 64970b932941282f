"""Corellian Pitch, immediate changes: when they happen, and their effect on tricks and cards (C8-C10, C23-C26)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.events import HandScored, TrickTaken
from domain.events.play import Play
from domain.rejections import NotDue
from domain.rules.choices import Phase
from tests.games.corellian_changes import (
    THROWN,
    change_facts,
    change_of,
    hand,
    last_trick,
    played_card,
    ready,
    score_played_out,
    score_rest,
    turn,
)
from tests.games.corellian_hands import (
    MENU,
    change_rule,
    discard_cards,
    make_bids,
    name_trump,
    play_tricks,
    plays,
    rule_draw,
    table,
)
from tests.games.hands import fact_names, only_fact, pegs_text
from tests.given import Given


def after_naming() -> Given:
    return name_trump(make_bids(table(), 4, 0, 0, 0), "H")


MOMENTS: dict[str, tuple[Callable[[], Given], Phase, int]] = {
    "before the first bid": (table, Phase.AUCTION, 0),
    "between two bids": (lambda: make_bids(table(), 4, 0), Phase.AUCTION, 2),
    "before trump is named": (lambda: make_bids(table(), 4, 0, 0, 0), Phase.NAMING, 0),
    "before the first discard": (after_naming, Phase.DISCARDING, 1),
    "between two discards": (lambda: discard_cards(after_naming(), THROWN[0]), Phase.DISCARDING, 2),
    "before the bidder's discard": (lambda: discard_cards(after_naming(), *THROWN[:3]), Phase.DISCARDING, 0),
    "before the first lead": (lambda: discard_cards(after_naming(), *THROWN), Phase.PLAY, 0),
    "in a trick": (lambda: play_tricks(discard_cards(after_naming(), *THROWN), "0: 3H QH"), Phase.PLAY, 2),
    "between two tricks": (
        lambda: play_tricks(discard_cards(after_naming(), *THROWN), "0: AH 8H 2H 5H"),
        Phase.PLAY,
        0,
    ),
}


@pytest.mark.parametrize("moment", [pytest.param(name, id=f"C8 C9 {name}") for name in MOMENTS])
def test_a_change_is_in_force_at_once_whenever_it_happens(moment: str) -> None:
    prepared, phase, seat = MOMENTS[moment]
    at = prepared()
    assert (at.state.phase, at.state.turn) == (phase, (seat,))
    for word in ("reverse:on", "dirty:on", "points:13"):
        facts = change_facts(at, word)
        assert fact_names(facts) == ["RulesChanged"]
        assert change_of(facts).next == (seat,)
        after = change_rule(at, word)
        assert after.state.rules == change_of(facts).rules
        assert after.state.rules.setting == change_of(facts).summary != at.state.rules.setting
        assert (after.state.phase, after.state.turn) == (phase, (seat,))


def test_R_C45_at_most_one_draw_before_each_turn() -> None:
    at = change_rule(play_tricks(ready("AH 4H", "KH", "QH", "9H"), "0: AH"), "reverse:on")
    at.when(rule_draw(at, "dirty:on")).rejected(NotDue)
    assert change_of(change_facts(play_tricks(at, "1: KH"), "dirty:on")).label == "randomizer 7 what"


OTHER: dict[str, dict[str, Any]] = {
    "points:10": {"points": "13"},
    "dirty:off": {"dirty": True},
    "reverse:off": {"reverse": True},
    "partners:across": {"partners": "left"},
}
"""For a menu word that changes nothing at the opening: a setting in which it does."""


def test_R_C22_trump_and_lead_are_never_changed() -> None:
    for word in MENU:
        at = play_tricks(ready("9H 4H", "QH 5H", "2H 6H", "3H 7H", **OTHER.get(word, {})), "0: 9H QH 2H 3H")
        after = change_rule(at, word)
        assert (hand(after).trump, hand(after).lead) == (hand(at).trump, hand(at).lead) == ("H", hand(at).lead)


REVERSED = [
    pytest.param([], 0, id="R-C19 no change"),
    pytest.param([(1, "reverse:on")], 2, id="R-C19 C9 after the first card"),
    pytest.param([(3, "reverse:on")], 2, id="R-C19 just before the last card"),
    pytest.param([(1, "reverse:on"), (3, "reverse:off")], 0, id="R-C19 there and back in one trick"),
    pytest.param([(1, "dirty:on"), (2, "reverse:on")], 2, id="R-C19 two changes in one trick"),
]


@pytest.mark.parametrize(("changes", "taker"), REVERSED)
def test_a_trick_is_decided_by_the_rules_in_force_at_its_last_card(changes: list[tuple[int, str]], taker: int) -> None:
    at = ready("AH 4H", "KH 5H", "2H 6H", "QH 7H")
    for card, move in enumerate(plays(["0: AH KH 2H QH"])):
        for word in [word for place, word in changes if place == card]:
            at = change_rule(at, word)
        at = at.when(move).happens()
    assert (last_trick(at).seat, turn(at)) == (taker, taker)
    assert [play.card for play in last_trick(at).plays] == ["AH", "KH", "2H", "QH"]


def test_R_C19_R_C55_a_card_on_the_table_that_is_no_longer_trump_beats_no_trump() -> None:
    at = change_rule(play_tricks(ready("JD AH", "2H 3H", "4D KH", "10D QH"), "0: JD"), "points:4")
    assert turn(at) == 1
    at = play_tricks(at, "1: 2H KH QH")
    assert (last_trick(at).seat, last_trick(at).plays[0]) == (2, played_card(0, "JD"))
    at = change_rule(play_tricks(ready("JD AH", "2H 3H", "4D", "10D"), "0: JD"), "points:4")
    assert last_trick(play_tricks(at, "1: 2H")).seat == 1


@pytest.mark.parametrize(
    ("reverse", "taker"),
    [pytest.param(False, 1, id="R-C55 highest of the suit led"), pytest.param(True, 2, id="R-C16 R-C55 reversed")],
)
def test_R_C54_if_no_trump_is_left_on_the_table_the_suit_led_decides(reverse: bool, taker: int) -> None:
    at = ready("JD AH", "AD KH", "3D QH", "10D", points="16", reverse=reverse, bids=(5, 0, 0, 0))
    at = play_tricks(at, "0: JD AD 3D")
    facts = change_facts(at, "points:4")
    assert fact_names(facts) == ["RulesChanged", "BidScaled", "TrickTaken"]
    assert (change_of(facts).next, only_fact(TrickTaken, facts).seat, only_fact(TrickTaken, facts).next) == (
        (),
        taker,
        (taker,),
    )


def test_R_C54_a_change_after_which_no_seat_can_play_ends_the_trick() -> None:
    at = play_tricks(ready("AH 4H", "JH 2H", "JD", "JC"), "0: 4H JH")
    assert turn(at) == 2
    facts = change_facts(at, "points:4")
    assert fact_names(facts) == ["RulesChanged", "BidScaled", "TrickTaken"]
    assert (change_of(facts).next, only_fact(TrickTaken, facts).plays) == (
        (),
        (played_card(0, "4H"), played_card(1, "JH")),
    )
    assert only_fact(TrickTaken, facts).next == (1,)


def test_R_C54_a_change_after_which_no_seat_can_lead_ends_the_hand() -> None:
    at = play_tricks(ready("AH", "KH", "JD", "JC"), "0: AH KH")
    facts = change_facts(at, "points:4")
    assert fact_names(facts) == ["RulesChanged", "BidScaled", "TrickTaken", "HandScored"]
    assert [fact.next for fact in facts if hasattr(fact, "next")] == [(), ()]
    at = play_tricks(ready("AH JD", "KH", "QH", "9H"), "0: AH KH QH 9H")
    facts = change_facts(at, "points:4")
    assert fact_names(facts) == ["RulesChanged", "BidScaled", "HandScored"]
    assert pegs_text(only_fact(HandScored, facts).pegs) == "high 0 AH, low 3 9H, game 0"


def test_R_C53_a_skipped_seat_gets_its_turn_back() -> None:
    at = play_tricks(ready("AH 4H", "AD", "2H 5H", "QH"), "0: 4H")
    assert turn(at) == 2
    facts = change_facts(at, "points:11")
    assert change_of(facts).next == (1,)
    after = play_tricks(change_rule(at, "points:11"), "1: AD")
    assert turn(after) == 2
    assert last_trick(play_tricks(after, "2: 2H QH")).plays[1] == played_card(1, "AD")


def test_R_C10_a_taker_who_can_no_longer_lead_passes_the_lead_on() -> None:
    at = play_tricks(ready("AH JD", "KH 3C", "QH 5H", "9H 6H"), "0: AH KH QH 9H")
    assert turn(at) == 0
    assert change_of(change_facts(at, "points:4")).next == (2,)
    assert change_of(change_facts(at, "points:13")).next == (0,)


KEPT = [
    pytest.param(False, None, [played_card(1, "2H")], id="C23 R-C18 R-C56 clean"),
    pytest.param(False, "dirty:on", [], id="R-C54 R-C56 C23 dirty from the middle of the trick"),
    pytest.param(True, "dirty:off", [played_card(1, "2H")], id="R-C54 R-C56 C23 clean from the middle of the trick"),
    pytest.param(False, "reverse:on", [played_card(0, "AH")], id="C26 R-C56 reversed in the middle of the trick"),
]


@pytest.mark.parametrize(("dirty", "word", "kept"), KEPT)
def test_kept_cards_are_fixed_when_the_trick_is_gathered(dirty: bool, word: str | None, kept: list[Play]) -> None:
    at = play_tricks(ready("AH 4H", "2H", "5H", "6H", dirty=dirty), "0: AH 2H")
    at = change_rule(at, word) if word else at
    assert list(last_trick(play_tricks(at, "2: 5H 6H")).kept) == kept


@pytest.mark.parametrize(
    ("dirty", "word", "owner"),
    [
        pytest.param(False, "dirty:on", 1, id="R-C20 C18 kept under clean, it stays kept"),
        pytest.param(True, "dirty:off", 0, id="R-C20 C18 carried under dirty, it stays the taker's"),
    ],
)
def test_a_later_change_does_not_move_cards(dirty: bool, word: str, owner: int) -> None:
    at = change_rule(play_tricks(ready("AH 9H", "2H KH", "5H", "6H", dirty=dirty), "0: AH 2H 5H 6H"), word)
    assert f"two {owner} 2H" in pegs_text(score_rest(at, "0: 9H KH").pegs).replace("(", "").replace(")", "")


@pytest.mark.parametrize(
    ("dirty", "word", "low"),
    [
        pytest.param(False, "dirty:on", "low 1 2H", id="R-C20 R-C56 gathered clean, dirty later"),
        pytest.param(True, "dirty:off", "low 0 2H", id="R-C20 R-C56 gathered dirty, clean later"),
    ],
)
def test_low_depends_on_how_its_trick_was_gathered(dirty: bool, word: str, low: str) -> None:
    at = ready("AH 9H", "2H KH", "5H", "6H", points="4", dirty=dirty, bids=(2, 0, 0, 0))
    at = change_rule(play_tricks(at, "0: AH 2H 5H 6H"), word)
    assert low in pegs_text(score_rest(at, "0: 9H KH").pegs)


@pytest.mark.parametrize(
    ("worth", "pegs"),
    [
        pytest.param("at_end", "jack 1 JH, ten 0 10H, ace 0 AH", id="R-C20 C20 worth what it is worth at the end"),
        pytest.param("when_taken", "jack 1 JH, ten 0 10H, ace 0 AH, three 0 3H", id="R-C20 H10 worth when taken"),
    ],
)
def test_the_version_at_the_end_decides_what_cards_are_worth(worth: str, pegs: str) -> None:
    at = ready("AH 4H", "3H JH", "10H 5H", "6H 7H", worth=worth)
    at = change_rule(play_tricks(at, "0: AH 3H 10H 6H"), "points:7")
    assert pegs_text(score_rest(at, "0: 4H JH 5H 7H").pegs).replace("(", "").replace(")", "") == pegs


def test_R_C21_discarded_cards_are_dead_even_if_they_become_points() -> None:
    at = change_rule(discard_cards(after_naming(), *THROWN), "points:16")
    points = {peg.point for peg in score_played_out(at).pegs}
    assert "off_ace" in points
    assert points.isdisjoint({"off_two", "off_three", "off_ten"})
