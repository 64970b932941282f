"""Refusals: the exceptions for commands that the rules don't allow.

A refusal writes no fact. Each class has a stable code, a docstring for players, and the clauses of the rule sheets
(docs/rules) that it rests on. A variant adds clauses of its own (`Variant.clauses`). The API maps codes to statuses.
"""

from typing import ClassVar

COMMON_LETTER = "P"
"""The letter of the clauses that hold in every game (docs/rules/common.md)."""
COMMON_RULINGS = 18
"""How many rulings that sheet has: R-P1 to R-P18."""


class Rejected(Exception):
    """The rules don't allow this."""

    code: ClassVar[str] = "rejected"
    clauses: ClassVar[tuple[str, ...]] = ()


def refusals(ancestor: type[Rejected] = Rejected) -> dict[str, type[Rejected]]:
    """Return `ancestor` and every refusal derived from it, by code."""
    known = {ancestor.code: ancestor}
    for child in ancestor.__subclasses__():
        known |= refusals(child)
    return known


def clause_letter(clause: str) -> str:
    """Return the letter of the sheet that a clause is in: `S` of S34 and of R-S13."""
    return clause.removeprefix("R-")[0]


class NotOffered(Rejected):
    """The server doesn't offer this variant, option or option value."""

    code = "not-offered"
    clauses = ("S4", "R-S21", "T29", "R-C44")


class WrongNumberOfPlayers(Rejected):
    """The variant can't be played by this number of players."""

    code = "wrong-number-of-players"
    clauses = ("S2", "T1", "B1", "C37")


class SamePlayerTwice(Rejected):
    """A player can have only one seat in a game."""

    code = "same-player-twice"
    clauses = ("R-P1",)


class NoPerson(Rejected):
    """At least one of the players must be a person, not a bot."""

    code = "no-person"


class NotSeated(Rejected):
    """You have no seat in this game."""

    code = "not-seated"


class SeatLeft(Rejected):
    """This seat has left the game. The table plays for it from then on."""

    code = "seat-left"
    clauses = ("R-P9",)


class OutOfTurn(Rejected):
    """It's another seat's turn."""

    code = "out-of-turn"
    clauses = ("S7", "T5", "T14", "B5", "R-C5", "R-C53")


class WrongPhase(Rejected):
    """You can't make this kind of move in the current phase of the hand."""

    code = "wrong-phase"
    clauses = ("S8", "R-C28")


class GameOver(Rejected):
    """The game is over."""

    code = "game-over"
    clauses = ("S44", "T41", "T42", "B24", "C6", "R-C42")


class NoClaim(Rejected):
    """There is no time that you could claim."""

    code = "no-claim"
    clauses = ("R-P17",)


class NotABid(Rejected):
    """This number isn't a bid in this variant."""

    code = "not-a-bid"
    clauses = ("S11", "T6", "B6")


class BidTooLow(Rejected):
    """The bid must be higher than the highest bid so far."""

    code = "bid-too-low"
    clauses = ("S13", "R-S4", "T8", "C1", "R-C5", "R-C6", "R-C51")


class BidTooHigh(Rejected):
    """The bid is too high: above all the points of a hand, or above the bid that the dealer may tie."""

    code = "bid-too-high"
    clauses = ("T9", "R-T2", "C32", "R-C7")


class Hooked(Rejected):
    """The last bid must not make the bids add up to the number of tricks."""

    code = "hooked"
    clauses = ("B3", "B14", "R-B5")


class MustBid(Rejected):
    """You can't pass here. You must bid."""

    code = "must-bid"
    clauses = ("T10", "R-T3", "B7")


class NotInHand(Rejected):
    """You don't hold this card."""

    code = "not-in-hand"
    clauses = ("S18", "T19")


class MustFollow(Rejected):
    """You can follow the card led, so you must play a card that follows."""

    code = "must-follow"
    clauses = ("S34", "S35", "T20", "T21", "B20", "R-C9")


class NotATrump(Rejected):
    """Only trumps can be played, and this card isn't one."""

    code = "not-a-trump"
    clauses = ("R-C9", "R-C10")


class MustPlayCalled(Rejected):
    """You hold the called card and can play it now, so you must play it."""

    code = "must-play-called"
    clauses = ("R-C29",)


class CannotDiscard(Rejected):
    """You can't throw these cards away, or they are too few or too many."""

    code = "cannot-discard"
    clauses = ("R-C2", "R-C3", "R-C48")


class NoCall(Rejected):
    """No partner can be called now, or not by this seat."""

    code = "no-call"
    clauses = ("C13", "R-C28", "R-C31", "R-C62")


class TooSoon(Rejected):
    """The turn hasn't lasted long enough for a delay call."""

    code = "too-soon"
    clauses = ("C28", "R-C39")


class DelayOpen(Rejected):
    """A delay call is open, or was already made in this turn."""

    code = "delay-open"
    clauses = ("R-C40", "R-C63")


class NoDelay(Rejected):
    """There is no delay of game to call or to vote on."""

    code = "no-delay"
    clauses = ("C28", "C29", "R-C39")


class NotHost(Rejected):
    """Only the host may change the rules, and only if the table allows it."""

    code = "not-host"


class NoChange(Rejected):
    """This change isn't on the table's menu, or it is already in force."""

    code = "no-change"


class NothingToUndo(Rejected):
    """You have no move that can be taken back."""

    code = "nothing-to-undo"
    clauses = ("R-P7",)


class NoProposal(Rejected):
    """There is no proposal for this seat to answer."""

    code = "no-proposal"
    clauses = ("R-P7", "R-P8")


class ProposalOpen(Rejected):
    """Another proposal is still open. Only one can be open at a time."""

    code = "proposal-open"
    clauses = ("R-P7", "R-P8")


class HandoverOpen(Rejected):
    """The table is already being asked about a seat to hand over."""

    code = "handover-open"
    clauses = ("R-P13",)


class NoHandover(Rejected):
    """There is no question about a hand-over for this seat to answer, or no seat for you to hand over or take back."""

    code = "no-handover"
    clauses = ("R-P13", "R-P14")


class DealPending(Rejected):
    """A seat can't change hands between the commitment to a deal and the deal."""

    code = "deal-pending"
    clauses = ("R-P13", "R-P14")


class SeatedBefore(Rejected):
    """This player has a seat in this game, or had one. They can't get another one."""

    code = "seated-before"
    clauses = ("R-P13",)


class NoDraw(Rejected):
    """A draw needs the agreement of people: it can't be proposed in a game with a bot."""

    code = "no-draw"
    clauses = ("R-P8",)


class TooMany(Rejected):
    """You have reached a limit: of proposals in this hand, of disputes in this game, or of games that aren't over."""

    code = "too-many"


class TooManyProposals(TooMany):
    """You have reached a limit: of proposals in this hand, of disputes in this game, or of games that aren't over."""

    clauses = ("R-P7", "R-P8", "R-P13")


class NoCut(Rejected):
    """No deal waits for a cut, or this seat lost its right to cut because it held a sealed cut back (fairdeal/1)."""

    code = "no-cut"


class NotACut(Rejected):
    """The cut or seal isn't 32 bytes in hex, or the table takes open cuts and so no seals (fairdeal/1)."""

    code = "not-a-cut"


class WrongCommitment(Rejected):
    """The cut quotes another commitment than that of the deal it's meant for (fairdeal/1)."""

    code = "wrong-commitment"


class AlreadyCut(Rejected):
    """This seat has already cut this deal (fairdeal/1)."""

    code = "already-cut"


class NotAsSealed(Rejected):
    """The cut doesn't match the seal that the seat gave beforehand (fairdeal/1)."""

    code = "not-as-sealed"


class NoBeacon(Rejected):
    """No deal waits for a beacon, or its round is recorded already (fairdeal/1)."""

    code = "no-beacon"


class WrongBeacon(Rejected):
    """The signature isn't that of the round that the waiting deal named, or comes before its time (fairdeal/1)."""

    code = "wrong-beacon"


class NotADispute(Rejected):
    """The kind, hand or version of the dispute is invalid, or the hash of its text is missing."""

    code = "not-a-dispute"


class AlreadyDisputed(Rejected):
    """This seat has already disputed this hand."""

    code = "already-disputed"


class NoSuchDispute(Rejected):
    """This game has no dispute with this number."""

    code = "no-such-dispute"


class AlreadyWithdrawn(Rejected):
    """The player who opened the dispute has withdrawn it."""

    code = "already-withdrawn"


class NotARuling(Rejected):
    """The decision, standard, clause, score changes or evidence of the ruling are invalid."""

    code = "not-a-ruling"


class ArbiterSeated(Rejected):
    """An arbiter can't judge a game in which they play or have played."""

    code = "arbiter-seated"


class AlreadyRuled(Rejected):
    """The dispute already has a ruling. You can still appeal it."""

    code = "already-ruled"


class WrongEvidence(Rejected):
    """The ruling quotes a log that isn't this game's."""

    code = "wrong-evidence"


class HandInPlay(Rejected):
    """The hand isn't over, so its score can't be adjusted. You can play on, or the hand can be voided."""

    code = "hand-in-play"


class NothingToVoid(Rejected):
    """The hand has no score to take back, or its deal was already abandoned."""

    code = "nothing-to-void"


class NotRuled(Rejected):
    """The dispute has no ruling to appeal yet."""

    code = "not-ruled"


class AlreadyAppealed(Rejected):
    """The ruling has already been appealed."""

    code = "already-appealed"


class AppealTimeOver(Rejected):
    """The time in which the ruling could be appealed is over."""

    code = "appeal-time-over"


class NoAppeal(Rejected):
    """The dispute has no open appeal."""

    code = "no-appeal"


class SameArbiter(Rejected):
    """The arbiter who gave a ruling can't decide the appeal. Another arbiter must."""

    code = "same-arbiter"


class NotDue(Rejected):
    """The table tried to act for itself before it had to."""

    code = "not-due"
