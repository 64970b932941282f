"""docs/http.md names every route and every type of problem, and no other, and its bodies are valid."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import asdict

from api.app import API, create_app
from api.config import Config
from api.description.parameters import path_of
from api.tables.stored.seats import TableStatus
from api.web.problems import all_problem_types
from domain.events import Fairness, Timing
from projections.lists.scoreboard_pages import ScoredHand
from projections.moves.json_moves import move_to_json, parse_move
from projections.moves.text_moves import parse_text_move
from tests.api.conftest import Caller, services_of
from tests.docs.markdown import ROOT, blocks
from tests.routes import ROUTES

PATH = ROOT / "docs" / "http.md"
VIEWS = ROOT / "docs" / "views.md"
PAGE = PATH.read_text(encoding="utf-8")
FIELDS = ("version",)
"""Fields of problems that the table of errors names."""
OPENING = {"variant": "pitch", "seats": ["ann", "bot:simple"]}
LINK = r"\[([^]]*)\]\([^)]*\)"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An app with a store of its own."""
    made = create_app(Config(data=tmp_path, hashing="cheapest"))
    yield made
    services_of(made).close()


@pytest.fixture
def ann(app: Flask) -> Caller:
    """Somebody who is logged in."""
    return Caller(app.test_client()).join("ann")


def test_the_table_of_routes_says_what_the_description_says(app: Flask) -> None:
    served = [
        (f"{method} {path_of(rule).removeprefix(API)}", ROUTES[rule.endpoint].summary)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    ]
    listed: list[tuple[str, str]] = []
    for line in PAGE.split("| route | does |")[1].split("\n\n")[0].strip().splitlines()[1:]:
        routes, says = re.findall(r"`([A-Z]+ /[^` ]*)`", line), re.sub(LINK, r"\1", line.split(" | ", 1)[1][:-2])
        parts = says.split("; ") if len(routes) > 1 else [says]
        listed += zip(routes, parts, strict=True)
    assert sorted(listed) == sorted(served)


def test_the_default_timing_and_fairness_are_shown_whole() -> None:
    shown = next(block.text for block in blocks(PATH, "json") if block.text.startswith('{"timing"'))
    timing = asdict(Timing())
    assert json.loads(shown) == {"timing": timing, "fairness": asdict(Fairness())}


def test_the_moves_it_shows_are_moves() -> None:
    moves = PAGE.partition("\n## Moves\n")[2].partition("\n## ")[0]
    move, text = (json.loads(body) for body in re.findall(r"such as\s`(\{[^`]*\})`", moves))
    assert move_to_json(parse_move(move, 0)) == move == parse_text_move(text["text"])


def test_a_view_has_the_fields_of_the_page_on_views_and_then_names(ann: Caller) -> None:
    example = json.loads(blocks(VIEWS, "json")[0].text)
    opened = ann.post("/games", OPENING).get_json()
    view = ann.get(f"/games/{opened['id']}/seats/0").get_json()
    spectator = ann.get(f"/games/{opened['id']}").get_json()
    assert [field for field in view if field != "unrated"] == [*example, "names"]
    assert {**view, "names": None} == {**opened["view"], "names": None}
    assert set(spectator) == set(view) - {"you"}
    for part in ("hand", "turn", "you"):
        assert set(view[part]) == set(example[part])


def test_the_fields_of_responses_to_writes_are_shown(ann: Caller) -> None:
    opening, moving = (json.loads(block.text) for block in blocks(PATH, "json") if '"root"' in block.text)
    table = PAGE.partition("\n## Moves\n")[2].partition("| field | is |")[2].partition("\n\n")[0]
    opened = ann.post("/games", OPENING).get_json()
    moved = ann.post(f"/games/{opened['id']}/moves", {"type": "resign"}).get_json()
    assert set(opened) == {*opening, "receipt"}
    assert set(moved) == set(moving) == {"version", "root", *re.findall(r"^\| `([a-z]+)`", table, re.MULTILINE)}


def test_every_field_of_a_scoreboard_is_named(app: Flask, ann: Caller) -> None:
    game = ann.post("/games", OPENING).get_json()["id"]
    services_of(app).followers.catch_up()
    board = ann.get(f"/games/{game}/scoreboard").get_json()
    fields = PAGE.split("scoreboard` answers `{")[1].split("}`")
    assert re.findall(r'"([a-z]+)"', fields[0]) == list(board)
    assert re.findall(r'"([a-z_]+)"', fields[1].split("`{")[1]) == list(ScoredHand.__annotations__)


def test_the_example_tables_can_be_opened(ann: Caller) -> None:
    ann.post("/users", {"name": "bob", "password": "battery-staple"})
    tables = [json.loads(block.text) for block in blocks(PATH, "json") if block.text.startswith('{"variant"')]
    assert [ann.post("/games", table).status_code for table in tables] == [201] * len(tables)
    assert {table["variant"] for table in tables} == {"pitch", "corellian"}


def test_every_status_of_a_table_that_forms_is_named() -> None:
    table = PAGE.split("| `status` of a table | means |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `([a-z]+)`", table, re.MULTILINE) == list(TableStatus)


def test_the_table_of_errors_lists_every_type_of_problem_under_its_status() -> None:
    listed: list[tuple[str, int]] = []
    statuses: list[int] = []
    for line in PAGE.split("| status | types |")[1].strip().splitlines()[1:]:
        _, first, types, _ = (cell.strip() for cell in line.split("|"))
        statuses = [int(each) for each in first.replace(",", " ").split()] or statuses
        slugs = [slug for slug in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", types) if slug not in FIELDS]
        listed += zip(slugs, statuses if len(statuses) > 1 else statuses * len(slugs), strict=True)
    assert sorted(listed) == sorted((slug, kind.status) for slug, kind in all_problem_types().items())
