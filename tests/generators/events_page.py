"""docs/events.md, written from the code that defines the facts: `make events`.

The page lists what is stored, its author and its audience. All of this comes from `domain/`, except the sentences
between the tables, which are in `tests/docs/pages/events_text.py`. A test compares the page with a new one.
"""

import ast
import inspect
import itertools
import json
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT, Struct, structs, to_builtins

from domain.cards import Card, Rank, Suit
from domain.commands import OpenGame
from domain.decide import AFTER_GAME_OVER, ANYTIME, DECISIONS
from domain.decide.envelope import fact_audience
from domain.events import (
    FACT_VERSIONS,
    FACTS,
    Event,
    Evidence,
    F_co,
    Fairness,
    GameLimits,
    Peg,
    Play,
    Player,
    Rating,
    Ruled,
    Seats,
    Timing,
    TurnPace,
    Watch,
)
from domain.events import dispute_codes as contest
from domain.events.declaring import DECLARATIONS, Audience, Author
from domain.rules import choices
from domain.rules.choices import Phase, Sight
from domain.rules.model import Auction, Changes, Delay, Point, Randomizer, Rules, RulesSummary, Version
from domain.rules.variants import PITCH
from domain.state import State
from domain.store.aggregate import Draft, Game, Request
from tests.docs.pages.events_text import ALLOWED, FACT_LIST, INTRO, PARTS_LIST, RULES_LIST
from tests.values import replace

PAGE = Path(__file__).parents[2] / "docs" / "events.md"
PARTS: tuple[type[Any], ...] = (
    Player, Play, Peg, Timing, TurnPace, Fairness, GameLimits, Rating, Watch, Evidence, Ruled
)  # fmt: skip
RULES: tuple[type[Any], ...] = (Rules, Auction, Point, Changes, Randomizer, Version, RulesSummary, Delay)
CHOICES: tuple[type[StrEnum], ...] = tuple(
    each
    for module in (choices, contest)
    for each in vars(module).values()
    if inspect.isclass(each) and issubclass(each, StrEnum) and each.__module__ == module.__name__
)
NAMES: dict[Any, str] = {
    int: "number",
    str: "text",
    bool: "true or false",
    Any: "any",
    Card: "[card](#parts)",
    Suit: "suit",
    Rank: "rank",
    F_co: "the fact",
}


def type_in_words(kind: Any) -> str:
    """Return a field's type in JSON: number, text, list of ..., or a link to the table of a part."""
    if kind in NAMES:
        return NAMES[kind]
    if isinstance(kind, type) and kind in (*PARTS, *RULES, *CHOICES):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    return _composed(typing.get_origin(kind), typing.get_args(kind))


def _composed(origin: Any, args: tuple[Any, ...]) -> str:
    if origin in (types.UnionType, typing.Union):
        return " or ".join("null" if each is type(None) else type_in_words(each) for each in args)
    if origin is tuple and args[-1] is Ellipsis:
        return f"list of {_many(type_in_words(args[0]))}"
    if origin is tuple:
        return f"pair of {_many(type_in_words(args[0]))}"
    if origin is dict:
        return f"object of {_many(type_in_words(args[1]))} by {type_in_words(args[0])}"
    raise TypeError(f"no name for {origin}{args}")


MANY = {"number": "numbers", "text": "texts", "rank": "ranks", "[card](#parts)": "[cards](#parts)"}


def _many(name: str) -> str:
    if name.startswith("list of"):
        return f"lists of{name.removeprefix('list of')}"
    return f"({name})" if " or " in name else MANY.get(name, name)


def row(*cells: object) -> str:
    """Return a row of a table in Markdown."""
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """Yield a table in Markdown, and an empty line after it."""
    yield row(*head)
    yield row(*["---"] * len(head))
    for cells in rows:
        yield row(*cells)
    yield ""


def field_table(kind: type[Any]) -> Iterator[str]:
    """Yield the table of a value's fields in their order, with the sentence about each field that has one."""
    hints, meanings = typing.get_type_hints(kind), sentences(kind)
    head = ("field", "is", "means") if meanings else ("field", "is")
    rows = (
        (
            f"`{getattr(each, 'encode_name', each.name)}`",
            type_in_words(hints[each.name]) + _default(each),
            meanings.get(each.name, ""),
        )[: len(head)]
        for each in _fields(kind)
    )
    yield from table(head, rows)


def _fields(kind: type[Any]) -> tuple[Any, ...]:
    return structs.fields(kind) if issubclass(kind, Struct) else fields(kind)


def _default(each: Any) -> str:
    if each.default in (MISSING, NODEFAULT, None):
        return ""
    default = "no changes" if isinstance(each.default, Changes) else f"`{json.dumps(to_builtins(each.default))}`"
    return f", by default {default}"


def doc(kind: type[Any]) -> str:
    """Return the docstring as one paragraph."""
    return " ".join((inspect.getdoc(kind) or "").split())


def wrap(text: str) -> list[str]:
    """Return a paragraph as lines of at most 120 characters."""
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def sentences(kind: type[Any]) -> dict[str, str]:
    """Return the sentence below each field of a dataclass, or each value of a choice, that has one."""
    body = typing.cast(ast.ClassDef, ast.parse(inspect.getsource(kind)).body[0]).body
    meanings: dict[str, str] = {}
    for named, below in itertools.pairwise(body):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and (name := _assigned(named)):
            meanings[name] = " ".join(str(below.value.value).split())
    return meanings


def _assigned(statement: ast.stmt) -> str | None:
    """Return the name that a statement in the body of a class assigns to."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    target = statement.target if isinstance(statement, ast.AnnAssign) else target
    return target.id if isinstance(target, ast.Name) else None


def example() -> Draft:
    """Return a game of two after the deal, the same each time: its seeds and salts are zeros."""
    players = (Player("p_ann", "human"), Player("bot:simple:1", "bot", "simple"))
    command = OpenGame("6f1d0c1e-0000-4000-8000-000000000001", 1, "pitch", {}, players)
    return Game(command.game).draft(command, Request("p_ann", "c1", "2026-11-21T08:00:00.000000Z"), bytes)


def with_sight(state: State, sight: Sight) -> State:
    """Return `state` with rules under which seats see the cards that `sight` names."""
    return replace(state, in_force=replace(PITCH, sights=(sight,)))


def audience(kind: type[Any], state: State) -> str:
    """Return the viewers of a fact before its ceremony is revealed, in words."""
    fact = kind(**dict.fromkeys(kind.__struct_fields__, 1))
    if DECLARATIONS[kind].audience is Audience.SIGHT:
        own, others = (fact_audience(fact, with_sight(state, sight)) for sight in (Sight.OWN, Sight.OTHERS))
        words: dict[Seats | None, str] = {(1,): "that seat", (0,): "all seats but that one"}
        return f"{words[own]}; by {words[others]} if the rules' sight is `others`"
    seats = fact_audience(fact, state)
    return "everybody" if seats is None else "nobody"


AUTHORS = {
    Author.OPENER: "the player who opened the game",
    Author.SEAT: "its seat's player, or `server` if the table plays the seat",
    Author.TABLE: "`server`",
    Author.PARTY: "its seat's player, also after the seat has left",
    Author.ARBITER: "the arbiter",
    Author.LENDER: "the player who gets the seat back",
    Author.BRINGER: "the player who brought it, or `server`",
    Author.CAUSE: "the host if they changed the rules, otherwise `server`",
}
"""The author that `by` names, in words."""


def facts(state: State) -> Iterator[str]:
    """Yield a section for each fact."""
    for name, kind in FACTS.items():
        yield from (f"### {name}", "", *wrap(doc(kind)), "")
        until = ", until ceremony `n` is revealed" if audience(kind, state) != "everybody" else ""
        yield f"Version {FACT_VERSIONS[name]}. By {AUTHORS[DECLARATIONS[kind].author]}."
        yield f"Seen by {audience(kind, state)}{until}."
        yield ""
        yield from field_table(kind)


def phases() -> Iterator[str]:
    """Yield the table of the commands that each phase allows."""
    kinds = dict.fromkeys([kind for allowed in DECISIONS.values() for kind in allowed] + [*ANYTIME, *AFTER_GAME_OVER])
    opened = [phase for phase in Phase if phase is not Phase.UNOPENED]
    always = [phase for phase in opened if phase is not Phase.OVER]
    rows = []
    for kind in kinds:
        out_of_turn = opened if kind in AFTER_GAME_OVER else always if kind in ANYTIME else []
        allowed = [phase for phase in Phase if kind in DECISIONS[phase] or phase in out_of_turn]
        rows.append((f"`{kind.__name__}`", doc(kind), *("yes" if phase in allowed else "" for phase in Phase)))
    yield from table(("command", "", *(f"`{phase}`" for phase in Phase)), rows)


def parts() -> Iterator[str]:
    """Yield the tables of the parts of facts."""
    for kind in PARTS:
        yield from (f"### {kind.__name__}", "", *wrap(doc(kind)), "", *field_table(kind))


def vocabulary() -> Iterator[str]:
    """Yield the tables of the rules and of their choices."""
    for kind in RULES:
        yield from (f"### {kind.__name__}", "", *wrap(doc(kind)), "", *field_table(kind))
    for choice in CHOICES:
        if choice is not Phase:
            meanings = sentences(choice)
            yield from (f"### {choice.__name__}", "", *wrap(doc(choice)), "")
            yield from table(("value", "means"), ((f"`{each}`", meanings.get(each.name, "")) for each in choice))


def page() -> str:
    """Return the text of docs/events.md."""
    drafted = example()
    dealt = next(entry for entry in drafted.entries if entry.event.fact == "CardsDealt")
    lines = [
        *INTRO.splitlines(),
        "```json",
        dealt.raw.decode(),
        "```",
        "",
        *field_table(Event),
        *FACT_LIST.splitlines(),
        *facts(drafted.state),
        *PARTS_LIST.splitlines(),
        *parts(),
        *ALLOWED.splitlines(),
        *phases(),
        *RULES_LIST.splitlines(),
        *vocabulary(),
    ]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
