"""Names of facts in groups that several checks share."""

MOVE_FACTS = frozenset(
    {"BidMade", "BidPassed", "TrumpNamed", "PartnerCalled", "CardsDiscarded", "TrumpPitched", "CardPlayed"}
)
"""Moves that a seat makes in turn."""
TABLE_TALK_FACTS = frozenset(
    {"UndoAsked", "UndoAnswered", "DrawProposed", "DrawAnswered", "SeatResigned", "DelayCalled", "DelayVoted"}
) | {"HandoverAsked", "HandoverAnswered"}
"""Proposals, answers, resignations, delay calls and votes, which a seat can make out of turn."""
RETURN_FACTS = frozenset({"SeatReturned"})
"""The return of a seat to a player who lent it."""
CLAIM_FACTS = frozenset({"TimeClaimed"})
"""The claim of another seat's time."""
CUT_FACTS = frozenset({"CutOpened"})
"""Cuts that a seat opens before a deal."""
BEACON_FACTS = frozenset({"BeaconRecorded"})
"""Rounds of a beacon, which a player or the server brings before a deal."""
SECRET_FACTS = frozenset({"SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"})
"""Facts that may be withheld until their ceremony is revealed."""
SERVER = "server"
"""The author of facts that no player, host or arbiter caused."""
