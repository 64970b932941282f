"""The types of variants: a variant, its options, and the rule sheet that it plays by."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
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


@dataclass(frozen=True)
class Variant:
    """A variant: the rules with every option at its default, the options, and the letter of the rule sheet.

    Each clause of the variant's sheet in docs/rules begins with `letter`, rulings with `R-` before it: `sheet` says how
    many it has of both. A refusal class lists the clauses of the variants that it was written for; `clauses` adds those
    of this variant.
    """

    name: str
    title: str
    summary: str
    rules: Rules
    options: tuple[Option, ...] = ()
    letter: str = field(kw_only=True)
    sheet: tuple[int, int] = field(kw_only=True)
    clauses: Mapping[type[Rejected], tuple[str, ...]] = field(default_factory=dict)

    def compose(self, values: Mapping[str, Any]) -> tuple[Rules, dict[str, Any]]:
        """Return the rules under the options in `values`, and the options with defaults filled in (R-S21).

        Raise NotOffered for an option that the variant doesn't have and for a value that the option doesn't offer.
        """
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                offered = ", ".join(known) or "none"
                raise NotOffered(f"The variant {self.name} has no option {shortened(name)}. Its options are {offered}.")
        chosen = {name: option.validate(values.get(name, option.default)) for name, option in known.items()}
        return self._apply_options(chosen) if values else self._default_rules, chosen

    def clauses_for(self, refusal: type[Rejected]) -> tuple[str, ...]:
        """Return the clauses that `refusal` rests on, of this variant's sheet and of the sheet for every game."""
        every = (*refusal.clauses, *self.clauses.get(refusal, ()))
        return tuple(clause for clause in every if clause_letter(clause) in (self.letter, COMMON_LETTER))

    def has_clause(self, clause: str) -> bool:
        """Return whether the variant's sheet, or the sheet for every game, has this clause or ruling."""
        return clause in self._sheet_clauses

    @property
    def sheet_summary(self) -> str:
        """The clauses that there are: `S1 to S47, R-S1 to R-S22, and R-P1 to R-P18 of every game`."""
        own, (clauses, rulings) = self.letter, self.sheet
        return (
            f"{own}1 to {own}{clauses}, R-{own}1 to R-{own}{rulings}, and "
            f"R-{COMMON_LETTER}1 to R-{COMMON_LETTER}{COMMON_RULINGS} of every game"
        )

    @cached_property
    def _sheet_clauses(self) -> frozenset[str]:
        counts = (
            (self.letter, self.sheet[0]),
            (f"R-{self.letter}", self.sheet[1]),
            (f"R-{COMMON_LETTER}", COMMON_RULINGS),
        )
        return frozenset(f"{prefix}{number}" for prefix, count in counts for number in range(1, count + 1))

    @cached_property
    def _default_rules(self) -> Rules:
        """The rules without options: always the same object, so that results memoized by identity stay valid."""
        return self._apply_options({option.name: option.validate(option.default) for option in self.options})

    def _apply_options(self, chosen: Mapping[str, Any]) -> Rules:
        rules = self.rules
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
