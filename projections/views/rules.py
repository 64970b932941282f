"""The part of a view about the rules in force. The facts GameOpened and RulesChanged hold the rules in full."""

from typing import Any

from domain.decide.rule_changes import prospective_rules
from domain.engine.auction import minimum_bid
from domain.engine.deadlines import ends_at
from domain.engine.rule_menu import available_changes
from domain.memo import memoize_by_identity
from domain.rules.choices import Bids, Undo
from domain.rules.model import Rules
from domain.state import State

View = dict[str, Any]


def rules_json(state: State) -> View:
    """Return the goal, the rules that can change, the deferred changes, the limits of a bid, and the session's end.

    `undo` is shown unless moves are taken back by consent, as at most tables (R-P7).
    `dirty` is also shown if it is off and can't change (T28). `changes` lists the changes the host can make now.
    """
    rules = state.rules
    shown: View = {"goal": rules.goal}
    if rules.version:
        deferred = () if state.hand is None else state.hand.deferred
        shown |= setting_json(rules) | {"deferred": [setting_json(each.rules) for each in deferred]}
        shown |= _bid_limits(rules)
    elif not rules.dirty:
        shown["dirty"] = False
    if rules.auction.of is Bids.TRICKS:
        shown |= {"hook": rules.auction.hook, "hands": len(rules.hand_sizes)}
    if rules.changes.host:
        shown["changes"] = list(available_changes(prospective_rules(state)))
    if (end := ends_at(state)) is not None:
        shown["ends_at"] = end
    if state.opened is not None and state.opened.undo != Undo.CONSENT:
        shown["undo"] = state.opened.undo
    return shown


def setting_json(rules: Rules) -> View:
    """Return the rules that can change (R-C47). `points` is the name of a version, `total` the points in it."""
    return _setting(rules).copy()


@memoize_by_identity
def _setting(rules: Rules) -> View:
    return {
        "points": rules.version,
        "total": rules.total,
        "dirty": rules.dirty,
        "reverse": rules.reverse,
        "partners": rules.partners.value,
    }


@memoize_by_identity
def _bid_limits(rules: Rules) -> View:
    return {"least_bid": minimum_bid(rules.auction, rules.total), "most_bid": rules.total}
