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
class ChatAccess:
    """A player's access to the chat of a game: their seat, or None for a watcher, and the state that they see.

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

    def post(self, access: ChatAccess, message: NewMessage) -> ChatMessage:
        """Save a message and return it; a repeated request gets its message again.

        Raise ForbiddenByStep, LimitReached, NotInChat, ChatClosed, NoSuchEvent or CommandReused.
        """
        earlier = self._accounts.chat.find_sent(message.sender)
        if earlier is not None:
            if earlier[1] not in message.requests:
                raise CommandReused("This Idempotency-Key was used for another request. Send a new key.")
            return earlier[0]
        require_voice(self._accounts.steps, access.player)
        _require_part(access, message.to)
        self._require_open(access, message.to)
        if message.event is not None and not 1 <= message.event <= access.version:
            raise NoSuchEvent(f"There is no event {message.event} in this game, or you may not see it yet.")
        self._limiter.take(access.player)
        side = access.side if message.to == PARTNER else NO_SIDE
        draft = ChatDraft(access.player, message.to, side, access.version, message.event, message.text,
                          message.sender, message.requests[0])  # fmt: skip
        return self._accounts.chat.add(access.game, draft, self._readers(access, message.to))

    def _readers(self, access: ChatAccess, to: Channel) -> list[str]:
        """Return the others at the table, or of the side, who read the message. Watchers look themselves."""
        if to == WATCHERS:
            return []
        hidden = self._accounts.blocks.hidden_from(access.player)
        return [player for player in self._people(access, to) if player != access.player and player not in hidden]

    def _people(self, access: ChatAccess, to: Channel) -> list[str]:
        if access.state is None:
            table = self._accounts.forming.read(access.game)
            seats = () if table is None else table.seats
            return [seat.player for seat in seats if seat.kind == "human" and seat.player and seat.state == CLAIMED]
        people = [(number, seat.player) for number, seat in enumerate(access.state.seats) if seat.kind == "human"]
        sides = access.state.rules.sides(len(access.state.seats))
        own = next((side for side in sides if access.seat in side), ())
        return [player for number, player in people if to == TABLE or number in own]

    def reader(self, access: ChatAccess, *, ignores_blocks: bool = False) -> ChatReader:
        """Return the part of the chat that the player reads; a report may name a message in spite of a block."""
        channels = [TABLE]
        if access.side != NO_SIDE:
            channels.append(PARTNER)
        if access.seat is None or access.is_over:
            channels.append(WATCHERS)
        return ChatReader(channels, access.side, access.upto, None if ignores_blocks else access.player)

    def is_open(self, access: ChatAccess, to: Channel) -> bool:
        """Return whether the player's messages to the table or the partner are accepted now."""
        if to == WATCHERS or access.state is None or access.is_over or not is_in_hand(access.state):
            return True
        return to == TABLE and self.setting(access) == OPEN

    def setting(self, access: ChatAccess) -> ChatSetting:
        """Return the setting of the table: `open` or `between-hands`."""
        return self._accounts.chat.setting(access.game)

    def _require_open(self, access: ChatAccess, to: Channel) -> None:
        if self.is_open(access, to):
            return
        if to == PARTNER:
            raise ChatClosed("You can't write to your partner during a hand. Write when the hand is over.")
        raise ChatClosed(f"The chat of this table is {BETWEEN_HANDS}. Write when the hand is over.")


def _require_part(access: ChatAccess, to: Channel) -> None:
    if to == WATCHERS and access.seat is not None:
        raise NotInChat("You sit at this table, so you can't write to its watchers. Write to the table.")
    if to != WATCHERS and access.seat is None:
        raise NotInChat("You don't sit at this table. Write to its watchers.")
    if to == PARTNER and access.side == NO_SIDE:
        raise NotInChat("You have no partner at this table. Write to the table.")


MOST_READERS = 10
"""The most players that one message goes to."""


class Messages:
    """Sends messages within the limits. A message counts once for each of its readers."""

    def __init__(self, accounts: Accounts, sent: RateLimiter, broadcasts: RateLimiter) -> None:
        self._accounts, self._sent, self._broadcasts = accounts, sent, broadcasts

    def send(self, draft: MessageDraft, readers: Sequence[str]) -> PrivateMessage:
        """Save a message and return it; a repeated request gets its message again.

        Raise ForbiddenByStep, LimitReached or CommandReused.
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
