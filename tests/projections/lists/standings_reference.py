"""Standings worked out again from exports, game by game, in the plainest way; shares no code with the projection."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from domain.events import Event
from replay.history import read_export

Figures = dict[tuple[str, str, str], Counter[str]]
"""By player, period and variant."""


@dataclass
class Reference:
    """The sums of the exports."""

    figures: Figures = field(default_factory=lambda: defaultdict(Counter))
    met: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    beaten: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    histories: dict[str, list[tuple[str, str, bool, int, bool]]] = field(default_factory=lambda: defaultdict(list))
    """By player: when a game ended, its id, whether the player won, their final score, and whether it counts."""


def reference(exports: Iterable[bytes]) -> Reference:
    """Add up the finished games among these exports."""
    found = Reference()
    for export in exports:
        history = read_export(export)
        events = list(history.events)
        if any(event.fact == "GameEnded" for event in events):
            _add_game(found, history.header.game, events)
    return found


def _add_game(found: Reference, game: str, events: list[Event[Any]]) -> None:
    opened, ended = events[0].data, next(event for event in events if event.fact == "GameEnded")
    scores, winners = _outcome(events)
    at_open = [opened.players[index] for index in _order(events, len(opened.players))]
    counts = (
        all(player.kind == "human" for player in opened.players)
        and opened.watch.public
        and opened.undo != "practice"
        and opened.rated is None
        and ended.data.reason not in ("void", "limit")
    )
    holders = {seat: [each.player for each in at_open[seat : seat + 1]] for seat in range(len(at_open))}
    hands = list(_hands(events, [(each.player, each.kind) for each in at_open]))
    last = {seat: names[-1] for seat, names in _later_holders(events, holders).items()}
    moved = {event.data.seat for event in events if event.fact in ("SeatHandedOver", "SeatReturned")}
    counted = {}
    for seat in range(len(at_open)):
        for player in set(_people_of(events, seat, at_open[seat])):
            played = [hand for hand in hands if hand["seats"][seat] == player]
            fits = seat not in moved or (last[seat] == player and 2 * len(played) > len(hands))
            if counts and fits:
                counted[player] = seat
                _add_figures(found, player, opened.variant, ended.at, seat in winners, scores[seat], seat, played)
            found.histories[player].append((ended.at, game, seat in winners, scores[seat], counts and fits))
    for player, seat in counted.items():
        for other, place in counted.items():
            if not any({seat, place} <= set(side) for side in opened.sides):
                found.met[player, other, opened.variant] += 1
                found.beaten[player, other, opened.variant] += seat in winners


def _add_figures(
    found: Reference, player: str, variant: str, at: str, won: bool, score: int, seat: int, played: list[dict[str, Any]]
) -> None:
    numbers = Counter(games=1, won=int(won), points=score, hands=len(played))
    for hand in played:
        numbers["hands_won"] += hand["changes"][seat] == max(hand["changes"]) > 0
        numbers["bids"] += hand["must"][seat]
        numbers["made"] += hand["made"][seat]
    for period in ("all", at[:4], at[:7]):
        found.figures[player, period, variant].update(numbers)


def _outcome(events: list[Event[Any]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the scores and the winners by the last word: of the end, or of a ruling after it."""
    ended = False
    scores, winners, played = (), (), ((), ())
    for event in events:
        if event.fact == "GameEnded":
            ended, played = True, (event.data.scores, event.data.winners)
        if event.fact in ("GameEnded", "RulingGiven", "RulingDecided") and ended:
            ruled = event.data.ruled
            scores, winners = played if ruled is None else (ruled.scores, ruled.winners)
    return scores, winners


def _order(events: list[Event[Any]], seats: int) -> Iterable[int]:
    return next((event.data.order for event in events if event.fact == "SeatsDrawn"), range(seats))


def _hands(events: list[Event[Any]], seats: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield each scored hand: the person at each seat then, who had to bid, and who made it."""
    holders, pitcher = [player if kind == "human" else None for player, kind in seats], None
    for event in events:
        fact = event.data
        if event.fact == "SeatHandedOver":
            holders[fact.seat] = fact.to if fact.kind == "human" else None
        elif event.fact == "SeatReturned":
            holders[fact.seat] = fact.to
        elif event.fact == "AuctionWon":
            pitcher = fact.seat
        elif event.fact == "HandScored":
            exact = fact.made is None
            made = [b == t for b, t in zip(fact.bids, fact.tricks, strict=True)]
            yield {
                "seats": list(holders),
                "changes": fact.changes,
                "must": [exact or seat == pitcher for seat in range(len(holders))],
                "made": made if exact else [seat == pitcher and fact.made for seat in range(len(holders))],
            }


def _later_holders(events: list[Event[Any]], holders: dict[int, list[str]]) -> dict[int, list[str]]:
    for event in events:
        if event.fact in ("SeatHandedOver", "SeatReturned"):
            holders[event.data.seat].append(event.data.to)
    return holders


def _people_of(events: list[Event[Any]], seat: int, first: Any) -> Iterator[str]:
    """Yield the people who have held a seat."""
    if first.kind == "human":
        yield first.player
    for event in events:
        moved = event.fact in ("SeatHandedOver", "SeatReturned") and event.data.seat == seat
        if moved and (event.fact == "SeatReturned" or event.data.kind == "human"):
            yield event.data.to
