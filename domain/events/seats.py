"""Facts of seats that are handed over to another player, and returned."""

from domain.events.declaring import Audience, Author, fact
from domain.struct import Value


@fact(Author.SEAT, Audience.EVERYBODY)
class HandoverAsked(Value, frozen=True):
    """A seat asks to hand itself over to the player `to`, a person who agreed beside the log, or a bot.

    `bot` is the bot's strategy, null for a person.
    """

    seat: int
    to: str
    kind: str
    bot: str | None


@fact(Author.SEAT, Audience.EVERYBODY)
class HandoverAnswered(Value, frozen=True):
    """A seat answers the open question about a hand-over."""

    seat: int
    accept: bool


@fact(Author.TABLE, Audience.EVERYBODY)
class SeatHandedOver(Value, frozen=True, rename={"giver": "from"}):
    """From here on the player `to` plays the seat, instead of the player `from`."""

    seat: int
    giver: str
    to: str
    kind: str
    bot: str | None


@fact(Author.LENDER, Audience.EVERYBODY)
class SeatReturned(Value, frozen=True):
    """The player `to`, a person, takes back the seat that they handed over."""

    seat: int
    to: str
