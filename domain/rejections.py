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


class NotInHand(Rejected):
    """A card the player does not hold (S18), whoever else may hold it."""

    code = "not-in-hand"


class MustFollow(Rejected):
    """A card that does not follow, played by who could have followed (S34, S35)."""

    code = "must-follow"


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
