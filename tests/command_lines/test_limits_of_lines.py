"""The costs of a line, the effect of a repeated one, and the rights of a token for one board."""

from dataclasses import replace

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import Rate
from api.lines.line_sender import ServerFailure
from api.mail.incoming.callers import run_as
from api.mail.services.addresses import ReplyRight
from api.problem import ProblemBody
from api.web.problems import ProblemDocument
from tests.api.conftest import MakeApp, check_problem, services_of
from tests.command_lines.players import challenge, mover, people, seated, stranger


def test_a_line_that_reads_much_counts_for_the_heavy_budget(make_app: MakeApp, config: Config) -> None:
    limits = replace(config.limits, heavy_by_address=Rate(count=2, window_s=3600))
    anyone = stranger(make_app(replace(config, limits=limits)))
    anyone.done("help")
    for _ in range(2):
        anyone.done("list")
    check_problem(anyone.caller.post("/commands", {"line": "multiple", "text": ["help"]}), 429, "too-many-requests")
    anyone.done("help")


def test_a_line_lists_a_game_once_and_takes_at_most_ten_names(app: Flask) -> None:
    ann, bob = people(app, 2)
    board = challenge([ann, bob], "pitch")
    services_of(app).followers.catch_up()
    assert [each["board"] for each in ann.done("list pitch pitch pitch")["data"]["items"]] == [board]
    for command in ("games", "show"):
        assert "at most 10" in ann.refused(f"pitch {command} {' '.join(f'name{n}' for n in range(11))}", "malformed")


def test_a_reply_right_queues_submits_and_confirms_at_its_board_alone(app: Flask) -> None:
    players = people(app, 2)
    boards = [challenge(players, "pitch") for _ in range(2)]
    first = mover(players, boards[0])
    view = first.done(f"pitch show {boards[0]}")["data"]
    user = services_of(app).accounts.users.by_name(first.name)
    assert user is not None
    right = ReplyRight(user, view["id"], "pitch", boards[0], 0, view["version"])

    def write(line: str) -> tuple[bool, str]:
        answer = run_as(services_of(app), right, "ann@example.org", line, (), f"key of {line}")[0]
        return answer.problem is None, answer.text

    assert write(f"pitch queue {boards[0]} 3") == (True, "Queued: 3\nIt's played when your turn comes.")
    assert write(f"pitch queue {boards[0]} off")[0]
    assert write(f"pitch submit {boards[0]} 2")[0]
    assert write(f"pitch confirm {boards[0]}")[0]
    assert not write(f"pitch queue {boards[1]} 3")[0]
    assert "one board" in write("set passwords on")[1]


def test_a_submitted_move_that_is_out_of_date_is_forgotten(app: Flask) -> None:
    board, (first, *_) = seated(app)
    first.done(f"pitch submit {board} 3")
    first.done(f"pitch move {board} 2")
    first.refused(f"pitch confirm {board}", "stale-version")
    first.refused(f"pitch confirm {board}", "not-found")


def test_each_line_of_multiple_has_a_key_of_its_own_however_long(app: Flask) -> None:
    players = people(app, 2)
    board = challenge(players, "pitch")
    lines = [f"pitch chat {board} {text}" for text in ("one", "two")]
    for _ in range(2):
        assert players[0].done("multiple", lines, Idempotency_Key="k" * 255)["ok"]
    items = players[0].caller.get(f"/games/{board}/chat").get_json()["items"]
    assert [each["text"] for each in items] == ["one", "two"]


def test_a_failure_in_a_later_line_keeps_the_answers_before_it(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    players = people(app, 2)
    board = challenge(players, "pitch")

    def fail(*_: object, **__: object) -> None:
        problem: ProblemBody = {"type": "/problems/busy", "title": "Busy", "status": 503, "detail": "Try again."}
        raise ServerFailure(ProblemDocument(503, problem))

    monkeypatch.setattr(services_of(app).games, "act", fail)
    lines = [f"pitch chat {board} hello", f"pitch resign {board}"]
    answer = players[0].done("multiple", lines)
    assert [each["ok"] for each in answer["data"]["items"]] == [True, False]
