"""A move as JSON or text, and the command that it means."""

from typing import Any

import pytest

from domain.cards import DECK_54, Card
from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    CutDeck,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    SeatCommand,
    VoteDelay,
)
from domain.engine.auction import moon_bid
from domain.rules.variants import VARIANTS, compose_rules
from projections.moves.json_moves import MOVES, move_to_json, parse_move
from projections.moves.text_moves import MalformedMove, move_text, parse_text_move
from tests.given import cards

HEX = "5a" * 32
SIGNATURE = "ab" * 48
MEANINGS: list[tuple[dict[str, Any], SeatCommand]] = [
    ({"type": "bid", "bid": 3}, MakeBid(1, 3)),
    ({"type": "bid", "bid": -1}, MakeBid(1, -1)),
    ({"type": "pass"}, PassBid(1)),
    ({"type": "play", "card": "AD"}, PlayCard(1, Card("AD"))),
    ({"type": "name_trump", "suit": "H"}, NameTrump(1, "H")),
    ({"type": "call_partner", "card": "X2"}, CallPartner(1, Card("X2"))),
    ({"type": "discard", "cards": ["2C", "10D"]}, Discard(1, cards("2C 10D"))),
    ({"type": "discard", "cards": []}, Discard(1, ())),
    ({"type": "call_delay", "accused": 3}, CallDelay(1, 3)),
    ({"type": "vote", "guilty": True}, VoteDelay(1, guilty=True)),
    ({"type": "vote", "guilty": False}, VoteDelay(1, guilty=False)),
    ({"type": "change_rules", "change": "points:11b"}, ChangeRules(1, "points:11b")),
    ({"type": "cut", "n": 4, "commit": HEX, "cut": HEX, "next_seal": None}, CutDeck(1, 4, HEX, HEX)),
    ({"type": "cut", "n": 4, "commit": HEX, "cut": HEX, "next_seal": HEX}, CutDeck(1, 4, HEX, HEX, HEX)),
    (
        {"type": "beacon", "n": 4, "source": "drand/quicknet/7", "signature": SIGNATURE},
        RecordBeacon(1, 4, "drand/quicknet/7", SIGNATURE),
    ),
    ({"type": "undo"}, AskUndo(1)),
    ({"type": "propose_draw"}, ProposeDraw(1)),
    ({"type": "accept"}, AnswerProposal(1, accept=True)),
    ({"type": "reject"}, AnswerProposal(1, accept=False)),
    ({"type": "resign"}, Resign(1)),
    ({"type": "answer_handover", "accept": True}, AnswerHandover(1, accept=True)),
    ({"type": "answer_handover", "accept": False}, AnswerHandover(1, accept=False)),
    ({"type": "return_seat"}, ReturnSeat(1)),
    ({"type": "claim_time"}, ClaimTime(1)),
]


@pytest.mark.parametrize(("move", "command"), MEANINGS)
def test_a_move_becomes_a_command_and_the_command_the_same_move(move: dict[str, Any], command: SeatCommand) -> None:
    assert parse_move(move, 1) == command
    assert move_to_json(command) == move


def test_every_type_of_move_becomes_a_command() -> None:
    assert {move["type"] for move, _ in MEANINGS} == set(MOVES)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ({}, "type must be one of"),
        ({"type": ["bid"]}, "type must be one of"),
        ({"type": "smudge"}, "type must be one of"),
        ({"type": "bid"}, "needs bid"),
        ({"type": "bid", "bid": 3, "seat": 2}, "no fields but type, bid"),
        ({"type": "pass", "bid": 0}, "no fields but type$"),
        ({"type": "bid", "bid": True}, "whole number"),
        ({"type": "beacon", "n": 4, "source": "a/1", "signature": SIGNATURE[2:]}, "signature must be 48 bytes"),
        ({"type": "beacon", "n": 4, "source": "a" * 256, "signature": SIGNATURE}, "source must be a text"),
        ({"type": "beacon", "n": 4, "source": "a/1"}, "needs signature"),
        ({"type": "cut", "n": 4, "commit": HEX, "cut": HEX}, "needs next_seal"),
        ({"type": "cut", "n": 4, "commit": HEX, "cut": HEX[2:], "next_seal": None}, "cut must be 32 bytes"),
        ({"type": "cut", "n": 4, "commit": HEX.upper(), "cut": HEX, "next_seal": None}, "commit must be 32 bytes"),
        ({"type": "cut", "n": 4, "commit": HEX, "cut": HEX, "next_seal": 0}, "next_seal must be .* or null"),
        ({"type": "play", "card": "ad"}, "card must be a card"),
        ({"type": "play", "card": "10\u2660"}, "must be a card, the rank"),
        ({"type": "play", "card": 3}, "must be a card"),
        ({"type": "name_trump", "suit": "h"}, "suit must be one of C, D, H, S"),
        ({"type": "call_partner", "card": "X3"}, "must be a card"),
        ({"type": "discard", "cards": "2C"}, "must be a list"),
        ({"type": "discard", "cards": ["2C", 3]}, "cards must be a list of cards"),
        ({"type": "discard", "cards": ["2C"] * 55}, "at most 54"),
        ({"type": "discard", "card": "2C"}, "needs cards"),
        ({"type": "call_delay", "accused": True}, "accused must be a whole number"),
        ({"type": "call_delay", "accused": 2, "at": "2026"}, "no fields but type, accused"),
        ({"type": "vote", "guilty": 1}, "true or false"),
        ({"type": "change_rules", "change": "points"}, "must be a text like"),
        ({"type": "change_rules", "change": "points:7\n"}, "must be a text like"),
        ({"type": "change_rules", "change": "a" * 17 + ":7"}, "must be a text like"),
    ],
)
def test_an_invalid_move_is_malformed(move: dict[str, Any], says: str) -> None:
    with pytest.raises(MalformedMove, match=says):
        parse_move(move, 0)


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
    assert parse_text_move(text) == {"type": "bid", "bid": bid}


@pytest.mark.parametrize("text", ["moon", "Moon", "bid moon", "11", "bid 11"])
def test_N15_the_moon_is_a_word_where_it_can_be_bid(text: str) -> None:
    rules, _ = compose_rules("ten-point", {})
    move = parse_text_move(text, rules)
    assert move == {"type": "bid", "bid": 11}
    assert move_text(move, moon_bid(rules)) == "moon"
    assert move_text(move) == "bid 11"


def test_the_moon_is_no_word_elsewhere_and_has_no_number_without_a_table() -> None:
    for text in ("moon", "bid moon"):
        assert parse_text_move(text) == {"type": "bid", "bid": None}
        with pytest.raises(MalformedMove):
            parse_text_move(text, compose_rules("pitch", {})[0])


def test_S12_smudge_is_a_word_only_if_it_is_a_point() -> None:
    assert parse_text_move("smudge", compose_rules("pitch", {})[0]) == {"type": "bid", "bid": 5}
    for name in VARIANTS.keys() - {"pitch"}:
        with pytest.raises(MalformedMove, match="'smudge' isn't a move") as refused:
            parse_text_move("smudge", compose_rules(name, {})[0])
        assert "or one of smudge" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("hearts", {"type": "name_trump", "suit": "H"}),
        ("Spades", {"type": "name_trump", "suit": "S"}),
        ("c", {"type": "name_trump", "suit": "C"}),
        ("D", {"type": "name_trump", "suit": "D"}),
        ("call KH", {"type": "call_partner", "card": "KH"}),
        ("CALL  x1", {"type": "call_partner", "card": "X1"}),
        ("throw 2C 3D", {"type": "discard", "cards": ["2C", "3D"]}),
        ("throw 2c,td, 3d", {"type": "discard", "cards": ["2C", "10D", "3D"]}),
        ("delay 2", {"type": "call_delay", "accused": 2}),
        ("guilty", {"type": "vote", "guilty": True}),
        ("Not Guilty", {"type": "vote", "guilty": False}),
        ("change points:7", {"type": "change_rules", "change": "points:7"}),
        ("change Partners:CALL", {"type": "change_rules", "change": "partners:call"}),
        ("pass", {"type": "pass"}),
        ("Undo", {"type": "undo"}),
        ("propose", {"type": "propose_draw"}),
        ("propose(draw)", {"type": "propose_draw"}),
        ("accept", {"type": "accept"}),
        ("REJECT", {"type": "reject"}),
        ("resign", {"type": "resign"}),
    ],
)
def test_every_move_can_be_written_in_words(text: str, move: dict[str, Any]) -> None:
    assert parse_text_move(text) == move
    assert move_to_json(parse_move(move, 0)) == move


@pytest.mark.parametrize(
    ("variant", "options", "says"),
    [
        ("pitch", {}, "AD, or one of smudge, pass, undo, propose, accept, reject, resign$"),
        ("setback", {}, "AD, or one of pass, undo, propose, accept, reject, resign$"),
        ("corellian", {}, "AD, or one of hearts, throw 2C 3D, call KH, pass, .*, resign, delay 2, guilty, not guilty$"),
        ("corellian", {"host_changes": True}, "not guilty, change dirty:on$"),
    ],
)
def test_a_refused_text_gets_the_words_of_the_table(variant: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(MalformedMove, match=says):
        parse_text_move("fold", compose_rules(variant, options)[0])


def test_S8_S19_R_S18_a_card_is_a_card_and_ten_can_be_written_with_a_T() -> None:
    for card in DECK_54:
        for text in (card, card.lower(), f" {card}  ", card.replace("10", "T"), card.replace("10", "t")):
            assert parse_text_move(text) == {"type": "play", "card": card}, text


NO_MOVES = {
    **dict.fromkeys(("03", "+3", "\uff13", "", "A D", " ", "\u00a0pass", "\u212aD", "call", "throw"), "isn't a move"),
    "fold": "a number, a card like AD, or one of smudge, moon, pass, undo, propose, accept, reject, resign$",
    "9" * 5000: "at most 120",
    "call ZZ": "'zz' isn't a card",
    "call KH 2C": "isn't a card",
    "throw 2C ZZ": "'zz' isn't a card",
    **dict.fromkeys(("delay ann", "delay 02"), "like delay 2"),
}


def test_R_S6_text_that_is_not_a_move_is_malformed() -> None:
    for text, says in NO_MOVES.items():
        with pytest.raises(MalformedMove, match=says):
            parse_text_move(text)
