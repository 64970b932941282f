"""Checks of rule changes: the menu, the draws from it, their cause, and the facts that must follow them (R-C44).

The draws of a hand are recomputed from its seed: the end of the session, and changes of the rules.
"""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import asdict

from domain.events import BidScaled, Fact, PartnersChanged, RulesChanged, RulesChangeDeferred
from domain.memo import memoize_by_identity
from domain.protocols import fairdeal
from domain.rules.choices import ORIENTATIONS, Hold, Partners, Scaling, Stop
from domain.rules.model import Rules
from domain.struct import replace
from replay.audit.play.auction import side_lists, sides_of
from replay.audit.play.checking import checks, deal_key
from replay.audit.play.table_talk import check_proposal_count
from replay.fold import HandRead, Position


def rules_to_come(position: Position) -> Rules:
    """Return the rules after all deferred changes have taken effect."""
    waiting = position.hand.deferred if position.hand else ()
    return waiting[-1].rules if waiting else position.rules


def menu_entries(position: Position) -> list[str]:
    """Return the entries of the menu that would change something, in order: the ones that a draw picks from."""
    return _entries(rules_to_come(position)).copy()


def has_menu_entries(position: Position) -> bool:
    """Tell whether an entry of the menu would change something."""
    return bool(_entries(rules_to_come(position)))


@memoize_by_identity
def _entries(rules: Rules) -> list[str]:
    return [entry for entry in rules.changes.menu if _changes_setting(rules, entry)]


def _changes_setting(rules: Rules, entry: str) -> bool:
    """Tell whether an entry is valid and would change something, without making the rules that it makes."""
    name, _, value = entry.partition(":")
    if name == "points":
        return value != rules.version and any(each.name == value for each in rules.changes.versions)
    if name == "partners":
        return value != rules.partners and value in list(Partners)
    return name in {"dirty", "reverse"} and value == ("off" if getattr(rules, name) else "on")


@memoize_by_identity
def _rules_by_entry(rules: Rules) -> dict[str, Rules | None]:
    """Return a dict that keeps the rules after each entry."""
    return {}


def rules_after(rules: Rules, entry: str) -> Rules | None:
    """Return the rules after one change, such as "points:7", or None if the entry is invalid."""
    known = _rules_by_entry(rules)
    if entry not in known:
        known[entry] = _make_rules(rules, entry)
    return known[entry]


def _make_rules(rules: Rules, entry: str) -> Rules | None:
    name, _, value = entry.partition(":")
    if name == "points":
        version = next((each for each in rules.changes.versions if each.name == value), None)
        return (
            None
            if version is None
            else dataclasses.replace(rules, version=value, points=version.points, off=version.off)
        )
    if name == "partners" and value in list(Partners):
        return dataclasses.replace(rules, partners=Partners(value))
    if name in {"dirty", "reverse"} and value in {"on", "off"}:
        on = value == "on"
        return dataclasses.replace(rules, dirty=on) if name == "dirty" else dataclasses.replace(rules, reverse=on)
    return None


def is_change_held_back(position: Position) -> bool:
    """Tell whether a change must be deferred because delay of game was called in this hand (C30, R-C41)."""
    hand = position.hand
    if hand is None or hand.over or not hand.held:
        return False
    return position.rules.changes.hold is Hold.HAND or not hand.acquitted


class RandomizerDraws(NamedTuple):
    """The randomizer's draws before a turn: whether the session ends and whether a rule changes; None if unknown."""

    ends: bool | None
    changes: bool | None


NO_DRAWS = RandomizerDraws(False, False)
_AT_ONCE = Stop.AT_ONCE


def randomizer_draws(position: Position, key: bytes | None) -> RandomizerDraws:
    """Return the draws of this turn by the deal's `key`: first the end, then a change (R-C45, R-C46)."""
    chance, hand = position.rules.changes.randomizer, position.hand
    if chance is None or hand is None or hand.over:
        return NO_DRAWS
    at_once = chance.end is not None and position.rules.stop is _AT_ONCE
    ends = _comes_true(key, f"randomizer {hand.turns} end", chance.end) if at_once else False
    may_change = hand.drawn != hand.turns and has_menu_entries(position)
    changes = _comes_true(key, f"randomizer {hand.turns} when", chance.when) if may_change else False
    return RandomizerDraws(ends, changes)


def _comes_true(key: bytes | None, label: str, odds: tuple[int, int] | None) -> bool | None:
    """Tell whether a chance comes true; None if the key is unknown, False if the odds are missing or invalid."""
    if key is None:
        return None
    try:
        return odds is not None and fairdeal.chance(key, label, *odds)
    except ValueError:
        return False


def session_end_labels(position: Position, hand: HandRead, key: bytes | None) -> list[str] | None:
    """Return the labels of the draws that ended a session that plays out its hand, or None if the key is unknown."""
    chance = position.rules.changes.randomizer
    if chance is None or chance.end is None or position.rules.stop is Stop.AT_ONCE:
        return []
    if key is None:
        return None
    labels = [f"randomizer {turn} end" for turn in range(hand.turns)]
    return [label for label in labels if _comes_true(key, label, chance.end)]


def pick(key: bytes, label: str, of: int) -> int | None:
    """Return the number below `of` that a draw picks, or None if `of` is invalid."""
    try:
        return fairdeal.pick(key, label, of)
    except ValueError:
        return None


RuleChange = RulesChanged | RulesChangeDeferred
DRAW_FIELDS = ("n", "label", "pick", "of")


@checks(RulesChanged, RulesChangeDeferred, given=deal_key)
def check_rules_changed(position: Position, fact: RuleChange, key: bytes | None) -> Iterator[str]:
    """Check a change by its cause: drawn, made by the host, or deferred; `key` is that of the deal in play."""
    if fact.summary != fact.rules.setting:
        yield f"the summary is {setting_text(fact.summary)}, but its rules are {setting_text(fact.rules.setting)}"
    is_deferred = isinstance(fact, RulesChangeDeferred)
    if is_change_held_back(position) != is_deferred:
        yield "a change is deferred, but must take effect" if is_deferred else "a change takes effect, but must wait"
    match fact.cause:
        case "randomizer":
            yield from _check_drawn(position, fact, key)
        case "host":
            yield from _check_by_host(position, fact)
        case "deferred":
            yield from _check_deferred(position, fact)
        case _:
            yield f'the cause of the change is "{fact.cause}", which is not valid'


def setting_text(setting: object) -> str:
    """Return a setting as a finding shows it."""
    return ", ".join(f"{name} {value}" for name, value in vars(setting).items())


def _check_drawn(position: Position, fact: RuleChange, key: bytes | None) -> Iterator[str]:
    hand, menu = position.live, menu_entries(position)
    if randomizer_draws(position, key).changes is False:
        yield f"the randomizer changes no rule at turn {hand.turns} of this hand"
    if (fact.n, fact.label, fact.of) != (hand.dealt.n, f"randomizer {hand.turns} what", len(menu)):
        draw = f'"{fact.label}" of ceremony {fact.n} out of {fact.of}'
        due = f'"randomizer {hand.turns} what" of ceremony {hand.dealt.n} out of {len(menu)}'
        yield f"the draw is {draw}, but should be {due}"
    elif key is not None and fact.pick != (drawn := pick(key, fact.label or "", len(menu))):
        yield f"the draw picks entry {fact.pick} of the menu, but the seed picks {drawn}"
    if fact.pick is None or not 0 <= fact.pick < len(menu):
        yield f"there is no entry {fact.pick} in a menu of {len(menu)}"
    elif fact.rules != rules_after(rules_to_come(position), menu[fact.pick]):
        yield f"the new rules are not those that {menu[fact.pick]} makes"


def _check_by_host(position: Position, fact: RuleChange) -> Iterator[str]:
    if not position.rules.changes.host:
        yield "the host changes the rules, but the table does not allow it"
    for seat, player in enumerate(position.players):
        if player.player == position.host:
            yield from check_proposal_count(position, seat)
    if any(getattr(fact, name) is not None for name in DRAW_FIELDS):
        yield "a change by the host names a draw"
    if fact.rules not in [rules_after(rules_to_come(position), word) for word in menu_entries(position)]:
        yield "the new rules are not those that one change of the menu makes"


def _check_deferred(position: Position, fact: RuleChange) -> Iterator[str]:
    waiting = position.hand.deferred if position.hand else ()
    if not waiting:
        yield "a deferred change takes effect, but no change is waiting"
    elif fact != (first := RulesChanged(**asdict(waiting[0]) | {"cause": "deferred"}, next=_next(fact))):
        waits = f"the change to {setting_text(first.summary)} is waiting"
        yield f"the deferred change to {setting_text(fact.summary)} takes effect, but {waits}"


def _next(fact: RuleChange) -> tuple[int, ...]:
    return fact.next if isinstance(fact, RulesChanged) else ()


def facts_due_after_change(position: Position, fact: RulesChanged) -> list[Fact]:
    """Return the facts that follow a change at once, for bids and sides, in order (R-C23 to R-C27, R-C65)."""
    hand = position.hand
    if hand is None or hand.over:
        return []
    return [*_scaled_bids(position, hand, fact.rules), *_changed_sides(position, hand, fact.rules)]


def _scaled_bids(position: Position, hand: HandRead, rules: Rules) -> Iterator[BidScaled]:
    """Yield the bids that change: in the auction those of all seats from the eldest on, later the pitcher's."""
    bids = {seat: (bid, total) for (seat, bid), total in zip(hand.calls, hand.totals, strict=True) if bid is not None}
    if hand.won:
        bids.setdefault(hand.won.seat, (hand.won.bid, hand.totals[-1]))
    order = [(hand.dealt.eldest + turn) % position.seats for turn in range(position.seats)]
    for seat in [hand.won.seat] if hand.won else order:
        before = hand.bid if hand.won else hand.bids[seat]
        if before is None:
            continue
        original = bids[seat] if rules.changes.scaling is Scaling.ORIGINAL and seat in bids else None
        after = scaled_bid(*(original or (before, position.rules.total)), rules.total)
        if after != before:
            yield BidScaled(seat, before, after)


def scaled_bid(bid: int, before: int, after: int) -> int:
    """Scale a bid from `before` points to `after`, rounding up and never raising it (C16, C17, R-C24)."""
    return min(bid, -(-bid * after // before)) if before > 0 else bid


def _changed_sides(position: Position, hand: HandRead, rules: Rules) -> Iterator[PartnersChanged]:
    """Yield the pitcher's new side if it changes, except for a called partner, who is revealed later."""
    if hand.won is None or rules.partners is position.rules.partners or rules.partners not in ORIENTATIONS:
        return
    pitcher = hand.won.seat
    sides = sides_of(replace(position, in_force=rules), pitcher)
    if sides != hand.sides:
        yield PartnersChanged(pitcher, (pitcher + ORIENTATIONS[rules.partners]) % position.seats, sides)


def check_consequence(fact: BidScaled | PartnersChanged, due: Fact | None) -> Iterator[str]:
    """Check that a consequence of a change is the one that is due."""
    if fact != due:
        yield f"{_consequence_text(fact)} is recorded, but {_consequence_text(due)} is due after the rule change"


def _consequence_text(fact: object) -> str:
    match fact:
        case BidScaled(seat, before, after):
            return f"a change of the bid of seat {seat} from {before} to {after}"
        case PartnersChanged(bidder, partner, sides):
            return f"a change of the partner of seat {bidder} to seat {partner}, with sides {side_lists(sides)}"
        case _:
            return "no consequence"
