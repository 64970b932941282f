"""docs/http.md has the routes and types of problems that the program has, and its bodies are valid."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import asdict

from api.app import create_app
from api.config import Config
from api.tables.stored.seats import TableStatus
from domain.events import Fairness, Timing
from projections.lists.inbox_entries import ENTRY_TYPES
from projections.moves.json_moves import move_to_json, parse_move
from projections.moves.text_moves import parse_text_move
from tests.api.conftest import Caller, services_of
from tests.docs.markdown import ROOT, blocks
from tests.generators.http_page import with_current_lists

PATH = ROOT / "docs" / "http.md"
VIEWS = ROOT / "docs" / "views.md"
PAGE = PATH.read_text(encoding="utf-8")
OPENING = {"variant": "pitch", "seats": ["ann", "bot:simple"]}


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


def test_the_lists_are_those_of_the_program() -> None:
    assert with_current_lists(PAGE) == PAGE, "run python -m tests.generators.http_page"


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
    opened = ann.post("/games", OPENING).get_json()
    moved = ann.post(f"/games/{opened['id']}/moves", {"type": "resign"}).get_json()
    assert set(opened) == {*opening, "receipt"}
    assert set(moved) == set(moving)


def test_the_example_tables_can_be_opened(ann: Caller) -> None:
    ann.post("/users", {"name": "bob", "password": "battery-staple"})
    tables = [json.loads(block.text) for block in blocks(PATH, "json") if block.text.startswith('{"variant"')]
    assert [ann.post("/games", table).status_code for table in tables] == [201] * len(tables)
    assert {table["variant"] for table in tables} == {"pitch", "corellian"}


def test_every_state_of_a_table_and_every_kind_of_entry_is_named() -> None:
    for part, names in {"Before the deal": TableStatus, "Inbox": ENTRY_TYPES}.items():
        text = PAGE.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
        assert {*names} <= set(re.findall(r"`([a-z-]+)`", text)), part
