"""docs/security.md, written from the list of attacks and the tests that try them: `make attacks`.

`tests/attacks/attacks.toml` has the attempts, their results and tests; the page has the first attempt of each. Tests
are also found by their names, `test_attack_<number>_...`. The part about rights comes from the answers to the requests
of `tests/rights/`. Tests compare the page with a new one.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from tests.docs.pages.security_text import INTRO
from tests.generators.cost_tables import cost_tables
from tests.generators.events_page import wrap
from tests.generators.rights_tables import rights_tables
from tests.rights.matrix import ask_everybody

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "security.md"
ATTACKS = ROOT / "tests" / "attacks" / "attacks.toml"
DEFINED = re.compile(r"^def (test_\w+)\(", re.MULTILINE)
FIRST = re.compile(r"[;:] ")
"""The end of the first of several attempts under one number."""
TEST = re.compile(r"test_attack_(\d+)_")

Tests = Mapping[str, Sequence[str]]
"""The names of the test functions of each file, by its path."""


@dataclass(frozen=True)
class Attack:
    """A numbered attack: its result and other tests that show it, or the reason why it has no test."""

    n: int
    tried: str
    result: str = ""
    also: tuple[str, ...] = ()
    untested: str = ""


def read_attacks() -> dict[str, list[Attack]]:
    """Return the attacks by the title of their part, in the order of the file."""
    parts: list[dict[str, Any]] = tomllib.loads(ATTACKS.read_text(encoding="utf-8"))["part"]
    return {part["title"]: [_attack(**each) for each in part["attacks"]] for part in parts}


def _attack(also: Sequence[str] = (), **fields: Any) -> Attack:
    return Attack(also=tuple(also), **fields)


@cache
def find_tests() -> Tests:
    """Return all test functions below tests/."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        found[str(path.relative_to(ROOT))] = DEFINED.findall(path.read_text(encoding="utf-8"))
    return found


def named_tests(attack: Attack, tests: Tests) -> list[str]:
    """Return the ids of the tests of an attack: those with its number, then the others that it names."""
    numbered = [
        f"{path}::{name}"
        for path, names in tests.items()
        for name in names
        if (match := TEST.match(name)) and int(match[1]) == attack.n
    ]
    return [*numbered, *attack.also]


def listed(attack: Attack) -> list[str]:
    """Return the lines of an attack: its number, the first of what is tried, and why it has no test if it has none."""
    first = FIRST.split(attack.tried, maxsplit=1)[0]
    return wrap(f"{attack.n}. {first}{': ' * bool(attack.untested)}{attack.untested}")


def page(rights: Iterable[str]) -> str:
    """Return the text of docs/security.md, with the part about rights line by line."""
    return "\n".join([*INTRO.splitlines(), *_parts(), *rights, *cost_tables()]).rstrip() + "\n"


def written_part(title: str) -> list[str]:
    """Return the part of docs/security.md with this title as it stands there, line by line."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {title}")
    return [lines[begin], *takewhile(lambda line: not line.startswith("## "), lines[begin + 1 :])]


def _parts() -> Iterator[str]:
    for title, attacks in read_attacks().items():
        yield from (f"## {title}", "")
        for attack in attacks:
            yield from listed(attack)
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(rights_tables(ask_everybody())), encoding="utf-8")
