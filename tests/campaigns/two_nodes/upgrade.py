"""A rolling upgrade: each of two nodes is stopped and started again with tomorrow's release, while clients race."""

from dataclasses import dataclass
from pathlib import Path

from tests.campaigns.two_nodes.campaign import Report, running_campaign
from tests.campaigns.two_nodes.requests import Answer, Caller
from tests.conftest import Database
from tests.waiting import wait_until

MOVES = 15
"""The moves that are made between two steps."""
RESIGN = {"type": "resign"}


@dataclass
class Upgrade:
    """What happened in the campaign, and the answers to somebody who resigned in two games."""

    report: Report
    refused: Answer
    """Of the new node, while the old one runs."""
    accepted: Answer
    """Of the old node, to the same request."""
    versions: list[int]
    """The version of the fact in the game that was left before the upgrade was over, and in that left after it."""


def run_upgrade(database: Database, folder: Path, seed: int) -> Upgrade:
    """Upgrade both nodes, one after the other."""
    with running_campaign(database, folder, seed) as campaign:
        player = campaign.caller("fay", campaign.join("fay"))
        games = [_open_game(player, number) for number in range(2)]
        campaign.wait_for_moves(MOVES)
        campaign.replace_node(0)
        campaign.wait_for_moves(MOVES)
        new, old = campaign.places.urls
        refused, accepted = (
            player.once(url, "POST", f"/games/{games[0]}/moves", RESIGN, "first") for url in (new, old)
        )
        campaign.wait_for_moves(MOVES)
        campaign.replace_node(1)
        new = campaign.places.urls[0]
        wait_until(
            lambda: _resign(player, new, games[1], "second").status == 201, "the new release never writes its fact"
        )
        campaign.wait_for_moves(MOVES)
        versions = [_version_of_fact(player, game) for game in games]
        return Upgrade(campaign.end(), refused, accepted, versions)


def _open_game(player: Caller, number: int) -> str:
    table = {"variant": "pitch", "seats": ["fay", "bot:simple"]}
    return str(player.ask("POST", "/games", table, f"fay-{number}").body["id"])


def _resign(player: Caller, node: str, game: str, key: str) -> Answer:
    return player.once(node, "POST", f"/games/{game}/moves", RESIGN, key)


def _version_of_fact(player: Caller, game: str) -> int:
    items = player.ask("GET", f"/games/{game}/events").body["items"]
    return next(int(item["event"]["v"]) for item in items if item.get("event", {}).get("fact") == "SeatResigned")
