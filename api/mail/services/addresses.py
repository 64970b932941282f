"""Addresses that hold a right: to reply to a board, to report a bounce, to end mails.

    play+<board>.<seat>.<version>.<mac>@host       bounce+<player>.<mac>@host       unsubscribe+<player>.<mac>@host

The MAC is an HMAC-SHA-256 under a key that follows from the server's secret, cut to 120 bits in base32: 24 letters. It
covers the player, the game, the version, the epoch of the player's tokens and their mail address, so that a reply
address ends if they sign out everywhere, choose another password or another address. Capitals don't matter.
"""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Literal

from api.container import Services
from api.people.stored.tokens import epoch_of
from api.people.stored.users import User
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt

MAC_BYTES = 15
REPLY = re.compile(r"play\+([1-9][0-9]{0,8})\.([0-9]|[1-9][0-9])\.(0|[1-9][0-9]{0,8})\.([a-z2-7]{24})")
ABOUT_PLAYER = re.compile(r"(bounce|unsubscribe)\+([0-9a-f]{24})\.([a-z2-7]{24})")
PLAY = "play"
"""The local part to which anybody may send lines."""
Purpose = Literal["bounce", "unsubscribe"]


@dataclass(frozen=True)
class ReplyRight:
    """The right that a reply address gives: act for a player in one game, as of a version (0: its table forms)."""

    player: User
    game: str
    variant: str
    board: int
    seat: int
    version: int


@dataclass(frozen=True)
class PlayerNote:
    """The player or mail that the address of a bounce or of an end of mails names."""

    purpose: Purpose
    player: str
    address: str


class MailAddresses:
    """Makes and reads the addresses of one server."""

    def __init__(self, services: Services) -> None:
        if services.config.mail_domain is None:
            raise ValueError("the server has no domain for mail")
        self.domain = services.config.mail_domain
        self._services, self._accounts = services, services.accounts
        self._key = hmac.digest(services.secret, b"trickbook-mail/1", hashlib.sha256)

    def reply(self, player: str, address: str, game: str, place: tuple[int, int, int]) -> str:
        """Return the reply address of a player for (board, seat, version)."""
        board, seat, version = place
        return f"{PLAY}+{board}.{seat}.{version}.{self._reply_mac(player, address, game, seat, version)}@{self.domain}"

    def about(self, purpose: Purpose, player: str, address: str) -> str:
        """Return the address for bounces of mail to a player, or to end their mails."""
        return f"{purpose}+{self.key_of(purpose, player, address)}@{self.domain}"

    def key_of(self, purpose: Purpose, player: str, address: str) -> str:
        """Return what names the player and proves the right, after the purpose."""
        short = player.removeprefix("p_")
        return f"{short}.{self._mac(purpose, player, address)}"

    def stranger_path(self) -> str:
        """Return the return path of answers to people whom the server doesn't know; nobody reads it."""
        return f"bounce@{self.domain}"

    def local_part(self, address: str) -> str | None:
        """Return the local part of an address of this server in lower case, or None for another one's."""
        local, at, domain = address.strip().rpartition("@")
        return local.lower() if at and domain.lower() == self.domain else None

    def read_reply(self, local: str) -> ReplyRight | None:
        """Return what a reply address allows now, or None if it's forged or has ended."""
        match = REPLY.fullmatch(local)
        if match is None:
            return None
        board, seat, version, mac = int(match[1]), int(match[2]), int(match[3]), match[4]
        game = self._accounts.boards.game_of(board)
        holder = None if game is None else self._holder(game, seat, version)
        if game is None or holder is None:
            return None
        player, variant = holder
        address = self._accounts.mail_levels.confirmed_address(player)
        if address is None or not hmac.compare_digest(mac, self._reply_mac(player, address, game, seat, version)):
            return None
        name = self._accounts.users.names_of([player]).get(player)
        return None if name is None else ReplyRight(User(player, name), game, variant, board, seat, version)

    def read_about(self, local: str) -> PlayerNote | None:
        """Return what the address of a bounce or of an end of mails names, or None if it's forged or old."""
        match = ABOUT_PLAYER.fullmatch(local)
        if match is None:
            return None
        purpose: Purpose = "bounce" if match[1] == "bounce" else "unsubscribe"
        player = f"p_{match[2]}"
        address = self._accounts.mail_levels.confirmed_address(player)
        if address is None or not hmac.compare_digest(match[3], self._mac(purpose, player, address)):
            return None
        return PlayerNote(purpose, player, address)

    def _holder(self, game: str, seat: int, version: int) -> tuple[str, str] | None:
        """Return the player of a seat and the variant, if they have held the seat since that version."""
        if version == 0:
            table = self._accounts.forming.read(game)
            sitting = None if table is None else next((each for each in table.seats if each.seat == seat), None)
            if table is None or sitting is None or sitting.player is None:
                return None
            return sitting.player, str(table.body["variant"])
        try:
            state = self._services.games.state(game)
        except (NoSuchGame, Corrupt):  # nobody can act in such a game
            return None
        if state.opened is None or seat >= len(state.seats) or version > state.version:
            return None
        held = state.seats[seat]
        return (held.player, state.opened.variant) if held.kind == "human" and version >= held.since else None

    def _reply_mac(self, player: str, address: str, game: str, seat: int, version: int) -> str:
        epoch = epoch_of(self._accounts.database, player)
        return self._mac("play", player, address, game, str(seat), str(version), str(epoch))

    def _mac(self, *parts: str) -> str:
        text = "\0".join([*parts[:2], parts[2].lower(), *parts[3:]])
        digest = hmac.digest(self._key, text.encode(), hashlib.sha256)
        return base64.b32encode(digest[:MAC_BYTES]).decode().lower()
