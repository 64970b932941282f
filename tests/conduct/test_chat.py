"""The chat of a game: its parts, comments on events, pages, closing during a hand, erasing and limits."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import Limits, Rate
from tests.api.conftest import Caller, MakeApp, at_one_moment, check_problem, services_of
from tests.conduct.conftest import Court, moderator, open_court

FOUR = {"variant": "setback", "seats": ["ann", "bob", "cat", "dan"]}
WAITING = FOUR | {"fairness": {"cuts": "open", "window_s": 600}}


def test_R_P11_the_table_and_its_watchers_are_apart_until_the_game_is_over(court: Court) -> None:
    court.wrote("ann", "good luck")
    court.wrote("eve", "ann is bluffing", to="watchers")
    assert court.texts("bob") == ["good luck"]
    assert court.texts("cat") == court.texts("eve") == ["good luck", "ann is bluffing"]
    check_problem(court.write("eve", "psst"), 403, "not-in-chat")
    check_problem(court.write("bob", "psst", to="watchers"), 403, "not-in-chat")
    check_problem(court.write("eve", "psst", to="partner"), 403, "not-in-chat")
    check_problem(court["nobody"].get(court.chat), 401, "unauthorized")
    assert court["bob"].post(f"/games/{court.game}/moves", {"type": "resign"}).status_code == 201
    assert court.texts("bob") == ["good luck", "ann is bluffing"]
    assert court.texts("ann") == court.texts("eve")


def test_a_message_has_the_documented_fields_and_the_author_by_id(court: Court) -> None:
    answer = court.write("ann", "nice card", event=3)
    shown = court["eve"].get(court.chat).get_json()
    assert answer.status_code == 201
    assert shown["items"] == [answer.get_json()]
    assert {**answer.get_json(), "id": "", "at": ""} == {
        "id": "", "at": "", "by": court.id_of("ann"), "to": "table", "event": 3, "text": "nice card", "erased": False,
    }  # fmt: skip
    assert (shown["chat"], shown["open"], shown["more"]) == ("open", True, False)
    assert shown["names"] == {court.id_of("ann"): "ann"}


def test_a_comment_is_on_an_event_that_its_author_can_see(court: Court) -> None:
    version = court["ann"].get(f"/games/{court.game}").get_json()["version"]
    assert court.write("ann", event=version).status_code == 201
    check_problem(court.write("ann", event=version + 1), 404, "not-found")
    for event in (0, -1, "3", 2.5, True, 2**53):
        check_problem(court.write("ann", event=event), 400, "malformed")


def test_a_partner_reads_what_the_other_side_never_sees(app: Flask) -> None:
    court = open_court(app, **WAITING)
    assert court.write("ann", "lead low", to="partner").status_code == 201
    assert court.texts("ann") == court.texts("cat") == ["lead low"]
    assert court.texts("bob") == court.texts("dan") == court.texts("eve") == court.texts("moira") == []
    court.wrote("bob", "bid high", to="partner")
    assert (court.texts("dan"), court.texts("cat")) == (["bid high"], ["lead low"])


def test_without_partners_nobody_writes_to_a_partner(court: Court) -> None:
    detail = check_problem(court.write("ann", to="partner"), 403, "not-in-chat")["detail"]
    assert detail == "You have no partner at this table. Write to the table."


@pytest.mark.parametrize("chat", ["open", "between-hands"])
def test_R_P11_during_a_hand_the_partner_is_out_of_reach_and_the_table_if_it_chose_so(app: Flask, chat: str) -> None:
    court = open_court(app, **FOUR, chat=chat)
    shown = court["ann"].get(court.chat).get_json()
    assert (shown["chat"], shown["open"]) == (chat, chat == "open")
    check_problem(court.write("ann", to="partner"), 409, "chat-closed")
    if chat == "open":
        assert court.write("ann").status_code == 201
    else:
        assert "between-hands" in str(check_problem(court.write("ann"), 409, "chat-closed")["detail"])
    assert court.write("eve", to="watchers").status_code == 201
    for name in ("bob", "cat", "dan"):
        court[name].post(f"/games/{court.game}/moves", {"type": "resign"})
    assert court.write("ann").status_code == 201, "the game is over"


def test_R_P11_a_table_between_hands_is_open_before_the_deal(app: Flask) -> None:
    court = open_court(app, **WAITING, chat="between-hands")
    assert court.write("ann").status_code == court.write("ann", to="partner").status_code == 201


def test_an_unknown_setting_of_the_chat_is_malformed(court: Court) -> None:
    body = {"variant": "pitch", "seats": ["ann", "bob"], "chat": "closed"}
    check_problem(court["ann"].post("/games", body), 400, "malformed")


def test_a_repeated_opening_keeps_its_chat_and_its_answer(app: Flask) -> None:
    ann = Caller(app.test_client()).join("ann")
    body = {"variant": "pitch", "seats": ["ann", "bot:simple"], "chat": "between-hands"}
    games = [ann.post("/games", body, Idempotency_Key="k").get_json()["id"] for _ in range(2)]
    assert games[0] == games[1]
    assert ann.get(f"/games/{games[0]}/chat").get_json()["chat"] == "between-hands"


def test_pages_go_forward_and_back_and_the_newest_come_first(court: Court) -> None:
    ids = [court.wrote("ann", str(number)) for number in range(7)]

    def page(query: str) -> tuple[list[str], bool]:
        body = court["bob"].get(court.chat + query).get_json()
        return [item["text"] for item in body["items"]], body["more"]

    assert page("?limit=3") == (["4", "5", "6"], True)
    assert page(f"?limit=3&before={ids[4]}") == (["1", "2", "3"], True)
    assert page(f"?limit=3&before={ids[1]}") == (["0"], False)
    assert page(f"?limit=3&after={ids[2]}") == (["3", "4", "5"], True)
    assert page(f"?after={ids[5]}") == (["6"], False)
    assert page(f"?after={ids[6]}") == ([], False)
    for query in (f"?after={ids[0]}&before={ids[1]}", "?after=m_" + "0" * 24, "?after=1", "?limit=0", "?limit=501"):
        check_problem(court["bob"].get(court.chat + query), 400, "malformed")


@pytest.mark.both_stores
def test_a_message_that_somebody_may_not_read_is_no_place_in_their_pages(court: Court) -> None:
    hidden = court.wrote("eve", to="watchers")
    check_problem(court["ann"].get(f"{court.chat}?after={hidden}"), 400, "malformed")
    assert court["cat"].get(f"{court.chat}?after={hidden}").status_code == 200


@pytest.mark.both_stores
def test_the_same_key_writes_once_and_another_body_is_refused(court: Court) -> None:
    first = court["ann"].post(court.chat, {"text": "once"}, Idempotency_Key="k")
    again = court["ann"].post(court.chat, {"text": "once"}, Idempotency_Key="k")
    assert first.status_code == again.status_code == 201
    assert first.data == again.data
    check_problem(court["ann"].post(court.chat, {"text": "twice"}, Idempotency_Key="k"), 422, "key-reused")
    assert court["bob"].post(court.chat, {"text": "once"}, Idempotency_Key="k").status_code == 201
    assert court.texts("ann") == ["once", "once"]


def test_messages_of_many_at_once_are_all_there_in_one_order(court: Court) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda number: court.wrote("ann" if number % 2 else "bob", str(number)), range(40)))
    shown = court["eve"].get(f"{court.chat}?limit=100").get_json()["items"]
    assert {item["id"] for item in shown} == set(ids)
    pages, last = list[str](), ""
    while page := court["cat"].get(f"{court.chat}?limit=7{last}").get_json()["items"]:
        pages, last = [*[item["id"] for item in page], *pages], f"&before={page[0]['id']}"
    assert pages == [item["id"] for item in shown]


def test_a_text_is_one_paragraph_of_limited_length(make_app: MakeApp, config: Config) -> None:
    court = open_court(make_app(replace(config, text_length=10)))
    assert court.write("ann", "x" * 10).status_code == 201
    errors = check_problem(court.write("ann", "x" * 11), 400, "malformed")["errors"]
    assert errors == {"text": ["A text may have 10 characters, and this one has 11."]}
    for text in ("", "  ", "a\nb", "\0", None, 3, ["x"]):
        check_problem(court["ann"].post(court.chat, {"text": text}), 400, "malformed")
    assert court.write("ann", "\N{SNOWMAN} <b>&").status_code == 201
    assert court.texts("bob") == ["x" * 10, "\N{SNOWMAN} <b>&"]


def test_a_player_writes_only_a_number_of_messages_in_a_minute_in_all_games(make_app: MakeApp, config: Config) -> None:
    court = open_court(at_one_moment(make_app(replace(config, limits=Limits(messages=Rate(2, 60))))))
    key = {"Idempotency_Key": "k"}
    first = court["ann"].post(court.chat, {"text": "one"}, **key)
    assert court.write("ann").status_code == 201
    refused = court.write("ann")
    check_problem(refused, 429, "too-many-requests")
    assert int(refused.headers["Retry-After"]) > 0
    assert court["ann"].post(court.chat, {"text": "one"}, **key).data == first.data, "a repeat costs nothing"
    assert court.write("bob").status_code == 201


def test_authors_erase_their_own_messages_and_moderators_any(court: Court) -> None:
    own, other, watched = court.wrote("ann", "mine"), court.wrote("bob", "yours"), court.wrote("eve", to="watchers")
    assert court["ann"].delete(f"{court.chat}/{own}").status_code == 204
    assert court["ann"].delete(f"{court.chat}/{own}").status_code == 204
    check_problem(court["ann"].delete(f"{court.chat}/{other}"), 403, "forbidden")
    for caller, message in (("ann", watched), ("ann", "m_" + "0" * 24), ("ann", "x"), ("moira", "m_" + "0" * 24)):
        check_problem(court[caller].delete(f"{court.chat}/{message}"), 404, "not-found")
    check_problem(court["moira"].delete(f"/games/9/chat/{other}"), 404, "not-found")
    assert court["moira"].delete(f"{court.chat}/{other}").status_code == 204
    shown = court["eve"].get(court.chat).get_json()["items"]
    assert [(item["text"], item["erased"]) for item in shown] == [(None, True), (None, True), ("hello", False)]
    log = court["nobody"].get("/moderation/log").get_json()["items"]
    assert [(each["entry"]["act"], each["entry"]["message"]) for each in log] == [("erase", other)]


def test_no_moderator_erases_where_they_have_a_part(court: Court) -> None:
    """Whichever part: a seat, a report of theirs, a report about them."""
    message = court.wrote("bob", "you revoked")
    assert court.report("cat", "bob", game=court.game).status_code == 201
    assert court.report("bob", "fay", game=court.game).status_code == 201
    for name in ("ann", "cat", "fay"):
        refused = moderator(court.app, name).delete(f"{court.chat}/{message}")
        assert "You have a part in this game" in str(check_problem(refused, 403, "forbidden")["detail"]), name
    assert court.texts("eve") == ["you revoked"]
    assert court.report("eve", "bob", game=court.game, message=message).status_code == 201
    assert court["moira"].delete(f"{court.chat}/{message}").status_code == 204


def test_a_moderator_erases_their_own_message_as_every_author_does(court: Court) -> None:
    message = court.wrote("ann", "mine")
    assert moderator(court.app, "ann").delete(f"{court.chat}/{message}").status_code == 204
    assert court.texts("bob") == [None]
    assert court["nobody"].get("/moderation/log").get_json()["items"] == [], "that's no act of a moderator"


def test_a_game_that_does_not_exist_has_no_chat(court: Court) -> None:
    for path in ("/games/9/chat", "/games/0f8fad5b-d9cb-469f-a165-70867728950e/chat"):
        check_problem(court["ann"].get(path), 404, "not-found")
        check_problem(court["ann"].post(path, {"text": "x"}), 404, "not-found")


def test_no_message_changes_the_log(court: Court) -> None:
    games = services_of(court.app).games
    before = games.snapshot(court.game)[1]
    court.wrote("ann", event=2)
    court.wrote("eve", to="watchers")
    court["moira"].delete(f"{court.chat}/{court.wrote('bob')}")
    assert games.snapshot(court.game)[1] == before
