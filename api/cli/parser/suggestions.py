"""Sentences that name the nearest commands to one that doesn't exist."""

from collections.abc import Iterable
from difflib import get_close_matches

from api.cli.parser.catalog import COMMANDS, GROUPS
from api.commands.catalog import SERVER_COMMANDS

CLOSENESS = 0.6
MOST = 3


def no_such_command(group: str, name: str, own: Iterable[str]) -> str:
    """Return the sentence about a command that a group ("" for the program) lacks, with the nearest ones there are."""
    words = " ".join(filter(None, ("trickbook", group, name)))
    where = f"`trickbook {group} --help`" if group else "`trickbook --help`"
    nearest = _nearest(group, name, list(own))
    meant = f"Did you mean {' or '.join(f'`trickbook {each}`' for each in nearest)}?" if nearest else ""
    return f"There is no command `{words}`. {meant or f'{where} lists the commands.'}"


def _nearest(group: str, name: str, own: list[str]) -> list[str]:
    """Return the full names of the commands of this name elsewhere, otherwise of those with similar names."""
    elsewhere = [full for full in COMMANDS if full.split()[-1] == name]
    if elsewhere:
        return elsewhere[:MOST]
    if not group and name in SERVER_COMMANDS:
        return [f"line {name}"]
    here = [f"{group} {each}".strip() for each in get_close_matches(name, own, MOST, CLOSENESS)]
    if here and group:
        return here
    full_names: dict[str, list[str]] = {}
    for full in (*GROUPS, *COMMANDS):
        full_names.setdefault(full.split()[-1], []).append(full)
    close = get_close_matches(name, list(full_names), 2, CLOSENESS)
    return list(dict.fromkeys([*here, *(full for each in close for full in full_names[each])]))[:MOST]
