"""docs/command-line.md has every command as the parser has it, and completion works with the lines that it names."""

import os
import re
import subprocess
import sys
from pathlib import Path

from click.shell_completion import get_completion_class

from api.cli.main import main
from api.cli.parser.catalog import EXAMPLES, GROUPS, commands_of, first_words
from tests.commandline.page import PAGE, with_current_commands

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_command_as_the_parser_has_it() -> None:
    assert with_current_commands(TEXT) == TEXT, "run python -m tests.commandline.page"
    named = re.findall(r"^\* `([a-z -]+?)(?: [^a-z][^`]*)?`:", TEXT, re.MULTILINE)
    groups = {" ".join(name.split()[:-1]) for name in named}
    assert set(named) == set(EXAMPLES) - groups


def completions(words: str) -> list[str]:
    """Return what the shell offers for the last of the words."""
    typed = words.split(" ")[1:]
    completion = get_completion_class("bash")
    assert completion is not None
    return [item.value for item in completion(main, {}, "trickbook", "_X").get_completions(typed[:-1], typed[-1])]


def test_the_shell_is_offered_commands_options_and_values() -> None:
    of_groups = {f"trickbook {group} ": list(commands_of(group)) for group in GROUPS}
    for typed, offered in {
        "trickbook ": list(first_words()),
        **of_groups,
        "trickbook ga": ["game"],
        "trickbook --p": ["--plain"],
        "trickbook game a": ["audit"],
        "trickbook hand branch 1 --bots s": ["simple"],
        "trickbook hand branch 1 --ha": ["--hands"],
        "trickbook user role ann m": ["moderator"],
        "trickbook store quarantine d": ["drop"],
        "trickbook game show --se": ["--seat"],
    }.items():
        assert completions(typed) == offered, typed


def test_the_line_for_bash_completes_in_bash() -> None:
    (line,) = re.findall(r"^\| Bash .*\| `(eval .*)` \|$", TEXT, re.MULTILINE)
    typed = 'COMP_WORDS=(trickbook dispute r); COMP_CWORD=2; _trickbook_completion trickbook; echo "${COMPREPLY[@]}"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = ["bash", "--norc", "-c", f"{line}\n{typed}"]
    done = subprocess.run(script, env={"PATH": path}, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("rule\n", "")


def test_the_page_names_a_line_for_each_shell_that_completes() -> None:
    for shell in ("bash", "zsh", "fish"):
        assert f"_TRICKBOOK_COMPLETE={shell}_source trickbook" in TEXT
        completion = get_completion_class(shell)
        assert completion is not None
        assert "_TRICKBOOK_COMPLETE" in completion(main, {}, "trickbook", "_TRICKBOOK_COMPLETE").source()
