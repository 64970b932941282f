"""Turns a client's description of a table into the command that opens the game (R-P1)."""

from collections.abc import Collection, Mapping
from types import NoneType
from typing import Any

from msgspec.structs import asdict

from api.accounts.accounts import Accounts
from api.config import Config
from domain.commands import OpenGame
from domain.engine.deadlines import FORFEIT
from domain.events import Fairness, GameLimits, Player, Timing, TurnPace, Watch
from domain.rejections import NotOffered
from domain.rules.model import Rules
from domain.rules.variants.options import parse_time

BOT_PREFIX = "bot:"
"""The prefix of a bot's name."""
NO_BOARD = 0


class NoSuchPlayer(Exception):
    """No user has this name, or its user can't be seated any more."""


def require_users(accounts: Accounts, names: Collection[str]) -> dict[str, str]:
    """Return the ids of the users with these names, by name and in order.

    Raise NoSuchPlayer for the first name that nobody has, or whose user is about to be deleted.
    """
    users = accounts.users.by_names(names)
    leaving = accounts.leaving.among([user.id for user in users.values()])
    for name in names:
        if name not in users:
            raise NoSuchPlayer(f"No player has the name {name}.")
        if users[name].id in leaving:
            raise NoSuchPlayer(f"{name} is deleting their account, and can't be seated")
    return {name: users[name].id for name in names}


def open_game_command(
    body: Mapping[str, Any],
    game: str,
    players: tuple[Player, ...],
    config: Config,
    *,
    board: int = NO_BOARD,
    guests: Collection[str] = (),
    rules: Rules | None = None,
) -> OpenGame:
    """Return the command for a loaded request body, by default without a board number yet.

    `guests` are the ids of those who play as guests, and `rules` are those of the table's rulebook, if it has one.
    Raise NotOffered for an invalid timing, fairness or watch.
    """
    return OpenGame(
        game=game,
        board=board,
        variant=body["variant"],
        options=body["options"],
        players=players,
        timing=_timing(body["timing"]),
        fairness=_fairness(body["fairness"]),
        reveal=body["reveal"],
        limits=GameLimits(config.game_events, config.hand_proposals),
        watch=_watch(body["watch"]),
        undo=body["undo"],
        autopilot=body.get("autopilot", FORFEIT),
        guests=any(player.player in guests for player in players),
        rules=rules,
    )


def _fairness(body: Mapping[str, Any]) -> Fairness:
    """Return the requested cuts, window and beacon; the rules decide whether they are offered."""
    cuts, window, beacon = body.get("cuts", "none"), body.get("window_s"), body.get("beacon")
    known = not body.keys() - {"cuts", "window_s", "beacon"} and type(window) in (int, NoneType)
    if not known or not isinstance(cuts, str) or not isinstance(beacon, str | NoneType):
        raise NotOffered(
            'Set fairness to {"cuts": "none", "open" or "sealed", "window_s": null or whole seconds, '
            '"beacon": null or the name of a chain}.'
        )
    return Fairness(cuts, window, beacon)


def _watch(body: Mapping[str, Any]) -> Watch:
    """Return who may watch, and how late; the rules decide whether the delay is offered."""
    public, delay = body.get("public", True), body.get("delay", 0)
    if body.keys() - {"public", "delay"} or type(public) is not bool or type(delay) is not int:
        raise NotOffered('Set watch to {"public": true or false, "delay": a whole number of facts}.')
    return Watch(public, delay)


def _timing(body: Mapping[str, Any]) -> Timing:
    """Return the requested deadlines, with defaults for the missing ones; the rules decide whether they are offered."""
    defaults = asdict(Timing())
    if body.keys() - defaults.keys():
        raise NotOffered(f"The fields of timing are {', '.join(defaults)}.")
    timing = {**defaults, **body}
    if timing["ends_at"] is not None:
        timing["ends_at"] = parse_time(timing["ends_at"], "timing.ends_at")
    return Timing(**timing | {"pace": _pace(timing["pace"])})


def _pace(body: object) -> TurnPace | None:
    """Return the requested clock in seconds, or None; the rules decide whether it's offered."""
    if body is None:
        return None
    fields = set(TurnPace.__struct_fields__)
    if not isinstance(body, Mapping) or body.keys() - fields or not isinstance(body.get("kind"), str):
        names = ", ".join(TurnPace.__struct_fields__)
        raise NotOffered(f"Set timing.pace to null, or to an object with kind; its fields are {names}.")
    return TurnPace(**body)
