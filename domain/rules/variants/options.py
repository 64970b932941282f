"""The types of variants: a variant, its options, and the rule sheet that it plays by."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from reprlib import repr as shortened
from typing import Any

from domain.rejections import COMMON_LETTER, COMMON_RULINGS, NotOffered, Rejected, clause_letter
from domain.rules.model import Rules


@dataclass(frozen=True)
class OptionField:
    """One field of an option whose value is an object.

    `kind` is "odds" ([a, b]: a times in b), "flag", or "list" (any of `choices`, each at most once).
    If `nullable`, null is also a value and means never.
    """

    name: str
    kind: str
    default: Any
    description: str
    choices: tuple[str, ...] = ()
    nullable: bool = False


@dataclass(frozen=True)
class Option:
    """One choice at the opening of a game: its values, the default, and how it changes the rules.

    `ruling` is the contested ruling whose other answers the option offers. If `parse` is set, `values` are only
    examples: `parse` fills in missing fields and raises NotOffered for an invalid value. `value_format` then describes
    the valid values for people, and `fields` lists the fields of an object.
    """

    name: str
    values: tuple[Any, ...]
    default: Any
    description: str
    apply: Callable[[Rules, Any], Rules]
    ruling: str | None = None
    parse: Callable[[Any], Any] | None = None
    value_format: str | None = None
    fields: tuple[OptionField, ...] = ()

    def validate(self, value: Any) -> Any:
        """Return the value to play by; raise NotOffered if the option doesn't offer it.

        The type counts: 11.0 and True are not numbers of points.
        """
        if self.parse is not None:
            return self.parse(value)
        if not any(type(value) is type(each) and value == each for each in self.values):
            values = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in self.values)
            raise NotOffered(f"The value {shortened(value)} isn't offered for {self.name}. Choose from {values}.")
        return value


def with_fields(rules: Rules, fields: Mapping[str, Any]) -> Rules:
    """Return the rules with these fields; `auction.least` is a field of the auction, `changes.hold` of the changes."""
    inner: dict[str, dict[str, Any]] = {}
    plain = dict[str, Any]()
    for name, value in fields.items():
        record, dot, field_name = name.partition(".")
        if dot:
            inner.setdefault(record, {})[field_name] = value
        else:
            plain[name] = value
    return replace(
        rules, **plain, **{record: replace(getattr(rules, record), **each) for record, each in inner.items()}
    )


Answer = Mapping[str, Any] | Callable[[Rules], Mapping[str, Any]]
"""The fields of the rules that a value of an option sets, or a function that returns them for the rules so far."""


def alternatives(
    name: str, answers: Mapping[Any, Answer], description: str, ruling: str | None = None, *, default: Any = None
) -> Option:
    """Return an option between named alternatives, by value. The first is the default unless `default` is another.

    If it's the option of a contested `ruling`, the default is the ruling.
    """
    values = tuple(answers)

    def apply(rules: Rules, value: Any) -> Rules:
        answer = answers[value]
        return with_fields(rules, answer(rules) if callable(answer) else answer)

    return Option(name, values, values[0] if default is None else default, description, apply, ruling)


def each_of(field_name: str, values: Iterable[StrEnum]) -> dict[str, Answer]:
    """Return an alternative for each of these values of a field, named as they are stored."""
    return {str(value): {field_name: value} for value in values}


@dataclass(frozen=True)
class Sheet:
    """A rule sheet, which one or more variants play by: its page in docs/rules, and how many clauses it has.

    Each clause begins with `letter`, each ruling with `R-` before it.
    """

    page: str
    title: str
    letter: str
    clauses: int
    rulings: int

    def numbers(self) -> Iterator[str]:
        """Yield the number of every clause and ruling."""
        yield from (f"{self.letter}{number}" for number in range(1, self.clauses + 1))
        yield from (f"R-{self.letter}{number}" for number in range(1, self.rulings + 1))


COMMON_SHEET = Sheet("common", "every game", COMMON_LETTER, 0, COMMON_RULINGS)
"""The sheet that holds in every game."""


@dataclass(frozen=True)
class Variant:
    """A variant: the rules with every option at its default, the options, and the rule sheet.

    A refusal class lists the clauses of the variants that it was written for; `clauses` adds those of this variant. For
    a number of players in `by_seats` these fields of the rules have other values. `earlier` is what the variant was in
    earlier releases, so that the audit knows the rules of games that were opened then.
    """

    name: str
    title: str
    summary: str
    rules: Rules
    options: tuple[Option, ...] = ()
    sheet: Sheet = field(kw_only=True)
    clauses: Mapping[type[Rejected], tuple[str, ...]] = field(default_factory=dict)
    by_seats: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    earlier: tuple["Variant", ...] = ()

    def compose(self, values: Mapping[str, Any], seats: int | None = None) -> tuple[Rules, dict[str, Any]]:
        """Return the rules under the options in `values`, and the options with defaults filled in (R-S21).

        `seats` is the number of players, None for the usual rules. Raise NotOffered for an option that the variant
        doesn't have and for a value that the option doesn't offer.
        """
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                offered = ", ".join(known) or "none"
                raise NotOffered(f"The variant {self.name} has no option {shortened(name)}. Its options are {offered}.")
        chosen = {name: option.validate(values.get(name, option.default)) for name, option in known.items()}
        counted = seats if seats in self.by_seats else None
        return self._apply_options(chosen, counted) if values else self._default_rules[counted], chosen

    def clauses_for(self, refusal: type[Rejected]) -> tuple[str, ...]:
        """Return the clauses that `refusal` rests on, of this variant's sheet and of the sheet for every game."""
        every = (*refusal.clauses, *self.clauses.get(refusal, ()))
        return tuple(clause for clause in every if clause_letter(clause) in (self.sheet.letter, COMMON_LETTER))

    def has_clause(self, clause: str) -> bool:
        """Return whether the variant's sheet, or the sheet for every game, has this clause or ruling."""
        return clause in self._sheet_clauses

    @property
    def sheet_summary(self) -> str:
        """The clauses that there are: `S1 to S47, R-S1 to R-S22, and R-P1 to R-P18 of every game`."""
        own = self.sheet
        return (
            f"{own.letter}1 to {own.letter}{own.clauses}, R-{own.letter}1 to R-{own.letter}{own.rulings}, and "
            f"R-{COMMON_LETTER}1 to R-{COMMON_LETTER}{COMMON_RULINGS} of every game"
        )

    @cached_property
    def _sheet_clauses(self) -> frozenset[str]:
        return frozenset((*self.sheet.numbers(), *COMMON_SHEET.numbers()))

    @cached_property
    def _default_rules(self) -> dict[int | None, Rules]:
        """The rules without options by number of players: always the same objects, as memoizing by identity needs."""
        chosen = {option.name: option.validate(option.default) for option in self.options}
        return {seats: self._apply_options(chosen, seats) for seats in (None, *self.by_seats)}

    def _apply_options(self, chosen: Mapping[str, Any], seats: int | None) -> Rules:
        rules = self.rules if seats is None else with_fields(self.rules, self.by_seats[seats])
        for option in self.options:
            rules = option.apply(rules, chosen[option.name])
        return rules


UTC_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z")


def parse_time(value: Any, field_name: str) -> str:
    """Return a time like 2026-11-21T08:00:00Z with six decimals; raise NotOffered for anything else."""
    if isinstance(value, str) and UTC_TIME.fullmatch(value):
        with suppress(ValueError):
            return datetime.fromisoformat(value[:-1]).isoformat(timespec="microseconds") + "Z"
    raise NotOffered(f"Set {field_name} to null or to a time in UTC, such as 2026-11-21T08:00:00Z.")
