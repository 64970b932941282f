"""The games in the store: open one `Games` in each process, and close it."""

from domain.store.games import Games
from domain.store.held_clock import ClockHeld, Holds, utc_now
from domain.store.repository import LogDamaged, NoSuchGame, StoreUnavailable
from domain.store.results import CommandReused, Commit, Notice, RaceLost, StaleVersion, UnreadableRow
from domain.store.shards.opening import LogShard, projection_envs
from domain.store.write_guard import FactTooNew

__all__ = [
    "ClockHeld",
    "CommandReused",
    "Commit",
    "FactTooNew",
    "Games",
    "Holds",
    "LogDamaged",
    "LogShard",
    "NoSuchGame",
    "Notice",
    "RaceLost",
    "StaleVersion",
    "StoreUnavailable",
    "UnreadableRow",
    "projection_envs",
    "utc_now",
]
