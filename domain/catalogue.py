"""The variants, as values, and the options a table may choose when it opens a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from domain.cards import RANKS
from domain.rejections import NotOffered
from domain.rules import (
    Auction,
    Award,
    Ending,
    FirstDealer,
    Follow,
    Partners,
    Point,
    Rules,
    Settle,
    Sight,
    Trump,
)

PITCH = Rules(
    variant="pitch",
    seats=(2, 3, 4, 5, 6, 7),  # S2
    jokers=False,
    hand_sizes=(6,),  # S20
    sights=(Sight.OWN,),
    ranks=RANKS,
    first_dealer=FirstDealer.LAST_SEAT,  # R-S2
    partners=Partners.ALONE,  # R-S19
    auction=Auction(bids=(2, 3, 4, 5)),  # S11, R-S1
    trump=Trump.PITCHED,  # S33
    follow=Follow.SUIT_OR_TRUMP,  # S34-S36
    points=(  # S39, then R-S12
        Point("high", Award.HIGHEST),
        Point("low", Award.LOWEST),
        Point("jack", Award.CARD, rank="J"),
        Point("game", Award.COUNT),
        Point("smudge", Award.SWEEP, needs=("high", "low", "jack")),
    ),
    settle=Settle.BID_FIRST,  # R-S13
    ending=Ending.FIRST_TO_GOAL,
    goal=11,  # S5
)


@dataclass(frozen=True)
class Option:
    """One choice at the opening of a game: its values, the default, and what it changes in the rules."""

    name: str
    values: tuple[Any, ...]
    default: Any
    says: str
    apply: Callable[[Rules, Any], Rules]

    def offers(self, value: object) -> bool:
        """Whether `value` is one of the values, and of its type: 11.0 and True are no numbers of points."""
        return any(type(value) is type(each) and value == each for each in self.values)


@dataclass(frozen=True)
class Variant:
    """A catalogue entry: the rules with every option at its default, and the options."""

    name: str
    title: str
    says: str
    rules: Rules
    options: tuple[Option, ...]


def _win(rules: Rules, goal: int) -> Rules:
    return replace(rules, goal=goal)


VARIANTS: dict[str, Variant] = {
    "pitch": Variant(
        "pitch",
        "gamerz Pitch",
        "Two to seven players, six cards each, four points a hand and a fifth for the smudge; first to the goal.",
        PITCH,
        (Option("win", (7, 11, 21), 11, "the goal in points", _win),),  # S4, S5
    )
}


def variant(name: str) -> Variant:
    """The catalogue entry called `name`; refuses a name that is not offered."""
    if name not in VARIANTS:
        raise NotOffered(f"there is no variant {name!r} here; offered: {', '.join(VARIANTS)}")
    return VARIANTS[name]


def composed(name: str, options: Mapping[str, Any]) -> tuple[Rules, dict[str, Any]]:
    """The rules of a variant under `options`, and the options with defaults filled in (R-S21).

    Refuses an option the variant does not have and a value the option does not offer.
    """
    entry = variant(name)
    known = {option.name: option for option in entry.options}
    for given in options:
        if given not in known:
            raise NotOffered(f"{name} has no option {given!r}; it has: {', '.join(known)}")
    rules, chosen = entry.rules, {}
    for option in entry.options:
        value = options.get(option.name, option.default)
        if not option.offers(value):
            raise NotOffered(
                f"{option.name}={value!r} is not offered; choose from {', '.join(map(str, option.values))}"
            )
        chosen[option.name] = value
        rules = option.apply(rules, value)
    return rules, chosen
