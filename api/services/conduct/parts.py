"""The services of conduct, as one part of the services of a process."""

from dataclasses import dataclass

from api.accounts.accounts import Accounts
from api.config import Limits
from api.receipts.keys import SigningKeys
from api.services.conduct.chat import Chat
from api.services.conduct.messages import Messages
from api.services.conduct.moderation import Moderation
from api.services.limit_storage import LimitStorage
from api.services.rate_limit import RateLimiter
from domain.store import Games

MOST_BLOCKS = 1000
"""The most players that one player may have blocked."""


@dataclass(frozen=True)
class Conduct:
    """The chat, messages, the work of moderators, and the limits on reports and blocks."""

    chat: Chat
    messages: Messages
    moderation: Moderation
    reports_sent: RateLimiter
    blocks_made: RateLimiter


def open_conduct(accounts: Accounts, games: Games, keys: SigningKeys, limits: Limits, counts: LimitStorage) -> Conduct:
    """Return the services of conduct over open stores."""
    return Conduct(
        Chat(accounts, RateLimiter(limits.messages, counts, "messages")),
        Messages(
            accounts,
            RateLimiter(limits.private_messages, counts, "private-messages"),
            RateLimiter(limits.broadcasts, counts, "broadcasts"),
        ),
        Moderation(accounts, games, keys),
        RateLimiter(limits.conduct_reports, counts, "conduct-reports"),
        RateLimiter(limits.blocks, counts, "blocks"),
    )
