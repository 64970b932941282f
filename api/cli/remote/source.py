"""A server over HTTP as a source of games for commands. `GameSource` says what each method returns."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from api.cli.common.config import CannotAnswer
from api.cli.remote import games
from api.cli.remote.games import download_export, open_exports
from api.cli.remote.server import open_server
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest, ExportRun
from api.client import Server
from domain.events.disputes import AppealOutcome
from domain.protocols.signed_notes import Key, parse_checkpoint, parse_note
from replay.history import History
from replay.history.receipts import ReceiptChecks

NO_DISPUTE = "There is no dispute {} in this game."
NOT_YOU = "--by names another player than {name}, as whom you are logged in. Leave it out."


@dataclass(frozen=True)
class RemoteSource:
    """Reads the server at a URL as the player whose token is kept for it, otherwise as everybody may."""

    url: str

    def history(self, game: str) -> History:
        """Return a game's history: what is public, and what only the player's own seat may see."""
        with open_server(self.url, game) as server:
            return games.read_history(server, game)

    def games(self, query: Mapping[str, str | Sequence[str]], limit: int) -> Mapping[str, Any]:
        """Return a page of the lobby as this player may see it."""
        with open_server(self.url, "games") as server:
            page = server.get(f"/games?{urlencode({**query, 'limit': limit}, doseq=True)}")
            return {name: page[name] for name in ("items", "next", "names")}

    def standings(self, variant: str, period: str, limit: int) -> Mapping[str, Any]:
        return self._list("/standings", variant=variant, period=period, limit=limit)

    def ratings(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        return self._list("/ratings", variant=variant, kind=kind, limit=limit)

    def rating_changes(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        return self._list("/ratings/changes", variant=variant, kind=kind, limit=limit)

    def _list(self, path: str, **query: str | int) -> Mapping[str, Any]:
        """Return the first page of a list."""
        with open_server(self.url, path.split("/")[1]) as server:
            page: Mapping[str, Any] = server.get(f"{path}?{urlencode(query)}")
            return page

    def player_record(self, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
        """Return a player's figures and finished games as this player may see them."""
        with open_server(self.url, name) as server:
            path = f"/players/{quote(name, safe='')}"
            met = None if against is None else server.get(f"{path}/against/{quote(against, safe='')}")["items"]
            standings = server.get(f"{path}/standings")["items"]
            return {**server.get(f"{path}/history?limit={limit}"), "standings": standings, "against": met}

    def export(self, game: str) -> bytes:
        """Return a game's export as the server sends it."""
        with open_server(self.url, game) as server:
            return download_export(server, game)

    def check_receipts(
        self, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
    ) -> tuple[History, ReceiptChecks]:
        """Return a history, checked here against the receipts that the server shows and `given` ones (name, note)."""
        with open_server(self.url, game) as server:
            return games.read_checked(server, game, given, keys)

    def receipt(self, game: str, size: int | None) -> tuple[History, str]:
        """Return a history and a receipt. Only a player of the game gets a new one; sizes are those of old ones."""
        with open_server(self.url, game) as server:
            return games.read_receipt(server, game, size)

    def add_cosignatures(self, game: str, note: str) -> str:
        """Send a copy of a receipt with cosignatures; return the receipt with all that the server has."""
        with open_server(self.url, game) as server:
            head, lines = parse_checkpoint(parse_note(note).body), parse_note(note).signatures
            others = [each for each in lines if not head.is_of(each.name)] or lines
            body = {"size": head.size, "lines": [each.line.rstrip("\n") for each in others]}
            return str(server.post(f"/games/{game}/cosignatures", body)["note"])

    @contextmanager
    def exports(self, query: Mapping[str, Any]) -> Iterator[ExportRun]:
        """Open the exports of the selected games. The position is the server's, an opaque text."""
        with open_server(self.url, "export") as server, open_exports(server, query) as run:
            yield run

    def waiting_disputes(self, limit: int, kind: str | None, clause: str | None) -> Mapping[str, Any]:
        query = {"limit": limit, "kind": kind, "clause": clause}
        named = {name: value for name, value in query.items() if value is not None}
        with open_server(self.url, "disputes") as server:
            page = server.get(f"/disputes?{urlencode(named)}")
            return {"items": page["items"], "next": page["next"], "names": page["names"]}

    def dispute(self, game: str, number: int) -> DisputeReading:
        """Return a dispute, with its texts for players of the game and arbiters."""
        with open_server(self.url, game) as server:
            found = server.get(f"/games/{game}/disputes")
            if number > len(found["items"]):
                raise CannotAnswer(NO_DISPUTE.format(number))
            return DisputeReading(games.read_history(server, game), found["items"][number - 1], found["names"])

    def erase_dispute(self, game: str, number: int, by: str | None) -> int | None:
        """Erase a dispute's texts, as a moderator or operator; the server doesn't say how many there were."""
        with open_server(self.url, game) as server:
            _require_self(server, by)
            server.delete(f"/games/{game}/disputes/{number}/texts")
        return None

    def open_dispute(self, game: str, request: DisputeRequest) -> tuple[int, str]:
        body = {"hand": request.hand, "kind": request.kind, "text": request.text}
        body |= {} if request.at is None else {"at_version": request.at}
        body |= {"details": dict(request.details)} if request.details else {}
        return self._post(game, "", body, request.by)

    def withdraw(self, game: str, number: int, by: str | None) -> tuple[int, str]:
        return self._post(game, f"/{number}/withdrawal", {}, by)

    def appeal(self, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
        return self._post(game, f"/{number}/appeal", {} if text is None else {"text": text}, by)

    def decide(self, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
        is_decision = request.decision in tuple(AppealOutcome)
        body: dict[str, Any] = {"decision": request.decision}
        body |= {} if request.text is None else {"text": request.text}
        if not is_decision:
            body |= {"basis": request.basis, "standard": request.standard}
            body |= {"changes": list(request.changes)} if request.changes else {}
        return self._post(game, f"/{number}/{'decision' if is_decision else 'ruling'}", body, request.by)

    def _post(self, game: str, path: str, body: Mapping[str, Any], by: str | None) -> tuple[int, str]:
        """Send a request about a game's disputes, as `_require_self` allows it."""
        with open_server(self.url, game) as server:
            _require_self(server, by)
            answer = server.post(f"/games/{game}/disputes{path}", body, Idempotency_Key=secrets.token_hex(16))
            event = answer["events"][0]["event"]
            return event["version"], event["fact"]


def _require_self(server: Server, by: str | None) -> None:
    """Raise CannotAnswer if `by` names another player than the one who has logged in."""
    if by is not None and by != (name := server.me()["name"]):
        raise CannotAnswer(NOT_YOU.format(name=name))
