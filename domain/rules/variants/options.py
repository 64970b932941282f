"""What a table may choose when it opens a game."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from reprlib import repr as shortened
from typing import Any

from domain.rejections import NotOffered
from domain.rules.model import Rules


@dataclass(frozen=True)
class Part:
    """A field of an option that is an object: its default, and what it may be.

    `kind` is odds ([a, b]: a times in b), flag, or list (any of `of`, each at most once); `null` is whether null, for
    never, is another answer.
    """

    name: str
    kind: str
    default: Any
    says: str
    of: tuple[str, ...] = ()
    null: bool = False


@dataclass(frozen=True)
class Option:
    """One choice at the opening of a game: its values, the default, and what it changes in the rules.

    `ruling` is the contentious ruling whose other answers it offers. Where `read` is given the values are not all there
    is: it takes what was asked, fills in what is left out, and refuses what is not offered with NotOffered; `takes`
    says for people what that may be, and `parts` are its fields where it is an object.
    """

    name: str
    values: tuple[Any, ...]
    default: Any
    says: str
    apply: Callable[[Rules, Any], Rules]
    ruling: str | None = None
    read: Callable[[Any], Any] | None = None
    takes: str | None = None
    parts: tuple[Part, ...] = ()

    def chosen(self, asked: Any) -> Any:
        """What was asked, if it is offered, and of its type: 11.0 and True are no numbers of points."""
        if self.read is not None:
            return self.read(asked)
        if not any(type(asked) is type(each) and asked == each for each in self.values):
            values = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in self.values)
            raise NotOffered(f"{self.name}={shortened(asked)} is not offered; choose from {values}")
        return asked


@dataclass(frozen=True)
class Variant:
    """A catalogue entry: the rules with every option at its default, and the options."""

    name: str
    title: str
    says: str
    rules: Rules
    options: tuple[Option, ...] = ()

    def composed(self, asked: Mapping[str, Any]) -> tuple[Rules, dict[str, Any]]:
        """The rules under the options asked for, and the options with defaults filled in (R-S21).

        Refuses an option the variant does not have and a value the option does not offer.
        """
        known = {option.name: option for option in self.options}
        for given in asked:
            if given not in known:
                offered = ", ".join(known) or "none"
                raise NotOffered(f"{self.name} has no option {shortened(given)}; it has: {offered}")
        chosen = {name: option.chosen(asked.get(name, option.default)) for name, option in known.items()}
        return self._under(chosen) if asked else self._usual, chosen

    @cached_property
    def _usual(self) -> Rules:
        """Where no option is asked for: the same value each time, and what is once worked out for it stays known."""
        return self._under({option.name: option.chosen(option.default) for option in self.options})

    def _under(self, chosen: Mapping[str, Any]) -> Rules:
        rules = self.rules
        for option in self.options:
            rules = option.apply(rules, chosen[option.name])
        return rules


MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z")


def moment(asked: Any, what: str) -> str:
    """A time like 2026-11-21T08:00:00Z with six decimals; refuses all else, other time zones too."""
    if isinstance(asked, str) and MOMENT.fullmatch(asked):
        with suppress(ValueError):
            return datetime.fromisoformat(asked[:-1]).isoformat(timespec="microseconds") + "Z"
    raise NotOffered(f"{what} is null or a time in UTC, like 2026-11-21T08:00:00Z")
