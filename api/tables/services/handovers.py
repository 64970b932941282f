"""Seats that change hands: offers to people beside the log, and the commands that follow (R-P13, R-P14)."""

import secrets
from collections.abc import Callable
from contextlib import suppress

from api.accounts.accounts import Accounts
from api.limits import RateLimiter
from api.tables.services.open_game import BOT_PREFIX, require_users
from api.tables.stored.handover_offers import HandoverOffer, OfferOpen
from domain.commands import AskHandover
from domain.decide import decide
from domain.rejections import DealPending, HandoverOpen
from domain.state import State, free_bot_id
from projections.bots import strategy_of

Blocked = Callable[[str, str], bool]
"""Whether one of two players has blocked the other."""


class Handovers:
    """The offers of seats. An offer to somebody who has blocked the asker, or is blocked, looks unanswered."""

    def __init__(self, accounts: Accounts, limit: RateLimiter, blocked: Blocked) -> None:
        self._accounts, self._limit, self._blocked = accounts, limit, blocked

    def command(self, state: State, seat: int, to: str) -> AskHandover:
        """Return the command to ask for a hand-over to a bot or a person. Raise NoSuchPlayer for an unknown name."""
        if to.startswith(BOT_PREFIX):
            bot = to.removeprefix(BOT_PREFIX)
            return AskHandover(seat, free_bot_id(state, bot), "bot", strategy_of(bot))
        return AskHandover(seat, require_users(self._accounts, [to])[to], "human")

    def offer(self, state: State, asker: str, command: AskHandover) -> HandoverOffer:
        """Offer the seat to a person. Raise Rejected if the rules wouldn't let the table be asked."""
        with suppress(DealPending):  # it may be dealt by the time of the answer
            decide(state, command)
        self._limit.take(asker)
        try:
            offers = self._accounts.handover_offers
            return offers.make(secrets.token_hex(16), state.game, command.seat, asker, command.to)
        except OfferOpen:
            raise HandoverOpen("You have already offered your seat to another player. Withdraw that offer.") from None

    def open_offers(self, player: str, game: str | None = None) -> list[HandoverOffer]:
        """Return the open offers that the player made or may see, in one game or in all of them."""
        offers = self._accounts.handover_offers.of(player)
        return [each for each in offers if game in (None, each.game) and self._may_see(each, player)]

    def is_offered(self, game: str, player: str) -> bool:
        """Return whether the player has an offer of a seat in the game, so that they may look at it."""
        return any(each.taker == player for each in self.open_offers(player, game))

    def is_invited(self, game: str, player: str) -> bool:
        """Return whether the player was asked to the table of this game, or has an offer of a seat in it."""
        return self._accounts.invited(game, player) or self.is_offered(game, player)

    def find(self, game: str, offer: str, player: str) -> HandoverOffer | None:
        """Return the open offer with this id in the game if the player made it or may see it."""
        found = self._accounts.handover_offers.find(offer)
        return found if found is not None and found.game == game and self._may_see(found, player) else None

    def close(self, offer: HandoverOffer, outcome: str) -> None:
        """Close an offer as `accepted`, `declined` or `withdrawn`."""
        self._accounts.handover_offers.close(offer.id, outcome)

    def _may_see(self, offer: HandoverOffer, player: str) -> bool:
        if player == offer.asker:
            return True
        return player == offer.taker and not self._blocked(offer.asker, player)
