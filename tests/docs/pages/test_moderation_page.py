"""docs/moderation.md has the limits, names and fields that the program has, and its example is valid."""

import json
import re
from collections.abc import Mapping

from api.conduct.services.schemas import NEW_REPORT
from api.conduct.stored.chat_messages import CHANNELS
from api.conduct.stored.conduct_reports import REPORT_KINDS
from api.conduct.stored.conduct_steps import STEP_KINDS
from api.config import SETTINGS, Config, Limits, Rate
from api.container import MOST_BLOCKS
from api.web.problems import all_problem_types
from tests.docs.markdown import ROOT, blocks

PATH = ROOT / "docs" / "moderation.md"
PAGE = PATH.read_text(encoding="utf-8")
CONFIG = Config()


def rows(heading: str) -> dict[str, list[str]]:
    """Return the cells of the first table below a heading, by the words of their first cell."""
    lines = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].splitlines()
    table = [line for line in lines if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    return {first.strip("` "): rest for first, *rest in cells}


def per_hour(rate: Rate | None) -> int:
    """Return the count of a limit for an hour."""
    assert rate is not None
    assert rate.window_s == 3600
    return rate.count


def test_every_act_against_another_has_its_limit_block_and_refusal() -> None:
    acts = rows("What one player can do to another")
    assert list(acts) == [
        "seat", "ask", "invite", "hand over", "chat", "message", "report", "watch", "propose", "dispute", "block",
    ]  # fmt: skip
    assert all(len(cells) == 3 and all(cells) for cells in acts.values())


def test_each_line_of_the_table_names_tests_that_exist() -> None:
    tested = rows("Tests")
    assert list(tested) == list(rows("What one player can do to another"))
    for act, cells in tested.items():
        for cell in cells:
            named = re.findall("`(tests/[a-z_/]+[.]py)::(test_[A-Za-z0-9_]+)`", cell)
            assert named, act
            for file, name in named:
                assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), (act, name)


def test_the_limits_are_those_of_the_settings() -> None:
    acts = rows("What one player can do to another")
    assert Limits.messages is not None
    expected: Mapping[str, tuple[int, ...]] = {
        "seat": (CONFIG.hourly_games, CONFIG.unfinished_games),
        "ask": (CONFIG.hourly_questions, CONFIG.forming_tables),
        "invite": (CONFIG.table_invitations,),
        "hand over": (per_hour(Limits.handover_offers),),
        "chat": (Limits.messages.count, CONFIG.text_length),
        "report": (per_hour(Limits.conduct_reports),),
        "watch": (CONFIG.streams_by_address, CONFIG.streams_by_player),
        "propose": (CONFIG.hand_proposals,),
        "dispute": (CONFIG.game_disputes,),
        "block": (per_hour(Limits.blocks), MOST_BLOCKS),
    }
    shown = {
        act: tuple(int(each.replace(",", "")) for each in re.findall(r"[0-9][0-9,]*", acts[act][0])) for act in expected
    }
    assert shown == expected
    assert Limits.messages.window_s == 60
    assert set(re.findall(r"`(TRICKBOOK_[A-Z_]+)`", PAGE)) <= set(SETTINGS)


def test_the_problems_it_names_have_the_statuses_it_names() -> None:
    known = all_problem_types()
    named = re.findall(r"([45][0-9]{2}) `([a-z-]+)`", PAGE)
    assert len(named) > 10
    assert [(known[slug].status, slug) for _, slug in named] == [(int(status), slug) for status, slug in named]


def test_it_lists_the_parts_of_the_chat_the_kinds_of_reports_and_the_steps() -> None:
    assert tuple(each.partition("`")[0] for each in rows("Chat")) == CHANNELS
    assert tuple(re.findall(r"`([a-z]+)`", PAGE.partition("\n`kind` is ")[2].partition(". ")[0])) == REPORT_KINDS
    steps = PAGE.partition("| `step` | Effect |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `([a-z]+)`", steps, re.MULTILINE)) == STEP_KINDS


def test_its_examples_are_reports() -> None:
    examples = blocks(PATH, "json")
    assert [NEW_REPORT.load(json.loads(block.text))["about"] for block in examples] == ["bob"] * len(examples)
    assert examples
