"""Refusals: what the rules say no to. Each has a stable code and a sentence that says what would be legal.

A refusal writes no fact. Which answer a code becomes on the wire is the API's business.
"""

from typing import ClassVar


class Rejected(Exception):
    """A command the rules refuse; `str()` is the sentence a player reads."""

    code: ClassVar[str] = "rejected"


class NotOffered(Rejected):
    """A variant, option or option value that is not offered (S4, R-S21)."""

    code = "not-offered"


class WrongNumberOfPlayers(Rejected):
    """More or fewer players than the variant takes (S2)."""

    code = "wrong-number-of-players"


class SamePlayerTwice(Rejected):
    """A player named for two seats (R-P1)."""

    code = "same-player-twice"


class NoPerson(Rejected):
    """A game of bots alone: somebody has to play it."""

    code = "no-person"


class NotSeated(Rejected):
    """The player has no seat in this game."""

    code = "not-seated"


class SeatLeft(Rejected):
    """The seat resigned; the table plays for it from then on (R-P9)."""

    code = "seat-left"


class OutOfTurn(Rejected):
    """It is another seat's turn (S7)."""

    code = "out-of-turn"


class WrongPhase(Rejected):
    """This kind of move is not heard now (S8)."""

    code = "wrong-phase"


class GameOver(Rejected):
    """The game has ended."""

    code = "game-over"


class NotABid(Rejected):
    """A number that is no bid of this variant (S11)."""

    code = "not-a-bid"


class BidTooLow(Rejected):
    """A bid that does not exceed the highest so far (S13, R-S4)."""

    code = "bid-too-low"


class BidTooHigh(Rejected):
    """A bid beyond what this seat may say: over all the points, or over the level a dealer may take (R-T2, C32)."""

    code = "bid-too-high"


class Hooked(Rejected):
    """The one bid that would make the bids add up to the tricks (B14)."""

    code = "hooked"


class MustBid(Rejected):
    """A pass where passing is not allowed (T10, B7)."""

    code = "must-bid"


class NotInHand(Rejected):
    """A card the player does not hold (S18), whoever else may hold it."""

    code = "not-in-hand"


class MustFollow(Rejected):
    """A card that does not follow, played by who could have followed (S34, S35)."""

    code = "must-follow"


class NotATrump(Rejected):
    """A card that is no trump, where only trumps are played (R-C9)."""

    code = "not-a-trump"


class MustPlayCalled(Rejected):
    """Another card than the called one, which its holder must play when he can (R-C29)."""

    code = "must-play-called"


class CannotDiscard(Rejected):
    """Cards that may not be thrown away, or too few or too many of them (R-C3, R-C48)."""

    code = "cannot-discard"


class NoCall(Rejected):
    """There is no partner to be called now, or not by this seat (C13)."""

    code = "no-call"


class TooSoon(Rejected):
    """Delay of game is called before the turn has lasted long enough (C28)."""

    code = "too-soon"


class DelayOpen(Rejected):
    """A delay call is open, or was made in this turn already (R-C40, R-C63)."""

    code = "delay-open"


class NoDelay(Rejected):
    """There is no delay of game to call or to vote on."""

    code = "no-delay"


class NotHost(Rejected):
    """Only the host may change the rules, and only where the table lets him."""

    code = "not-host"


class NoChange(Rejected):
    """A change that is not on the table's menu, or of what is in force already."""

    code = "no-change"


class NothingToUndo(Rejected):
    """The asker's last move is not open to be taken back (R-P7)."""

    code = "nothing-to-undo"


class NoProposal(Rejected):
    """There is no proposal for this seat to answer."""

    code = "no-proposal"


class ProposalOpen(Rejected):
    """Another proposal is still open; one at a time."""

    code = "proposal-open"


class NoDraw(Rejected):
    """A draw is for people alone: with a bot in the game it cannot be agreed (R-P8)."""

    code = "no-draw"


class NoCut(Rejected):
    """A cut where no deal waits for one, or from a seat that once kept a sealed cut back (fairdeal/1)."""

    code = "no-cut"


class NotACut(Rejected):
    """A cut or a seal that is not 32 bytes in hex, or a seal where the table takes open cuts (fairdeal/1)."""

    code = "not-a-cut"


class WrongCommitment(Rejected):
    """A cut that quotes another commitment than the one it would be mixed into (fairdeal/1)."""

    code = "wrong-commitment"


class AlreadyCut(Rejected):
    """A second cut for one deal (fairdeal/1)."""

    code = "already-cut"


class NotAsSealed(Rejected):
    """Another cut than the one the seat had sealed (fairdeal/1)."""

    code = "not-as-sealed"


class NotADispute(Rejected):
    """A dispute of no kind there is, of no hand or version of this game, or without the hash of what it says."""

    code = "not-a-dispute"


class AlreadyDisputed(Rejected):
    """A second dispute of one seat on one hand."""

    code = "already-disputed"


class NoSuchDispute(Rejected):
    """There is no dispute of this number in this game."""

    code = "no-such-dispute"


class NotARuling(Rejected):
    """A decision, a standard, a clause, changes or evidence that cannot be those of a ruling."""

    code = "not-a-ruling"


class ArbiterSeated(Rejected):
    """Who plays in a game, or has played in it, judges nothing in it."""

    code = "arbiter-seated"


class AlreadyRuled(Rejected):
    """A second ruling on one dispute; what is left is an appeal."""

    code = "already-ruled"


class WrongEvidence(Rejected):
    """The log a ruling quotes is not this game's."""

    code = "wrong-evidence"


class HandInPlay(Rejected):
    """A score adjusted for a hand that is not over: it can be played on, or voided."""

    code = "hand-in-play"


class NothingToVoid(Rejected):
    """A void ruling on a hand that has no score to take back, or on a deal that has gone already."""

    code = "nothing-to-void"


class NotRuled(Rejected):
    """An appeal where there is no ruling yet."""

    code = "not-ruled"


class AlreadyAppealed(Rejected):
    """A second appeal against one ruling."""

    code = "already-appealed"


class NoAppeal(Rejected):
    """A word on an appeal that nobody made, or that has been decided."""

    code = "no-appeal"


class SameArbiter(Rejected):
    """An appeal decided by who gave the ruling; it is for another arbiter."""

    code = "same-arbiter"


class NotDue(Rejected):
    """What the table wants to do itself is not due now."""

    code = "not-due"
