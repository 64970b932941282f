"""Disputes of a server: an arbiter's queue, a dispute with its evidence, and decisions."""

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from api.cli.common.config import CannotAnswer
from api.cli.remote.games import read_history
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest
from api.client import Server
from domain.events.dispute_codes import AppealOutcome

NO_DISPUTE = "There is no dispute {} in this game."
NOT_YOU = "--by names another player than {name}, as whom you are logged in. Leave it out."


def read_queue(server: Server, query: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the disputes that wait for this arbiter, or rulings of a kind or by a clause."""
    named = {name: value for name, value in query.items() if value is not None}
    page = server.get(f"/disputes?{urlencode(named)}")
    return {"items": page["items"], "next": page["next"], "names": page["names"]}


def read_dispute(server: Server, game: str, number: int) -> DisputeReading:
    """Return a dispute of a game, with its texts if this player may read them."""
    found = server.get(f"/games/{game}/disputes")
    if number > len(found["items"]):
        raise CannotAnswer(NO_DISPUTE.format(number))
    return DisputeReading(read_history(server, game), found["items"][number - 1], found["names"])


def open_dispute(server: Server, game: str, request: DisputeRequest) -> tuple[int, str]:
    """Open a dispute as the player who has logged in."""
    body = {"hand": request.hand, "kind": request.kind, "text": request.text}
    body |= {} if request.at is None else {"at_version": request.at}
    body |= {"details": dict(request.details)} if request.details else {}
    return _post(server, f"/games/{game}/disputes", body, request.by)


def withdraw(server: Server, game: str, number: int, by: str | None) -> tuple[int, str]:
    """Withdraw a dispute as the player who has logged in."""
    return _post(server, f"/games/{game}/disputes/{number}/withdrawal", {}, by)


def appeal(server: Server, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
    """Appeal against a ruling as the player who has logged in."""
    body = {} if text is None else {"text": text}
    return _post(server, f"/games/{game}/disputes/{number}/appeal", body, by)


def decide_dispute(server: Server, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
    """Rule on a dispute or an appeal as the arbiter who has logged in."""
    is_decision = request.decision in tuple(AppealOutcome)
    body: dict[str, Any] = {"decision": request.decision}
    body |= {} if request.text is None else {"text": request.text}
    if not is_decision:
        body |= {"basis": request.basis, "standard": request.standard}
        body |= {"changes": list(request.changes)} if request.changes else {}
    path = f"/games/{game}/disputes/{number}/{'decision' if is_decision else 'ruling'}"
    return _post(server, path, body, request.by)


def erase(server: Server, game: str, number: int, by: str | None) -> None:
    """Erase the texts of a dispute, as a moderator or operator."""
    _require_self(server, by)
    server.delete(f"/games/{game}/disputes/{number}/texts")


def _post(server: Server, path: str, body: Mapping[str, Any], by: str | None) -> tuple[int, str]:
    """Send a request as `_require_self` allows it; return the version and the name of the fact."""
    _require_self(server, by)
    answer = server.post(path, body, Idempotency_Key=secrets.token_hex(16))
    event = answer["events"][0]["event"]
    return event["version"], event["fact"]


def _require_self(server: Server, by: str | None) -> None:
    """Raise CannotAnswer if `by` names another player than the one who has logged in."""
    if by is not None and by != (name := server.me()["name"]):
        raise CannotAnswer(NOT_YOU.format(name=name))
