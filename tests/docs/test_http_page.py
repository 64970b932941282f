"""docs/http.md names every route there is and every type of problem, and no other."""

import json
import re
from pathlib import Path

from msgspec.structs import asdict

from api.app import API, create_app
from api.config import Config
from api.http.problems import all_problem_types
from domain.commands import MakeBid, PassBid
from domain.events import Fairness, Timing
from projections.lists.scoreboard import HAND
from projections.moves.json_moves import MOVE_TYPES, move_to_json, parse_move
from projections.moves.text_moves import COMMON_WORDS, VERBS, parse_text_move
from projections.views.seat import view_at
from replay.history import from_entries
from tests.api.conftest import Caller, services_of
from tests.docs.markdown import ROOT, blocks
from tests.tables import Table

PATH = ROOT / "docs" / "http.md"
PAGE = PATH.read_text(encoding="utf-8")
PARTS = ("seat", "hand", "dispute", "slug", "file")
PLACES = {"reference": "{game}", **{part: f"{{{part}}}" for part in PARTS}}


def test_every_route_is_described(tmp_path: Path) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest"))
    served = {
        f"{method} {re.sub(r'<(?:[a-z_]+:)?([a-z]+)>', lambda part: PLACES[part[1]], rule.rule).removeprefix(API)}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    services_of(app).close()
    table = PAGE.split("| route | does |")[1].split("\n\n")[0]
    assert set(re.findall(r"`([A-Z]+ /[^` ]*)`", table)) == served


def test_the_usual_timing_and_fairness_are_shown_whole() -> None:
    shown = next(block.text for block in blocks(PATH, "json") if block.text.startswith('{"timing"'))
    assert json.loads(shown) == {"timing": asdict(Timing()), "fairness": asdict(Fairness())}


def test_every_word_that_may_be_a_text_is_in_the_table_of_moves() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith('| `{"text": "ad"}`'))
    said = re.findall(r"`([^`]+)`", row)[1:]
    assert {"smudge", *COMMON_WORDS, "guilty", "not guilty", "hearts"} <= set(said)
    assert set(VERBS) <= {each.split(" ")[0] for each in said}
    for each in said:
        assert each == "T" or parse_text_move(each)


def test_every_move_in_the_table_is_one_and_every_type_is_there() -> None:
    table = PAGE.split("| body | means |")[1].split("\n\n")[0]
    moves = [json.loads(body) for body in re.findall(r"`(\{[^`]*\})`", table)]
    typed = [move for move in moves if "type" in move]
    assert [move_to_json(parse_move(move, 0)) for move in typed] == typed
    assert {move["type"] for move in typed} == set(MOVE_TYPES)


def test_every_field_of_a_view_is_in_the_example(tmp_path: Path) -> None:
    shown = next(block.text for block in blocks(PATH, "json") if '"phase"' in block.text)
    view = json.loads(shown.replace("...", "0"))
    app = create_app(Config(data=tmp_path, hashing="cheapest"))
    ann = Caller(app.test_client()).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    real = ann.get(f"/games/{game}/seats/0").get_json()
    services_of(app).close()
    assert set(real) == set(view)
    for part in ("hand", "turn", "you"):
        assert set(real[part]) == set(view[part])


def test_the_view_that_is_shown_is_of_a_hand_that_was_played() -> None:
    shown = next(block.text for block in blocks(PATH, "json") if '"phase"' in block.text)
    table = Table(4, seed=0, win=11).plays_out(hands=1)
    for said in (MakeBid(1, 2), MakeBid(2, 3), PassBid(3), PassBid(0)):
        table.says(said)
    while table.state.trick is None or (table.state.trick.number, len(table.state.trick.plays)) != (4, 2):
        table.moves(table.entropy(1)[0])
    lines = from_entries([entry for made in table.commits for entry in made], {}).lines
    real, view = view_at(lines, 1, len(lines)), json.loads(shown)
    assert [each.pop("player") for each in view["seats"]] == ["p_0...", "p_1...", "p_2...", "p_3..."]
    assert [each.pop("player") for each in real["seats"]] == ["p0", "p1", "p2", "p3"]
    for long in (view, view["hand"]):
        cut = {name: value.removesuffix("...") for name, value in long.items() if str(value).endswith("...")}
        whole = real if long is view else real["hand"]
        assert all(whole[name].startswith(value) for name, value in cut.items())
        long.update({name: whole[name] for name in cut})
    assert view | {"board": 1} == real | {"names": {"p_0...": "ann", "p_1...": "bob"}}


def test_every_field_of_a_scoreboard_is_named(tmp_path: Path) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest"))
    ann = Caller(app.test_client()).join("ann")
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).get_json()["id"]
    services_of(app).followers.catch_up()
    board = ann.get(f"/games/{game}/scoreboard").get_json()
    services_of(app).close()
    told = PAGE.split("scoreboard` answers `{")[1].split("}`")
    assert re.findall(r'"([a-z]+)"', told[0]) == list(board)
    assert re.findall(r'"([a-z]+)"', told[1].split("`{")[1]) == [*HAND, "lines"]


def test_the_tables_it_shows_are_opened(tmp_path: Path) -> None:
    app = create_app(Config(data=tmp_path, hashing="cheapest"))
    ann = Caller(app.test_client()).join("ann")
    ann.post("/users", {"name": "bob", "password": "battery-staple"})
    tables = [json.loads(block.text) for block in blocks(PATH, "json") if block.text.startswith('{"variant"')]
    assert [ann.post("/games", table).status_code for table in tables] == [201] * len(tables)
    assert {table["variant"] for table in tables} == {"pitch", "corellian"}
    services_of(app).close()


def test_every_type_of_problem_is_listed_under_its_status() -> None:
    listed: dict[str, set[int]] = {}
    status: list[int] = []
    for line in PAGE.split("| status | types |")[1].strip().splitlines()[1:]:
        _, first, types, _ = (cell.strip() for cell in line.split("|"))
        status = [int(each) for each in first.replace(",", " ").split()] or status
        for slug in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", types):
            listed.setdefault(slug, set()).update(status)
    known = all_problem_types()
    assert set(known) <= set(listed)
    assert all(known[slug].status in statuses for slug, statuses in listed.items() if slug in known)
    assert set(listed) - set(known) <= {"version"}
