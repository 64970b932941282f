"""The names that commands had in version 0.1: they still work, and a note on standard error names the new ones."""

from pathlib import Path

from click.shell_completion import ShellComplete

from api.cli.main import main
from api.cli.parser.catalog import COMMANDS
from api.cli.parser.groups import NOW_GROUPS, OLD_NAMES
from tests.commands import run

GAME = str(Path(__file__).parents[1] / "stored" / "v1" / "pitch-won.ndjson")


def test_an_old_name_calls_the_command_of_the_new_one() -> None:
    for old, new in OLD_NAMES.items():
        assert new in COMMANDS
        before, now = run(old, "--help"), run(*new.split(), "--help")
        assert (before.exit_code, before.stdout) == (0, now.stdout)
        note = f"note: `trickbook {old}` is `trickbook {new}` now. The old name goes in the next version.\n"
        assert (before.stderr, now.stderr) == (note, "")


def test_scripts_read_the_same_from_standard_output(tmp_path: Path) -> None:
    for old, new in (("show", "game show"), ("verify", "game verify"), ("receipt", "receipt print")):
        before, now = run(old, GAME), run(*new.split(), GAME)
        assert (before.exit_code, before.stdout_bytes) == (now.exit_code, now.stdout_bytes)
        assert "note: " in before.stderr
    there, place = run("init", "--data", str(tmp_path)), ("--data", str(tmp_path))
    assert there.stdout == f"created a store in {tmp_path}\n"
    assert run("quarantine", "list", *place).stdout == run("store", "quarantine", "list", *place).stdout


def test_what_follows_a_group_that_was_a_command_decides_how_it_is_read() -> None:
    for typed, note in {
        "receipt 12": True,
        "receipt 0f8fad5b-d9cb-469f-a165-70867728950e --size 3": True,
        "receipt --size 3 12": True,
        "receipt print 12": False,
        "receipt --help": False,
        "dispute 12 1": True,
        "dispute show 12 1": False,
        "dispute lst": False,
    }.items():
        group = typed.split()[0]
        said = run(*typed.split())
        assert (f"`trickbook {group}` is `trickbook {NOW_GROUPS[group]}` now" in said.stderr) == note, typed


def test_the_help_and_completion_offer_no_old_name() -> None:
    words = [item.value for item in ShellComplete(main, {}, "trickbook", "_X").get_completions([], "")]
    assert words
    assert set(words) & set(OLD_NAMES) == set()
    listed = {line.split()[0] for line in run("--help").stdout.splitlines() if line.startswith("  ") and line.strip()}
    assert listed & set(OLD_NAMES) == set()
