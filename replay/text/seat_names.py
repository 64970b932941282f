"""The names of the seats of a history, and sentences with names in place of the numbers of seats."""

import re
from collections import Counter
from collections.abc import Mapping

from domain.events import GameOpened, SeatHandedOver, SeatReturned, SeatsDrawn
from replay.history import History
from replay.text.layout import sanitize

SEATS = re.compile(r"\b[Ss]eats? (\d{1,2}(?:(?:, | and )\d{1,2})*)\b")
NUMBER = re.compile(r"\d+")


def names_by_seat(history: History) -> dict[int, str]:
    """Return what to call each seat: its player, or "seat 2 (cat)" if the name alone could be somebody else's."""
    players, lent = list[str](), set[int]()
    for event in history.events:
        match event.data:
            case GameOpened(players=seated):
                players = [each.player for each in seated]
            case SeatsDrawn(order=order) if set(order) <= set(range(len(players))):
                players = [players[index] for index in order]
            case SeatHandedOver(seat=seat, to=to) | SeatReturned(seat=seat, to=to) if 0 <= seat < len(players):
                players[seat] = to
                lent.add(seat)
    names = [sanitize(history.header.players.get(player, player)) for player in players]
    seats_of = Counter(names)
    unclear = lent | {seat for seat, name in enumerate(names) if seats_of[name] > 1}
    return {seat: f"seat {seat} ({name})" if seat in unclear else name for seat, name in enumerate(names)}


def say_names(text: str, who: Mapping[int, str]) -> str:
    """Return a sentence with the names in place of "seat 2", or of "seats 0 and 2"."""
    return SEATS.sub(lambda match: NUMBER.sub(lambda seat: who.get(int(seat[0]), match[0]), match[1]), text)
