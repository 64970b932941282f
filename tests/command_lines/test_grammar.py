"""The seeds' lines, word for word, and what is refused with which words."""

import re
from pathlib import Path

import pytest

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, WHO, parse_line, usage
from api.lines.requests import (
    SETTING_NAMES,
    Board,
    Challenge,
    ChangePassword,
    ChatLine,
    CommandRequest,
    LineLogin,
    ListBoards,
    ListGames,
    Move,
    Queue,
    SetAddress,
    Show,
)
from api.lines.run.people import HOURS, MAIL, help_text
from api.lines.words import NotACommand
from api.people.stored.settings import SETTINGS
from domain.rules.variants import VARIANTS
from tests.command_lines.logins import RESTS, lines_with_login
from tests.command_lines.page import PAGE, with_current_commands

FOO = LineLogin("foo", "bar")


def request_of(line: str, caller: str | None = None) -> CommandRequest:
    """Return what a line asks for."""
    return parse_line(line, caller)[1]


def test_S6_B5_the_seed_s_moves_of_pitch_and_blackout() -> None:
    for variant, moves in {"pitch": "0 2 5 smudge AD 10C KH 2S", "blackout": "0 7 AD 10C KH 2S"}.items():
        for move in moves.split():
            expected = Move(board=Board(123), move=move, variant=variant, login=FOO)
            assert request_of(f"{variant} move 123 foo bar {move}") == expected


def challenge_of(line: str) -> Challenge:
    """Return what a challenge asks for."""
    request = request_of(line)
    assert isinstance(request, Challenge)
    return request


def test_S1_S4_the_seed_s_challenges_of_pitch() -> None:
    for goal in (7, 11, 21):
        body = challenge_of(f"pitch challenge -win={goal} userid1 userid2 userid3 userid4").body
        assert body["options"] == {"win": goal}
        assert body["seats"] == ["userid1", "userid2", "userid3", "userid4"]


def test_B1_B2_B3_B4_the_seed_s_challenges_of_blackout() -> None:
    chosen: dict[str, dict[str, bool]] = {
        "-inorder": {"inorder": True},
        "-hook": {"hook": True},
        "-nohook": {"hook": False},
        "-inorder -nohook": {"inorder": True, "hook": False},
        "-hook -hook": {"hook": True},
        "-in -NOH": {"inorder": True, "hook": False},
        "--nag=3 --totaltime=365": {},
    }
    for options, read in chosen.items():
        assert challenge_of(f"blackout challenge {options} a b c d").body["options"] == read


def test_R_B4_what_is_refused_says_what_to_write() -> None:
    for line, says in {
        "blackout challenge -hook -nohook a b c d": "can't both be",
        "pitch challenge -win=7 -win=11 a b": "twice",
        "pitch challenge -win=9 a b": "-win=7, -win=11, -win=21",
        "pitch challenge -wim=7 a b": "Its options are -win=7|11|21",
        "pitch challenge a -win=7 b": "between",
        "pitch challenge -f=1 a b": "-fifth needs one of",
        "pitch challenge --pace=fast a b": "--pace=bank, --pace=day",
        "pitch challenge": "players are missing",
        "pitch move 123 foo bar -win=7": "takes no option",
        "pitch move 123 foo bar": "The move is missing",
        "pitch move x foo bar AD": "isn't the number of a board",
        "pitch move 123 foo bar ZZ": "isn't a move",
        "pitch move 123#4 foo bar AD#5": "twice",
        "pitch": "Write a command after pitch",
        "pitch fly 1": "There is no command",
        "chess move 1 foo bar e4": "There is no command",
        "": "empty",
        "pitch move 1 foo bar \x07": "control characters",
        "x" * 2000: "at most",
        "pitch queue 1 foo bar if hearts led": "if hearts led KH",
        "pitch queue 1 foo bar resign": "can be kept for later",
    }.items():
        with pytest.raises(NotACommand, match=re.escape(says)):
            request_of(line)


def test_R_P12_commands_and_cards_are_read_in_either_case() -> None:
    assert request_of("PITCH MvOe 123 foo bar ad") == request_of("pitch move 123 foo bar ad")
    assert isinstance(request_of("pitch CHALL a b"), Challenge)


def test_R_P3_a_move_number_stands_behind_the_move_or_the_board() -> None:
    for line in ("pitch move 123 foo bar AD#45", "pitch move 123#45 foo bar AD", "pitch move 123 foo bar AD #45"):
        assert request_of(line) == Move(board=Board(123, 45), move="AD", variant="pitch", login=FOO)


def test_with_a_token_name_and_password_may_be_left_out() -> None:
    for move in ("AD", "A♦", "play AD", "bid 3", "not guilty", "throw 2C 3D"):
        assert request_of(f"pitch move 123 {move}", "ann") == Move(board=Board(123), move=move, variant="pitch")
    assert request_of("pitch move 123 foo bar AD", "ann").login == FOO
    assert request_of("pitch join 123 ann x", "ann").login == LineLogin("ann", "x")
    assert request_of("change password old new", "ann") == ChangePassword(current="old", new="new")
    assert request_of("change password foo old new") == ChangePassword(
        login=LineLogin("foo", "old"), current="old", new="new"
    )
    assert request_of("change address", "ann") == SetAddress()
    assert request_of("pitch chat 3 well played", "ann") == ChatLine(
        board=Board(3), text="well played", variant="pitch"
    )


def test_every_line_with_name_and_password_holds_them_for_a_stranger_and_for_their_owner() -> None:
    table = (*SERVER_COMMANDS.values(), *GAME_COMMANDS.values())
    takes_login = {each.name for each in table if WHO in each.arguments or each.name == "signup"}
    assert takes_login == {name.split()[0] for name in RESTS}
    whole = [line for line in lines_with_login("foo", "long-enough-1") if line.split()[0].lower() not in GAME_COMMANDS]
    for line in whole:
        assert request_of(line).login == LineLogin("foo", "long-enough-1"), line
        assert request_of(line, "foo").login == LineLogin("foo", "long-enough-1"), line


def test_no_refusal_repeats_the_password_of_somebody_else() -> None:
    for line in (
        "pitch move 12 foo long-enough-1 AX",
        "pitch move 12 foo long-enough-1",
        "pitch queue 12 foo long-enough-1 if herts led KH",
        "pitch join 12 foo long-enough-1 now",
        "set foo long-enough-1 passwords",
        "signoff foo long-enough-1 today please",
    ):
        with pytest.raises(NotACommand) as refused:
            request_of(line, "ann")
        assert "long-enough-1" not in str(refused.value)


def test_S46_the_common_commands() -> None:
    assert request_of("all show foo next") == ListBoards(names=("foo",), which="next")
    assert request_of("pitch games foo inactive") == ListBoards(variant="pitch", names=("foo",), which="inactive")
    assert request_of("pitch show 3#4 5") == Show(variant="pitch", boards=(Board(3, 4), Board(5)))
    assert request_of("pitch show foo all") == Show(variant="pitch", names=("foo",), which="all")
    assert request_of("pitch showas foo bar 3") == Show(variant="pitch", boards=(Board(3),), own=True, login=FOO)
    conditions = ("if hearts led KH", "if spades led 2S")
    assert request_of(f"pitch queue 3 foo bar {' '.join(conditions)}") == Queue(
        variant="pitch", board=Board(3), moves=conditions, login=FOO
    )


def test_the_names_of_settings_are_those_that_can_be_changed() -> None:
    assert set(SETTING_NAMES) == {*SETTINGS, MAIL, *HOURS}
    assert request_of("set weekend on", "ann").login is None  # so that the refusal lists them


def test_the_example_of_each_command_is_one() -> None:
    for command in GAME_COMMANDS.values():
        for variant in VARIANTS:
            assert parse_line(command.example.format(game=variant), "ann")[0] == command
    for command in SERVER_COMMANDS.values():
        assert parse_line(command.example, "ann")[0] == command


def test_help_for_a_writer_with_a_token_names_no_password() -> None:
    for text in (help_text(None, ()), help_text("pitch", ())):
        assert WHO in text
    for subjects in ((), ("move",), ("add",), ("message",)):
        for variant in (None, "pitch"):
            text = help_text(variant, subjects, signed_in=True)
            assert [each for each in (WHO, "foo bar", "Case matters") if each in text] == []
    assert "signup userid password [email]" in help_text(None, (), signed_in=True)


def test_every_command_has_help() -> None:
    for command in (*GAME_COMMANDS.values(), *SERVER_COMMANDS.values()):
        assert command.help in help_text("blackout", (command.name,))
        assert usage(command, None) in help_text(None, ()) or usage(command, "game") in help_text(None, ())


def test_a_table_of_house_rules_has_help_and_is_listed_as_any_game() -> None:
    for text in (help_text("house", ()), help_text(None, ("house",))):
        assert "House rules" in text
        assert "house move board" in text
        assert "moon" in text, "some rulebook has it"
    assert "smudge" in help_text("house", ("moves",))
    assert request_of("list house pitch") == ListGames(variants=("house", "pitch"))


def test_the_page_lists_the_commands_of_the_table() -> None:
    text = Path(PAGE).read_text(encoding="utf-8")
    assert text == with_current_commands(text), "run python -m tests.command_lines.page"
