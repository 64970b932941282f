"""The sheets of all games: numbers, refusals, contested rulings and options."""

import json
import re
from pathlib import Path
from typing import Any

from domain import rejections
from domain.rules import choices
from domain.rules.variants import PITCH, SHEETS, VARIANTS, compose_rules
from tests.docs.markdown import ROOT, anchors, blocks, pages
from tests.docs.rule_sheets.sheets import clauses, rows

RULES = ROOT / "docs" / "rules"
OVERVIEW = RULES / "README.md"
COMMON = RULES / "common.md"
PAGES = [RULES / f"{sheet.page}.md" for sheet in SHEETS]
CODE = re.compile(r"\(`([a-z-]{3,})`[ ;)]")
TITLED = {page.read_text(encoding="utf-8").partition("\n")[0]: page for page in RULES.glob("*.md")}

RULINGS = [
    (variant.sheet.page, option.ruling, option)
    for variant in VARIANTS.values()
    for option in variant.options
    if option.ruling is not None
]


def test_every_variant_has_a_sheet_and_every_sheet_a_variant() -> None:
    assert [TITLED.get(f"# {sheet.title}") for sheet in SHEETS] == PAGES
    assert {page.stem for page in RULES.glob("*.md")} == {*(sheet.page for sheet in SHEETS), "common", "README"}


def test_each_clause_and_ruling_has_its_number_once_at_the_start_of_its_own_line() -> None:
    numbered = {RULES / f"{sheet.page}.md": sheet.numbers() for sheet in SHEETS}
    for page, numbers in (numbered | {COMMON: (f"R-P{n}" for n in range(1, rejections.COMMON_RULINGS + 1))}).items():
        there = sorted(name for name in anchors(page) if re.fullmatch(r"(R-)?[A-Z]\d+", name))
        assert there == sorted(numbers), page
        text = page.read_text(encoding="utf-8")
        heads = re.findall(r'^\* <a id="([^"]+)"></a>\*\*([^*]+)\*\* \S', text, re.MULTILINE)
        assert [anchor for anchor, _ in heads] == [number for _, number in heads]
        assert sorted(number for _, number in heads) == there, page


def test_the_list_of_games_names_the_goal_of_each() -> None:
    text = OVERVIEW.read_text(encoding="utf-8")
    ends = dict(re.findall(r"^\| `([\w-]+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE))
    goals = {name: variant.rules.goal for name, variant in VARIANTS.items() if variant.rules.goal is not None}
    assert [name for name, goal in goals.items() if str(goal) not in re.findall(r"\d+", ends[name])] == []


def test_every_code_in_brackets_is_a_refusal() -> None:
    known = {each.code for each in vars(rejections).values() if isinstance(each, type) and hasattr(each, "code")}
    for page in (*PAGES, COMMON):
        named = set(re.findall(CODE, page.read_text(encoding="utf-8")))
        assert named, page
        assert named <= known, page


def test_each_refusal_of_the_new_games_is_in_a_sheet() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    codes = ["bid-too-high", "hooked", "must-bid", "not-a-trump", "must-play-called", "cannot-discard", "no-call"]
    codes += ["too-soon", "delay-open", "no-delay", "not-host", "no-change", "out-of-turn", "not-in-hand"]
    assert [code for code in codes if f"`{code}`" not in text] == []


def test_the_contested_rulings_are_these_and_no_others() -> None:
    for page in PAGES:
        marked = {number for number, text in clauses(page).items() if "*(contested)*" in text}
        assert marked == {number for of, number, _ in RULINGS if of == page.stem}, page


def test_a_contested_ruling_names_each_other_answer_of_its_option() -> None:
    for page, number, option in RULINGS:
        text = clauses(RULES / f"{page}.md")[number]
        assert option.values[0] == option.default
        for other in option.values[1:]:
            assert f'`"{option.name}": {json.dumps(other)}`' in text


def test_the_choices_that_pages_name_exist() -> None:
    families = {each.__name__: each for each in vars(choices).values() if isinstance(each, type)}
    named = {
        (family, value)
        for page in pages()
        for family, value in re.findall(r"\b([A-Z][A-Za-z]+)\.([A-Z_]{2,})\b", page.read_text(encoding="utf-8"))
        if family in families
    }
    assert ("BiddingDirection", "RIGHT") in named
    assert [each for each in sorted(named) if each[1] not in getattr(families[each[0]], "__members__", ())] == []


def listed_options() -> dict[tuple[str, str], list[str]]:
    """Return {(variant, option): its values and its clause} of the overview's list."""
    listed: dict[tuple[str, str], list[str]] = {}
    text = " ".join(OVERVIEW.read_text(encoding="utf-8").partition("## Options")[2].partition("\n## ")[0].split())
    for option, values, games, clause in re.findall(
        r"\* `(\w+)` (.*?): (`[a-z0-9-]+`.*?), (\[[^ ]* ?[^ ]*\)\S*)", text
    ):
        listed |= {(game, option): [values, clause] for game in re.findall(r"`([^`]+)`", games)}
    return listed


def test_the_overview_lists_every_option_and_no_other() -> None:
    assert set(listed_options()) == {(game, each.name) for game, of in VARIANTS.items() for each in of.options}


def test_the_overview_has_each_value_the_default_first_and_whether_it_is_contested() -> None:
    listed = listed_options()
    for game, option in [(game, each) for game, of in VARIANTS.items() for each in of.options]:
        values, clause = listed[game, option.name]
        if option.parse is None:
            shown = json.loads(f"[{values.replace('`', '')}]")
            assert shown[0] == option.default
            assert sorted(map(str, shown)) == sorted(map(str, option.values))
        assert clause.endswith(r"\*") == (option.ruling is not None)
        assert option.ruling is None or clause.startswith(f"[{option.ruling}](")


def test_the_overview_has_the_players_and_the_goals_of_pitch() -> None:
    (row,) = [row for row in rows(OVERVIEW.read_text(encoding="utf-8")) if row[0] == "`pitch`"]
    players, goals = ([int(number) for number in re.findall(r"\d+", cell)] for cell in (row[2], row[-1]))
    assert players == [min(PITCH.seats), max(PITCH.seats)]
    assert sorted(goals) == sorted(VARIANTS["pitch"].options[0].values)


def bodies(page: Path) -> list[dict[str, Any]]:
    """Return the bodies of `POST /games` on a page."""
    return [json.loads(block.text) for block in blocks(page, "json")]


def test_example_bodies_open_games_and_the_first_of_a_sheet_is_the_game_without_options() -> None:
    for page in (OVERVIEW, *PAGES[1:]):
        assert bodies(page)
        for body in bodies(page):
            rules, _ = compose_rules(body["variant"], body["options"])
            assert len(body["seats"]) in rules.seats
            assert set(body) == {"variant", "options", "seats"}
    for page in PAGES[1:]:
        said = "are the defaults; each option may be left out" in page.read_text(encoding="utf-8")
        assert said is bool(VARIANTS[page.stem].options)
        first = bodies(page)[0]
        assert compose_rules(page.stem, first["options"]) == compose_rules(page.stem, {})
