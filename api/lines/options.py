"""The options of a challenge: `-win=7` and `-nohook` are of the game, `--nagtime=3` of the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from api.lines.words import NotACommand
from domain.protocols.beacon import QUICKNET
from domain.rules.variants import KNOWN
from domain.rules.variants.options import Option

MISPLACED = "Options stand before the players or after them, not between."


@dataclass(frozen=True)
class TableOption:
    """An option of every table: what it needs, what it means, and where its value goes in the body of POST /games."""

    name: str
    value: str
    description: str
    put: Callable[[dict[str, Any], str], None]


def _days(field: str) -> Callable[[dict[str, Any], str], None]:
    def put(body: dict[str, Any], text: str) -> None:
        body.setdefault("timing", {})[field] = None if text == "never" else _number(text)

    return put


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise NotACommand(f"{text[:40]!r} isn't a whole number.")
    return int(text)


def _field(name: str) -> Callable[[dict[str, Any], str], None]:
    return lambda body, text: body.__setitem__(name, text)


def _private(body: dict[str, Any], text: str) -> None:
    if text:
        raise NotACommand("--private takes no value.")
    body.setdefault("watch", {})["public"] = False


def _delay(body: dict[str, Any], text: str) -> None:
    body.setdefault("watch", {})["delay"] = _number(text)


def _cuts(body: dict[str, Any], text: str) -> None:
    body.setdefault("fairness", {})["cuts"] = text


def _beacon(body: dict[str, Any], text: str) -> None:
    """Ask for a beacon; it needs cuts, which are sealed if the line doesn't say."""
    body["fairness"] = {"cuts": "sealed"} | body.get("fairness", {}) | {"beacon": text or QUICKNET}


HOUR = 3600
PACES: Mapping[str, Mapping[str, Any]] = {
    "bank": {"nag_days": 2, "pace": {"kind": "bank", "base_s": 240 * HOUR, "move_s": 36 * HOUR, "cap_s": 300 * HOUR}},
    "day": {"nag_days": None, "pace": {"kind": "daily", "move_s": 24 * HOUR}},
    "live": {"nag_days": None, "pace": {"kind": "live", "base_s": 600, "increment_s": 15}},
    "blitz": {"nag_days": None, "pace": {"kind": "live", "base_s": 120, "increment_s": 5}},
}
"""Clocks in seconds, by the names that the page of a new table has for them too."""


def _pace(body: dict[str, Any], text: str) -> None:
    if text not in PACES:
        raise NotACommand(f"--pace needs one of {', '.join(f'--pace={name}' for name in PACES)}.")
    body.setdefault("timing", {}).update(PACES[text])


TABLE_OPTIONS = {
    option.name: option
    for option in (
        TableOption("nagtime", "DAYS", "days without a move until a reminder (7), or never", _days("nag_days")),
        TableOption("forfeittime", "DAYS", "days without a move until a forfeit (21), or never", _days("forfeit_days")),
        TableOption("totaltime", "DAYS", "days for the whole game (never)", _days("total_days")),
        TableOption("pace", "HOW", "a clock in place of days: bank, day, live or blitz", _pace),
        TableOption("autopilot", "HOW", "what a late player loses: forfeit, claim or bot:simple", _field("autopilot")),
        TableOption("undo", "HOW", "how moves are taken back: consent, practice or none", _field("undo")),
        TableOption("reveal", "WHEN", "when the deals are revealed: hand or game", _field("reveal")),
        TableOption("chat", "HOW", "open, or between-hands", _field("chat")),
        TableOption("cuts", "HOW", "whether players cut the deck: none, open or sealed", _cuts),
        TableOption("beacon", "", "sealed cuts, and a round of drand's quicknet in each deal", _beacon),
        TableOption("private", "", "nobody but the players sees the game", _private),
        TableOption("delay", "FACTS", "how many facts later spectators see the game", _delay),
    )
}


def parse_challenge(variant: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the body of POST /games for the words of a challenge. Raise NotACommand with the list of options."""
    body: dict[str, Any] = {"variant": variant, "options": {}, "seats": _players(words)}
    given: dict[str, str] = {}
    for word in words:
        if word.startswith("-"):
            _put_option(variant, body, word, given)
    return body


def _players(words: Sequence[str]) -> list[str]:
    """Return the words that aren't options; raise NotACommand for options between them."""
    kinds = [word.startswith("-") for word in words]
    changes = sum(left != right for left, right in pairwise(kinds))
    if changes > 2 or (changes == 2 and not kinds[0]):
        raise NotACommand(MISPLACED)
    named = [word for word in words if not word.startswith("-")]
    if option := next((word for word in named if "=" in word), None):
        raise NotACommand(f"An option begins with a dash: write -{option[:40]}, before the players.")
    return named


def _put_option(variant: str, body: dict[str, Any], word: str, given: dict[str, str]) -> None:
    name, equals, text = word.lower().partition("=")
    dashes = "--" if name.startswith("--") else "-"
    known = [dashes + each for each in (TABLE_OPTIONS if dashes == "--" else _switches(variant))]
    found = _full_name(variant, name, known)
    if found in given and (given[found] != text or text):
        raise NotACommand(f"{found} is there twice. {option_list(variant)}")
    given[found] = text
    if dashes == "--":
        option = TABLE_OPTIONS[found[2:]]
        if option.value and not text:
            raise NotACommand(f"{found} needs a value, like {found}={option.value}.")
        return option.put(body, text)
    if equals and not text:
        raise NotACommand(f"{found} needs a value after =. {option_list(variant)}")
    return _put_rule(variant, body, found[1:], text)


def _put_rule(variant: str, body: dict[str, Any], switch: str, text: str) -> None:
    option, value = _switches(variant)[switch]
    if value is not None:
        if text:
            raise NotACommand(f"-{switch} takes no value.")
        if body["options"].get(option.name, value) != value:
            raise NotACommand(f"-{option.name} and -no{option.name} can't both be.")
        body["options"][option.name] = value
        return
    body["options"][option.name] = _value_of(option, text, switch)


def _value_of(option: Option, text: str, switch: str) -> Any:
    if option.parse is not None:
        return text.upper()  # a time, which the rules judge
    by_text = {str(each).lower(): each for each in option.values}
    if text not in by_text:
        raise NotACommand(f"-{switch} needs one of {', '.join(f'-{switch}={each}' for each in by_text)}.")
    return by_text[text]


def _full_name(variant: str, name: str, known: Sequence[str]) -> str:
    """Return the option that a word names or begins. Raise NotACommand with the list if there isn't exactly one."""
    if name in known:
        return name
    found = [each for each in known if each.startswith(name)] if name.strip("-") else []
    if len(found) == 1:
        return found[0]
    if found:
        raise NotACommand(f"{name[:40]} could be {' or '.join(found)}.")
    raise NotACommand(f"There is no option {name[:40]!a}. {option_list(variant)}")


def _switches(variant: str) -> Mapping[str, tuple[Option, Any]]:
    """Return what may follow a single dash: each with its option, and the value that the word stands for by itself."""
    switches: dict[str, tuple[Option, Any]] = {}
    for option in KNOWN[variant].options:
        if option.parse is None and all(isinstance(each, bool) for each in option.values):
            switches[option.name] = (option, True)
            switches["no" + option.name] = (option, False)
        elif option.parse is None or option.name == "ends_at":
            switches[option.name] = (option, None)
    return switches


def option_list(variant: str) -> str:
    """Return the options of a challenge in a sentence."""
    words = ["-" + name + _values_text(option, value) for name, (option, value) in _switches(variant).items()]
    words += ["--" + option.name + ("=" + option.value if option.value else "") for option in TABLE_OPTIONS.values()]
    return f"Its options are {', '.join(words)}."


def _values_text(option: Option, value: Any) -> str:
    if value is not None:
        return ""
    return "=TIME" if option.parse is not None else "=" + "|".join(str(each).lower() for each in option.values)


def option_lines(variant: str) -> list[tuple[str, str]]:
    """Return each option of a variant and of its table with its description, for help."""
    lines = [
        (f"-{name}{_values_text(option, value)}", _described(option, name, value))
        for name, (option, value) in _switches(variant).items()
    ]
    return lines + [
        ("--" + option.name + ("=" + option.value if option.value else ""), option.description)
        for option in TABLE_OPTIONS.values()
    ]


def _described(option: Option, name: str, value: Any) -> str:
    if value is None:
        return f"{option.description} (default {str(option.default).lower()})"
    usual = " (the default)" if option.default is value else ""
    return (f"turns -{option.name} off" if name != option.name else option.description) + usual
