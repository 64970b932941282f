"""The kinds of facts that many checks ask for."""

MOVE_FACTS = frozenset(
    {"BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "TrumpPitched", "CardPlayed"}
)
"""What a seat does in turn."""
TABLE_TALK_FACTS = frozenset(
    {"UndoAsked", "UndoAnswered", "DrawProposed", "DrawAnswered", "SeatResigned", "DelayCalled", "DelayVoted"}
)
"""What a seat says out of turn."""
CUT_FACTS = frozenset({"CutOpened"})
"""What a seat says before a deal."""
SECRET_FACTS = frozenset({"SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"})
"""What may be withheld until its ceremony is revealed."""
SERVER = "server"
"""The author of facts that no seat, host, arbiter or clock says."""
