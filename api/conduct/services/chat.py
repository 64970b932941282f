"""The chat of a game, at the table, to a partner, and among watchers; private messages, and broadcasts of moderators.

Seats read messages of a seat to the table, and watchers do so as late as they see the game. Watchers read messages of
watchers, and the seats do once the game is over. Nobody reads messages of a player they have blocked, or of one who has
blocked them. Messages that they have read before stay: they don't notice the block.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from api.accounts.accounts import Accounts
from api.conduct.stored.chat_messages import (
    BETWEEN_HANDS,
    NO_SIDE,
    OPEN,
    PARTNER,
    TABLE,
    WATCHERS,
    Channel,
    ChatDraft,
    ChatMessage,
    ChatReader,
    ChatSetting,
)
from api.conduct.stored.conduct_steps import require_voice
from api.conduct.stored.private_messages import MessageDraft, PrivateMessage
from api.limits import RateLimiter
from api.tables.stored.seats import CLAIMED
from domain.state import State, is_in_hand
from domain.store import CommandReused

FORMING_SEAT = 0
"""The seat of the opener of a table that forms, and of those who sit there or are asked: it has no sides yet."""


class ChatClosed(Exception):
    """Nobody may write there now."""


class NotInChat(Exception):
    """The player isn't in the part of the chat that the message goes to."""


class NoSuchEvent(Exception):
    """The event to comment on doesn't exist, or the player can't see it yet."""


@dataclass(frozen=True)
class ChatPlace:
    """A player's place in the chat of a game: their seat, or None for a watcher, and the state that they see.

    `upto` is the last version that a late watcher may see, None for the others; without a state, nothing is dealt yet.
    """

    game: str
    player: str
    seat: int | None
    state: State | None
    upto: int | None = None

    @property
    def version(self) -> int:
        """The version that the player sees."""
        seen = 0 if self.state is None else self.state.version
        return seen if self.upto is None else min(seen, self.upto)

    @property
    def is_over(self) -> bool:
        """Whether the game is over, as the player sees it."""
        return self.state is not None and self.state.result is not None

    @property
    def side(self) -> int:
        """The lowest seat of the player's side, or -1 for somebody without a partner."""
        if self.seat is None or self.state is None:
            return NO_SIDE
        sides = self.state.rules.sides(len(self.state.seats))
        return next((min(side) for side in sides if self.seat in side and len(side) > 1), NO_SIDE)


@dataclass(frozen=True)
class NewMessage:
    """A message to post; `event` is the version of the event that it comments on."""

    text: str
    to: Channel
    event: int | None
    sender: str
    requests: tuple[str, ...]
    """The ids of the request: as it's saved, then as an earlier version saved it."""


class Chat:
    """Reads and writes the chats of all games."""

    def __init__(self, accounts: Accounts, limiter: RateLimiter) -> None:
        self._accounts, self._limiter = accounts, limiter

    def post(self, place: ChatPlace, message: NewMessage) -> ChatMessage:
        """Save a message and return it; a repeated request gets its message again.

        Raise NotInGoodStanding, LimitReached, NotInChat, ChatClosed, NoSuchEvent or CommandReused.
        """
        earlier = self._accounts.chat.find_sent(message.sender)
        if earlier is not None:
            if earlier[1] not in message.requests:
                raise CommandReused("This Idempotency-Key was used for another request. Send a new key.")
            return earlier[0]
        require_voice(self._accounts.steps, place.player)
        _require_place(place, message.to)
        self._require_open(place, message.to)
        if message.event is not None and not 1 <= message.event <= place.version:
            raise NoSuchEvent(f"There is no event {message.event} in this game, or you may not see it yet.")
        self._limiter.take(place.player)
        side = place.side if message.to == PARTNER else NO_SIDE
        draft = ChatDraft(place.player, message.to, side, place.version, message.event, message.text,
                          message.sender, message.requests[0])  # fmt: skip
        return self._accounts.chat.add(place.game, draft, self._readers(place, message.to))

    def _readers(self, place: ChatPlace, to: Channel) -> list[str]:
        """Return the others at the table, or of the side, who read the message. Watchers look themselves."""
        if to == WATCHERS:
            return []
        hidden = self._accounts.blocks.hidden_from(place.player)
        return [player for player in self._people(place, to) if player != place.player and player not in hidden]

    def _people(self, place: ChatPlace, to: Channel) -> list[str]:
        if place.state is None:
            table = self._accounts.forming.read(place.game)
            seats = () if table is None else table.seats
            return [seat.player for seat in seats if seat.kind == "human" and seat.player and seat.state == CLAIMED]
        people = [(number, seat.player) for number, seat in enumerate(place.state.seats) if seat.kind == "human"]
        sides = place.state.rules.sides(len(place.state.seats))
        own = next((side for side in sides if place.seat in side), ())
        return [player for number, player in people if to == TABLE or number in own]

    def reader(self, place: ChatPlace, *, ignores_blocks: bool = False) -> ChatReader:
        """Return the part of the chat that the player reads; a report may name a message in spite of a block."""
        channels = [TABLE]
        if place.side != NO_SIDE:
            channels.append(PARTNER)
        if place.seat is None or place.is_over:
            channels.append(WATCHERS)
        return ChatReader(channels, place.side, place.upto, None if ignores_blocks else place.player)

    def is_open(self, place: ChatPlace, to: Channel) -> bool:
        """Return whether the player's messages to the table or the partner are accepted now."""
        if to == WATCHERS or place.state is None or place.is_over or not is_in_hand(place.state):
            return True
        return to == TABLE and self.setting(place) == OPEN

    def setting(self, place: ChatPlace) -> ChatSetting:
        """Return the setting of the table: `open` or `between-hands`."""
        return self._accounts.chat.setting(place.game)

    def _require_open(self, place: ChatPlace, to: Channel) -> None:
        if self.is_open(place, to):
            return
        if to == PARTNER:
            raise ChatClosed("You can't write to your partner during a hand. Write when the hand is over.")
        raise ChatClosed(f"The chat of this table is {BETWEEN_HANDS}. Write when the hand is over.")


def _require_place(place: ChatPlace, to: Channel) -> None:
    if to == WATCHERS and place.seat is not None:
        raise NotInChat("You sit at this table, so you can't write to its watchers. Write to the table.")
    if to != WATCHERS and place.seat is None:
        raise NotInChat("You don't sit at this table. Write to its watchers.")
    if to == PARTNER and place.side == NO_SIDE:
        raise NotInChat("You have no partner at this table. Write to the table.")


MOST_READERS = 10
"""The most players that one message goes to."""


class Messages:
    """Sends messages within the limits. A message counts once for each of its readers."""

    def __init__(self, accounts: Accounts, sent: RateLimiter, broadcasts: RateLimiter) -> None:
        self._accounts, self._sent, self._broadcasts = accounts, sent, broadcasts

    def send(self, draft: MessageDraft, readers: Sequence[str]) -> PrivateMessage:
        """Save a message and return it; a repeated request gets its message again.

        Raise NotInGoodStanding, LimitReached or CommandReused.
        """
        earlier = self._earlier(draft)
        if earlier is not None:
            return earlier
        require_voice(self._accounts.steps, draft.author)
        self._sent.take(draft.author, cost=len(readers))
        deaf = self._accounts.blocks.hidden_from(draft.author)
        return self._accounts.private_messages.add(draft, readers, deaf)

    def broadcast(self, draft: MessageDraft) -> PrivateMessage:
        """Save a message to everybody; the worker notes it in the inboxes. Raise as `send` does."""
        earlier = self._earlier(draft)
        if earlier is not None:
            return earlier
        require_voice(self._accounts.steps, draft.author)
        self._broadcasts.take(draft.author)
        return self._accounts.private_messages.add_broadcast(draft)

    def _earlier(self, draft: MessageDraft) -> PrivateMessage | None:
        found = self._accounts.private_messages.find_sent(draft.sender)
        if found is None:
            return None
        if found[1] not in draft.requests:
            raise CommandReused("This Idempotency-Key was used for another request. Send a new key.")
        return found[0]
