"""Acts that a standing forbids: writing in a chat, writing at all, or using the account except for an appeal."""

from api.conduct.stored.conduct_steps import ConductSteps
from domain.engine.timestamps import format_time


class NotInGoodStanding(Exception):
    """A moderator's step forbids this. `slug` is muted, suspended or banned; `until` is a time, or None for a ban."""

    def __init__(self, slug: str, detail: str, until: int | None) -> None:
        self.slug = slug
        self.until = None if until is None else format_time(until)
        ending = "" if self.until is None else f" until {self.until}"
        super().__init__(detail.format(ending) + " GET /me/standing says why, and how to appeal.")


def require_voice(steps: ConductSteps, player: str) -> None:
    """Raise NotInGoodStanding for a muted player."""
    muted = steps.standing(player).muted
    if muted is not None:
        raise NotInGoodStanding("muted", "You can't write in chats{}.", muted)


def require_standing(steps: ConductSteps, player: str, *, reads: bool, own: bool) -> None:
    """Raise NotInGoodStanding if the player is banned, or suspended and the request doesn't only read.

    `own` requests are about the player's own account: they're always allowed.
    """
    standing = steps.standing(player)
    if own or (standing.suspended is None and not standing.banned):
        return
    if standing.banned:
        raise NotInGoodStanding("banned", "You're banned from this server.", None)
    if not reads:
        raise NotInGoodStanding("suspended", "You're suspended{}, and can only read.", standing.suspended)
