"""Turns a client's description of a table into the command that opens the game (R-P1)."""

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

from msgspec.structs import asdict

from api.accounts.accounts import Accounts
from api.config import Config
from domain.commands import OpenGame
from domain.events import Fairness, GameLimits, Player, Timing, Watch
from domain.rejections import NotOffered
from domain.rules.variants.options import parse_time

BOT_PREFIX = "bot:"
"""The prefix of a bot's name."""
NO_BOARD = 0


class NoSuchPlayer(Exception):
    """No user has this name."""


def open_game_command(body: Mapping[str, Any], game: str, accounts: Accounts, config: Config) -> OpenGame:
    """Return the command for a loaded request body, without a board number yet.

    Raise NoSuchPlayer for an unknown name, NotOffered for an invalid timing, fairness or watch.
    """
    return OpenGame(
        game=game,
        board=NO_BOARD,
        variant=body["variant"],
        options=body["options"],
        players=_players(body["seats"], accounts),
        timing=_timing(body["timing"]),
        fairness=_fairness(body["fairness"]),
        reveal=body["reveal"],
        limits=GameLimits(config.game_events, config.hand_proposals),
        watch=_watch(body["watch"]),
        undo=body["undo"],
    )


def _fairness(body: Mapping[str, Any]) -> Fairness:
    """Return the requested cuts and window; the rules decide whether they are offered."""
    cuts, window = body.get("cuts", "none"), body.get("window_s")
    if body.keys() - {"cuts", "window_s"} or not isinstance(cuts, str) or type(window) not in (int, NoneType):
        raise NotOffered('Set fairness to {"cuts": "none", "open" or "sealed", "window_s": null or whole seconds}.')
    return Fairness(cuts, window)


def _watch(body: Mapping[str, Any]) -> Watch:
    """Return who may watch, and how late; the rules decide whether the delay is offered."""
    public, delay = body.get("public", True), body.get("delay", 0)
    if body.keys() - {"public", "delay"} or type(public) is not bool or type(delay) is not int:
        raise NotOffered('Set watch to {"public": true or false, "delay": a whole number of facts}.')
    return Watch(public, delay)


def _timing(body: Mapping[str, Any]) -> Timing:
    """Return the requested deadlines, with defaults for the missing ones; the rules decide whether they are offered."""
    defaults = {name: value for name, value in asdict(Timing()).items() if name != "pace"}
    if body.keys() - defaults.keys():
        raise NotOffered(f"The fields of timing are {', '.join(defaults)}.")
    timing = {**defaults, **body}
    if timing["ends_at"] is not None:
        timing["ends_at"] = parse_time(timing["ends_at"], "timing.ends_at")
    return Timing(**timing)


def _players(seats: Sequence[str], accounts: Accounts) -> tuple[Player, ...]:
    return tuple(_player(name, index, accounts) for index, name in enumerate(seats))


def _player(name: str, index: int, accounts: Accounts) -> Player:
    return _bot(name, index) if name.startswith(BOT_PREFIX) else _person(name, accounts)


def _bot(name: str, index: int) -> Player:
    return Player(f"{name}:{index}", "bot", name.removeprefix(BOT_PREFIX))


def _person(name: str, accounts: Accounts) -> Player:
    user = accounts.users.by_name(name)
    if user is None:
        raise NoSuchPlayer(f"no player has the name {name}")
    return Player(user.id, "human")
