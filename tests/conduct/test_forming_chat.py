"""The chat of a table before the deal (docs/moderation.md), and reports about it."""

import pytest
from flask import Flask

from tests.api.conftest import check_problem
from tests.conduct.conftest import Court, moderator, open_court

SEATS = {"variant": "pitch", "seats": ["ann", "open", "open"]}


@pytest.fixture
def forming(app: Flask) -> Court:
    """A court whose table waits for two players."""
    court = open_court(app, **SEATS, chat="between-hands")
    assert court["bob"].post(f"/games/{court.game}/seats", {}).status_code == 201
    return court


def test_those_at_the_table_write_to_each_other_and_others_to_the_watchers(forming: Court) -> None:
    forming.wrote("ann", "welcome")
    forming.wrote("bob", "hello")
    forming.wrote("eve", "room for me?", to="watchers")
    assert forming.texts("ann") == forming.texts("bob") == ["welcome", "hello"]
    assert forming.texts("eve") == ["welcome", "hello", "room for me?"]
    check_problem(forming.write("eve"), 403, "not-in-chat")
    check_problem(forming.write("ann", to="partner"), 403, "not-in-chat")
    check_problem(forming.write("ann", event=1), 404, "not-found")
    shown = forming["ann"].get(forming.chat).get_json()
    assert (shown["chat"], shown["open"]) == ("between-hands", True)


def test_the_chat_goes_on_in_the_game_with_the_setting_of_the_table(forming: Court) -> None:
    forming.wrote("ann", "welcome")
    assert forming["cat"].post(f"/games/{forming.game}/seats", {}).status_code == 201
    assert forming.texts("cat") == ["welcome"]
    check_problem(forming.write("cat", "hi"), 409, "chat-closed")


def test_a_rematch_has_the_chat_of_the_game_before(app: Flask) -> None:
    court = open_court(app, chat="between-hands")
    assert court["bob"].post(f"/games/{court.game}/moves", {"type": "resign"}).status_code == 201
    again = court["ann"].post(f"/games/{court.game}/rematch", {}).get_json()["id"]
    assert court["ann"].get(f"/games/{again}/chat").get_json()["chat"] == "between-hands"


def test_a_table_that_somebody_may_not_see_has_no_chat(app: Flask) -> None:
    court = open_court(app, variant="pitch", seats=["ann", "invite"])
    for path in (court.chat, "/games/1/chat", "/games/9/chat"):
        for answer in (court["eve"].get(path), court["eve"].post(path, {"text": "x", "to": "watchers"})):
            problem = check_problem(answer, 404, "not-found")
            assert problem["detail"] == "There is no such game, or you may not see it."


def test_nobody_judges_a_report_about_a_table_at_which_they_sit(forming: Court) -> None:
    message = forming.wrote("bob", "you fool")
    assert forming.report("ann", "bob", game=forming.game, message=message).status_code == 201
    assert forming["cat"].post(f"/games/{forming.game}/seats", {}).status_code == 201
    assert len(forming["moira"].get("/moderation/reports").get_json()["items"]) == 1
    assert moderator(forming.app, "cat").get("/moderation/reports").get_json()["items"] == []


def test_a_moderator_who_belongs_to_a_forming_table_is_left_out(forming: Court) -> None:
    table = forming["cat"].post("/games", {"variant": "pitch", "seats": ["cat", "open", "open"]}).get_json()["id"]
    assert forming["bob"].post(f"/games/{table}/seats", {}).status_code == 201
    assert forming.report("eve", "bob", game=table).status_code == 201
    assert moderator(forming.app, "cat").get("/moderation/reports").get_json()["items"] == []
    assert len(forming["moira"].get("/moderation/reports").get_json()["items"]) == 1
