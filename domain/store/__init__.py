"""The games in the store: open one `Games` in each process, and close it."""

from domain.store.application import LogDamaged, NoSuchGame, StoreUnavailable
from domain.store.games import CommandReused, Commit, FactTooNew, Games, RaceLost, StaleVersion
from domain.store.held_clock import ClockHeld, utc_now
from domain.store.log import Notice, UnreadableRow
from domain.store.shards.opening import LogShard, projection_envs

__all__ = [
    "ClockHeld",
    "CommandReused",
    "Commit",
    "FactTooNew",
    "Games",
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
