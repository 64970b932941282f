"""Lists of games and of tables that form, as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.commands.text.layout import columns, in_words, minute_of

NAMELESS = "?"
HEADINGS = ("board", "game", "players", "waiting for")


def games_text(items: Sequence[Mapping[str, Any]], names: Mapping[str, str], nothing: str) -> str:
    """Return games as lines, the newest first."""
    rows = [(each["board"], each["variant"], _players(each, names), _waiting(each, names)) for each in items]
    return "\n".join(columns([HEADINGS, *rows], right=(0,))) if rows else nothing


def _players(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return " ".join(names.get(seat["player"], seat["player"]) for seat in item["seats"])


def _waiting(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if item["status"] == "finished":
        return "over"
    return in_words([names.get(each, each) for each in item["waiting"]]) or "the server"


def forming_text(items: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """Return tables that wait for players as lines, or an empty text without tables."""
    if not items:
        return ""
    rows = [(each["board"], each["variant"], " ".join(_seats(each, names))) for each in items]
    return "\n".join(["Tables that wait for players:", *columns([("board", "game", "seats"), *rows], right=(0,))])


def table_text(table: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a table that waits for players."""
    asked = [names.get(seat["player"], NAMELESS) for seat in table["seats"] if seat["state"] == "asked"]
    waits = in_words(asked) if asked else "players"
    expires = minute_of(table["expires"])
    lines = [f"Waiting for: {waits}", f"Board {table['board']}, {table['variant']}, forming until {expires} UTC", ""]
    lines += columns([(seat["seat"], text) for seat, text in zip(table["seats"], _seats(table, names), strict=True)])
    return "\n".join(lines)


def _seats(table: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    return [_seat(seat, names) for seat in table["seats"]]


def _seat(seat: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if seat["player"] is None:
        return f"({seat['state']})"
    name = names.get(seat["player"], seat["player"])
    return f"{name} (asked)" if seat["state"] == "asked" else name
