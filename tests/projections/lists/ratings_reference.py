"""Ratings worked out again from exports in the plainest way; shares no code with the projection.

pbmserv's formula is written again, and openskill is called directly.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal, getcontext
from itertools import pairwise
from typing import Any

from openskill.models import BradleyTerryPart

from domain.events import Event
from replay.history import read_export
from tests.projections.lists.standings_reference import _hands, _later_holders, _order, _people_of

LEFT_EARLY = 1000
getcontext().prec = 60


def to_millionth(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.000001"), ROUND_HALF_EVEN)


def decimal(value: float) -> Decimal:
    return Decimal(f"{value:.6f}")


@dataclass
class Finished:
    """A finished game that counts. `outcomes` are (time, version, places) by player, the first one that of the end."""

    game: str
    variant: str
    kind: str
    ended: str
    sides: dict[str, int]
    seats: dict[str, int]
    outcomes: list[tuple[str, int, dict[str, int]]]


@dataclass
class Player:
    """A player's numbers in a pool."""

    rating: float = 1600.0
    mu: float = 25.0
    sigma: float = round(25 / 3, 6)
    values: list[tuple[Decimal, Decimal]] = field(default_factory=list)
    games: int = 0
    last: str = ""
    opponents: set[str] = field(default_factory=set)


Pool = dict[str, Player]


def finished_games(exports: Iterable[bytes]) -> list[Finished]:
    """Return the finished games that count among these exports, in order."""
    found = [game for export in exports if (game := _finished(export)) is not None]
    return sorted(found, key=lambda game: (game.ended, game.game))


def _finished(export: bytes) -> Finished | None:
    history = read_export(export)
    events = list(history.events)
    opened = events[0].data
    ends = [event for event in events if event.fact == "GameEnded"]
    if not ends or ends[0].data.reason in ("void", "limit") or not opened.watch.public or opened.rated is not None:
        return None
    if opened.undo == "practice" or any(player.kind != "human" for player in opened.players):
        return None
    seats = _counted(events, [opened.players[index] for index in _order(events, len(opened.players))])
    sides = {player: at for player, seat in seats.items() for at, side in enumerate(opened.sides) if seat in side}
    if len(set(sides.values())) < 2:
        return None
    left = {event.data.seat for event in events if event.fact in ("SeatResigned", "SeatForfeited")}
    left |= set(_late(events))
    outcomes: list[tuple[str, int, dict[str, int]]] = []
    for event in events[events.index(ends[0]) :]:
        if event.fact in ("GameEnded", "RulingGiven", "RulingDecided"):
            ruled = event.data.ruled
            scores, winners = (
                (ends[0].data.scores, ends[0].data.winners) if ruled is None else (ruled.scores, ruled.winners)
            )
            places = {}
            for player, seat in seats.items():
                own, better = opened.sides[sides[player]], 0
                for side in opened.sides:
                    theirs = (bool(set(side) & set(winners)), max(scores[each] for each in side))
                    better += theirs > (bool(set(own) & set(winners)), max(scores[each] for each in own))
                places[player] = LEFT_EARLY if seat in left else 0 if ends[0].data.reason == "draw" else better
            if not outcomes or outcomes[-1][2] != places:
                outcomes.append((event.at, event.version, places))
    kind = "partners" if any(len(side) > 1 for side in opened.sides) else "two" if len(opened.sides) == 2 else "more"
    return Finished(history.header.game, opened.variant, kind, ends[0].at, sides, seats, outcomes)


def _counted(events: list[Event[Any]], at_open: Sequence[Any]) -> dict[str, int]:
    """Return the people for whom the game counts, with their seats."""
    hands = list(_hands(events, [(each.player, each.kind) for each in at_open]))
    last = _later_holders(events, {seat: [each.player] for seat, each in enumerate(at_open)})
    moved = {event.data.seat for event in events if event.fact in ("SeatHandedOver", "SeatReturned")}
    late = _late(events)
    counted = {player: seat for seat, player in late.items()}
    for seat, first in enumerate(at_open):
        for player in _people_of(events, seat, first):
            played = sum(hand["seats"][seat] == player for hand in hands)
            if seat not in moved or (last[seat][-1] == player and 2 * played > len(hands)):
                counted[player] = seat
    return counted


def _late(events: list[Event[Any]]) -> dict[int, str]:
    """Return the seats that the clock took for good, with the players who were late: nobody asked for that move."""
    late = {}
    for before, event in pairwise(events):
        if event.fact == "SeatHandedOver" and before.command != event.command:
            late[event.data.seat] = event.data.giver
        elif event.fact in ("SeatHandedOver", "SeatReturned"):
            late.pop(event.data.seat, None)
    return late


def rate(games: Sequence[Finished], variant: str, kind: str, at: tuple[str, str, int] | None = None) -> Pool:
    """Rate the games of a pool; with `at` those that ended by then, by the outcomes before it: time, game, version."""
    pool: Pool = defaultdict(Player)
    together: dict[frozenset[str], list[str]] = defaultdict(list)
    for game in games:
        if game.variant != variant or kind not in ("all", game.kind) or (at is not None and game.ended > at[0]):
            continue
        first, *later = game.outcomes
        places = [first, *(one for one in later if at is None or (one[0], game.game, one[1]) < at)][-1][2]
        people = frozenset(places)
        since = datetime.fromisoformat(game.ended) - timedelta(days=7)
        half = sum(datetime.fromisoformat(ended) >= since for ended in together[people]) >= 10
        together[people].append(game.ended)
        (_rate_pbmserv if kind == "all" else _rate_skill)(pool, game, places, 0.5 if half else 1.0)
        for player in places:
            pool[player].games += 1
            pool[player].last = game.ended
            pool[player].opponents |= {other for other in places if game.sides[other] != game.sides[player]}
    return pool


def _rate_pbmserv(pool: Pool, game: Finished, places: dict[str, int], weight: float) -> None:
    now = int(game.ended[:4]) * 12 + int(game.ended[5:7])
    established = [
        each.rating for each in pool.values()
        if each.games >= 20 and 0 <= now - int(each.last[:4]) * 12 - int(each.last[5:7]) < 3
    ]  # fmt: skip
    after = {}
    for player in sorted(places, key=lambda each: (places[each], game.sides[each], game.seats[each])):
        own, moves, results = pool[player], list[float](), list[Decimal]()
        for other in sorted(places, key=lambda each: (places[each], game.sides[each], game.seats[each])):
            if game.sides[other] == game.sides[player]:
                continue
            them, outcome = pool[other], (places[other] > places[player]) - (places[other] < places[player])
            if own.games >= 20:
                k = 32.0 if them.games >= 20 else 32.0 * them.games / 20
                moves.append(k * ((outcome + 1) / 2 - 1 / (1 + 10 ** ((them.rating - own.rating) / 400))))
            elif them.games >= 20:
                results.append(decimal(them.rating) + 400 * outcome)
            else:
                results.append((decimal(own.rating) + decimal(them.rating)) / 2 + 200 * outcome)
        if own.games >= 20:
            after[player] = round(own.rating + weight * sum(moves) / len(moves), 6)
            continue
        own.values.append((Decimal(weight), to_millionth(sum(results, Decimal(0)) / len(results))))
        summed = sum((w * v for w, v in own.values), Decimal(0))
        mean_value = to_millionth(summed / sum((w for w, _ in own.values), Decimal(0)))
        if established:
            mean = sum(map(decimal, established), Decimal(0)) / len(established)
            mean_value += to_millionth((1720 - mean) / 5)
        after[player] = float(mean_value)
    for player, rating in after.items():
        pool[player].rating = rating


def _rate_skill(pool: Pool, game: Finished, places: dict[str, int], weight: float) -> None:
    model = BradleyTerryPart(limit_sigma=True)
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for player in sorted(places, key=lambda each: (places[each], game.sides[each], game.seats[each])):
        groups[places[player], game.sides[player]].append(player)
    teams = [[model.create_rating([pool[each].mu, pool[each].sigma]) for each in group] for group in groups.values()]
    for group, team in zip(groups.values(), model.rate(teams, ranks=[place for place, _ in groups]), strict=True):
        for player, result in zip(group, team, strict=True):
            own = pool[player]
            own.mu = round(own.mu + weight * (result.mu - own.mu), 6)
            own.sigma = round(own.sigma + weight * (result.sigma - own.sigma), 6)
