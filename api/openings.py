"""A table as a client describes it, made into the command that opens the game (R-P1)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import NoneType
from typing import Any

from api.game_schemas import BOT
from api.office import Office
from api.problems import Problem
from domain.catalogue.options import moment
from domain.commands import OpenGame
from domain.events import Fairness, Player, Timing
from domain.rejections import NotOffered

UNNUMBERED = 0


def opening(body: Mapping[str, Any], game: str, office: Office) -> OpenGame:
    """The command for a loaded body, without a board number yet.

    409 `no-such-player` for a name nobody has; NotOffered for a timing or fairness other than the usual one, but for
    the end that any game may have.
    """
    timing, ends_at = dict(body["timing"]), body["timing"].get("ends_at")
    timing.pop("ends_at", None)
    _must_be_default("timing", timing, asdict(Timing()), "; only ends_at may be another")
    return OpenGame(
        game=game,
        board=UNNUMBERED,
        variant=body["variant"],
        options=body["options"],
        players=_players(body["seats"], office),
        timing=Timing(ends_at=None if ends_at is None else moment(ends_at, "timing.ends_at")),
        fairness=_fairness(body["fairness"]),
        reveal=body["reveal"],
    )


def _fairness(asked: Mapping[str, Any]) -> Fairness:
    """Which cuts the table asks for, and for how long; what it is offered is for the rules to say."""
    cuts, window = asked.get("cuts", "none"), asked.get("window_s")
    if asked.keys() - {"cuts", "window_s"} or not isinstance(cuts, str) or type(window) not in (int, NoneType):
        raise NotOffered('fairness is {"cuts": "none", "open" or "sealed", "window_s": null or whole seconds}')
    return Fairness(cuts, window)


def _must_be_default(what: str, asked: Mapping[str, Any], default: Mapping[str, Any], but: str = "") -> None:
    for key, value in asked.items():
        if key not in default or type(value) is not type(default[key]) or value != default[key]:
            usual = ", ".join(f"{name} {json.dumps(default[name])}" for name in default)
            raise NotOffered(f"no other {what} than the usual one is offered yet: {usual}{but}")


def _players(seats: Sequence[str], office: Office) -> tuple[Player, ...]:
    return tuple(_player(name, index, office) for index, name in enumerate(seats))


def _player(name: str, index: int, office: Office) -> Player:
    return _bot(name, index) if name.startswith(BOT) else _person(name, office)


def _bot(name: str, index: int) -> Player:
    return Player(f"{name}:{index}", "bot", name.removeprefix(BOT))


def _person(name: str, office: Office) -> Player:
    player = office.player_by_name(name)
    if player is None:
        raise Problem("no-such-player", f"nobody is called {name} here")
    return Player(player.id, "human")
