"""A viewer's knowledge of a world, by the specification, and other worlds that they can't tell from it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from api.conduct.stored.chat_messages import PARTNER, TABLE, WATCHERS, Channel
from domain.state import State
from projections.views.audience import FormerHolder, Viewer, viewer_of
from tests.api.worlds import Events, state_of, vary_hidden_facts
from tests.campaigns.worlds.stories import Story, is_over, late_head

ARBITER = "arbiter"
TEXTS = ("well played", "hm", "I hold the ace of spades", "trump soon", "late again")


@dataclass(frozen=True)
class Message:
    """A text in the chat, in a channel, when the author saw `version`; `side` is the lowest seat of a partnership."""

    number: int
    author: str
    channel: Channel
    side: int
    version: int
    text: str


@dataclass(frozen=True)
class Setup:
    """All that a server holds of a game: its events (none: there is no game), its chat, and an offer of seat 0."""

    events: Events
    chat: tuple[Message, ...] = ()
    offered_to: str | None = None


@dataclass(frozen=True)
class Sight:
    """The part of a game that a player may know: nothing if `absent`, else the game as `viewer` up to `head`."""

    viewer: Viewer
    head: int
    is_late: bool = False
    is_absent: bool = False

    @property
    def kind(self) -> str:
        """The kind of viewer in a word or two, for the figures."""
        known = {int: "seat", FormerHolder: "former holder"}.get(type(self.viewer), "spectator")
        return "outsider" if self.is_absent else f"late {known}" if self.is_late else known


def sight_of(story: Story, setup: Setup, player: str | None, role: str) -> Sight:
    """Return what a player may know of a story's game by docs/trust.md."""
    state = state_of(setup.events)
    viewer, whole = viewer_of(state, player), len(setup.events)
    if isinstance(viewer, int):
        return Sight(viewer, whole)
    if viewer is None and role == ARBITER and any(each.ruling is None for each in state.disputes):
        return Sight(None, whole)
    if viewer is None and not story.watch.public and player != (setup.offered_to or ""):
        return Sight(None, 0, is_absent=True)
    if story.watch.delay and not is_over(setup.events):
        return Sight(viewer, late_head(setup.events, story.watch.delay), is_late=True)
    return Sight(viewer, whole)


def other_setup(story: Story, setup: Setup, sight: Sight, chance: random.Random, *, moves: bool = False) -> Setup:
    """Return another world that the viewer may not be able to tell from this one.

    If the viewer `moves`, trumps change places with trumps only, since the rules show who has none.
    """
    if sight.is_absent:
        if chance.random() < 0.3:
            return Setup([])
        other = replace(story, seed=f"{story.seed} elsewhere", moves=chance.randrange(60), is_disputed=False)
        return Setup(other.events(), (), setup.offered_to)
    events = story.other_tail(setup.events) if sight.is_late else setup.events
    events = vary_hidden_facts(events, sight.viewer, chance, alike=chance.random() < 0.5 or moves)
    return replace(setup, events=events, chat=tuple(_other_chat(setup, sight, chance)))


def _other_chat(setup: Setup, sight: Sight, chance: random.Random) -> list[Message]:
    """Return the messages, where those that the viewer can't read are gone or say something else."""
    others = []
    for message in setup.chat:
        if _may_read(setup, sight, message):
            others.append(message)
        elif chance.random() < 0.6:
            others.append(replace(message, text="something else"))
    return others


def _may_read(setup: Setup, sight: Sight, message: Message) -> bool:
    seat, seen = sight.viewer if isinstance(sight.viewer, int) else None, setup.events[: sight.head]
    if message.version > sight.head and sight.is_late and message.channel != WATCHERS:
        return False
    if message.channel == PARTNER:
        return seat is not None and side_of(state_of(seen), seat) == message.side
    return message.channel == TABLE or seat is None or is_over(seen)


def side_of(state: State, seat: int) -> int:
    """Return the lowest seat of a seat's side, or -1 without a partner."""
    sides = state.rules.sides(len(state.seats))
    return next((min(side) for side in sides if seat in side and len(side) > 1), -1)


def random_chat(events: Events, watchers: Sequence[str], chance: random.Random) -> tuple[Message, ...]:
    """Return messages of seats to the table and to partners, and of watchers, at random moments."""
    state, chat = state_of(events), list[Message]()
    for number in range(chance.randrange(7)):
        seat, version = chance.randrange(len(state.seats)), chance.randint(1, len(events))
        side, text = side_of(state, seat), chance.choice(TEXTS)
        if watchers and chance.random() < 0.3:
            chat.append(Message(number, chance.choice(watchers), WATCHERS, -1, version, text))
        elif side >= 0 and chance.random() < 0.6:
            chat.append(Message(number, state.seats[seat].player, PARTNER, side, version, text))
        else:
            chat.append(Message(number, state.seats[seat].player, TABLE, -1, version, text))
    return tuple(sorted(chat, key=lambda message: message.version))
