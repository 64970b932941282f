"""README.md: its commands, variants and numbers are right."""

import re

from api.cli.parser.catalog import COMMANDS, GROUPS, first_words
from api.cli.parser.groups import RENAMED
from domain.rules.variants import VARIANTS
from projections.bots import STRATEGIES
from tests.docs.markdown import ROOT, pages

PAGE = ROOT / "README.md"
CALLED = re.compile(r"(?:`|^)(?:\.venv/bin/)?trickbook (?!is\b)([a-z][a-z-]*(?: [a-z][a-z-]*)?)", re.MULTILINE)
GONE = (
    *("archive", "store archive", "store migrate", "store reshard"),
    *(
        "audit",
        "backup",
        "branch",
        "check",
        "clock",
        "commits",
        "compare",
        "deal",
        "disputes",
        "draws",
        "export",
        "init",
    ),
    *("legal", "migrate", "proof", "quarantine", "rebuild", "receipts", "rejudge", "replay", "reshard", "restore"),
    *(
        "revokes",
        "rule",
        "score",
        "seal",
        "server-clock",
        "show",
        "sight",
        "transcript",
        "verify",
        "receipt",
        "dispute",
    ),
)
"""The names of commands in the versions 0.1 and 0.2."""
MADE = re.compile(r"(?:`|^\$ )(?:[A-Z]+=\S+ )*make ([a-z]+)", re.MULTILINE)


def test_every_target_and_command_on_a_page_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert set(MADE.findall(text)) <= targets, page.name
        unknown = [words for words in CALLED.findall(text) if not is_command(words)]
        if page.name == "CHANGELOG.md" or page.parent.name == "decisions":  # they name what earlier versions had
            gone = {*RENAMED, *GONE}
            unknown = [words for words in unknown if gone.isdisjoint((words, words.split(maxsplit=1)[0]))]
        assert unknown == [], page.name


def is_command(words: str) -> bool:
    """Return whether one or two words after `trickbook` call a command, or name a group and no command."""
    first = words.split(maxsplit=1)[0]
    return words in COMMANDS or words in GROUPS or (first in first_words() and first not in GROUPS)


def test_every_variant_has_a_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(.+?)\]\(docs/rules/([\w-]+)\.md\) \|.+\| `([\w-]+)` \|$", text, re.MULTILINE)
    assert rows == [(each.title, each.sheet.page, name) for name, each in VARIANTS.items()]
    for name in STRATEGIES:
        assert f"`bot:{name}`" in text


def test_the_goals_and_numbers_of_players_are_the_catalogue_s() -> None:
    text = PAGE.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| [gamerz Pitch]"))
    numbers = [int(number) for number in re.findall(r"\d+", row)]
    pitch = VARIANTS["pitch"]
    assert numbers == [min(pitch.rules.seats), max(pitch.rules.seats), *pitch.options[0].values]
