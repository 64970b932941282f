"""Names of facts in groups that several checks share."""

from replay.fold.declaring import Role, facts_of

MOVE_FACTS = facts_of(Role.MOVE)
TABLE_TALK_FACTS = facts_of(Role.TALK)
CHANGE_FACTS = facts_of(Role.CHANGE)
BEFORE_DEAL_FACTS = facts_of(Role.CUT, Role.BEACON)
PARTY_FACTS = facts_of(Role.PARTY)
RULING_FACTS = facts_of(Role.RULING)
DISPUTE_FACTS = PARTY_FACTS | RULING_FACTS
"""Facts that may come whenever the table waits, and after the end of the game."""
SECRET_FACTS = frozenset({"SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"})
"""Facts that may be withheld until their ceremony is revealed."""
SERVER = "server"
"""The author of facts that no player, host or arbiter caused."""
