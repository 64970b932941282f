"""Checks of the opening of a game: players, deck and sides, settings, and options that say what the rules say.

The rules that were recorded count. But if they have the name of a game of the catalogue, they're rules that this game
can have, with the options that were recorded; others are house rules.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from domain.events import Event, GameOpened
from domain.events.declaring import add_to
from domain.events.upcasts import upcast_rules
from domain.rejections import NotOffered
from domain.rules.choices import Cuts, Undo
from domain.rules.variants import KNOWN, VARIANTS, Option, Variant
from domain.rules.variants.house import RULEBOOK
from replay.audit.play.auction import side_lists
from replay.audit.play.checking import CHECKS
from replay.fold import Position

MAX_DELAY = 1000
"""The most facts by which spectators may see a game late."""
PLAYERS = {("human", False), ("bot", True)}
"""The kinds of players, and whether they have a strategy."""
BOT = re.compile("bot:[a-z]{1,16}")
GUEST = "guest"
"""The reason for no rating that an opening doesn't show otherwise."""
RANDOMIZER, ENDS_AT = "randomizer", "ends_at"
"""The options that take free values."""
HAND_OPTIONS = {"largest", "order"}
"""The options of the sizes of hands, which also depend on the number of players."""
BY_RANDOMIZER = ("changes.menu", "changes.versions")
"""The rules that depend on the randomizer as well as on other options."""
Shown = Mapping[str, Any]
"""Values in the rules by their paths, such as `auction.around` or `points.4.award`."""


@add_to(CHECKS, GameOpened)
def _check_opening(position: Position, event: Event[Any], _: object) -> Iterator[str]:
    yield from check_game_opened(position, event.data)
    if event.v > 1:
        yield from check_rated(event.data)


def check_game_opened(position: Position, fact: GameOpened) -> Iterator[str]:
    """Check players, deck and sides by the recorded rules, the spectators' delay, undo, rating and options."""
    seats = len(fact.players)
    if seats not in fact.rules.seats:
        yield f"{seats} players are seated, but the rules are for {', '.join(map(str, fact.rules.seats))}"
    if any((player.kind, player.bot is not None) not in PLAYERS for player in fact.players):
        yield "a player is neither a person nor a named bot"
    if fact.deck != fact.rules.deck:
        yield "the deck is not the one of the recorded rules in canonical order"
    if fact.sides != fact.rules.sides(seats):
        yield f"the sides are {side_lists(fact.sides)}, not those of the recorded rules"
    if not 0 <= fact.watch.delay <= MAX_DELAY:
        yield f"spectators see the game {fact.watch.delay} facts late, but a delay may be 0 to {MAX_DELAY} facts"
    yield from _check_settings(fact)
    yield from _check_undo(fact)
    yield from _check_options(fact)


def _check_settings(fact: GameOpened) -> Iterator[str]:
    fairness = fact.fairness
    if fact.reveal not in {"hand", "game"}:
        yield f"its reveal is {fact.reveal!r}, but must be hand or game"
    if fairness.cuts not in tuple(Cuts):
        yield f"its cuts are {fairness.cuts!r}, but must be one of {', '.join(Cuts)}"
    if fairness.cuts == Cuts.NONE and (fairness.window_s is not None or fairness.beacon is not None):
        yield "it waits for cuts or a beacon, but takes no cuts"
    if fact.autopilot not in {"forfeit", "claim"} and not BOT.fullmatch(fact.autopilot):
        yield f"its autopilot is {fact.autopilot!r}, but must be forfeit, claim or a bot"


def _check_undo(fact: GameOpened) -> Iterator[str]:
    people = sum(player.kind == "human" for player in fact.players)
    if fact.undo not in tuple(Undo):
        yield f"its undo is {fact.undo!r}, but must be one of {', '.join(Undo)}"
    elif fact.undo == Undo.PRACTICE and people != 1:
        yield f"moves are taken back as in practice, which is for one person, but {people} people play"


def check_rated(fact: GameOpened) -> Iterator[str]:
    """Check that an opening says why the game doesn't count, if it shows a reason; it can't show that guests play."""
    due, rated = _unrated(fact), fact.rated
    possible = {due} if due in {"practice", "bots"} else {due, GUEST}
    if rated is None and due is not None:
        yield f"it doesn't say that the game isn't rated for the reason {due!r}"
    elif rated is not None and (rated.counts or rated.reason not in possible):
        yield f"no such game opens with the rating {rated.reason!r}, counts {rated.counts}"


def _unrated(fact: GameOpened) -> str | None:
    """Return the first reason that the opening shows why the game doesn't count, or None."""
    shown = {
        "practice": fact.undo == Undo.PRACTICE,
        "bots": any(player.kind == "bot" for player in fact.players),
        "private": not fact.watch.public,
    }
    return next((reason for reason, is_shown in shown.items() if is_shown), None)


def unknown_choice(fact: GameOpened) -> str | None:
    """Return which variant or option of a game this program doesn't know, or None."""
    if fact.variant not in KNOWN:
        return f"this program doesn't know the variant {fact.variant}"
    unknown = sorted(fact.options.keys() - _options_of(fact.variant).keys())
    return f"this program doesn't know the option {unknown[0]}" if unknown else None


@cache
def _options_of(variant: str) -> dict[str, Option]:
    return {option.name: option for option in KNOWN[variant].options}


def _check_options(fact: GameOpened) -> Iterator[str]:
    if fact.rules.variant != fact.variant:
        yield f"the variant is {fact.variant}, but its rules are those of {fact.rules.variant}"
        return
    rules = msgspec.to_builtins(fact.rules)
    known = _options_of(fact.variant) if fact.variant in KNOWN else {}
    contradictions = list(_check_each_option(fact, known, rules))
    yield from contradictions or _check_catalogue(fact, rules)


def _check_each_option(fact: GameOpened, known: Mapping[str, Option], rules: Mapping[str, Any]) -> Iterator[str]:
    missing = [known[name] for name in sorted(known.keys() - fact.options.keys())]
    yield from (f"it names no {each.name}" for each in missing if not _is_offered(each, each.default))
    for name in sorted(fact.options.keys() & known.keys()):
        yield from _check_option(fact, known[name], fact.options[name], rules)
    if fact.options.keys() & known.keys() >= HAND_OPTIONS:
        yield from _check_hand_sizes(fact)


def _check_catalogue(fact: GameOpened, rules: Mapping[str, Any]) -> Iterator[str]:
    """Check what no option changes: the game has, or had in an earlier release, these rules under these options."""
    variant = VARIANTS.get(fact.variant)
    if variant is None or unknown_choice(fact) is not None:
        return
    faults = [_difference(each, fact, rules) for each in (variant, *variant.earlier)]
    if faults[0] is not None and None not in faults:
        yield faults[0]


def _difference(variant: Variant, fact: GameOpened, rules: Mapping[str, Any]) -> str | None:
    """Return where recorded rules differ from those of a variant; version 1 of the rules lacks what version 2 added."""
    composed, _ = variant.compose(fact.options, len(fact.players))
    expected = msgspec.to_builtins(composed)
    if fact.rules.quirks:
        expected = upcast_rules({**expected, "rules_v": 1})
    path = next(differences(expected, rules), None)
    if path is None:
        return None
    return f"{path} of the rules is {value_at(rules, path)!r}, but {value_at(expected, path)!r} in {fact.variant}"


def _check_hand_sizes(fact: GameOpened) -> Iterator[str]:
    """Check the numbers of cards dealt, which depend on the number of players besides the options (O3 to O5)."""
    largest, order = fact.options["largest"], fact.options["order"]
    if not all(_is_offered(_options_of(fact.variant)[name], fact.options[name]) for name in HAND_OPTIONS):
        return
    most = (len(fact.rules.deck) - 1) // len(fact.players)
    top = most if largest == "most" else min(largest, most)
    up = tuple(range(1, top + 1))
    sizes = (*up, *up[-2::-1]) if order == "up_down" else (*up[:0:-1], *up)
    if up and fact.rules.hand_sizes != sizes:
        yield f"the options largest and order deal {top} cards at most, {order}; the rules deal {fact.rules.hand_sizes}"


def _check_option(fact: GameOpened, option: Option, value: Any, rules: Mapping[str, Any]) -> Iterator[str]:
    if not _is_offered(option, value):
        yield f"the value {value!r} of the option {option.name} isn't offered"
    elif option.name == RULEBOOK:
        return  # the address is of rules for every number of players, of which the opening holds those of its own
    elif option.name == RANDOMIZER:
        yield from _check_randomizer(fact, rules)
    elif option.name == ENDS_AT:
        yield from _check_end(fact, value)
    else:
        for path, said in shown_by(fact.variant, option.name)[value].items():
            if value_at(rules, path) != said:
                yield f"the option {option.name} is {value!r}, but {path} of the rules is {value_at(rules, path)!r}"


def _is_offered(option: Option, value: Any) -> bool:
    try:
        return bool(option.validate(value) == value)
    except NotOffered:
        return False


def _check_randomizer(fact: GameOpened, rules: Mapping[str, Any]) -> Iterator[str]:
    """Check the odds and the menu; without a randomizer, only a host who may change rules has a menu."""
    odds, menu = _randomizer_and_menu(fact)
    changes = rules["changes"]
    if changes["randomizer"] != odds or list(changes["menu"]) != menu:
        yield "the odds or the menu of the rules aren't those of the option randomizer"


def _randomizer_and_menu(fact: GameOpened) -> tuple[dict[str, Any] | None, list[str]]:
    chosen = fact.options[RANDOMIZER]
    odds = None if chosen is None else {"when": tuple(chosen["when"]), "end": chosen["end"] and tuple(chosen["end"])}
    if chosen is None:
        chosen = _options_of(fact.variant)[RANDOMIZER].default if fact.options.get("host_changes") else NO_CHANGES
    points = [f"points:{each}" for each in chosen["points"]]
    switches = [f"{name}:{state}" for name in ("dirty", "reverse") if chosen[name] for state in ("on", "off")]
    return odds, [*points, *switches, *(f"partners:{each}" for each in chosen["partners"])]


NO_CHANGES: dict[str, Any] = {"points": [], "dirty": False, "reverse": False, "partners": []}


def _check_end(fact: GameOpened, value: str | None) -> Iterator[str]:
    """Check that the game ends at the time of the option, or before."""
    end = fact.timing.ends_at
    if value is not None and (end is None or end > value):
        yield f"the option ends_at is {value}, but the game ends at {end}"


@cache
def shown_by(variant: str, option: str) -> dict[Any, Shown]:
    """Return for each value of an option what it makes of the rules: the paths at which its values differ.

    Rules that also depend on the randomizer, or on the number of players as `_check_hand_sizes` reads it, are left out.
    """
    base, chosen = KNOWN[variant].rules, _options_of(variant)[option]
    made = {value: msgspec.to_builtins(chosen.apply(base, value)) for value in chosen.values}
    paths = {path for rules in made.values() for other in made.values() for path in differences(rules, other)}
    by_seats = {name for fields in KNOWN[variant].by_seats.values() for name in fields}
    told = sorted(path for path in paths if not path.startswith((*BY_RANDOMIZER, *by_seats)))
    return {value: {path: value_at(rules, path) for path in told} for value, rules in made.items()}


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Yield the paths at which two JSON values differ, as deep as both have the same form."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one:
            yield from differences(one[name], other[name], f"{path}.{name}" if path else name)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for at, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from differences(first, second, f"{path}.{at}")
    elif one != other:
        yield path


def value_at(rules: Any, path: str) -> Any:
    """Return the value at a path in rules as JSON values; None if they have none there."""
    for step in path.split("."):
        if isinstance(rules, list | tuple):
            rules = rules[int(step)] if int(step) < len(rules) else None
        else:
            rules = rules.get(step) if isinstance(rules, dict) else None
    return rules
