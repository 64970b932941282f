"""A move as it is posted or said, and the command it means."""

from typing import Any

import pytest

from domain.cards import DECK_52, Card
from domain.commands import AnswerProposal, AskUndo, MakeBid, PassBid, PlayCard, ProposeDraw, Resign, SeatCommand
from projections.moves import TYPES, Malformed, command_of, move_json, text_move

MEANINGS: list[tuple[dict[str, Any], SeatCommand]] = [
    ({"type": "bid", "bid": 3}, MakeBid(1, 3)),
    ({"type": "bid", "bid": -1}, MakeBid(1, -1)),
    ({"type": "pass"}, PassBid(1)),
    ({"type": "play", "card": "AD"}, PlayCard(1, Card("AD"))),
    ({"type": "undo"}, AskUndo(1)),
    ({"type": "propose_draw"}, ProposeDraw(1)),
    ({"type": "accept"}, AnswerProposal(1, accept=True)),
    ({"type": "reject"}, AnswerProposal(1, accept=False)),
    ({"type": "resign"}, Resign(1)),
]


@pytest.mark.parametrize(("move", "command"), MEANINGS)
def test_a_move_means_a_command_and_the_command_that_move(move: dict[str, Any], command: SeatCommand) -> None:
    assert command_of(move, 1) == command
    assert move_json(command) == move


def test_every_type_has_a_meaning() -> None:
    assert {move["type"] for move, _ in MEANINGS} == set(TYPES)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ({}, "type must be one of"),
        ({"type": None}, "type must be one of"),
        ({"type": ["bid"]}, "type must be one of"),
        ({"type": "smudge"}, "type must be one of"),
        ({"type": "bid"}, "needs bid"),
        ({"type": "bid", "bid": 3, "seat": 2}, "no fields but type, bid"),
        ({"type": "pass", "bid": 0}, "no fields but type$"),
        ({"type": "bid", "bid": True}, "whole number"),
        ({"type": "bid", "bid": "3"}, "whole number"),
        ({"type": "bid", "bid": 0.5}, "whole number"),
        ({"type": "bid", "bid": None}, "whole number"),
        ({"type": "bid", "bid": []}, "whole number"),
        ({"type": "play", "card": "ad"}, "not a card"),
        ({"type": "play", "card": "TD"}, "not a card"),
        ({"type": "play", "card": "1Z"}, "not a card"),
        ({"type": "play", "card": "10\u2660"}, "not a card"),
        ({"type": "play", "card": "\u0410D"}, "not a card"),
        ({"type": "play", "card": "AD\u200b"}, "not a card"),
        ({"type": "play", "card": 3}, "must be a text"),
    ],
)
def test_what_is_no_move_is_malformed(move: dict[str, Any], says: str) -> None:
    with pytest.raises(Malformed, match=says):
        command_of(move, 0)


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        pytest.param("0", 0, id="R-S6 0"),
        pytest.param("2", 2, id="R-S6 2"),
        pytest.param("3", 3, id="R-S6 3"),
        pytest.param("4", 4, id="R-S6 4"),
        pytest.param("5", 5, id="R-S6 5"),
        pytest.param("smudge", 5, id="S12 smudge"),
        pytest.param("SMUDGE", 5, id="R-S6 either case"),
        pytest.param("6", 6, id="S11 a number the rules refuse"),
        pytest.param("-1", -1, id="S11 a negative number"),
    ],
)
def test_S8_a_number_is_a_bid(text: str, bid: int) -> None:
    assert text_move(text) == {"type": "bid", "bid": bid}


@pytest.mark.parametrize("card", DECK_52)
def test_S8_S19_a_card_is_a_card(card: Card) -> None:
    assert text_move(card) == {"type": "play", "card": card}
    assert text_move(card.lower()) == {"type": "play", "card": card}


@pytest.mark.parametrize("text", [" pass", "pass  ", " PASS "])
def test_blanks_around_a_text_say_nothing(text: str) -> None:
    assert text_move(text) == {"type": "pass"}


@pytest.mark.parametrize("text", ["TD", "td", "10d", "10D"])
def test_R_S18_ten_may_be_said_with_a_T(text: str) -> None:
    assert text_move(text) == {"type": "play", "card": "10D"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pass", "pass"),
        ("Undo", "undo"),
        ("propose", "propose_draw"),
        ("propose(draw)", "propose_draw"),
        ("accept", "accept"),
        ("REJECT", "reject"),
        ("resign", "resign"),
    ],
)
def test_the_words_of_the_command_line_are_moves(text: str, kind: str) -> None:
    assert text_move(text) == {"type": kind}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("03", "is no move", id="R-S6 03"),
        pytest.param("+3", "is no move", id="R-S6 plus"),
        pytest.param("\uff13", "is no move", id="R-S6 full width"),
        pytest.param("", "is no move", id="R-S6 nothing"),
        pytest.param("A D", "is no move", id="a blank"),
        pytest.param(" ", "is no move", id="blanks alone"),
        pytest.param("\u00a0pass", "is no move", id="a blank that is no blank"),
        pytest.param("fold", "a number, a card like AD, or one of smudge, pass, undo, propose, accept, reject, resign$",
                     id="the sentence names every word"),
        pytest.param("\u212aD", "is no move", id="kelvin sign"),
        pytest.param("9" * 5000, "at most 40", id="too long"),
    ],
)
def test_text_that_is_no_move_is_malformed(text: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        text_move(text)
