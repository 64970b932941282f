"""Blackout (docs/rules/blackout.md)."""

from domain.cards import RANKS
from domain.rules.choices import Bids, Ending, FirstDealer, Follow, Partners, Seating, Settle, Sight, Tally, Trump
from domain.rules.model import Auction, Rules
from domain.rules.variants.options import Sheet, Variant, alternatives

BLACKOUT = Rules(
    variant="blackout",
    seats=(4,),  # B1
    jokers=False,
    hand_sizes=tuple(range(1, 14)),  # B9
    sights=(Sight.OTHERS, Sight.OWN),  # B18
    ranks=RANKS,
    seating=Seating.DRAWN,  # B2, R-B1
    first_dealer=FirstDealer.LAST_SEAT,  # R-B2, R-B3
    partners=Partners.ALONE,
    auction=Auction(of=Bids.TRICKS, contract=False, rising=False, passing=False, hook=True),  # B3, B6, B7
    trump=Trump.TURNED_UP,  # B10, B11
    follow=Follow.SUIT,  # B20, B21
    points=(),
    tally=Tally.EXACT,  # B12, B13
    settle=Settle.WHOLE_HAND,
    ending=Ending.HANDS,  # B24-B26
)

VARIANT = Variant(
    "blackout",
    "Blackout",
    "Four players, thirteen hands of one to thirteen cards; only a player who takes exactly their bid scores.",
    BLACKOUT,
    (
        alternatives(  # B3, B4
            "hook",
            {hook: {"auction.hook": hook} for hook in (True, False)},
            "whether the bids must not add up to the number of tricks",
        ),
        alternatives(  # B2
            "inorder",
            {True: {"seating": Seating.AS_GIVEN}, False: {"seating": Seating.DRAWN}},
            "whether the players sit in the order of the request",
            default=False,
        ),
    ),
    sheet=Sheet("blackout", "Blackout", "B", 27, 14),
)
