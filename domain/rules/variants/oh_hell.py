"""Oh Hell (docs/rules/oh-hell.md)."""

from dataclasses import replace

from domain.rejections import GameOver, Hooked, MustBid, MustFollow, NotABid, OutOfTurn, WrongNumberOfPlayers
from domain.rules.choices import Ending, Miss, Seating, Sight, Trump
from domain.rules.variants.blackout import BLACKOUT
from domain.rules.variants.options import Option, Sheet, Variant, alternatives

LARGEST = 10
"""The largest hand, if the deck has enough cards for it (O4)."""


SEATS = (3, 4, 5, 6, 7)


def _up_and_down(largest: int) -> tuple[int, ...]:
    return (*range(1, largest), *range(largest, 0, -1))


def _most(seats: int) -> int:
    """Return the largest hand that leaves a card to turn up."""
    return (len(BLACKOUT.deck) - 1) // seats


OH_HELL = replace(
    BLACKOUT,
    variant="oh-hell",
    seats=SEATS,  # O1
    hand_sizes=_up_and_down(_most(SEATS[-1])),  # O3
    sights=(Sight.OWN,),
    seating=Seating.AS_GIVEN,  # O2
)
BY_SEATS = {seats: {"seats": (seats,), "hand_sizes": _up_and_down(_most(seats))} for seats in SEATS}
"""The largest hand for each number of players; the option `largest` keeps it to ten (O4)."""


def _down_and_up(largest: int) -> tuple[int, ...]:
    return (*range(largest, 1, -1), *range(1, largest + 1))


OPTIONS = (
    alternatives(
        "largest",
        {LARGEST: lambda rules: {"hand_sizes": _up_and_down(min(LARGEST, max(rules.hand_sizes)))}, "most": {}},
        "the largest hand: ten cards, or as many as leave a card to turn up",
        "R-O1",
    ),
    alternatives(
        "order",
        {"up_down": {}, "down_up": lambda rules: {"hand_sizes": _down_and_up(max(rules.hand_sizes))}},
        "whether the hands grow and then shrink, or shrink and then grow",
        "R-O2",
    ),
    alternatives(
        "trump",
        {
            "turned": {"trump": Trump.TURNED_UP, "fixed_trump": None},
            "spades": {"trump": Trump.FIXED, "fixed_trump": "S"},
        },
        "what is trump: the suit turned up, or always spades",
        "R-O3",
    ),
    alternatives(
        "ties",
        {"bids_made": {"ending": Ending.HANDS}, "shared": {"ending": Ending.HANDS_SHARED}},
        "who wins a tie: the one with more bids made, then a coin; or all who tie",
        "R-O4",
    ),
)
MISS = alternatives(
    "miss",
    {str(miss): {"miss": miss} for miss in (Miss.BID_AND_TEN, Miss.BID, Miss.TEN_EACH)},
    "what a missed bid costs: the bid and ten, the bid, or the bid and ten for each trick too many or too few",
    "R-O5",
)


def _variant(name: str, title: str, summary: str, miss: Miss, *more: Option) -> Variant:
    return Variant(
        name,
        title,
        f"Three to seven players, hands of one card up to ten and down again; {summary}.",
        replace(OH_HELL, variant=name, miss=miss),
        (*OPTIONS, *more),
        sheet=Sheet("oh-hell", "Oh Hell", "O", 20, 9),
        clauses={
            WrongNumberOfPlayers: ("O1",),
            OutOfTurn: ("O7", "O11"),
            NotABid: ("O8",),
            MustBid: ("O8",),
            Hooked: ("O9",),
            MustFollow: ("O12",),
            GameOver: ("O18",),
        },
        by_seats=BY_SEATS,
    )


VARIANTS = (
    _variant("oh-hell", "Oh Hell", "only a bid that you take exactly scores", Miss.NOTHING),
    _variant("oh-hell-tricks", "Oh Hell, each trick scores", "a missed bid scores its tricks", Miss.TRICKS),
    _variant("oh-hell-minus", "Oh Hell, misses cost", "a missed bid costs points", Miss.BID_AND_TEN, MISS),
)
