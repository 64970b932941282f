"""The disputes of a game as its log tells them: who said what, when, under which command, and what was said beside."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from api.accounts.dispute_texts import DisputeText, DisputeTexts
from domain.events import DisputeOpened, Event, RulingAppealed, RulingDecided, RulingGiven
from domain.state import State
from domain.store.aggregate import Entry

Withheld = Callable[[Event[Any]], bool]
"""Whether what was said with a fact is not for this reader now."""
PARTS: dict[type[Any], str] = {
    DisputeOpened: "opened",
    RulingGiven: "ruling",
    RulingAppealed: "appeal",
    RulingDecided: "decision",
}
AROUND = ("version", "at", "by")


def nothing(event: Event[Any]) -> bool:
    """All of it may be read."""
    return False


@dataclass
class Contest:
    """One dispute: its events by part, in the order they came."""

    number: int
    parts: dict[str, Event[Any]] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """What has become of it: open, ruled, appealed, upheld or reversed."""
        if (decision := self.parts.get("decision")) is not None:
            told: str = decision.data.decision
            return told
        return "appealed" if "appeal" in self.parts else "ruled" if "ruling" in self.parts else "open"

    @property
    def commands(self) -> list[str]:
        """The commands of its facts, under which texts are kept."""
        return [event.command for event in self.parts.values()]

    @property
    def arbiters(self) -> Iterator[str]:
        """Who ruled and who decided."""
        return (event.by for part, event in self.parts.items() if part in ("ruling", "decision"))

    def json(self, said: dict[str, DisputeText] | None = None, withheld: Withheld = nothing) -> dict[str, Any]:
        """The facts, each with its version, time and author; with `said`, each with what was said, by command.

        Of a part that is `withheld` it is told that something was said, and not what.
        """
        shown: dict[str, Any] = {"dispute": self.number, "status": self.status}
        for part in PARTS.values():
            event = self.parts.get(part)
            shown[part] = None if event is None else _part(event, said, withheld)
        return shown


def _part(event: Event[Any], said: dict[str, DisputeText] | None, withheld: Withheld) -> dict[str, Any]:
    fact = {name: value for name, value in msgspec.to_builtins(event.data).items() if name != "dispute"}
    around = {name: getattr(event, name) for name in AROUND}
    if said is None:
        return around | fact
    text = said.get(event.command)
    return around | fact | _text(text, withheld=text is not None and withheld(event))


def _text(text: DisputeText | None, *, withheld: bool) -> dict[str, Any]:
    """What was said, with the salt that opens its note; null where nothing was; erased cannot be read again."""
    if text is None or text.text is None:
        return {"text": None, "salt": None, "erased": text is not None, "withheld": False}
    if withheld:
        return {"text": None, "salt": None, "erased": False, "withheld": True}
    return {"text": text.text, "salt": text.salt, "erased": False, "withheld": False}


def contests(entries: Iterable[Entry]) -> list[Contest]:
    """The disputes among the events of a game, in order."""
    found = list[Contest]()
    for entry in entries:
        part = PARTS.get(type(entry.event.data))
        if part == "opened":
            found.append(Contest(len(found) + 1))
        if part is not None:
            found[entry.event.data.dispute - 1].parts[part] = entry.event
    return found


def with_texts(texts: DisputeTexts, found: Sequence[Contest], withheld: Withheld = nothing) -> list[dict[str, Any]]:
    """The disputes with what was said in them, for those who may read it, but for what is `withheld`."""
    said = texts.read([command for contest in found for command in contest.commands])
    return [contest.json(said, withheld) for contest in found]


def until_the_hand_is_over(state: State, reader: str) -> Withheld:
    """What a player of the game may not read yet: words of other seats, said since the hand in play was promised.

    They could tell a partner of cards that nobody else sees.
    """
    if state.result is not None or state.hand is None or state.hand.over:
        return nothing
    promised = state.hand.ceremony_version
    return lambda event: event.version > promised and event.by != reader and hasattr(event.data, "seat")
