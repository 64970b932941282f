"""Stepping through a hand: a seat's view after each event, from histories with and without its cards."""

import json
import re
from typing import Any

import pytest

from domain.cards import Card
from domain.events import (
    BeaconRecorded,
    CardsDiscarded,
    CoinFlipped,
    DelayDropped,
    DrawAnswered,
    DrawProposed,
    GameEnded,
    HandThrownIn,
    MisdealDeclared,
    PartnerRevealed,
    PartnersChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatResigned,
)
from domain.rules.choices import Partners
from domain.rules.model import RulesSummary
from projections.views.seat import view_at
from replay.audit import audit
from replay.history import History, export_bytes, read_export
from replay.history.steps import NotShown, hand_versions, steps, view_of
from replay.text.audit_text import MAX_FINDINGS, report_text
from replay.text.layout import sanitize
from replay.text.narrate import narrate
from replay.text.terminal import plain_text, view_lines
from tests.given import game_opened
from tests.replay.forging import forged
from tests.replay.playing import NAMES, table
from tests.replay.variety import of

KH, SEVEN = Card("KH"), RulesSummary("7", False, False, Partners.ACROSS)
WHO = dict(enumerate(NAMES.values()))


def test_a_step_is_the_view_of_the_seat_at_that_version(whole: History) -> None:
    for viewer in (None, 0, 3):
        for step in steps(whole, 2, viewer):
            assert step.view == view_at(whole.lines, viewer, step.event.version)


def test_every_event_except_ceremonies_belongs_to_one_hand(whole: History) -> None:
    hands = max(event.data.hand for event in whole.events if event.fact == "HandDealt")
    of_hands = [version for hand in range(1, hands + 1) for version in hand_versions(whole, hand)]
    assert len(of_hands) == len(set(of_hands))
    others = {event.fact for event in whole.events if event.version not in of_hands}
    assert others == {"GameOpened", "CeremonyOpened", "SeedKept"}


def test_a_live_hand_shows_public_facts_and_a_finished_one_shows_any_seat(live: History) -> None:
    hands = max(event.data.hand for event in live.events if event.fact == "HandDealt")
    assert view_of(live, None)["version"] == len(live.lines)
    with pytest.raises(NotShown, match=f"hand {hands} is not revealed: you can't see the cards of seat 1"):
        view_of(live, 1)
    first = hand_versions(live, 1)
    assert view_of(live, 1, first[8])["you"]["cards"]
    with pytest.raises(NotShown):
        list(steps(live, hands, 1))
    assert list(steps(live, hands, None))


def test_a_file_shows_a_seat_its_own_cards() -> None:
    mine = read_export(export_bytes(table(4, 3).play(most=5).seen_by(1)))
    assert view_of(mine, 1)["you"]["cards"]
    with pytest.raises(NotShown):
        view_of(mine, 2)


def test_a_missing_event_seat_or_hand_is_not_shown(whole: History) -> None:
    for at in (0, len(whole.lines) + 1, -1):
        with pytest.raises(NotShown, match=f"no event {at}"):
            view_of(whole, None, at)
    with pytest.raises(NotShown, match="no seat 9"):
        view_of(whole, 9)
    with pytest.raises(NotShown, match="no hand 99"):
        hand_versions(whole, 99)
    assert view_of(whole, 2, 1)["hand"] is None


SAID: list[tuple[Any, str]] = [
    (BeaconRecorded(2, "drand/quicknet/1000", "", ""), "the beacon drand/quicknet/1000 is recorded"),
    (PartnerRevealed(1, None, KH, (), ()), "nobody else has KH: bob plays alone"),
    (PartnersChanged(1, None, ()), "bob now plays alone"),
    (MisdealDeclared(1, 0, (0, 2)), "a misdeal, ann and cat without an honor: the same dealer deals again"),
    (HandThrownIn(1), "everybody passed; the hand is thrown in"),
    (DrawProposed(1), "bob proposes a draw"),
    (DrawAnswered(1, accept=False), "bob does not agree"),
    (SeatResigned(1), "bob resigns"),
    (PartnersChanged(None, None, ()), "PartnersChanged"),
    (CardsDiscarded(1, 1, (), ()), "bob discards 1 card"),
    (
        RulesChangeDeferred(game_opened(4).rules, SEVEN, "host", None, None, None, None),
        "the host changes the rules later: 7 points, clean, upright, partner across",
    ),
    (GameEnded("time", (0, 2), (1, 1, 1, 1)), "the game is over (time); ann and cat win"),
    (CoinFlipped(9, (0, 2), 2), "cat wins the coin flip between ann and cat"),
    (DelayDropped(0, 1), "the call of ann on bob is dropped with the hand"),
    (PartnerRevealed(1, 2, KH, (), ()), "cat has KH and is the partner of bob"),
    (SeatForfeited(1, "handover"), "bob leaves no person at the table; the seat is forfeit"),
    (SeatForfeited(1, "time"), "bob is out of time; the table plays on for the seat"),
]
"""Sentences that tests/replay/lists/sentences.txt lacks."""


@pytest.mark.parametrize(("fact", "sentence"), SAID, ids=[each[1] for each in SAID])
def test_the_sentence_of_a_fact(fact: Any, sentence: str) -> None:
    assert narrate(fact, WHO) == sentence


def test_a_terminal_never_gets_control_characters(whole: History) -> None:
    nasty = "\x1b[2J[bold]x[/bold]\r\n:smile:"
    assert sanitize(nasty) == "�[2J[bold]x[/bold]��:smile:"
    names = {f"p{seat}": nasty for seat in range(4)}
    view = view_of(whole, 0)
    text = plain_text(view_lines(view, names))
    assert "\x1b" not in text
    unnamed = {**view, "variant": nasty, "seats": [{**each, "player": nasty} for each in view["seats"]]}
    assert not {"\x1b", "\r"} & set(plain_text(view_lines(unnamed, {})))
    assert "[bold]x[/bold]" in text
    assert ":smile:" in text


def test_a_view_on_screen_shows_the_fields_of_the_view() -> None:
    made = table(5, 4).play(0.2, most=26)
    made.move()
    view = view_of(made.history, made.game.state.turn[0])
    text = plain_text(view_lines(view, NAMES))
    heads = ("Board 7, gamerz Pitch, to 11", "Waiting for: ", "pitcher", "dealer")
    for says in (*heads, "Trump: ", "Trick ", "Last trick", "You may: "):
        assert says in text
    for card in view["you"]["cards"] or ():
        assert card in text


def test_proposals_results_and_hidden_cards_on_screen(small: History, whole: History, live: History) -> None:
    asked = next(event.version for event in small.events if event.fact == "UndoAsked")
    assert "asks to take back a move" in plain_text(view_lines(view_of(small, None, asked), NAMES))
    assert re.search(r"Over \(goal\): \S+ won", plain_text(view_lines(view_of(whole, None), NAMES)))
    drawn = table(1, 2)
    drawn.draw(accept=True)
    text = plain_text(view_lines(view_of(drawn.history, 0), NAMES))
    assert "Over (draw): nobody won" in text
    assert "bob" in plain_text(view_lines(view_of(live, None), NAMES))
    view = view_of(live, None) | {
        "you": {"seat": 0, "cards": None, "sees": {"1": ["AH"], "2": None}, "legal": [], "choose": None}
    }
    assert "You don't see your own card" in plain_text(view_lines(view, NAMES))
    assert "bob holds: AH" in plain_text(view_lines(view, NAMES))


SCREENS = [
    ("Setback with partners", 20, ("Sides: ", "Last trick: face down, to ", "Trump: ")),
    ("Blackout", 2, ("13 hands", "Turned up: ", "You don't see your own card")),
    (
        "Corellian without a randomizer",
        6,
        ("10 points, clean, upright, partner across; bids 4 to 10", "You may throw "),
    ),
]


@pytest.mark.parametrize(("name", "most", "says"), SCREENS, ids=[each[0] for each in SCREENS])
def test_the_other_games_on_screen(name: str, most: int, says: tuple[str, ...]) -> None:
    made = of(name, 4).play(most=most)
    text = plain_text(view_lines(view_of(made.history, made.game.state.turn[0]), NAMES))
    assert all(each in text for each in says), text


def test_waiting_changes_called_cards_and_delay_calls_on_screen() -> None:
    made = of("Corellian held back until a verdict", 3)
    view: Any = view_of(made.play(most=4).history, 0)
    waiting = {"points": "7", "total": 7, "dirty": True, "reverse": True, "partners": "call"}
    view["rules"] |= {"deferred": [waiting], "ends_at": "2026-11-22T08:00:00.000000Z"}
    view["hand"] |= {"called": "KH"}
    view["delay"] = {"seat": 0, "accused": 1, "waited_ms": 20000, "votes": [{"seat": 0, "guilty": True}]}
    view["you"]["choose"] = {"type": "call_partner", "from": "any"}
    view["result"] = {"reason": "time", "winners": [0, 2], "scores": [1, 0, 1, 0]}
    text = plain_text(view_lines(view, NAMES))
    for says in ("After this hand: 7 points, dirty, reversed, a called partner", "ends at 2026-11-22", "Called: KH"):
        assert says in text
    for says in ("ann calls delay of game on bob; ann: guilty", "You may call a card", "ann and cat won"):
        assert says in text
    view["you"]["choose"] = {"type": "discard", "from": ["AH", "KH"], "must": ["2C"], "min": 3, "max": 3}
    assert "You may throw 3 of 2C AH KH; these must go: 2C" in plain_text(view_lines(view, NAMES))


def test_B18_a_file_without_another_seat_s_card_does_not_show_a_seat_s_view() -> None:
    mine = read_export(export_bytes(of("Blackout", 2).play(most=2).seen_by(1)))
    assert view_of(mine, 1)["you"]["sees"].keys() == {"0", "2", "3"}
    with pytest.raises(NotShown, match="the cards of seat 0"):
        view_of(mine, 0)


def test_B19_after_the_cards_of_the_first_hand_are_played_no_seat_holds_any() -> None:
    history = of("Blackout", 3).play(most=6).history
    made = list(steps(history, 1, 2))
    dealt = plain_text(view_lines(next(step.view for step in made if step.event.fact == "TrumpTurnedUp"), NAMES))
    assert len(re.findall(r" holds: \w+$", dealt, re.MULTILINE)) == 3
    assert dealt.count("You don't see your own card") == 1
    assert " holds" not in plain_text(view_lines(made[-1].view, NAMES))


def test_before_the_deal_there_is_a_table_and_no_hand(whole: History) -> None:
    text = plain_text(view_lines(view_of(whole, None, 1), {}))
    assert "waiting, move #1\n" in text
    assert "p0" in text


def test_a_report_with_many_findings_names_the_first_and_counts_the_rest(whole: History) -> None:
    forgery = forged(whole, lambda event: event.update(salt="00"))
    text = plain_text(report_text(audit(forgery)))
    assert "event 1: its salt isn't 16 bytes in hex" in text
    assert f"and {len(whole.lines) - MAX_FINDINGS} more" in text
    assert "something is wrong" in text


def test_a_report_of_an_unreadable_or_trailerless_history(whole: History) -> None:
    later = plain_text(report_text(audit(forged(whole, lambda event: event.update(v=9)))))
    assert "not judged: event 1: its fields" in later or "not judged: event 1:" in later
    assert "no root" in plain_text(report_text(audit(History(whole.header, whole.lines[:1], None))))
    opened_only = audit(History(whole.header, whole.lines[:2], None))
    assert json.loads(json.dumps(opened_only.to_json()))["hands"][0]["hand"] is None
    assert "not dealt" in plain_text(report_text(opened_only))
