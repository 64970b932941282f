"""Changes of the rules: drawn as the seed draws them, from the menu, and with just the consequences they have."""

from collections.abc import Iterator

from msgspec.structs import asdict

from domain.events import BidScaled, Fact, PartnersChanged, RulesChanged, RulesChangeDeferred
from domain.rules.choices import ORIENTATIONS, Scaling
from domain.rules.model import Rules
from domain.struct import replace
from replay.audit.play.auction import side_lists, sides_of
from replay.audit.play.randomizer import pick, randomizer_draws
from replay.audit.play.rule_menu import is_change_held_back, menu_entries, rules_after, rules_to_come
from replay.fold import HandRead, Position

RuleChange = RulesChanged | RulesChangeDeferred
DRAW_FIELDS = ("n", "label", "pick", "of")


def check_rules_changed(position: Position, fact: RuleChange, key: bytes | None) -> Iterator[str]:
    """A change that was drawn, or asked for by the host, or that had to wait; `key` is that of the deal in play."""
    if fact.summary != fact.rules.setting:
        yield f"its summary {setting_text(fact.summary)} is not that of its rules, {setting_text(fact.rules.setting)}"
    if is_change_held_back(position) != isinstance(fact, RulesChangeDeferred):
        yield "a change waits that need not" if isinstance(fact, RulesChangeDeferred) else "a change does not wait"
    match fact.cause:
        case "randomizer":
            yield from _drawn(position, fact, key)
        case "host":
            yield from _asked(position, fact)
        case "deferred":
            yield from _waited(position, fact)
        case _:
            yield f'the rules change for "{fact.cause}"'


def setting_text(setting: object) -> str:
    """A setting in a sentence."""
    return ", ".join(f"{name} {value}" for name, value in vars(setting).items())


def _drawn(position: Position, fact: RuleChange, key: bytes | None) -> Iterator[str]:
    hand, menu = position.live, menu_entries(position)
    if randomizer_draws(position, key).changes is False:
        yield f"the randomizer changes no rule at turn {hand.turns} of this hand"
    if (fact.n, fact.label, fact.of) != (hand.dealt.n, f"randomizer {hand.turns} what", len(menu)):
        named = f'"{fact.label}" of ceremony {fact.n} out of {fact.of}'
        yield f"it is drawn as {named} at turn {hand.turns}, where the menu has {len(menu)}"
    elif key is not None and fact.pick != (drawn := pick(key, fact.label or "", len(menu))):
        yield f"it picks entry {fact.pick} of the menu where the seed picks {drawn}"
    if fact.pick is None or not 0 <= fact.pick < len(menu):
        yield f"there is no entry {fact.pick} in a menu of {len(menu)}"
    elif fact.rules != rules_after(rules_to_come(position), menu[fact.pick]):
        yield f"its rules are not those that {menu[fact.pick]} makes"


def _asked(position: Position, fact: RuleChange) -> Iterator[str]:
    if not position.rules.changes.host:
        yield "the host changes the rules at a table that does not let him"
    if any(getattr(fact, name) is not None for name in DRAW_FIELDS):
        yield "a change by the host names a draw"
    if fact.rules not in [rules_after(rules_to_come(position), word) for word in menu_entries(position)]:
        yield "its rules are not those that one change of the menu makes"


def _waited(position: Position, fact: RuleChange) -> Iterator[str]:
    waiting = position.hand.deferred if position.hand else ()
    if not waiting:
        yield "a change comes in that has not been waiting"
    elif fact != (first := RulesChanged(**asdict(waiting[0]) | {"cause": "deferred"}, next=_next(fact))):
        yield f"{setting_text(fact.summary)} comes in where {setting_text(first.summary)} has been waiting"


def _next(fact: RuleChange) -> tuple[int, ...]:
    return fact.next if isinstance(fact, RulesChanged) else ()


def facts_due_after_change(position: Position, fact: RulesChanged) -> list[Fact]:
    """What a change does at once to bids and sides, in order (R-C23 to R-C27, R-C65)."""
    hand = position.hand
    if hand is None or hand.over:
        return []
    return [*_scaled(position, hand, fact.rules), *_partners(position, hand, fact.rules)]


def _scaled(position: Position, hand: HandRead, rules: Rules) -> Iterator[BidScaled]:
    """In the auction each bid, from the eldest on, afterwards the pitcher's; only those whose number changes."""
    made = {seat: (bid, total) for (seat, bid), total in zip(hand.said, hand.totals, strict=True) if bid is not None}
    if hand.won:
        made.setdefault(hand.won.seat, (hand.won.bid, hand.totals[-1]))
    order = [(hand.dealt.eldest + turn) % position.seats for turn in range(position.seats)]
    for seat in [hand.won.seat] if hand.won else order:
        before = hand.bid if hand.won else hand.bids[seat]
        if before is None:
            continue
        from_ = made[seat] if rules.changes.scaling is Scaling.ORIGINAL and seat in made else None
        after = scaled_bid(*(from_ or (before, position.rules.total)), rules.total)
        if after != before:
            yield BidScaled(seat, before, after)


def scaled_bid(bid: int, before: int, after: int) -> int:
    """`bid` of `before` points when there are `after`: never more, and a fraction rounded up (C16, C17, R-C24)."""
    return min(bid, -(-bid * after // before)) if before > 0 else bid


def _partners(position: Position, hand: HandRead, rules: Rules) -> Iterator[PartnersChanged]:
    """The pitcher's new side, where it is another; a call shows when it is revealed."""
    if hand.won is None or rules.partners is position.rules.partners or rules.partners not in ORIENTATIONS:
        return
    pitcher = hand.won.seat
    sides = sides_of(replace(position, in_force=rules), pitcher)
    if sides != hand.sides:
        yield PartnersChanged(pitcher, (pitcher + ORIENTATIONS[rules.partners]) % position.seats, sides)


def check_consequence(fact: BidScaled | PartnersChanged, owed: Fact | None) -> Iterator[str]:
    """A consequence is the one that is owed."""
    if fact != owed:
        yield f"{_consequence(fact)} where {_consequence(owed)} should follow the change"


def _consequence(fact: object) -> str:
    match fact:
        case BidScaled(seat, before, after):
            return f"the bid of seat {seat} goes from {before} to {after}"
        case PartnersChanged(bidder, partner, sides):
            return f"seat {bidder} plays with seat {partner}, sides {side_lists(sides)},"
        case _:
            return "nothing"
