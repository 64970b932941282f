"""What a table may choose when it opens a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.rejections import NotOffered
from domain.rules import Rules


@dataclass(frozen=True)
class Option:
    """One choice at the opening of a game: its values, the default, and what it changes in the rules.

    `ruling` is the contentious ruling whose other answers it offers. Where `read` is given the values are not all there
    is: it takes what was asked, fills in what is left out, and refuses what is not offered with NotOffered.
    """

    name: str
    values: tuple[Any, ...]
    default: Any
    says: str
    apply: Callable[[Rules, Any], Rules]
    ruling: str | None = None
    read: Callable[[Any], Any] | None = None

    def chosen(self, asked: Any) -> Any:
        """What was asked, if it is offered, and of its type: 11.0 and True are no numbers of points."""
        if self.read is not None:
            return self.read(asked)
        if not any(type(asked) is type(each) and asked == each for each in self.values):
            values = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in self.values)
            raise NotOffered(f"{self.name}={asked!r} is not offered; choose from {values}")
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
                raise NotOffered(f"{self.name} has no option {given!r}; it has: {', '.join(known) or 'none'}")
        chosen = {name: option.chosen(asked.get(name, option.default)) for name, option in known.items()}
        rules = self.rules
        for option in self.options:
            rules = option.apply(rules, chosen[option.name])
        return rules, chosen
