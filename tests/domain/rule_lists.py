"""The rules of each variant, what each option changes in them, and the refusals with their clauses.

`python -m tests.domain.rule_lists` writes the list again. Read the difference before you commit it.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from domain import cards
from domain.rejections import Rejected
from domain.rules.model import Rules
from domain.rules.variants import VARIANTS, Option, Variant, compose_rules
from tests.lists import write_list

RULES = Path(__file__).parent / "lists" / "rules.txt"


def rules_of(variant: Variant) -> Iterator[str]:
    """Yield the rules of a variant, field by field, and each option with what its values change."""
    rules, chosen = compose_rules(variant.name, {})
    yield f"{variant.name}, {variant.title}, {variant.sheet.letter}: {variant.summary}"
    yield from (f"{name}: {value}" for name, value in _values(rules).items())
    yield f"options: {chosen}"
    for option in variant.options:
        yield f"{option.name}: {option.values}, {option.default}, {option.ruling}, {option.value_format}"
        yield f"{option.name}: {option.description}"
        yield from (f"{option.name}: {each}" for each in option.fields)
        yield from (f"{option.name} {value}: {_changed(variant, option, value, rules)}" for value in option.values)
    for players in rules.seats:
        own, _ = compose_rules(variant.name, {}, players)
        sizes = [own.hand_size(hand) for hand in (1, 2, 13)]
        yield f"{players} players: sides {own.sides(players)}, hands of {sizes}, deck of {len(own.deck)}"
    yield from (f"{name.code}: {variant.clauses_for(name)}" for name in refusals())


def _values(rules: Rules) -> dict[str, Any]:
    return {each.name: getattr(rules, each.name) for each in fields(rules)}


def _changed(variant: Variant, option: Option, value: Any, usual: Rules) -> str:
    before, after = _values(usual), _values(compose_rules(variant.name, {option.name: value})[0])
    return "; ".join(f"{name} {after[name]}" for name in after if after[name] != before[name]) or "as usual"


def refusals() -> list[type[Rejected]]:
    found, left = set[type[Rejected]](), [Rejected]
    while left:
        found.add(here := left.pop())
        left += here.__subclasses__()
    return sorted(found - {Rejected}, key=lambda refusal: refusal.__name__)


def lists() -> dict[str, list[str]]:
    told = [f"{each.__name__} {each.code} {each.clauses}: {str(each.__doc__).splitlines()[0]}" for each in refusals()]
    constants = [f"{name}: {value}" for name, value in vars(cards).items() if name.isupper()]
    return {
        **{name: list(rules_of(variant)) for name, variant in VARIANTS.items()},
        "refusals": told,
        "cards": constants,
    }


if __name__ == "__main__":
    write_list(RULES, lists())
