"""The follower of the log, which keeps the lists up to date."""

from projections.followers.log_follower import PROJECTIONS, LogFollower, RowsTooNew

__all__ = ["PROJECTIONS", "LogFollower", "RowsTooNew"]
