"""Lists of what the program says, by game. Tests compare with them; a command writes them again, for review."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path


@cache
def listed(file: Path) -> dict[str, list[str]]:
    """Return the lines of each game in a list."""
    games: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            games[line.removeprefix("# ")] = []
        else:
            list(games.values())[-1].append(line)
    return games


def write_list(file: Path, lines: Mapping[str, Iterable[str]]) -> None:
    """Write a list."""
    text = "".join(f"# {game}\n" + "".join(f"{line}\n" for line in found) for game, found in lines.items())
    file.write_text(text, encoding="utf-8")
