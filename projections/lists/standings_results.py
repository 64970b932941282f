"""The results of a finished game: what each of its people did, whether it counts, and what it adds to the totals."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from msgspec import Meta

from domain.json_fields import says
from projections.storage.tables import Row
from projections.views.results import NO_RESULT, UnratedReason

ALL_TIME = "all"
"""The period of everything. The others are years such as 2026, and months such as 2026-11 (UTC)."""
PERIOD = r"^(all|[0-9]{4}(-(0[1-9]|1[0-2]))?)\Z"
BAD_PERIOD = "Must be all, a year such as 2026, or a month such as 2026-11."
COUNTS = ("hands", "hands_won", "bids", "made")
"""The numbers that a person's tally counts, in the hands that were scored while they held their seat."""


def new_tally(seat: int) -> Row:
    """Return the tally of a person who sits down, before any hand is scored."""
    return {"seat": seat} | dict.fromkeys(COUNTS, 0)


def results(game: Row) -> list[Row]:
    """Return the result of each person who held a seat in a finished game."""
    outcome = game["result"]["ruled"] or game["result"]
    reasons = {player: reason_for_player(game, player) for player in game["tallies"]}
    return [
        {
            "game": game["game"],
            "player": player,
            "variant": game["variant"],
            "ended": game["ended"],
            "public": game["public"],
            "seat": tally["seat"],
            "reason": reasons[player],
            "won": int(tally["seat"] in outcome["winners"] and game["seats"][tally["seat"]]["late"] != player),
            **{name: tally[name] for name in COUNTS},
            "points": outcome["scores"][tally["seat"]],
            "opponents": " ".join(_opponents(game, player, reasons)),
        }
        for player, tally in game["tallies"].items()
    ]


def reason_for_player(game: Row, player: str) -> UnratedReason | None:
    """Return why the game doesn't count for this player, or None.

    The result of a seat that changed hands is that of its last holder, if they held it for over half of the hands. A
    seat that the clock took and nobody has is the forfeit of the person who was late.
    """
    if game["reason"] is not None:
        return str(game["reason"])
    if game["result"]["reason"] in NO_RESULT:
        return str(game["result"]["reason"])
    tally = game["tallies"][player]
    sitting = game["seats"][tally["seat"]]
    if sitting["late"] == player:
        return None
    if sitting["changed"] and (sitting["player"] != player or 2 * tally["hands"] <= game["hands"]):
        return "handover"
    return None


def _opponents(game: Row, player: str, reasons: Mapping[str, str | None]) -> list[str]:
    """Return the players of other sides for whom the game counts, too; none if it doesn't count for this player."""
    if reasons[player] is not None:
        return []
    seats = {other: tally["seat"] for other, tally in game["tallies"].items() if reasons[other] is None}
    own = next((side for side in game["sides"] if seats[player] in side), [seats[player]])
    return sorted(other for other, seat in seats.items() if seat not in own)


def figures(result: Row) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return what a result adds to the standings of its variant: for all time, its year and its month."""
    if result["reason"] is not None:
        return {}
    numbers: tuple[int, ...] = (1, *(result[name] for name in ("won", *COUNTS, "points")))
    periods = (ALL_TIME, result["ended"][:4], result["ended"][:7])
    return {(result["player"], period, result["variant"]): numbers for period in periods}


def meetings(result: Row) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return what a result adds to what the player did against each opponent."""
    counted: dict[tuple[str, ...], tuple[int, ...]] = {}
    for opponent in result["opponents"].split():
        counted[result["player"], opponent, result["variant"]] = (1, result["won"])
    return counted


def set_rate(bids: int, made: int) -> float | None:
    """Return the share of bids that weren't made, rounded to a thousandth; None without bids."""
    return round((bids - made) / bids, 3) if bids else None


class Figures(TypedDict):
    """The results of a player in the games that count."""

    games: Annotated[int, says("Finished games.")]
    won: Annotated[int, says("Games won, as ruled.")]
    hands: Annotated[int, says("Hands played.")]
    hands_won: Annotated[int, says("Hands in which no seat's score rose more.")]
    bids: Annotated[int, says("Bids that the player had to make.")]
    made: Annotated[int, says("Bids made.")]
    set: Annotated[int, says("Bids that weren't made.")]
    set_rate: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        says("`set` of all `bids`, to a thousandth; null without bids."),
    ]
    points: Annotated[int, says("The sum of the final scores, as ruled.")]


def figures_json(row: Mapping[str, Any]) -> Figures:
    """Return the figures of a total as the API shows them."""
    bids, made = row["bids"], row["made"]
    return {
        "games": row["games"],
        "won": row["won"],
        "hands": row["hands"],
        "hands_won": row["hands_won"],
        "bids": bids,
        "made": made,
        "set": bids - made,
        "set_rate": set_rate(bids, made),
        "points": row["points"],
    }
