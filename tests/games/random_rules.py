"""Rules drawn at random from every choice, and whole games by them with players who do anything.

`drawn_rules(seed)` is any value, often one that can't be played; `sound_rules(seed)` is one without a fault.
`play(rules, seed)` plays a game to its end: random moves, refused commands, undos, changes of rules, seats that leave.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

from domain.cards import DECK_54, RANKS, SUITS, Rank
from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    MakeBid,
    NameTrump,
    OpenGame,
    PassBid,
    PlayCard,
    Resign,
    SeatCommand,
)
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import GameLimits, Player
from domain.rejections import Rejected
from domain.rules import choices, consistency
from domain.rules.choices import (
    KITTIES,
    ORIENTATIONS,
    Award,
    Bids,
    Ending,
    Fill,
    Follow,
    Moon,
    Partners,
    Settle,
    Sight,
    Tally,
    Trump,
)
from domain.rules.model import Auction, Changes, Delay, Point, Randomizer, Rules, Version
from domain.rules.variants import VARIANTS
from domain.rules.variants.options import Variant
from domain.state import SERVER
from domain.store.aggregate import Entropy, Entry, Game, Request
from tests.games.tables import Table, entropy
from tests.given import AT, GAME

LIMITS = GameLimits(events=1200, proposals=20)
"""Ends the games that never reach their goal, and sessions."""
CARD_POINTS = (*((rank, False) for rank in RANKS), *((rank, True) for rank in RANKS))


class Draw(random.Random):
    """Random choices of rules."""

    def often(self, usual: Any, *others: Any) -> Any:
        """Return the usual value in half of the cases, else one of the others."""
        return usual if self.random() < 0.5 else self.choice(others)

    def some(self, values: Any, most: int) -> list[Any]:
        """Return up to `most` of the values, each once."""
        return self.sample(list(values), self.randint(0, min(most, len(values))))


def sound_rules(seed: object) -> Rules:
    """Return the first rules drawn from the seed that can be played."""
    drawn = (drawn_rules(f"{seed} {attempt}") for attempt in count())
    return next(rules for rules in drawn if consistency.rules_fault(rules) is None)


def drawn_rules(seed: object) -> Rules:
    """Return rules of which every choice is drawn from the seed."""
    draw = Draw(str(seed))
    promises = draw.random() < 0.15
    jokers = draw.random() < 0.5
    seats = draw.often((4,), (2,), (3,), (5,), (6,), (7,), (2, 4), (4, 6), (3, 5, 7))
    without_jokers = () if jokers else (Trump.PITCHED, Trump.TURNED_UP)
    trump = draw.often(Trump.FIXED if promises else Trump.NAMED, Trump.FIXED, *without_jokers)
    fill = draw.choice(list(Fill)) if trump is Trump.NAMED else Fill.NOTHING
    points = () if promises else tuple(_points(draw, jokers))
    partners = draw.choice(list(_partners(promises, seats, trump)))
    two_sides = partners in choices.FIXED_PARTNERS and seats in {(2,), (4,)} and partners is not Partners.PAIRS
    two_sides = two_sides and (partners is Partners.TEAMS or seats == (2,))
    two_sides = two_sides or (partners is Partners.PAIRS and seats == (4,))
    bidder = (Ending.BIDDER_FIRST, Ending.BIDDER_ONLY)
    ending = draw.choice([each for each in Ending if not promises or each not in (*bidder, Ending.FIRST_TO_GOAL)])
    size = draw.randint(1, 9 if seats[-1] <= 4 else 7)
    whole_hand = ending is not Ending.FIRST_TO_GOAL and draw.random() < 0.5
    rules = Rules(
        variant="random",
        seats=seats,
        jokers=jokers,
        hand_sizes=draw.often((size,), tuple(range(1, size + 1)), (size, 1)),
        ranks=_ranks(draw, jokers),
        first_dealer=draw.choice(list(choices.FirstDealer)),
        partners=partners,
        auction=_auction(
            draw, promises, sum(point.offers for point in points), two_sides and ending in consistency.GOALS
        ),
        trump=trump,
        follow=draw.choice(list(Follow) if trump is Trump.NAMED else [Follow.SUIT, Follow.SUIT_OR_TRUMP]),
        points=points,
        settle=Settle.WHOLE_HAND if whole_hand else draw.choice([Settle.BID_FIRST, Settle.POINTS_FIRST]),
        ending=ending,
        goal=draw.randint(1, 25) if ending in consistency.GOALS else None,
        sights=draw.often((Sight.OWN,), (Sight.OTHERS, Sight.OWN)) if trump is not Trump.NAMED else (Sight.OWN,),
        seating=draw.choice(list(choices.Seating)),
        misdeal=tuple(draw.sample(RANKS, 9)) if draw.random() < 0.1 else (),
        fill=fill,
        kept_cards=draw.randint(0, 10),
        version="first",
        off=tuple(dict.fromkeys(point.rank for point in points if point.off and point.rank and draw.random() < 0.9)),
        dirty=draw.random() < 0.5,
        reverse=draw.random() < 0.2,
        keeps=draw.random() < 0.5,
        joker_order=draw.choice(list(choices.Jokers)),
        call=draw.choice(list(choices.Call)),
        won_face_down=draw.random() < 0.5,
        tally=Tally.EXACT if promises else draw.often(Tally.POINTS, Tally.DIFFERENCE) if two_sides else Tally.POINTS,
        worth=draw.choice(list(choices.Worth)),
        credit=draw.choice(list(choices.Credit)),
        defenders=draw.choice(list(choices.Credit)),
        double=draw.choice(list(choices.Double)),
        delay=draw.often(None, Delay(after_ms=1000, costs=5)),
        stop=draw.choice(list(choices.Stop)),
        removed=tuple(draw.some(DECK_54 if jokers else DECK_54[:-2], 12)) if draw.random() < 0.3 else (),
        kitty=draw.randint(0, 6) if fill in KITTIES else 0,
        throw=draw.choice(list(choices.Throw)),
        most_thrown=draw.often(None, *range(5)),
        opening_lead=draw.choice(list(choices.OpeningLead)),
        miss=draw.choice(list(choices.Miss)) if promises else choices.Miss.NOTHING,
        fixed_trump=draw.choice(SUITS) if trump is Trump.FIXED else None,
        joker_count=draw.randint(0, 2),
    )
    if draw.random() < 0.3 and not promises and rules.auction.moon is Moon.NONE:
        rules = replace(rules, changes=_changes(draw, rules))
    return _odd(draw, rules) if draw.random() < 0.2 else rules


def _partners(promises: bool, seats: tuple[int, ...], trump: Trump) -> Iterator[Partners]:
    """Yield the partners that there can be."""
    yield Partners.ALONE
    if seats[0] > 2:
        yield Partners.PAIRS
    if not any(players % 2 for players in seats):
        yield from (Partners.TEAMS, Partners.TEAMS)
    if not promises and trump is Trump.NAMED and seats[0] > 2:
        yield from (Partners.CALL, Partners.CALL)
    if not promises and seats == (4,):
        yield from ORIENTATIONS


def _points(draw: Draw, jokers: bool) -> Iterator[Point]:
    """Yield points, mostly those that can be won."""
    if draw.random() < 0.7:
        yield Point("high", Award.HIGHEST)
        yield Point("low", Award.LOWEST)
    for rank, off in draw.some(CARD_POINTS, 5):
        yield Point(f"{'off ' * off}{rank}", Award.CARD, draw.often(1, 2, 3, 5), rank, off)
    if draw.random() < 0.6:
        yield Point("game", Award.COUNT)
    if jokers and draw.random() < 0.6:
        yield Point("joker", draw.choice([Award.JOKERS, Award.FIRST_JOKER]))
    if draw.random() < 0.3:
        yield Point("last", Award.LAST_TRICK)
    if draw.random() < 0.3:
        yield Point(
            "all", draw.choice([Award.ALL_TRICKS, Award.SWEEP, Award.SWEEP_BID]), needs=draw.often((), ("high",))
        )


def _ranks(draw: Draw, jokers: bool) -> tuple[Rank, ...]:
    ranks = list(RANKS)
    if jokers:
        ranks.insert(draw.often(9, 0, 13), "X")
    if draw.random() < 0.2:
        draw.shuffle(ranks)
    return tuple(ranks)


def _auction(draw: Draw, promises: bool, total: int, can_moon: bool) -> Auction:
    if promises:
        listed = tuple(range(draw.randint(0, 2), draw.randint(3, 8)))
        of = draw.often(Bids.TRICKS, Bids.LISTED)
        hook = of is Bids.TRICKS and draw.random() < 0.5
        around = draw.choice(list(choices.BiddingDirection))
        return Auction(bids=listed, of=of, contract=False, rising=False, passing=False, hook=hook, around=around)
    first = draw.randint(1, max(1, total))
    return Auction(
        bids=tuple(sorted({first, *draw.some(range(1, total + 1), total)})),
        of=draw.choice([Bids.LISTED, Bids.POINTS]),
        least=draw.randint(0, max(1, first)),
        zero_passes=draw.random() < 0.3,
        around=draw.choice(list(choices.BiddingDirection)),
        dealer=draw.choice(list(choices.DealerBids)),
        all_pass=draw.choice(list(choices.AllPass)),
        moon=draw.often(Moon.NONE, Moon.GAME, Moon.DOUBLE) if can_moon else Moon.NONE,
    )


def _changes(draw: Draw, rules: Rules) -> Changes:
    other = tuple(_points(draw, rules.jokers))
    versions = (Version("first", rules.points, rules.off), Version("other", other, rules.off))
    menu = ["points:first", "points:other", "dirty:on", "dirty:off", "reverse:on", "reverse:off"]
    if rules.seats == (4,) and rules.tally is not Tally.DIFFERENCE:
        menu += [f"partners:{each}" for each in draw.some((*ORIENTATIONS, Partners.CALL), 4)]
    end = (1, 60) if rules.ending is Ending.SESSION else None
    return Changes(
        menu=tuple(draw.some(menu, len(menu))),
        versions=versions if draw.random() < 0.8 else (),
        randomizer=draw.often(Randomizer((1, 4), end), None),
        host=draw.random() < 0.5,
        scaling=draw.choice(list(choices.Scaling)),
        hold=draw.choice(list(choices.Hold)),
    )


def _odd(draw: Draw, rules: Rules) -> Rules:
    """Return the rules with another value of one choice, whatever the other choices are."""
    values: dict[str, list[Any]] = {
        "seats": [(1,), (8,), (2, 3), (4, 3), ()],
        "hand_sizes": [(0,), (20,), (), (1, 2, 3)],
        "ranks": [RANKS, RANKS[1:], (*RANKS, "X"), (*RANKS, "2")],
        "partners": list(Partners),
        "trump": list(Trump),
        "follow": list(Follow),
        "fill": list(Fill),
        "tally": list(Tally),
        "ending": list(Ending),
        "goal": [None, 0, 1, 1000],
        "sights": [(Sight.OTHERS,), ()],
        "misdeal": [("A",), RANKS],
        "kept_cards": [-1, 0, 20],
        "kitty": [-1, 3, 40],
        "most_thrown": [-1, 0],
        "miss": list(choices.Miss),
        "settle": list(Settle),
        "removed": [("X1",), DECK_54[:40], ("2C", "2C")],
        "jokers": [True, False],
        "points": [(), (Point("a", Award.CARD),), (Point("a", Award.HIGHEST, 0),), (Point("j", Award.JOKERS),)],
        "off": [("J",), ("X",), ("J", "J")],
        "fixed_trump": ["H", None],
        "auction": [
            replace(rules.auction, of=Bids.TRICKS),
            replace(rules.auction, contract=not rules.auction.contract),
            replace(rules.auction, passing=not rules.auction.passing),
            replace(rules.auction, rising=not rules.auction.rising),
            replace(rules.auction, hook=True),
            replace(rules.auction, moon=Moon.GAME),
            replace(rules.auction, bids=(3, 2)),
            replace(rules.auction, least=99),
        ],
    }
    name = draw.choice(list(values))
    return replace(rules, **{name: draw.choice(values[name])})


@contextmanager
def offered(rules: Rules) -> Iterator[str]:
    """Offer `rules` as a variant, under the name that it yields."""
    VARIANTS["random"] = Variant(
        "random", "Random rules", "Rules drawn at random.", rules, sheet=VARIANTS["pitch"].sheet
    )
    try:
        yield "random"
    finally:
        del VARIANTS["random"]


class RulesTable(Table):
    """A game by any rules, with p0, p1 ... at its seats, and a limit that ends it in any case."""

    def __init__(self, rules: Rules, players: int, seed: object) -> None:
        self.now, self.random = AT, Draw(str(seed))
        self.game, self.commits = Game(GAME), list[tuple[Entry, ...]]()
        self.entropy: Entropy = entropy(self.random.randrange(10**9))
        people = tuple(Player(f"p{seat}", "human") for seat in range(players))
        with offered(rules) as name:
            self.send(OpenGame(GAME, 1, name, {}, people, limits=LIMITS), "p0")

    def send(self, command: Command, by: str) -> tuple[Entry, ...]:
        """Make one commit, and check that what it leaves makes sense."""
        draft = self.game.draft(command, Request(by, f"c{len(self.commits) + 1}", self.now), self.entropy)
        self.game.apply_draft(draft)
        self.commits.append(draft.entries)
        self.check()
        return draft.entries

    def check(self) -> None:
        """Assert that one seat is to move, and that it can; and that the seats hold what they're said to hold."""
        state = self.state
        if state.result is not None:
            return
        assert len(state.turn) == 1, state.phase
        hand = state.hand
        assert hand is not None
        assert hand.counts == tuple(len(held or ()) for held in hand.cards)
        assert hand.stock_left == len(hand.stock or ())
        assert self.choices()

    def may(self, command: SeatCommand) -> bool:
        """Send a command that may be refused, and return whether it was accepted."""
        try:
            self.says(command)
        except Rejected as refused:
            assert str(refused)
            return False
        return True

    def turn(self) -> None:
        """Let somebody act: mostly the seat whose turn it is, with a legal move."""
        (seat,), chance = self.state.turn, self.random.random()
        if self.state.seats[seat].state != "in":
            self.send(stand_in_move(self.state, seat), SERVER)
        elif chance < 0.05:
            self.may(self._anything(seat))
        elif chance < 0.08:
            self._aside()
        elif chance < 0.13:
            self.says(stand_in_move(self.state, seat))
        else:
            self.says(self._legal(seat))

    def _anything(self, seat: int) -> SeatCommand:
        cards = tuple(self.random.sample(self.state.rules.deck, self.random.randint(0, 4)))
        options: list[SeatCommand] = [
            MakeBid(seat, self.random.randint(-1, 20)),
            PassBid(seat),
            NameTrump(seat, "H"),
            PlayCard(seat, self.random.choice(DECK_54)),
            CallPartner(seat, self.random.choice(DECK_54)),
            Discard(seat, cards),
        ]
        return self.random.choice(options)

    def _aside(self) -> None:
        seat = self.random.choice(self.state.persons)
        pitcher = None if self.state.hand is None else self.state.hand.pitcher
        if self.random.random() < 0.1:
            self.may(Resign(seat))
        elif pitcher is not None and can_call_partner(self.state, pitcher):
            self.may(CallPartner(pitcher, self.random.choice(self.state.rules.deck)))
        elif menu := available_changes(self.state.rules):
            self.may(ChangeRules(0, self.random.choice(menu)))
        elif self.may(AskUndo(seat)):
            for other in self.state.persons:
                if self.state.proposal is not None:
                    self.may(AnswerProposal(other, self.random.random() < 0.9))

    def _legal(self, seat: int) -> SeatCommand:
        """Return a legal move. Bids are mostly low, so that they are made; every discard is as likely as another."""
        moves = legal_moves(self.state, seat)
        if moves:
            bids = isinstance(moves[0], MakeBid | PassBid) and self.state.rules.auction.contract
            return moves[0] if bids and self.random.random() < 0.5 else self.random.choice(moves)
        may = legal_discards(self.state, seat)
        if may is None:
            return CallPartner(seat, self.random.choice(self.state.rules.deck))
        others = [card for card in may.optional if card not in may.required]
        more = self.random.randint(may.minimum, may.maximum) - len(may.required)
        return Discard(seat, (*may.required, *self.random.sample(others, more)))


def play(rules: Rules, seed: object) -> RulesTable:
    """Return a game by `rules`, played to its end."""
    table = RulesTable(rules, Draw(str(seed)).choice(rules.seats), seed)
    while table.state.result is None:
        table.turn()
    assert table.read_again().state == table.state
    return table
