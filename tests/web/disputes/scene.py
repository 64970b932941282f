"""Disputes of games, by their addresses and over the API."""

from tests.web.table.room import Room


def address(room: Room, more: str = "") -> str:
    """Return the address of the disputes of a game."""
    return f"/games/{room.board}/disputes{more}"


def contest(room: Room, seat: int = 0, **more: object) -> None:
    body = {"hand": 1, "kind": "conduct", "text": "bob looked into my cards"} | more
    room.by_seat(seat).call("POST", f"/games/{room.game}/disputes", body)
