"""The follower of the log, which keeps the lists up to date.

The folds are in `projections.lists`; the rows and their transactions are in `projections.storage`.
"""

from projections.followers.log_follower import PROJECTIONS, LogFollower, RowsTooNew

__all__ = ["PROJECTIONS", "LogFollower", "RowsTooNew"]
