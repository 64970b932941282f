"""The phases of a table, and the named choices that make up rules.

Choices are stored inside the rules of a game, so the codes below are part of the storage format: a stored code keeps
its meaning. For a choice marked contentious, the first value is the ruling, and the other values are the other answers.
"""

from enum import StrEnum


class Phase(StrEnum):
    """The phase of a table, under the name that views use. No view shows a game that isn't open yet."""

    UNOPENED = "unopened"
    WAITING = "waiting"
    """for a deal, or during a hand for the pitcher to call a partner"""
    AUCTION = "auction"
    NAMING = "naming"
    CALLING = "calling"
    DISCARDING = "discarding"
    PLAY = "play"
    OVER = "over"


class Cuts(StrEnum):
    """Whether players mix their own bytes into a shuffle (fairdeal/1)."""

    NONE = "none"
    OPEN = "open"
    """a cut after the commitment"""
    SEALED = "sealed"
    """a cut that its seal promised before the commitment"""


class Undo(StrEnum):
    """How a move is taken back (R-P7)."""

    CONSENT = "consent"
    """with the consent of every other person, until anything follows the move"""
    PRACTICE = "practice"
    """at once and move by move, at a table of one person and bots"""
    NONE = "none"


class Seating(StrEnum):
    """How players get their seats."""

    AS_GIVEN = "as_given"
    DRAWN = "drawn"
    """in an order drawn at the opening (R-B1)"""


class FirstDealer(StrEnum):
    """Which seat deals hand 1."""

    LAST_SEAT = "last_seat"
    DRAWN = "drawn"
    """a seat drawn at the opening (R-T1, R-C8)"""


class BiddingDirection(StrEnum):
    """The direction of the bidding from the eldest hand (R-S1, contentious)."""

    LEFT = "left"
    RIGHT = "right"


class Bids(StrEnum):
    """Which numbers are bids."""

    LISTED = "listed"
    TRICKS = "tricks"
    """from 0 to the number of tricks of the hand (B6)"""
    POINTS = "points"
    """from the lowest bid to all the points of the version in force (R-C6, R-C7)"""


class DealerBids(StrEnum):
    """How the dealer, who bids last, can answer a bid (R-T2, contentious)."""

    AS_OTHERS = "as_others"
    TIES = "ties"
    """pass, or take the auction with an equal bid (T9)"""
    TIES_OR_RAISES = "ties_or_raises"


class AllPass(StrEnum):
    """The rule for an auction in which nobody before the dealer bids (R-T3, contentious)."""

    THROW_IN = "throw_in"
    """if the dealer passes too, the hand is thrown in (S16)"""
    DEALER_BIDS_LEAST = "dealer_bids_least"
    """the dealer must make the lowest bid (T10)"""
    DEALER_BIDS = "dealer_bids"
    """the dealer can't pass"""
    DEALER_HAS_IT = "dealer_has_it"
    """if the dealer passes too, they win the auction with the lowest bid (R-C5, R-C49)"""
    SAME_DEALER = "same_dealer"
    """if the dealer passes too, the hand is thrown in, and the same dealer deals again"""


class Trump(StrEnum):
    """How the trump suit is chosen."""

    PITCHED = "pitched"
    """by the pitcher's first lead"""
    TURNED_UP = "turned_up"
    """by the first card of the stock; without a stock there is no trump (B10, B11)"""
    NAMED = "named"
    """by the pitcher, after the auction (R-C2)"""
    FIXED = "fixed"
    """the same suit in every hand: `fixed_trump`"""


class Fill(StrEnum):
    """The use of the stock before the play (R-C2, contentious)."""

    NOTHING = "nothing"
    DISCARD = "discard"
    """the others discard and fill up from it; the pitcher takes the rest and discards down to the same number"""
    PITCHER_TAKES = "pitcher_takes"
    """the pitcher takes it, and nobody discards"""
    DEALER = "dealer"
    """as `discard`, but the dealer takes the rest, and discards last"""
    KITTY = "kitty"
    """the pitcher takes the first `kitty` cards before naming trump; then each seat comes down to `kept_cards`, the
    pitcher last, and nobody draws"""
    KITTY_AND_DRAW = "kitty_and_draw"
    """the pitcher takes the first `kitty` cards before naming trump; then the others discard and fill up from the rest
    of the stock, and the pitcher comes down to `kept_cards`"""


KITTIES = (Fill.KITTY, Fill.KITTY_AND_DRAW)
"""The fills for which the pitcher takes the kitty before they name trump."""
DISCARDS = (Fill.DISCARD, Fill.DEALER, Fill.KITTY_AND_DRAW)
"""The fills for which every seat discards once, and fills up from the stock."""


class Follow(StrEnum):
    """The cards that a seat that holds the suit led can play to a trick."""

    SUIT_OR_TRUMP = "suit_or_trump"
    """the suit led, or a trump even if the seat could follow"""
    SUIT = "suit"
    """the suit led"""
    TRUMPS_ONLY = "trumps_only"
    """only trumps; a seat without trumps is skipped (R-C9, contentious)"""


class Jokers(StrEnum):
    """Which joker is higher when the ranks are reversed; otherwise the first on the table is higher (R-C15)."""

    FIRST_HIGH = "first_high"
    FIRST_LOW = "first_low"
    MARKED = "marked"
    """the joker X1 is the higher one, reversed or not"""
    SECOND_HIGH = "second_high"
    """the second on the table is higher, reversed or not"""


class Award(StrEnum):
    """How a point is won."""

    HIGHEST = "highest"
    """by the taker of the highest trump in play"""
    LOWEST = "lowest"
    """by the taker of the lowest trump in play; by the seat that played it if low cards aren't carried (T28, R-C18)"""
    CARD = "card"
    """by the taker of one card, given by its rank in the trump suit or in its off suit"""
    JOKERS = "jokers"
    """by the taker of each joker"""
    FIRST_JOKER = "first_joker"
    """by the taker of the first joker on the table (R-C59)"""
    COUNT = "count"
    """by the side with the highest game count"""
    SWEEP = "sweep"
    """by a seat that takes every trick and the points in `needs`, whatever was bid"""
    SWEEP_BID = "sweep_bid"
    """the same, but only by a pitcher who bid all the points (R-S12's other answer)"""
    LAST_TRICK = "last_trick"
    """by the taker of the last trick"""
    ALL_TRICKS = "all_tricks"
    """by the pitcher's side if it takes every trick and bid all the points"""


class Worth(StrEnum):
    """Which version decides what cards score (R-C20, contentious)."""

    AT_END = "at_end"
    WHEN_TAKEN = "when_taken"
    """the version in force when their trick was gathered"""


class Settle(StrEnum):
    """When the game decides that the pitcher is set, and what it credits then (R-S13, contentious)."""

    BID_FIRST = "bid_first"
    """on the whole hand, before points are credited one by one until somebody reaches the goal"""
    POINTS_FIRST = "points_first"
    """after crediting: a pitcher who reaches the goal during crediting has won"""
    WHOLE_HAND = "whole_hand"
    """on the whole hand, and all points that were won are credited"""


class Tally(StrEnum):
    """The way that a hand is scored."""

    POINTS = "points"
    EXACT = "exact"
    """the bid and ten more for a seat that takes exactly as many tricks as it bid, else nothing (B12, B13)"""
    DIFFERENCE = "difference"
    """between two sides: if the bid is made, the side with more points scores the difference; if not, the others score
    their points and the bid, and the pitcher's side nothing"""


class Credit(StrEnum):
    """How much of a side's points each of its seats is credited (R-C34, R-C36, contentious)."""

    FULL = "full"
    """all of them"""
    OWN = "own"
    """what the seat itself won"""
    HALF = "half"
    """an equal share; the remainder goes to the pitcher, or to the lowest seat"""
    NONE = "none"


class Double(StrEnum):
    """When a set pitcher loses twice the bid (C33; R-C37, contentious)."""

    NEVER = "never"
    WHEN_MADE = "when_made"
    """if the bid was for all the points when it was made"""
    AT_END = "at_end"
    """if the bid is for all the points at the end of the hand"""


class Partners(StrEnum):
    """Which seats play together."""

    ALONE = "alone"
    PAIRS = "pairs"
    """with an even number of seats, each with the seat opposite, for the whole game (T2)"""
    ACROSS = "across"
    """the pitcher with the seat across from them (C1, R-C27)"""
    LEFT = "left"
    """the pitcher with the seat on their left (C12, R-C27)"""
    RIGHT = "right"
    """the pitcher with the seat on their right (C12, R-C27)"""
    CALL = "call"
    """the pitcher with the holder of the card that they call (C13)"""
    TEAMS = "teams"
    """with an even number of seats, the even seats against the odd ones, for the whole game"""


FIXED_PARTNERS = (Partners.ALONE, Partners.PAIRS, Partners.TEAMS)
"""The ways to play together that don't depend on the pitcher: sides stay for the whole game."""
ORIENTATIONS = {Partners.ACROSS: 2, Partners.LEFT: 1, Partners.RIGHT: 3}
"""How many seats to the pitcher's left the partner sits at a table of four."""


class Call(StrEnum):
    """When a called partner is revealed (R-C29, contentious)."""

    ANNOUNCED = "announced"
    """when the partnership takes effect"""
    SECRET = "secret"
    """when the partner plays the called card, at the latest at the end of the hand"""


class Scaling(StrEnum):
    """Which bid the table scales when a version has fewer points (R-C24, contentious)."""

    STANDING = "standing"
    """the current bid; more points never restore it"""
    ORIGINAL = "original"
    """the bid as it was made, so that more points restore it"""


class Hold(StrEnum):
    """How long a delay call holds back changes of the rules (C30; R-C41, contentious)."""

    HAND = "hand"
    """until the end of the hand, whatever the verdict"""
    VERDICT = "verdict"
    """until an acquittal, if one comes before the end of the hand"""


class Stop(StrEnum):
    """When a session that ends by time or by draw is over (R-C42, contentious)."""

    AT_ONCE = "at_once"
    AFTER_HAND = "after_hand"


class Sight(StrEnum):
    """Which cards a seat sees in a hand."""

    OWN = "own"
    OTHERS = "others"
    """all cards except its own; no seat can choose then, and the cards play automatically (B18, B19)"""


class Ending(StrEnum):
    """How a game is won."""

    FIRST_TO_GOAL = "first_to_goal"
    """by the first to reach the goal while points are credited in order (S44, S45)"""
    BIDDER_FIRST = "bidder_first"
    """at the goal, by the pitcher's side if it made its bid, else by the single highest score (R-T8)"""
    HANDS = "hands"
    """by the highest score after a fixed number of hands, then the most exact bids, then a coin (B24-B26)"""
    SESSION = "session"
    """by the highest score when time or a draw ends it; equal scores win together (C6, C7, R-C43)"""
    BIDDER_ONLY = "bidder_only"
    """at the goal, only by the pitcher's side, with a bid made in that hand; a pitcher who calls partners wins alone"""
    HIGHEST = "highest"
    """at the goal, by the highest score; a tie goes to the pitcher's side"""
    HANDS_SHARED = "hands_shared"
    """by the highest score after a fixed number of hands; equal scores win together"""


class Throw(StrEnum):
    """Which cards must stay in a hand when a seat discards."""

    POINTS_STAY = "points_stay"
    """cards that score by name, as many as the seat can keep (R-C3, R-C48)"""
    TRUMPS_STAY = "trumps_stay"
    """trumps, as many as the seat can keep; beyond that, those that score stay first; thrown trumps are shown"""


class OpeningLead(StrEnum):
    """Which card the pitcher can lead first if trump was named (R-C10)."""

    TRUMP = "trump"
    """a trump; if the pitcher has none, the next seat with a trump leads"""
    TRUMP_IF_HELD = "trump_if_held"
    """a trump; a pitcher who has none leads any card that can be played"""
    ANY = "any"


class Moon(StrEnum):
    """Whether a seat can bid the moon: one more than all the points, which needs every point."""

    NONE = "none"
    GAME = "game"
    """made, it raises a score of 0 or more to the goal and wins, and a lower score to 0; failed, it loses all the
    points as a bid, and the others win at once"""
    DOUBLE = "double"
    """it wins or loses twice all the points"""


class Miss(StrEnum):
    """The score of a seat that doesn't take exactly as many tricks as it bid."""

    NOTHING = "nothing"
    TRICKS = "tricks"
    """one point for each trick"""
    BID = "bid"
    """minus the bid"""
    BID_AND_TEN = "bid_and_ten"
    """minus the bid and ten more"""
    TEN_EACH = "ten_each"
    """minus the bid, and minus ten more for each trick too many or too few"""


class Quirk(StrEnum):
    """An earlier behavior of the program that a game keeps if it was opened under it. New games have none."""

    EMPTY_DRAWS = "empty_draws"
    """a seat that finds no stock left records a draw of no cards"""
    SCALED_LEAST = "scaled_least"
    """a forced bid is scaled to the points of a hand even if bids are listed"""
    PEGGING_LIST = "pegging_list"
    """points of several versions peg in the order of one list for all games"""
    LOW_JOKER = "low_joker"
    """a joker that ranks lowest scores low, and stays with its player in place of the lowest rank"""
    CALLED_CARD_THROWN = "called_card_thrown"
    """the holder of the called card can discard it"""
