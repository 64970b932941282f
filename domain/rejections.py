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


class NotDue(Rejected):
    """What the table wants to do itself is not due now."""

    code = "not-due"
