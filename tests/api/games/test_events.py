"""The log over HTTP: the events, exports, hands and transcripts that each viewer gets."""

import pytest
from flask import Flask

from domain.cards import Card
from domain.commands import PlayCard
from replay.text.transcript import parse_transcript as read_transcript
from tests.api.conftest import Caller, check_problem
from tests.api.given_http import Table, given_http
from tests.given import auction, deal, game_opened

HANDS = ["AC KC QC JC 10C 2C", "2D 3D 4D 5D 6D 7D", "AH KH QH JH 10H 9H"]


@pytest.fixture
def table(app: Flask) -> Table:
    return given_http(app, game_opened(3), *deal(HANDS), *auction(4, 0, 0))


@pytest.fixture
def scored(table: Table) -> Table:
    """The table after the hand, in which seat 0 pulled all its clubs."""
    games, players = table.games, [seat.player for seat in table.games.state(table.game).seats]
    for cards in zip(*(hand.split() for hand in HANDS), strict=True):
        for seat, card in enumerate(cards):
            games.act(table.game, PlayCard(seat, Card(card)), by=players[seat], command_id=f"m{card}-1")
    return table


def test_an_invalid_query_is_malformed(table: Table) -> None:
    wrong = ["after=-1", "after=x", "after=01", "after=1.0", f"after={2**53}", f"after={2**63}", "after=", "seat=0"]
    wrong += ["after=1&after=1", "limit=0", "limit=501", "after=%EF%BC%91", "after=%00", "after=%FF"]
    for query in wrong:
        check_problem(table.by(0).get(f"/games/{table.game}/events?{query}"), 400, "malformed")


def test_a_version_that_the_game_has_not_reached_is_malformed(table: Table) -> None:
    version = table.games.state(table.game).version
    assert table.by(0).get(f"/games/{table.game}/events?after={version}").get_json()["items"] == []
    answer = table.by(0).get(f"/games/{table.game}/events?after={version + 1}")
    assert check_problem(answer, 400, "malformed")["errors"] == {
        "after": [f"Must be a version of this game, 0 to {version}."]
    }


def test_a_media_type_that_is_not_offered_is_refused(table: Table) -> None:
    for accept in ("text/event-stream", "text/html", "application/xml", "\xe9", ";q=x"):
        check_problem(table.by(0).get(f"/games/{table.game}/events", Accept=accept), 406, "not-acceptable")


def test_a_caller_that_accepts_json_gets_json(table: Table) -> None:
    for accept in ("*/*", "", "application/*", "text/html, application/json;q=0.1"):
        answer = table.by(0).get(f"/games/{table.game}/events", Accept=accept)
        assert (answer.status_code, answer.content_type) == (200, "application/json")


def test_an_export_accepts_json_and_is_lines_of_json(table: Table) -> None:
    for path in (f"/games/{table.game}/export", "/exports/games"):
        read: set[tuple[int, str | None, bytes]] = set()
        for accept in ("application/json", "application/x-ndjson", "*/*"):
            answer = table.by(0).get(path, Accept=accept)
            read.add((answer.status_code, answer.content_type, answer.data))
        assert [(status, kind) for status, kind, _ in read] == [(200, "application/x-ndjson")]
        check_problem(table.by(0).get(path, Accept="text/html"), 406, "not-acceptable")


def test_a_live_hand_is_summarized(table: Table, caller: Caller) -> None:
    body = caller.get("/games/1/hands/1").get_json()
    assert body["status"] == "live"
    assert (body["pitcher"], body["bid"], body["trump"], body["score"]) == (0, 4, None, None)
    assert (body["first"], body["last"], body["revealed"]) == (4, 12, False)


def test_S38_S39_a_scored_hand_is_shown_with_its_pegs(scored: Table, caller: Caller) -> None:
    body = caller.get("/games/1/hands/1").get_json()
    assert (body["status"], body["revealed"], body["trump"]) == ("scored", True, "C")
    assert [peg["point"] for peg in body["score"]["pegs"]] == ["high", "low", "jack", "game", "smudge"]
    assert body["score"]["scores"] == [5, 0, 0]
    assert caller.get("/games/1/hands/2").get_json()["dealer"] == 0


def test_S16_a_hand_thrown_in_is_shown(app: Flask, caller: Caller) -> None:
    table = given_http(app, game_opened(3), *deal(HANDS))
    for seat in range(3):
        table.when(seat, {"type": "pass"})
    body = caller.get("/games/1/hands/1").get_json()
    assert (body["status"], body["revealed"], body["score"]) == ("thrown_in", True, None)


def test_a_moment_outside_the_hand_is_malformed(table: Table) -> None:
    for query in ("at=3", "at=100", "at=0", "at=x", "seat=-1", "at=9&at=9", "card=AC"):
        check_problem(table.by(0).get(f"/games/1/hands/1/replay?{query}"), 400, "malformed")


def test_a_transcript_shows_only_cards_that_its_reader_can_see(table: Table, scored: Table, caller: Caller) -> None:
    text = caller.get("/games/1/hands/1/transcript")
    assert text.content_type == "text/plain; charset=utf-8"
    transcript = read_transcript(text.text)
    assert transcript.bids == [(0, 4), (1, None), (2, None)]
    assert [play.card for play in transcript.tricks[0]] == ["AC", "2D", "AH"]
    assert "??" not in text.text
    assert "??" in scored.by(1).get("/games/1/hands/2/transcript").text


def test_histories_of_hands_that_were_not_dealt_are_not_found(table: Table) -> None:
    for path in (
        "2/audit", "2/transcript", "0/audit", "x/transcript", "0", "2", "2/replay", "01", "x", "99999999999",
    ):  # fmt: skip
        check_problem(table.by(0).get(f"/games/1/hands/{path}"), 404, "not-found")
    check_problem(table.by(0).get("/games/1/hands/1/transcript", Accept="application/json"), 406, "not-acceptable")
    check_problem(table.by(0).get("/games/1/audit?seat=1"), 400, "malformed")
