"""A table as a client describes it, made into the command that opens the game (R-P1)."""

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

from msgspec.structs import asdict

from api.accounts.accounts import Accounts
from domain.commands import OpenGame
from domain.events import Fairness, Player, Timing
from domain.rejections import NotOffered
from domain.rules.variants.options import parse_time

BOT = "bot:"
"""What the name of a bot begins with."""
UNNUMBERED = 0


class NoSuchPlayer(Exception):
    """No user has this name."""


def opening(body: Mapping[str, Any], game: str, accounts: Accounts) -> OpenGame:
    """The command for a loaded body, without a board number yet.

    409 `no-such-player` for a name nobody has; NotOffered for a timing or fairness that is none.
    """
    return OpenGame(
        game=game,
        board=UNNUMBERED,
        variant=body["variant"],
        options=body["options"],
        players=_players(body["seats"], accounts),
        timing=_timing(body["timing"]),
        fairness=_fairness(body["fairness"]),
        reveal=body["reveal"],
    )


def _fairness(asked: Mapping[str, Any]) -> Fairness:
    """Which cuts the table asks for, and for how long; what it is offered is for the rules to say."""
    cuts, window = asked.get("cuts", "none"), asked.get("window_s")
    if asked.keys() - {"cuts", "window_s"} or not isinstance(cuts, str) or type(window) not in (int, NoneType):
        raise NotOffered('fairness is {"cuts": "none", "open" or "sealed", "window_s": null or whole seconds}')
    return Fairness(cuts, window)


def _timing(asked: Mapping[str, Any]) -> Timing:
    """The days and the end the table names, the usual ones where it does not; which of them go is for the rules."""
    usual = asdict(Timing())
    if asked.keys() - usual.keys():
        raise NotOffered(f"timing takes {', '.join(usual)}, and nothing else")
    timing = {**usual, **asked}
    if timing["ends_at"] is not None:
        timing["ends_at"] = parse_time(timing["ends_at"], "timing.ends_at")
    return Timing(**timing)


def _players(seats: Sequence[str], accounts: Accounts) -> tuple[Player, ...]:
    return tuple(_player(name, index, accounts) for index, name in enumerate(seats))


def _player(name: str, index: int, accounts: Accounts) -> Player:
    return _bot(name, index) if name.startswith(BOT) else _person(name, accounts)


def _bot(name: str, index: int) -> Player:
    return Player(f"{name}:{index}", "bot", name.removeprefix(BOT))


def _person(name: str, accounts: Accounts) -> Player:
    player = accounts.users.by_name(name)
    if player is None:
        raise NoSuchPlayer(f"nobody is called {name} here")
    return Player(player.id, "human")
