"""docs/http.md names every route there is and every type of problem, and no other."""

import json
import re
from dataclasses import asdict
from pathlib import Path

from api import API, create_app
from api.config import Config
from api.problems import kinds
from domain.events import Fairness, Timing
from projections.moves import SAYABLE
from tests.api.conftest import services_of
from tests.docs.markdown import ROOT, blocks

PATH = ROOT / "docs" / "http.md"
PAGE = PATH.read_text(encoding="utf-8")
PLACES = {"reference": "{game}", "seat": "{seat}", "hand": "{hand}", "slug": "{slug}"}


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
    assert {"smudge", *SAYABLE.split(", ")} <= set(re.findall(r"`([a-z]+)`", row))


def test_every_type_of_problem_is_listed_under_its_status() -> None:
    listed: dict[str, set[int]] = {}
    status: list[int] = []
    for line in PAGE.split("| status | types |")[1].strip().splitlines()[1:]:
        _, first, types, _ = (cell.strip() for cell in line.split("|"))
        status = [int(each) for each in first.replace(",", " ").split()] or status
        for slug in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", types):
            listed.setdefault(slug, set()).update(status)
    known = kinds()
    assert set(known) <= set(listed)
    assert all(known[slug].status in statuses for slug, statuses in listed.items() if slug in known)
    assert set(listed) - set(known) <= {"version"}
