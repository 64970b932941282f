"""The help of every campaign program: each option says what it does and its default, and the examples can be run."""

import argparse
import importlib
import re
import shlex

import pytest

CAMPAIGNS = (
    "cluster", "fuzz", "kills", "mutants", "power_cuts", "simulation", "soak", "tamper", "two_nodes", "worlds",
)  # fmt: skip


def parser_of(campaign: str) -> argparse.ArgumentParser:
    parser = importlib.import_module(f"tests.campaigns.{campaign}.__main__").options()
    assert isinstance(parser, argparse.ArgumentParser)
    return parser


def test_every_option_of_a_campaign_says_what_it_does_and_its_default_and_its_examples_can_be_run() -> None:
    for campaign in CAMPAIGNS:
        # nargs is 0 for a flag, which is off unless given; an option without a default says what happens without it.
        parser = parser_of(campaign)
        actions = [action for action in parser._actions if action.option_strings != ["-h", "--help"]]
        assert actions
        assert [action.dest for action in actions if not action.help] == []
        valued = [action for action in actions if action.nargs != 0]
        assert [action.dest for action in valued if not re.search(r"\(default: |without it", action.help or "")] == []
        command = re.escape(f"python -m tests.campaigns.{campaign}")
        examples = re.findall(rf"^  {command} (.+)$", parser.format_help(), flags=re.MULTILINE)
        assert examples
        for example in examples:
            parser.parse_args(shlex.split(example))


def test_a_run_of_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for campaign, option in (("power_cuts", "--moves"), ("power_cuts", "--images"), ("tamper", "--changes")):
        with pytest.raises(SystemExit) as ended:
            parser_of(campaign).parse_args([option, "0"])
        assert ended.value.code == 2
        assert "0 is less than" in capsys.readouterr().err
