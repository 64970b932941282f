"""The follower that keeps every list up to date with the log."""

from projections.followers.log_follower import PROJECTIONS, LogFollower, RowsTooNew

__all__ = ["PROJECTIONS", "LogFollower", "RowsTooNew"]
