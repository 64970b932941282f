"""Every command at boards in every state, by everybody who may not move there: no change, no hidden card, no 5xx."""

import dataclasses
import json
from contextlib import closing

from api.config import Config
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from tests.api.conftest import MakeApp
from tests.command_lines.outsiders import (
    CARD,
    EXAMPLES,
    LIVE,
    PRIVATE,
    Outsider,
    World,
    Writes,
    build_world,
    lines_at,
    lines_elsewhere,
    outsiders,
)

NO_BOARD = 999
NEVER_SAT = ("a stranger", "a player without a seat", "a blocked player", "a player with the name of another")


def test_every_command_is_tried() -> None:
    tried = {command for command, _ in (*lines_at(1, ""), *lines_elsewhere(""))}
    assert tried | {"multiple"} == {*GAME_COMMANDS, *SERVER_COMMANDS}  # `multiple` holds other lines


def test_nobody_changes_or_learns_what_they_may_not(make_app: MakeApp, config: Config) -> None:
    world = build_world(make_app(dataclasses.replace(config, seating="asked", database_url=None)))
    complaints = []
    with closing(Writes(world.app)) as writes:
        for name, outsider in outsiders(world).items():
            found = check(world, outsider, writes)
            found += compare_with_none(outsider, world.boards[PRIVATE]) if name in NEVER_SAT else []
            complaints += [f"{name}: {each}" for each in found]
        assert world.people["ann"].done(f"pitch chat {world.boards[LIVE]} hello")
        assert writes.take()
    assert "\n".join(complaints) == ""


def check(world: World, outsider: Outsider, writes: Writes) -> list[str]:
    """Send every line; return a sentence for each change and each card shown without a right."""
    complaints = check_lines(outsider, [*lines_elsewhere(outsider.login)], writes, EXAMPLES)
    for state, board in world.boards.items():
        if state != outsider.not_at:
            lines = [*lines_at(board, outsider.login)]
            visible = EXAMPLES | world.visible(state, outsider)
            complaints += [f"{state}: {each}" for each in check_lines(outsider, lines, writes, visible)]
    return complaints


def check_lines(outsider: Outsider, lines: list[tuple[str, str]], writes: Writes, visible: frozenset[str]) -> list[str]:
    """Send lines; return a sentence for each change without a right, and for each answer with a hidden card."""
    complaints = []
    writes.take()
    for command, line in lines:
        answer = outsider.send(line)
        if writes.take() and command not in outsider.may:
            complaints.append(f"{line} wrote: {answer[:80]}")
        shown = {*CARD.findall(answer)} - visible
        complaints += [f"{line} showed {' '.join(sorted(shown))}"] if shown else []
    return complaints


def compare_with_none(outsider: Outsider, board: int) -> list[str]:
    """Return the lines whose answers tell a private board from none."""
    complaints = []
    for (_, line), (_, other) in zip(lines_at(board, outsider.login), lines_at(NO_BOARD, outsider.login), strict=True):
        private, none = (json.loads(outsider.send(each))["text"] for each in (line, other))
        complaints += [] if private.replace(str(board), str(NO_BOARD)) == none else [f"{line} is told from none"]
    return complaints
