"""docs/events.md, written from the code that defines the facts: `make events`.

The page lists what is stored, its author and its audience. All of this comes from `domain/`, except the sentences
between the tables, which are in `tests/docs/pages/events_text.py`. A test compares the page with a new one.
"""

import ast
import inspect
import itertools
import json
import re
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
from domain.decide.commits import fact_audience
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
    Timing,
    TurnPace,
    Watch,
)
from domain.events import disputes as contest
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
    bool: "flag",
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
        return "".join("?" if each is type(None) else type_in_words(each) for each in args)
    if origin is tuple and args[-1] is Ellipsis:
        return _many(type_in_words(args[0]))
    if origin is tuple:
        return f"pair of {_many(type_in_words(args[0]))}"
    if origin is dict:
        return f"{_many(type_in_words(args[1]))} by {type_in_words(args[0])}"
    raise TypeError(f"no name for {origin}{args}")


MANY = {"number": "numbers", "text": "texts", "rank": "ranks", "[card](#parts)": "[cards](#parts)", "any": "values"}


def _many(name: str) -> str:
    return MANY.get(name, f"list of {name}")


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


SHARED = {
    "n": "the number of a ceremony, from 1",
    "seat": "a seat",
    "hand": "the number of a hand",
    "card": "a [card](#parts)",
    "cards": "a list of cards",
    "next": "the seats that must move now; empty if a later fact of the same commit says so, or ends the hand",
    "bid": "a number of points or tricks",
    "scores": "the score of each seat",
    "sides": "the seats that score together, side by side",
    "suit": "`C`, `D`, `H` or `S`",
    "dispute": "the number of a dispute in its game",
}
"""The fields that mean the same in all facts and parts that have them."""


def field_list(kind: type[Any]) -> list[str]:
    """Return a value's fields in their order as one paragraph: each with its type and its sentence, unless shared."""
    hints, meanings = typing.get_type_hints(kind), sentences(kind)
    named = []
    for each in _fields(kind):
        name, of = getattr(each, "encode_name", each.name), type_in_words(hints[each.name])
        default = _default(each)
        shown = [f"`{name}={default}`" if default else f"`{name}`"]
        if not ((default and "[" not in of) or (name in SHARED and kind not in RULES and "?" not in of)):
            shown += [of.replace("number?", "?") if of.startswith("number") else of] if of != "number" else []
        shown += [f"({meanings[each.name]})"] if each.name in meanings else []
        named.append(" ".join(shown))
    return wrap(f"{', '.join(named)}.")


def _fields(kind: type[Any]) -> tuple[Any, ...]:
    return structs.fields(kind) if issubclass(kind, Struct) else fields(kind)


def _default(each: Any) -> str:
    """Return a field's default in JSON, or "" for a field without one, with null, or with a long one."""
    if each.default in (MISSING, NODEFAULT, None) or isinstance(each.default, Changes):
        return ""
    value = to_builtins(each.default)
    return value or '""' if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def doc(kind: type[Any]) -> str:
    """Return the docstring as one paragraph; the sheet says which ruling is contested."""
    return re.sub(", contentious", "", " ".join((inspect.getdoc(kind) or "").split()))


def wrap(text: str) -> list[str]:
    """Return a paragraph, or an item of a list, as lines of at most 120 characters."""
    item = re.match(r"(\*|\d+\.) ", text)
    below = " " * len(item[0]) if item else ""
    return textwrap.wrap(text, 120, subsequent_indent=below, break_long_words=False, break_on_hyphens=False)


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
        assert (own, others) == ((1,), (0,))
        return "its seat"
    seats = fact_audience(fact, state)
    return "everybody" if seats is None else "nobody"


AUTHORS = {
    Author.OPENER: "the player who opened the game",
    Author.SEAT: "",
    Author.TABLE: "",
    Author.PARTY: "",
    Author.ARBITER: "the arbiter",
    Author.LENDER: "the player who gets the seat back",
    Author.BRINGER: "the player who brought it, or `server`",
    Author.CAUSE: "the host if they changed the rules, otherwise `server`",
}
"""The author that `by` names, in words."""


PLAYERS = "These are by the seat's player, or by `server` if the table plays the seat:"
PARTIES = "by the seat's player, also after the seat has left"


def _facts_by(author: Author) -> str:
    return ", ".join(f"`{name}`" for name, kind in FACTS.items() if DECLARATIONS[kind].author is author)


SEEN = re.compile(r" ?(Only that seat|Nobody) sees (them|it)( until the reveal)?[.]")
"""A sentence that the audience of a fact says again."""


def facts(state: State) -> Iterator[str]:
    """Yield a section for each fact."""
    for name, kind in FACTS.items():
        version, author = FACT_VERSIONS[name], AUTHORS[DECLARATIONS[kind].author]
        head = [f"Version {version}."] if version > 1 else []
        head += [f"By {author}."] if author else []
        head += [f"Seen by {seen} until the reveal."] if (seen := audience(kind, state)) != "everybody" else []
        says = SEEN.sub("", doc(kind))
        yield from (f"### {name}", "", *wrap(" ".join([*head, says])), "", *field_list(kind), "")


def phases() -> Iterator[str]:
    """Yield a line for each set of phases with the commands that they allow."""
    kinds = dict.fromkeys([kind for allowed in DECISIONS.values() for kind in allowed] + [*ANYTIME, *AFTER_GAME_OVER])
    opened = tuple[Phase, ...](phase for phase in Phase if phase is not Phase.UNOPENED)
    always = tuple(phase for phase in opened if phase is not Phase.OVER)
    says = {opened: "from the opening on, also after the end", always: "in every phase of a game"}
    allowing: dict[str, list[str]] = {}
    for kind in kinds:
        out_of_turn = opened if kind in AFTER_GAME_OVER else always if kind in ANYTIME else ()
        allowed = tuple(phase for phase in Phase if kind in DECISIONS[phase] or phase in out_of_turn)
        named = ", ".join(f"`{phase}`" for phase in allowed)
        allowing.setdefault(says.get(allowed, f"in {named}"), []).append(f"`{kind.__name__}`")
    for when, commands in allowing.items():
        yield from textwrap.wrap(f"* {when}: {', '.join(commands)}", 120, subsequent_indent="  ")
    yield ""


def parts() -> Iterator[str]:
    """Yield the fields of the parts of facts."""
    for kind in PARTS:
        yield from (f"### {kind.__name__}", "", *wrap(doc(kind)), "", *field_list(kind), "")


SHORT = 240
"""Values with fewer characters stand in one paragraph."""


def vocabulary() -> Iterator[str]:
    """Yield the fields of the rules, and the values of their choices."""
    for kind in RULES:
        yield from (f"### {kind.__name__}", "", *wrap(doc(kind)), "", *field_list(kind), "")
    for choice in CHOICES:
        if choice is not Phase:
            meanings = sentences(choice)
            values = [f"`{each}`" + (f": {meanings[each.name]}" if each.name in meanings else "") for each in choice]
            yield from (f"### {choice.__name__}", "", *wrap(doc(choice)), "")
            if len(" ".join(values)) < SHORT and not any(";" in value for value in values):
                yield from wrap(f"{'; '.join(values)}.")
            else:
                for value in values:
                    yield from textwrap.wrap(f"* {value}", 120, subsequent_indent="  ", break_on_hyphens=False)
            yield ""


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
        *field_list(Event),
        "",
        *FACT_LIST.splitlines(),
        *(f"* `{name}`: {says}" for name, says in SHARED.items()),
        "",
        *wrap(f"{PLAYERS} {_facts_by(Author.SEAT)}; {PARTIES}: {_facts_by(Author.PARTY)}."),
        "",
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
