"""Blocks: they hold both ways, silently, and only the player who made one can lift it."""

from dataclasses import replace

import pytest

from api.config import Config
from api.config.limits import Limits, Rate
from tests.api.conftest import MakeApp, check_problem, services_of
from tests.conduct.conftest import Court, open_court


def test_a_player_lists_makes_and_lifts_blocks(court: Court) -> None:
    ann = court["ann"]
    assert ann.get("/me/blocks").get_json() == {"items": []}
    for name in ("bob", "eve", "bob"):
        assert ann.ask("PUT", f"/me/blocks/{name}").status_code == 204
    items = ann.get("/me/blocks").get_json()["items"]
    assert [item["name"] for item in items] == ["bob", "eve"]
    assert all(item["since"].endswith("Z") for item in items)
    for name in ("bob", "bob", "nobody-of-this-name"):
        assert ann.delete(f"/me/blocks/{name}").status_code == 204
    assert [item["name"] for item in ann.get("/me/blocks").get_json()["items"]] == ["eve"]


def test_the_blocked_player_sees_no_block_and_lifts_none(court: Court) -> None:
    court["ann"].ask("PUT", "/me/blocks/bob")
    assert court["bob"].get("/me/blocks").get_json() == {"items": []}
    assert court["bob"].delete("/me/blocks/ann").status_code == 204
    blocks = services_of(court.app).accounts.blocks
    assert blocks.between(court.id_of("bob"), court.id_of("ann"))
    assert blocks.between(court.id_of("ann"), court.id_of("bob"))
    assert not blocks.between(court.id_of("ann"), court.id_of("eve"))


def test_a_block_hides_messages_both_ways_and_answers_as_always(court: Court) -> None:
    court.wrote("ann", "from ann")
    court.wrote("bob", "from bob")
    before = court.write("bob", "again").get_json()
    court["ann"].ask("PUT", "/me/blocks/bob")
    after = court.write("bob", "again").get_json()
    court.wrote("ann", "during the block")
    assert {**before, "id": "", "at": ""} == {**after, "id": "", "at": ""}
    assert court.texts("ann") == ["from ann", "during the block"]
    assert court.texts("bob") == ["from ann", "from bob", "again", "again"]
    assert court.texts("eve") == ["from ann", "from bob", "again", "again", "during the block"]


def test_a_block_takes_back_no_message_and_lifting_it_brings_none(court: Court) -> None:
    court.wrote("ann", "before")
    court["ann"].ask("PUT", "/me/blocks/bob")
    court.wrote("ann", "during")
    court.wrote("bob", "from bob")
    assert court.texts("bob") == ["before", "from bob"]
    court["ann"].delete("/me/blocks/bob")
    assert court.texts("bob") == ["before", "from bob"]
    assert court.texts("ann") == ["before", "during", "from bob"]
    court.wrote("ann", "after")
    assert court.texts("bob") == ["before", "from bob", "after"]


def test_nobody_blocks_themselves_or_a_name_that_nobody_has(court: Court) -> None:
    check_problem(court["ann"].ask("PUT", "/me/blocks/ann"), 409, "about-yourself")
    for name in ("Ann", "nobody-of-this-name", "a b", "%00", "x" * 33, "\N{SNOWMAN}"):
        check_problem(court["ann"].ask("PUT", f"/me/blocks/{name}"), 404, "not-found")
    check_problem(court["ann"].ask("PUT", "/me/blocks/bob", {"reason": "none"}), 400, "malformed")
    for method, path in (("GET", "/me/blocks"), ("PUT", "/me/blocks/bob"), ("DELETE", "/me/blocks/bob")):
        check_problem(court["nobody"].ask(method, path), 401, "unauthorized")
    assert court["ann"].get("/me/blocks").get_json() == {"items": []}


def test_blocks_are_limited_in_an_hour(make_app: MakeApp, config: Config) -> None:
    court = open_court(make_app(replace(config, limits=Limits(blocks=Rate(2, 3600)))))
    assert [court["ann"].ask("PUT", f"/me/blocks/{name}").status_code for name in ("bob", "cat")] == [204, 204]
    check_problem(court["ann"].ask("PUT", "/me/blocks/dan"), 429, "too-many-requests")
    assert court["bob"].ask("PUT", "/me/blocks/dan").status_code == 204


def test_a_player_blocks_only_a_number_of_others(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.conduct.services.reports.MOST_BLOCKS", 2)
    assert [court["ann"].ask("PUT", f"/me/blocks/{name}").status_code for name in ("bob", "cat")] == [204, 204]
    check_problem(court["ann"].ask("PUT", "/me/blocks/dan"), 409, "too-many")
    assert court["ann"].delete("/me/blocks/cat").status_code == 204
    assert court["ann"].ask("PUT", "/me/blocks/dan").status_code == 204
