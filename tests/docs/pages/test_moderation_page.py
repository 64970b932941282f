"""docs/moderation.md has the limits, names and fields that the program has, and its example is valid."""

import json
import re
from collections.abc import Mapping

from api.conduct.services.reports import MOST_BLOCKS
from api.conduct.services.schemas import NEW_REPORT
from api.conduct.stored.chat_messages import CHANNELS
from api.conduct.stored.conduct_reports import REPORT_KINDS
from api.conduct.stored.conduct_steps import STEP_KINDS
from api.config import Config
from api.config.limits import Limits, Rate
from api.config.settings import SETTINGS
from api.web.problems import all_problem_types
from tests.docs.markdown import ROOT, blocks

PATH = ROOT / "docs" / "moderation.md"
PAGE = PATH.read_text(encoding="utf-8")
CONFIG = Config()


TESTS = {
    "seat": (
        "tests/api/http/test_player_limits.py::test_a_player_opens_only_a_number_of_games_in_an_hour_and_is_told_when_to_come_back",
        "tests/api/http/test_player_limits.py::test_a_player_opens_no_more_games_than_may_be_unfinished_and_one_that_ends_makes_room",
        "tests/forming/test_limits.py::test_a_player_claims_a_limited_number_of_seats",
        "tests/forming/test_block_secrecy.py::test_a_blocked_player_claims_as_one_who_comes_too_late",
        "tests/forming/test_consent.py::test_a_block_keeps_a_player_from_a_table_where_the_other_sits",
    ),
    "ask": (
        "tests/forming/test_limits.py::test_a_player_asks_a_limited_number_of_others_in_an_hour",
        "tests/forming/test_limits.py::test_a_player_has_a_limited_number_of_forming_tables",
        "tests/forming/test_block_secrecy.py::test_a_question_to_the_player_who_made_the_block_looks_unanswered",
        "tests/forming/test_consent.py::test_a_block_makes_a_player_who_does_not_answer",
    ),
    "invite": (
        "tests/forming/test_limits.py::test_a_table_has_a_limited_number_of_invitations",
        "tests/forming/test_invitations.py::test_a_block_outweighs_an_invitation",
    ),
    "hand over": (
        "tests/handover/test_http.py::test_offers_have_a_limit_for_each_player",
        "tests/conduct/test_acts.py::test_hand_over_an_offer_to_somebody_who_blocks_looks_unanswered",
    ),
    "chat": (
        "tests/conduct/test_chat.py::test_a_player_writes_only_a_number_of_messages_in_a_minute_in_all_games",
        "tests/conduct/test_chat.py::test_a_text_is_one_paragraph_of_limited_length",
        "tests/conduct/test_blocks.py::test_a_block_takes_back_no_message_and_lifting_it_brings_none",
    ),
    "message": (
        "tests/conduct/test_messages.py::test_a_message_counts_once_for_each_reader",
        "tests/conduct/test_messages.py::test_what_can_t_be_sent_is_refused",
        "tests/conduct/test_messages.py::test_a_block_hides_messages_and_their_author_does_not_notice",
    ),
    "report": (
        "tests/conduct/test_reports.py::test_reports_are_limited_for_each_player_and_hour",
        "tests/conduct/test_acts.py::test_report_a_block_keeps_nobody_from_reporting",
    ),
    "watch": (
        "tests/attacks/server/test_streams.py::test_attack_95_a_hundred_streams_of_a_user_leave_the_others_theirs",
        "tests/conduct/test_acts.py::test_watch_a_blocked_watcher_sees_the_public_game_but_no_message",
        "tests/forming/test_block_secrecy.py::test_everybody_sees_with_a_token_what_they_see_without",
    ),
    "propose": (
        "tests/api/http/test_player_limits.py::test_R_P8_proposing_and_rejecting_in_a_loop_is_refused_and_the_log_stays_short",
        "tests/conduct/test_acts.py::test_propose_players_at_one_table_play_on",
    ),
    "dispute": (
        "tests/api/http/test_player_limits.py::test_a_player_disputes_a_game_as_often_as_the_server_allows_with_texts_as_long_as_it_allows",
        "tests/conduct/test_acts.py::test_dispute_a_block_keeps_nobody_from_disputing",
    ),
    "block": (
        "tests/conduct/test_blocks.py::test_blocks_are_limited_in_an_hour",
        "tests/conduct/test_blocks.py::test_a_player_blocks_only_a_number_of_others",
        "tests/conduct/test_blocks.py::test_the_blocked_player_sees_no_block_and_lifts_none",
    ),
}
"""The tests that hold each line of the page's first table: those of its limit and its refusal, and of a block."""


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


def test_each_line_of_the_table_has_tests_that_exist() -> None:
    assert list(TESTS) == list(rows("What one player can do to another"))
    for act, named in TESTS.items():
        for test in named:
            file, _, name = test.partition("::")
            assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), (act, test)


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
