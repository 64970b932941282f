"""A player's words become a whole command line; words of the terminal and passwords."""

import json
import re

import pytest

from api.cli.terminal.lines import OF_GAME, is_secret, typed_words, whole_line
from api.cli.terminal.screen import cut_text, line_width, time_left, with_cards, wrap_line
from tests.command_lines.logins import lines_with_login
from tests.docs.markdown import ROOT
from tests.terminal.stored_tables import NOW

PAGE = (ROOT / "api" / "static" / "text" / "line.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("AD", "pitch move 12 AD"),
        ("bid 3", "pitch move 12 bid 3"),
        ("A♦", "pitch move 12 A♦"),
        ("10c", "pitch move 12 10c"),
        ("pass", "pitch move 12 pass"),
        ("3#45", "pitch move 12 3#45"),
        ("throw 2C 3D", "pitch move 12 throw 2C 3D"),
        ("queue AD", "pitch queue 12 AD"),
        ("queue 13 AD", "pitch queue 13 AD"),
        ("undo", "pitch undo 12"),
        ("chat 3 of us", "pitch chat 12 3 of us"),
        ("show", "pitch show 12"),
        ("show 13#4", "pitch show 13#4"),
        ("hand 2", "pitch hand 12 2"),
        ("standings 2026", "pitch standings 2026"),
        ("help challenge", "help challenge"),
        ("help", "pitch help"),
        ("blackout show 3", "blackout show 3"),
        ("house show 3", "house show 3"),
        ("all show next", "all show next"),
    ],
)
def test_a_line_gets_the_game_and_the_board_of_the_table(typed: str, line: str) -> None:
    assert whole_line(typed, "pitch", 12) == line


def test_the_page_and_the_terminal_know_the_same_commands_with_a_board() -> None:
    table = re.search(r"export const OF_GAME = (\{.*?\});", PAGE, re.DOTALL)
    assert table is not None
    of_page = json.loads(re.sub(r",\s*\}", "}", re.sub(r"(\w+):", r'"\1":', table[1])))
    assert {name: OF_GAME[name] for name in of_page} == of_page


def test_a_slash_may_stand_before_a_line() -> None:
    assert typed_words(" /chat  good luck ") == ["chat", "good", "luck"]
    assert typed_words("/") == []


@pytest.mark.parametrize("caller", [None, "foo", "ann"])
def test_a_line_with_a_name_and_a_password_is_secret(caller: str | None) -> None:
    for line in lines_with_login("foo", "long-enough-1"):
        assert is_secret(line, caller), line
    assert is_secret("/Change password a b", caller)
    assert is_secret("delete bar", caller)


def test_a_line_with_a_slip_and_a_password_is_secret() -> None:
    for line in ("moev 12 foo long-enough-1 AD", "move 12 foo long-enough-1 AX", "set foo long-enough-1 passwords onn"):
        assert is_secret(line, "foo")
        assert is_secret(line, "ann")


def test_other_lines_are_not_secret() -> None:
    for line in (
        "AD", "throw 2C 3D", "queue if diamonds led KD", "move 12 AX", "chat signup foo", "help challenge",
        "message a-long-user-name bob: congratulations!", "chat what a congratulation", "set zone Europe/Berlin",
        "set vacation 2026-12-24..2026-12-26", "dispute 2 conduct somebody delayed", "signup", "delete",
    ):  # fmt: skip
        assert not is_secret(line, "ann"), line


@pytest.mark.parametrize(
    ("deadline", "says"),
    [
        ("2026-11-28T02:03:30.000000Z", "7 days 2 h left"),
        ("2026-11-22T00:03:00.000000Z", "1 day 0 h left"),
        ("2026-11-21T03:23:00.000000Z", "3 h 20 min left"),
        ("2026-11-21T00:07:59.000000Z", "4:59 left"),
        ("2026-11-21T00:03:09.500000Z", "0:09 left"),
        ("2026-11-21T00:02:59.000000Z", "out of time"),
        ("whenever", "until an unknown time"),
    ],
)
def test_the_time_left_gets_finer_as_it_runs_out(deadline: str, says: str) -> None:
    assert time_left(deadline, NOW) == says


def test_cards_become_symbols_but_a_player_of_that_name_does_not() -> None:
    line = with_cards("AS plays 10D and AS keeps X1", names=["AS"])
    assert "".join(text for _, text in line) == "AS plays 10♦ and AS keeps X1"
    assert ("class:suit-d", "10♦") in line


def test_lines_are_wrapped_at_blanks_and_wide_characters_count_twice() -> None:
    rows = wrap_line([("", "one two "), ("b", "three"), ("", "! 日本日本日本")], 9, "  ")
    assert ["".join(text for _, text in row) for row in rows] == ["one two ", "  three! ", "  日本日", "  本日本"]
    assert all(line_width(row) <= 9 for row in rows)
    assert [cut_text("日本日本", 5), cut_text("abc", 3), cut_text("abcd", 3), cut_text("a", 0)] == [
        "日本…",
        "abc",
        "ab…",
        "",
    ]
