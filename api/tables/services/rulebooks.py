"""Rulebooks: post one, see how its check goes, list those that tables can play by, and resolve them at an opening."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import msgspec
from marshmallow import ValidationError

from api.caller import Caller, require_player, require_token
from api.container import Services
from api.monitoring.logs import log_event
from api.people.stored.tokens import MODERATE, PLAY, READ
from api.play.services.event_stream import Cursor, EventPage, StreamSlot
from api.problem import Problem
from api.schemas import Read
from api.tables.services.rulebook_document import Document, read_document
from api.tables.stored.rulebooks import Rulebooks, RulebookStatus, StoredRulebook
from domain.engine.timestamps import iso_time
from domain.json_fields import Hash, Names, PlayerId, Time, one_of, says
from domain.rejections import NotOffered
from domain.rules.model import Rules
from domain.rules.rulebook import Rulebook
from domain.rules.variants import HOUSE, VARIANTS
from domain.rules.variants.house import RULEBOOK
from domain.store import NoSuchGame
from replay.rulebook_check import GAMES

LOG = logging.getLogger("trickbook.rulebooks")
MOST_LISTED = 100
SHORTEST_PREFIX = 8
NO_RULEBOOK = "There's no rulebook with this address."
NOT_ALLOWED = (
    "The host of this server doesn't allow tables to play by this rulebook. Choose a game, or one of the rulebooks "
    "that `GET /rulebooks` lists."
)


class ShownRulebook(TypedDict):
    """A rulebook: its rules, what its author says of them, and how far its check is."""

    rulebook: Annotated[Hash, says("The address: SHA-256 of the canonical JSON of the rules.")]
    name: str | None
    text: str | None
    author: PlayerId | None
    added: Time
    status: Annotated[str, one_of(*RulebookStatus)]
    games: Annotated[int, says("How many games its check has played.")]
    of: Annotated[int, says("How many games a check plays.")]
    says: Annotated[str | None, says("Why it's refused.")]
    rules: Annotated[dict[str, Any], says("Every field of the rules (docs/events.md).")]
    by_players: Annotated[dict[str, dict[str, Any]], says("The fields that differ, by the number of players.")]
    allowed: Annotated[bool, says("Whether the host allows tables to play by it.")]


class RulebookList(TypedDict):
    """Rulebooks, the newest first."""

    items: list[ShownRulebook]
    names: Names
    restricted: Annotated[bool, says("Whether the host allows only some rulebooks.")]


def show(stored: StoredRulebook) -> ShownRulebook:
    """Return a rulebook as JSON."""
    written = msgspec.json.decode(stored.rules)
    return {
        "rulebook": stored.address,
        "name": stored.name,
        "text": stored.text,
        "author": stored.author,
        "added": iso_time(stored.added),
        "status": str(stored.status),
        "games": stored.games,
        "of": GAMES,
        "says": stored.says,
        "rules": written["rules"],
        "by_players": written["by_players"],
        "allowed": stored.allowed,
    }


def require_consistent(document: Document) -> None:
    """Raise ValidationError with a sentence if no table could play by a rulebook."""
    try:
        document.rulebook.require_playable()
    except NotOffered as error:
        raise ValidationError({"rules": [str(error)]}) from error


def post_rulebook(services: Services, caller: Caller, read: Read) -> ShownRulebook:
    """Take a rulebook, to check it. Raise ValidationError with what's wrong, or LimitReached."""
    player, sent = require_player(services, caller), read()
    document = read_document(sent.body)
    require_consistent(document)
    rulebook, books = document.rulebook, services.accounts.rulebooks
    known = books.find(rulebook.address)
    if known is None or known.status is RulebookStatus.REFUSED:
        services.rulebook_checks_by_address.take(caller.address)
        services.rulebook_checks.take(player.id)
        books.add(rulebook.address, rulebook.canonical.decode(), document.name, document.text, player.id)
        services.wakeups.ring()
    return show(_require(services, rulebook.address))


def find_rulebook(services: Services, caller: Caller, address: str) -> ShownRulebook:
    """Return one. Raise Problem if there's none."""
    return show(_require(services, address))


def erase_words(services: Services, caller: Caller, address: str) -> None:
    """Erase the name, the text and the author of a rulebook, as its author, or with a moderator's token of that scope.

    The rules stay, because games play by them. Raise Problem if there's none, or if it's another's.
    """
    moderates = require_token(caller).scope == MODERATE
    player = require_player(services, caller, MODERATE if moderates else PLAY)
    if _require(services, address).author in (player.id, None):  # without an author nothing is left to erase
        services.accounts.rulebooks.erase_own(address, player.id)
    elif moderates:
        services.conduct.moderation.erase_rulebook_words(player.id, address)
        log_event(LOG, "rulebook-erased", rulebook=address, player=player.id)
    else:
        raise Problem("forbidden", "You can erase what you wrote. Moderators can erase what others wrote.")


def export_of_fault(services: Services, caller: Caller, address: str) -> str:
    """Return the game that went wrong, as an export. Raise Problem if there's none."""
    export = services.accounts.rulebooks.export_of(address)
    if export is None:
        raise Problem("not-found", "No game by this rulebook has gone wrong.")
    return export


def list_rulebooks(services: Services, caller: Caller) -> RulebookList:
    """Return those that tables can play by, the newest first."""
    return _list(services, services.accounts.rulebooks.green(MOST_LISTED))


def list_own(services: Services, caller: Caller) -> RulebookList:
    """Return those that the caller has posted, the newest first."""
    return _list(services, services.accounts.rulebooks.of(require_player(services, caller, READ).id, MOST_LISTED))


def _list(services: Services, found: list[StoredRulebook]) -> RulebookList:
    authors = [each.author for each in found if each.author is not None]
    names, books = services.accounts.users.names_of(authors), services.accounts.rulebooks
    return {"items": [show(each) for each in found], "names": names, "restricted": books.count_allowed() > 0}


def _require(services: Services, address: str) -> StoredRulebook:
    stored = services.accounts.rulebooks.find(address)
    if stored is None:
        raise Problem("not-found", NO_RULEBOOK)
    return stored


def choose_rulebook(services: Services, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a new table with variant and options in place of `rulebook`, which names either.

    It's the name of a game of the catalogue, or an address, of which the first digits are enough.
    """
    named = fields[RULEBOOK]
    rest = {name: value for name, value in fields.items() if name != RULEBOOK}
    if named in VARIANTS:
        return rest | {"variant": named}
    found = [named] if len(named) == 64 else []
    if SHORTEST_PREFIX <= len(named) < 64:
        found = services.accounts.rulebooks.beginning_with(named)
    if len(found) != 1:
        raise NotOffered(
            f"Set rulebook to the name of a game, or to the first {SHORTEST_PREFIX} digits or more of one address."
        )
    return rest | {"variant": HOUSE, "options": {RULEBOOK: found[0]}}


def require_allowed(services: Services, fields: Mapping[str, Any]) -> None:
    """Raise NotOffered if a new table has a rulebook that the host doesn't allow. Tables that form already may deal."""
    address = fields["options"].get(RULEBOOK) if fields["variant"] == HOUSE else None
    stored = None if address is None else services.accounts.rulebooks.find(str(address))
    if stored is not None and not stored.allowed:
        raise NotOffered(NOT_ALLOWED)


def rules_of_table(services: Services, fields: Mapping[str, Any], players: int) -> Rules | None:
    """Return the rules that a table of that many players plays by if it has a rulebook, else None. Raise NotOffered."""
    if fields["variant"] != HOUSE:
        return None
    stored = services.accounts.rulebooks.find(str(fields["options"].get(RULEBOOK)))
    if stored is None:
        raise NotOffered(NO_RULEBOOK)
    if stored.status is not RulebookStatus.GREEN:
        why = stored.says or "Its check isn't over yet. Try again in a minute."
        raise NotOffered(f"This rulebook is {stored.status}. {why}")
    return Rulebook.read(stored.rules.encode()).rules_for(players)


START: Cursor = (0, -1)
OVER: Cursor = (0, GAMES + 1)
"""The cursor once the check is over. Before, its number is that of the games played."""
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class RulebookStream:
    """The progress of the check of the rulebook at an address, as `EventStream` is that of a game."""

    address: str
    token_sha256: str | None
    slot: StreamSlot
    wait_s: int | None = None

    @property
    def player(self) -> None:
        """Nobody: nobody is present because they follow a check."""

    @property
    def topic(self) -> str:
        """The signal that wakes the stream: the rulebook."""
        return self.address

    @property
    def start(self) -> Cursor:
        """The cursor before any progress."""
        return START

    @property
    def end(self) -> Cursor | None:
        """The cursor with which the stream ends."""
        return OVER

    @property
    def opening(self) -> bytes:
        """The bytes before the first frame: none."""
        return b""

    def reader_among(self, _holders: frozenset[str]) -> str | None:
        """Return None: everybody sees the same."""
        return None


def read_progress(books: Rulebooks, address: str, after: Cursor) -> EventPage:
    """Return a frame with the rulebook if its check is further than `after`. Raise NoSuchGame if there's none."""
    stored = books.find(address)
    if stored is None:
        raise NoSuchGame(address)
    at = (0, stored.games) if stored.status is RulebookStatus.WAITING else OVER
    frame = b"id: %d\ndata: %b\n\n" % (at[1], _encode(show(stored)))
    return EventPage(((at, frame),) if at > after else (), at, at, at)
