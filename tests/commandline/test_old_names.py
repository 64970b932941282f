"""The names that commands had in version 0.2: each answers with the new one, and does nothing else."""

import click
from click.shell_completion import ShellComplete

from api.cli.main import main
from api.cli.parser.catalog import COMMANDS, GROUPS, MOST, PARTS, commands_of
from api.cli.parser.groups import REMOVED, RENAMED, load_command
from tests.commands import run


def test_an_old_name_answers_with_the_new_one_and_exit_code_2() -> None:
    for old, new in RENAMED.items():
        said = run(*old.split(), "1", "--json")
        assert (said.exit_code, said.stdout) == (2, ""), old
        assert f"`trickbook {old}` is `trickbook {new}` now. Type: trickbook {new} 1 --json" in said.stderr


def test_a_name_that_is_gone_answers_with_the_reason() -> None:
    for old, why in REMOVED.items():
        said = run(*old.split(), "--older-than", "30")
        assert (said.exit_code, said.stdout, why in said.stderr) == (2, "", True), old


def test_each_new_name_is_a_command_and_no_old_one_is() -> None:
    for old, new in RENAMED.items():
        group, *rest = new.split()
        command = load_command(f"{group} {rest[0]}") or load_command(group)
        assert command is not None, new
        if isinstance(command, click.Group):
            assert rest[0] in command.commands, new
        assert old not in COMMANDS


def test_a_group_and_a_part_of_the_help_can_be_held_in_mind() -> None:
    for names in (*PARTS.values(), *(commands_of(group) for group in GROUPS)):
        assert len(names) <= MOST, names
    for name in COMMANDS:
        command = load_command(name)
        assert not isinstance(command, click.Group) or len(command.commands) <= MOST, name


def test_the_help_and_completion_offer_no_old_name() -> None:
    words = [item.value for item in ShellComplete(main, {}, "trickbook", "_X").get_completions([], "")]
    assert words
    assert set(words).isdisjoint(RENAMED)
    assert [item.value for item in ShellComplete(main, {}, "trickbook", "_X").get_completions(["game"], "l")] == [
        "list"
    ]
