"""Two games that differ only in cards that a seat can't see give it the same answers to every command."""

import dataclasses
import random
import re
from typing import Any

import pytest
from flask import Flask

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from domain.events import Player
from tests.api.conftest import Caller, MakeApp, services_of
from tests.api.given_http import store_events
from tests.api.past_times import time_ago
from tests.api.worlds import Events, play_random_game, state_of, vary_hidden_facts
from tests.command_lines.players import people, play_queued
from tests.given import GAME
from tests.values import replace

SEAT = 1
HASH = re.compile(r"[0-9a-f]{64}")
OPTIONS: dict[str, dict[str, Any]] = {"pitch": {}, "blackout": {"inorder": True}}


def lines(variant: str) -> list[str]:
    """Return a line of each command that shows anything of the game, and moves whatever anybody holds."""
    boards = [f"{word} 1" for word in ("show", "showas", "hand", "transcript", "audit", "dispute", "join")]
    past = [f"{word} 1#{version}" for word in ("show", "showas") for version in (1, 9, 20)]
    moves = [f"{word} 1 {move}" for word in ("move", "preview", "submit") for move in ("AD", "10C", "0", "KH#7")]
    queue = [f"queue 1 {move}" for move in ("AD", "2C", "KH", "if hearts led KH", "off")]
    lists = ("games", "games ann all", "history ann", "standings", "set", "help")
    of_game = (*boards, *past, *moves, *queue, *lists, "confirm 1", "show p1 all")
    return [*(f"{variant} {each}" for each in of_game), "list", "all show ann", "message", "set", "help"]


LEFT_OUT = {
    **dict.fromkeys(("undo", "propose", "accept", "reject", "claim", "resign"), "a move, as `move` is"),
    **dict.fromkeys(("signup", "add", "change", "signoff", "delete"), "about an account, beside all games"),
    **dict.fromkeys(("chat", "broadcast", "challenge"), "shows nothing but what its player wrote, or a new game"),
    "multiple": "the answers to other lines",
}
"""Commands that no line is for, with the reason."""


def test_every_command_is_asked_in_both_worlds_or_left_out_for_a_reason() -> None:
    asked = {word for line in lines("pitch") for word in line.split()[:2]}
    commands = {*GAME_COMMANDS, *SERVER_COMMANDS}
    assert commands - asked - LEFT_OUT.keys() <= {"ratings"}  # figures of finished games alone
    assert asked.isdisjoint(LEFT_OUT)


def answers(app: Flask, events: Events, token: str, variant: str) -> list[str]:
    """Return what the seat is answered in one world."""
    services = services_of(app)
    store_events(services.games, events)
    caller = Caller(app.test_client(), token)
    found = []
    for line in lines(variant):
        found.append(HASH.sub("", caller.post("/commands", {"line": line}).text))
        play_queued(services)
    return found


@pytest.mark.parametrize("variant", OPTIONS)
def test_a_seat_gets_the_same_answers_in_two_worlds(
    variant: str, make_app: MakeApp, config: Any, tmp_path: Any
) -> None:
    apps = [make_app(replace_data(config, tmp_path / name)) for name in "ab"]
    chance = random.Random(f"lines {variant}")
    with pytest.MonkeyPatch.context() as patch:
        tokens = []
        for app in apps:
            patch.setattr("secrets._sysrand", random.Random("people"))
            tokens.append([each.caller.token or "" for each in people(app)])
            services_of(app).accounts.boards.reserve(GAME, "p_" + "0" * 24)
    assert tokens[0] == tokens[1]
    ids = [apps[0].test_client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).get_json()["id"]
           for token in tokens[0]]  # fmt: skip
    events = random_game(chance, [Player(each, "human") for each in ids], variant)
    other = vary_hidden_facts(events, SEAT, chance)
    assert other != events
    token = tokens[0][ids.index(state_of(events).seats[SEAT].player)]
    one, two = (answers(app, world, token, variant) for app, world in zip(apps, (events, other), strict=True))
    for line, first, second in zip(lines(variant), one, two, strict=True):
        assert first == second, line


def random_game(chance: random.Random, players: list[Player], variant: str) -> Events:
    """Return a game in the middle of a hand, in which it's another seat's turn."""
    for moves in range(30, 80):
        events = play_random_game(chance, players, variant, moves, **OPTIONS[variant])
        state = state_of(events)
        if state.result is None and state.hand is not None and state.turn and SEAT not in state.turn:
            return [replace(event, at=time_ago(days=1)) for event in events]
    raise AssertionError("no game in which it's another seat's turn")


def replace_data(config: Any, data: Any) -> Any:
    """Return the configuration with a store of its own."""
    data.mkdir()
    return dataclasses.replace(config, data=data, database_url=None)
