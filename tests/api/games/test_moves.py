"""Moves over HTTP: the facts that each brings, and what each refusal says; a refusal leaves the log unchanged."""

import pytest
from flask import Flask

from domain.cards import Card
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    MovesTakenBack,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)
from tests.api.conftest import Caller, check_problem
from tests.api.given_http import Table, given_http
from tests.given import auction, deal, game_opened

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D", "AH KH QH JH 10H 9H", "AS KS QS JS 10S 9S"]
CLUBS_LED = (TrumpPitched(0, "C", Card("AC")), CardPlayed(0, Card("AC"), (1,)))


@pytest.fixture
def bidding(app: Flask) -> Table:
    """Four players with the cards of HANDS; seat 0 is to bid."""
    return given_http(app, game_opened(4), *deal(HANDS))


@pytest.fixture
def playing(app: Flask) -> Table:
    """The same after seat 0 bid 3 and won the auction."""
    return given_http(app, game_opened(4), *deal(HANDS), *auction(3, 0, 0, 0))


def bid(number: object) -> dict[str, object]:
    return {"type": "bid", "bid": number}


def play(card: object) -> dict[str, object]:
    return {"type": "play", "card": card}


def test_S7_S14_the_auction_goes_round_once_and_its_winner_leads(bidding: Table) -> None:
    after = bidding.when(0, bid(2)).then(BidMade(0, 2, (1,)))
    after = after.when(1, {"type": "pass"}).then(BidPassed(1, (2,)))
    after = after.when(2, bid(4)).then(BidMade(2, 4, (3,)))
    won = AuctionWon(2, 4, forced=False, max=False, sides=((2,), (0,), (1,), (3,)), next=(2,))
    after.when(3, bid(0)).then(BidPassed(3, ()), won)


def test_S18_S33_a_card_is_played_and_the_first_pitches_trump(playing: Table) -> None:
    after = playing.when(0, play("AC")).then(*CLUBS_LED)
    view = after.when(1, play("2C")).answer.get_json()["view"]
    assert view["hand"]["trump"] == "C"
    assert view["you"]["cards"] == ["3C", "6D", "7D", "8D", "9D"]


@pytest.mark.parametrize("text", ["ac", "AC", "aC"])
def test_S6_S19_R_P12_a_move_as_text_is_read_in_either_case(playing: Table, text: str) -> None:
    playing.when(0, {"text": text}).then(*CLUBS_LED)


def test_S19_R_S18_T_is_a_ten_in_text_alone(app: Flask) -> None:
    table = given_http(app, game_opened(4), *deal(HANDS), *auction(0, 0, 3, 0))
    table.when(2, play("TH")).refused(400, "malformed")
    table.when(2, {"text": "th"}).happens()


def test_S34_a_refusal_to_follow_names_the_legal_moves(app: Flask) -> None:
    table = given_http(app, game_opened(4), *deal(HANDS), *auction(3, 0, 0, 0), *CLUBS_LED)
    body = table.when(1, play("6D")).refused(409, "must-follow", "clubs", "2C", "3C")
    assert body["legal"] == [play("2C"), play("3C")]


def test_S7_a_move_out_of_turn_is_refused_without_a_hint(bidding: Table) -> None:
    for seat, body in ((1, bid(3)), (3, {"type": "pass"})):
        assert "legal" not in bidding.when(seat, body).refused(409, "out-of-turn")


MALFORMED: list[object] = [
    *({}, {"type": "bid"}, {"type": None}, {"type": ["bid"]}, {"type": "pass", "bid": 3}),
    *({"type": kind} for kind in ("teleport", "claim", "reveal", "redeal", "void", "misdeal")),
    *({"type": "claim", "tricks": 6}, {"type": "take", "seat": 0}, {"type": "reveal", "n": 1}),
    *map(bid, ("3", True, None, [], {}, "\uff17", "1e2", 2.0, 0.5)),
    *({"type": "bid", "bid": 3} | more for more in ({"seat": 0}, {"is_bot": True}, {"salt": "00"}, {"_type_": "x"})),
    *({"text": text} for text in (3, "", "bid", "٣", "x" * 10_000)),
    {"text": "three", "type": "bid"},
    *map(play, (3, ["AC"], ["AC", "KC"], [], "1Z", "10♠", "as", "", "AC ", " AC", "A C", "CA", "A", "ACKC", "AC\n")),
    *map(play, ("as♠", "A\u200bC", "\u0410\u0421", "\uff21\uff23", "TC", "A" * 5000)),
    *({"type": "play"}, {"type": "play", "cards": ["AC", "KC"]}, {"type": "play", "card": "AC", "cards": ["AC"]}),
]


def test_an_invalid_move_is_malformed(bidding: Table) -> None:
    for body in MALFORMED:
        bidding.when(0, body).refused(400, "malformed")


def test_a_malformed_move_is_answered_with_the_format_of_moves(bidding: Table) -> None:
    for body in ({"move": "pass"}, {}):
        bidding.when(0, body).refused(400, "malformed", "Send type or text: for example")
    bidding.when(0, {"type": "pass", "text": "pass"}).refused(400, "malformed", "Send type or text, not both.")
    says = "one of smudge, pass, undo, propose, accept, reject, resign"
    bidding.when(0, {"text": "fold"}).refused(400, "malformed", says)


@pytest.mark.parametrize(
    ("body", "errors", "detail"),
    [
        (bid("3"), {"bid": ["Must be a whole number."]}, "bid must be a whole number."),
        (bid(None), {"bid": ["Must be a whole number."]}, "bid must be a whole number."),
        (bid(3.5), {"bid": ["Must be a whole number."]}, "bid must be a whole number."),
        ({"type": "bid"}, {"bid": ["Is missing."]}, "bid is missing."),
        (
            {"type": "vote", "guilty": 1, "seat": 2},
            {"guilty": ["Must be true or false."], "seat": ["Isn't known here."]},
            "guilty must be true or false. seat isn't known here.",
        ),
    ],
)
def test_errors_name_each_invalid_field_of_a_move_and_the_detail_says_so(
    bidding: Table, body: object, errors: object, detail: str
) -> None:
    problem = check_problem(bidding.by(0).post(f"/games/{bidding.game}/moves", body), 400, "malformed")
    assert (problem["errors"], problem["detail"]) == (errors, detail)


def test_a_caller_without_a_seat_cannot_move_and_learns_nothing(bidding: Table, caller: Caller) -> None:
    bidding.when(caller, bid(3)).refused(401, "unauthorized")
    eve = caller.join("eve")
    for body in (bid(3), {"type": "teleport"}, {"text": "ad"}):
        assert "legal" not in bidding.when(eve, body).refused(403, "not-seated")


def test_if_match_holds_until_somebody_moves(bidding: Table) -> None:
    version = len(bidding.log)
    bidding.when(1, bid(3), If_Match=f'"{version - 9}"').refused(412, "stale-version")
    after = bidding.when(0, bid(3), If_Match=f'"{version}"').then(BidMade(0, 3, (1,)))
    body = after.when(1, bid(4), If_Match=f'"{version}"').refused(412, "stale-version")
    assert body["version"] == version + 1
    after.when(1, bid(4), If_Match=f'"{version + 2}"').refused(412, "stale-version")
    after = after.when(0, {"type": "undo"}).then(UndoAsked(0, version))  # everybody must answer
    after.when(1, bid(4), If_Match=f'"{version + 1}"').refused(412, "stale-version")
    after = after.when(2, {"type": "accept"}).then(UndoAnswered(2, accept=True))  # nobody must answer
    after.when(1, bid(4), If_Match=f'"{version + 2}"').then(BidMade(1, 4, (2,)))


def test_if_match_star_holds_for_any_version_and_an_invalid_one_is_malformed(bidding: Table) -> None:
    for header in ('"x"', '"-1"', '"7", "x"', f'"{2**63}"', '""', '"7', '"07"', '"1.5"', '"0x1"', ""):
        bidding.when(0, bid(3), If_Match=header).refused(400, "malformed")
    bidding.when(0, bid(3), If_Match="*").then(BidMade(0, 3, (1,)))


def test_a_weak_tag_one_without_quotes_and_the_latest_of_several_hold_as_a_strong_one(bidding: Table) -> None:
    version = len(bidding.log)
    for tag in ('W/"1"', "1", '"1", W/"2"', '"1:br"'):
        bidding.when(0, bid(3), If_Match=tag).refused(412, "stale-version")
    for tag in (f'W/"{version}"', f"{version}", f'"1", "{version}"', f'"{version}:gzip"'):
        bidding.when(1, bid(3), If_Match=tag).refused(409, "out-of-turn")
    bidding.when(0, bid(3), If_Match=f'"1", W/"{version}"').then(BidMade(0, 3, (1,)))


def test_R_P7_an_undo_is_proposed_and_accepted(bidding: Table) -> None:
    version = len(bidding.log)
    after = bidding.when(0, bid(3)).happens().when(0, {"type": "undo"}).then(UndoAsked(0, version))
    for seat in (1, 2):
        after = after.when(seat, {"type": "accept"}).then(UndoAnswered(seat, accept=True))
    after.when(3, {"type": "accept"}).then(UndoAnswered(3, accept=True), MovesTakenBack(0, version, (0,)))
