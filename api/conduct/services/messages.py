"""Private messages, and broadcasts of moderators. A block hides a message; its author doesn't notice."""

from collections.abc import Sequence

from api.accounts.accounts import Accounts
from api.conduct.services.conduct_status import require_voice
from api.conduct.stored.private_messages import MessageDraft, PrivateMessage
from api.limits import RateLimiter
from domain.store import CommandReused

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
