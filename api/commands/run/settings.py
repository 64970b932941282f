"""Settings of the caller: passwords in lines, broadcasts, and the hours in which their clocks stand still."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.accounts.mail.levels import ALL_GAMES, LEVELS
from api.accounts.people.command_settings import PASSWORDS, SETTINGS, VALUES
from api.commands.answer import CommandAnswer
from api.commands.edge import CommandRefusal, Edge, ask, refusal
from api.commands.requests import SETTING_NAMES, Board, ChangeSetting
from api.commands.run.moves_for_later import require_writer
from api.commands.run.seeing import look

OFF, MAIL = "off", "mail"
NIGHT = re.compile("([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2})")
SPAN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\.\.([0-9]{4}-[0-9]{2}-[0-9]{2}))?")


def change_setting(
    edge: Edge, request: ChangeSetting, text: Sequence[str], headers: Mapping[str, str]
) -> CommandAnswer:
    """Show the settings, or change one."""
    player = require_writer(edge)
    if request.name == MAIL:
        _set_mail(edge, player.id, request)
    elif request.name is not None:
        _change(edge, request.name, request.value or "")
    return _shown(edge)


def _set_mail(edge: Edge, player: str, request: ChangeSetting) -> None:
    """Choose which mails a player gets, about all boards or one."""
    _require_token(edge, MAIL)
    level = next((each for each in LEVELS if each == (request.value or "").lower()), None)
    if level is None:
        raise _malformed(f"Set {MAIL} to {', '.join(LEVELS)}.")
    game = ALL_GAMES if request.board is None else look(edge, request.variant, Board(request.board.number)).game
    edge.services.accounts.mail_levels.set(player, level, game)


def _change(edge: Edge, name: str, value: str) -> None:
    if name in SETTINGS:
        _switch(edge, name, value.lower())
    elif name in HOURS:
        hours = ask(edge, "GET", "/me/hours").body
        kept = {key: hours[key] for key in HOURS}
        ask(edge, "PUT", "/me/hours", kept | {name: HOURS[name](value)})
    else:
        raise _malformed(f"Set one of {', '.join(SETTING_NAMES)}.")


def _switch(edge: Edge, name: str, value: str) -> None:
    if value not in VALUES:
        raise _malformed(f"Set {name} to {' or '.join(VALUES)}.")
    if name == PASSWORDS:
        _require_token(edge, name)
    edge.services.accounts.command_settings.set(require_writer(edge).id, name, value)


def _require_token(edge: Edge, name: str) -> None:
    if not edge.has_token:
        raise refusal("unauthorized", 401, "Token needed", f"The setting {name} changes with a token alone.")


def _shown(edge: Edge) -> CommandAnswer:
    player, accounts = require_writer(edge).id, edge.services.accounts
    switches = accounts.command_settings.of(player) | {MAIL: accounts.mail_levels.of(player)}
    hours = ask(edge, "GET", "/me/hours").body
    night, spans = hours["night"], [f"{each['first']}..{each['last']}" for each in hours["vacation"]]
    lines = [f"{name} {value}" for name, value in switches.items()]
    lines += [
        f"zone {hours['zone']}",
        "night " + (OFF if night is None else f"{night['start']}-{night['end']}"),
        f"weekends {'on' if hours['weekends'] else OFF}",
        f"vacation {' '.join(spans) or OFF} (days left: {hours['vacation_days_left']})",
    ]
    return CommandAnswer("set", "\n".join(lines), switches | {"hours": hours})


def _zone(value: str) -> str:
    return value


def _night(value: str) -> dict[str, str] | None:
    if value.lower() == OFF:
        return None
    found = NIGHT.fullmatch(value)
    if found is None:
        raise _malformed("Write a night like 22:00-07:00, or off.")
    return {"start": found[1], "end": found[2]}


def _weekends(value: str) -> bool:
    if value.lower() not in VALUES:
        raise _malformed(f"Set weekends to {' or '.join(VALUES)}.")
    return value.lower() == "on"


def _vacation(value: str) -> list[dict[str, str]]:
    if value.lower() == OFF:
        return []
    found = SPAN.fullmatch(value)
    if found is None:
        raise _malformed("Write a vacation like 2026-12-24..2026-12-26, or off.")
    return [{"first": found[1], "last": found[2] or found[1]}]


def _malformed(detail: str) -> CommandRefusal:
    return refusal("malformed", 400, "Malformed request", detail)


HOURS: Mapping[str, Callable[[str], Any]] = {
    "zone": _zone,
    "night": _night,
    "weekends": _weekends,
    "vacation": _vacation,
}
"""The settings of hours, each with the function that reads its value."""
