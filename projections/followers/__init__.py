"""The followers of the log, which keep the lists up to date.

The folds are in `projections.lists`; the rows and their transactions are in `projections.storage`.
"""

from projections.followers.log_follower import PROJECTIONS, LogFollower
from projections.followers.projection_follower import RowsTooNew

__all__ = ["PROJECTIONS", "LogFollower", "RowsTooNew"]
