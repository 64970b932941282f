"""The phases of a table, and the named choices rules are made of.

Choices are stored inside the rules of a game, so the codes below are part of the storage format: a code once stored
keeps its meaning. Where a choice is called contentious, its first value is the ruling, the others the other answers.
"""

from enum import StrEnum


class Phase(StrEnum):
    """What a table is doing, as the views call it; no view shows a game that is not open yet."""

    UNOPENED = "unopened"
    WAITING = "waiting"
    """for a deal, or in the middle of a hand for the partner to be called"""
    AUCTION = "auction"
    NAMING = "naming"
    CALLING = "calling"
    DISCARDING = "discarding"
    PLAY = "play"
    OVER = "over"


class Cuts(StrEnum):
    """Whether players mix something of their own into a shuffle (fairdeal/1)."""

    NONE = "none"
    OPEN = "open"
    """a cut after the commitment"""
    SEALED = "sealed"
    """a cut that was promised by its seal before the commitment"""


class Seating(StrEnum):
    """Who sits where."""

    AS_GIVEN = "as_given"
    DRAWN = "drawn"
    """in an order drawn at the opening (R-B1)"""


class FirstDealer(StrEnum):
    """Who deals hand 1."""

    LAST_SEAT = "last_seat"
    DRAWN = "drawn"
    """a seat drawn at the opening (R-T1, R-C8)"""


class BiddingDirection(StrEnum):
    """Which way the bidding goes from the eldest hand (R-S1, contentious)."""

    LEFT = "left"
    RIGHT = "right"


class Bids(StrEnum):
    """Which numbers are bids."""

    LISTED = "listed"
    TRICKS = "tricks"
    """from 0 to the tricks of the hand (B6)"""
    POINTS = "points"
    """from the least to all the points of the version in force (R-C6, R-C7)"""


class DealerBids(StrEnum):
    """What the dealer, who speaks last, may say over a bid (R-T2, contentious)."""

    AS_OTHERS = "as_others"
    TIES = "ties"
    """pass, or take it at the same number (T9)"""
    TIES_OR_RAISES = "ties_or_raises"


class AllPass(StrEnum):
    """What becomes of a hand nobody before the dealer bid on (R-T3, contentious)."""

    THROW_IN = "throw_in"
    """if he passes too, the hand is thrown in (S16)"""
    DEALER_BIDS_LEAST = "dealer_bids_least"
    """the least bid is all he may say (T10)"""
    DEALER_BIDS = "dealer_bids"
    """he may not pass"""
    DEALER_HAS_IT = "dealer_has_it"
    """if he passes too, he has it for the least bid (R-C5, R-C49)"""


class Trump(StrEnum):
    """How the trump suit is made."""

    PITCHED = "pitched"
    """by the pitcher's first lead"""
    TURNED_UP = "turned_up"
    """by the first card of the stock; without a stock there is none (B10, B11)"""
    NAMED = "named"
    """by the pitcher, after the auction (R-C2)"""


class Fill(StrEnum):
    """What is done with the stock before the play (R-C2, contentious)."""

    NOTHING = "nothing"
    DISCARD = "discard"
    """the others throw cards away and fill up from it, the pitcher takes the rest and comes down to as many"""
    PITCHER_TAKES = "pitcher_takes"
    """the pitcher takes it, and nothing is thrown away"""


class Follow(StrEnum):
    """What may be played to a trick by who holds the suit led."""

    SUIT_OR_TRUMP = "suit_or_trump"
    """the suit led, or a trump even when able to follow"""
    SUIT = "suit"
    """the suit led"""
    TRUMPS_ONLY = "trumps_only"
    """trumps and nothing else; who holds none is passed over (R-C9, contentious)"""


class Jokers(StrEnum):
    """Which joker is the higher when the ranks are reversed; upright it is the first on the table (R-C15)."""

    FIRST_HIGH = "first_high"
    FIRST_LOW = "first_low"


class Award(StrEnum):
    """Who wins a point."""

    HIGHEST = "highest"
    """the taker of the highest trump in play"""
    LOWEST = "lowest"
    """the taker of the lowest trump in play; where low cards are not carried, who played it (T28, R-C18)"""
    CARD = "card"
    """the taker of one card, named by its rank in the trump suit or in its off suit"""
    JOKERS = "jokers"
    """the taker of each joker"""
    FIRST_JOKER = "first_joker"
    """the taker of the first joker on the table (R-C59)"""
    COUNT = "count"
    """the side with the highest game count"""
    SWEEP = "sweep"
    """who takes every trick and the points named in `needs`, whatever was bid"""
    SWEEP_BID = "sweep_bid"
    """the same, but only for the pitcher who bid all there was (R-S12's other answer)"""


class Worth(StrEnum):
    """By which version cards score (R-C20, contentious)."""

    AT_END = "at_end"
    WHEN_TAKEN = "when_taken"
    """by the one in force when their trick was gathered"""


class Settle(StrEnum):
    """When it is decided that the pitcher is set, and what is credited then (R-S13, contentious)."""

    BID_FIRST = "bid_first"
    """on the whole hand, before points are credited one by one until somebody has the goal"""
    POINTS_FIRST = "points_first"
    """after crediting: a pitcher who reaches the goal on the way has won"""
    WHOLE_HAND = "whole_hand"
    """on the whole hand, and all that was won is credited"""


class Tally(StrEnum):
    """What a hand scores."""

    POINTS = "points"
    EXACT = "exact"
    """the bid and ten more for who takes exactly as many tricks as bid, else nothing (B12, B13)"""


class Credit(StrEnum):
    """What each seat of a side is credited of what the side won (R-C34, R-C36, contentious)."""

    FULL = "full"
    """all of it"""
    OWN = "own"
    """what the seat itself won"""
    HALF = "half"
    """an equal share; what cannot be divided goes to the pitcher, or the lowest seat"""
    NONE = "none"


class Double(StrEnum):
    """When a set pitcher loses twice the bid (C33; R-C37, contentious)."""

    NEVER = "never"
    WHEN_MADE = "when_made"
    """when the bid was all there was as it was made"""
    AT_END = "at_end"
    """when it is all there is as it stands at the end of the hand"""


class Partners(StrEnum):
    """Who plays together."""

    ALONE = "alone"
    PAIRS = "pairs"
    """with an even number of seats, each with the seat opposite, throughout (T2)"""
    ACROSS = "across"
    """the pitcher with the seat across from him (C1, R-C27)"""
    LEFT = "left"
    """the pitcher with the seat on his left (C12, R-C27)"""
    RIGHT = "right"
    """the pitcher with the seat on his right (C12, R-C27)"""
    CALL = "call"
    """the pitcher with who holds the card he calls (C13)"""


ORIENTATIONS = {Partners.ACROSS: 2, Partners.LEFT: 1, Partners.RIGHT: 3}
"""How many seats to his left the pitcher's partner sits at a table of four."""


class Call(StrEnum):
    """When a called partner is known (R-C29, contentious)."""

    ANNOUNCED = "announced"
    """when the partnership takes effect"""
    SECRET = "secret"
    """when he plays the card, at the latest at the end of the hand"""


class Scaling(StrEnum):
    """What is scaled when a version offers fewer points (R-C24, contentious)."""

    STANDING = "standing"
    """the bid as it stands; going up never restores it"""
    ORIGINAL = "original"
    """the bid as it was made, so that going up restores it as far"""


class Hold(StrEnum):
    """Until when a delay call holds changes of the rules back (C30; R-C41, contentious)."""

    HAND = "hand"
    """until the end of the hand, whatever the verdict"""
    VERDICT = "verdict"
    """until an acquittal, if one comes before the end of the hand"""


class Stop(StrEnum):
    """When a session that ends by time or by draw is over (R-C42, contentious)."""

    AT_ONCE = "at_once"
    AFTER_HAND = "after_hand"


class Sight(StrEnum):
    """Whose cards a seat sees in a hand."""

    OWN = "own"
    OTHERS = "others"
    """all but its own; nobody can choose then, and the cards play themselves (B18, B19)"""


class Ending(StrEnum):
    """How a game is won."""

    FIRST_TO_GOAL = "first_to_goal"
    """the first to reach the goal while points are credited in order (S44, S45)"""
    BIDDER_FIRST = "bidder_first"
    """at the goal, the pitcher's side that made its bid, else the highest score if one alone has it (R-T8)"""
    HANDS = "hands"
    """the highest score after so many hands, then the most exact bids, then a coin (B24-B26)"""
    SESSION = "session"
    """the highest score when time or a draw ends it; equal ones win together (C6, C7, R-C43)"""
