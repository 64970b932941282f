"""The check of tables that count what was acknowledged finds each fault."""

from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tests.api.log_reference import check_export
from tests.campaigns.soak.checks import faults_of_game

EXPORT = check_export((Path(__file__).parents[2] / "stored" / "v1" / "pitch-won.ndjson").read_bytes())
PEOPLE = {"p0", "p1", "p2", "p3"}
ACKNOWLEDGED = len({event["command"] for event in EXPORT.events if event["by"] in PEOPLE})


def test_a_game_with_all_acknowledged_commands_has_no_faults() -> None:
    assert ACKNOWLEDGED > 10
    assert faults_of_game("g", EXPORT, PEOPLE, ACKNOWLEDGED) == []


def test_a_lost_command_and_one_that_was_never_acknowledged_are_faults() -> None:
    for wrong in (ACKNOWLEDGED - 1, ACKNOWLEDGED + 1):
        (fault,) = faults_of_game("g", EXPORT, PEOPLE, wrong)
        assert fault == f"game g: {wrong} commands were acknowledged, and {ACKNOWLEDGED} are in the log"


def test_a_command_that_is_there_twice_is_a_fault() -> None:
    twice = replace(EXPORT, lines=[*EXPORT.lines, EXPORT.lines[0]])
    first = next(command for command, _ in groupby(event["command"] for event in EXPORT.events))
    assert faults_of_game("g", twice, PEOPLE, ACKNOWLEDGED) == [f"game g: commands are there twice: {[first]}"]
