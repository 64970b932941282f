"""The part of a view about the rules in force. The facts GameOpened and RulesChanged hold the rules in full."""

from typing import Annotated, NotRequired, TypedDict

from domain.decide.rule_changes import prospective_rules
from domain.engine.auction import minimum_bid, moon_bid
from domain.engine.deadlines import ends_at
from domain.engine.rule_menu import available_changes
from domain.json_fields import Time, says
from domain.memo import memoize_by_identity
from domain.rules.choices import KITTIES, Bids, Undo
from domain.rules.model import Rules
from domain.rules.variants.house import RULEBOOK
from domain.state import State


class GameSetting(TypedDict):
    """The rules of Corellian Pitch that can change."""

    points: Annotated[str, says("The name of the version.")]
    total: Annotated[int, says("The points that the version offers.")]
    dirty: bool
    reverse: Annotated[bool, says("Whether the ranks are reversed.")]
    partners: Annotated[str, says("The rule that says which seat is the pitcher's partner.")]


class TableRules(TypedDict):
    """The rules that a player needs at the table; which fields there are depends on the game."""

    goal: Annotated[int | None, says("The score that wins.")]
    points: NotRequired[str]
    total: NotRequired[int]
    dirty: NotRequired[bool]
    reverse: NotRequired[bool]
    partners: NotRequired[str]
    deferred: NotRequired[Annotated[list[GameSetting], says("The settings that wait for the end of the hand.")]]
    least_bid: NotRequired[int]
    most_bid: NotRequired[int]
    moon: NotRequired[Annotated[int, says("The bid that is the moon, at tables at which it can be bid.")]]
    kitty: NotRequired[Annotated[int, says("How many cards the pitcher takes before they name trump.")]]
    hook: NotRequired[bool]
    hands: NotRequired[int]
    changes: NotRequired[Annotated[list[str], says("The changes that the host can make now.")]]
    ends_at: NotRequired[Annotated[Time, says("When the game ends by time.")]]
    rulebook: NotRequired[Annotated[str, says("The address of the rulebook that the game is played by.")]]
    undo: NotRequired[Annotated[str, says("How moves are taken back, unless by consent.")]]


def rules_json(state: State) -> TableRules:
    """Return the goal, the rules that can change, the deferred changes, the limits of a bid, and the session's end.

    `undo` is shown unless moves are taken back by consent, as at most tables (R-P7), and `rulebook` of house rules.
    `dirty` is also shown if it is off and can't change (T28). `changes` lists the changes the host can make now.
    """
    rules = state.rules
    shown = _lasting(rules).copy()
    if rules.version:
        deferred = () if state.hand is None else state.hand.deferred
        shown["deferred"] = [setting_json(each.rules) for each in deferred]
    if rules.changes.host:
        shown["changes"] = list(available_changes(prospective_rules(state)))
    if (end := ends_at(state)) is not None:
        shown["ends_at"] = end
    if state.opened is not None and state.opened.undo != Undo.CONSENT:
        shown["undo"] = state.opened.undo
    if state.opened is not None and RULEBOOK in state.opened.options:
        shown["rulebook"] = state.opened.options[RULEBOOK]
    return shown


@memoize_by_identity
def _lasting(rules: Rules) -> TableRules:
    """Return the part that stays the same as long as these rules are in force."""
    shown: TableRules = {"goal": rules.goal}
    if rules.version:
        shown = {**shown, **setting_json(rules), "deferred": []}
        shown["least_bid"], shown["most_bid"] = minimum_bid(rules.auction, rules.total), rules.total
    elif not rules.dirty:
        shown["dirty"] = False
    if (moon := moon_bid(rules)) is not None:
        shown["moon"] = moon
    if rules.fill in KITTIES and rules.kitty:
        shown["kitty"] = rules.kitty
    if rules.auction.of is Bids.TRICKS:
        shown["hook"], shown["hands"] = rules.auction.hook, len(rules.hand_sizes)
    return shown


def setting_json(rules: Rules) -> GameSetting:
    """Return the rules that can change (R-C47). `points` is the name of a version, `total` the points in it."""
    return {
        "points": rules.version,
        "total": rules.total,
        "dirty": rules.dirty,
        "reverse": rules.reverse,
        "partners": rules.partners.value,
    }
