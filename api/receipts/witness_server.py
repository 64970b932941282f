"""A witness over HTTP, with the one request that c2sp.org/tlog-witness requires: add-checkpoint."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from api.receipts.witness import Witness, WitnessRefuses
from domain.protocols.signed_notes import Key, NotANote, parse_consistency

MAX_BODY = 64 * 1024
PATH = "/add-checkpoint"
TEXT_TYPE, SIZE_TYPE = "text/plain; charset=utf-8", "text/x.tlog.size"
CONFLICT = 409
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class WitnessServer:
    """An ASGI application that signs heads of these logs."""

    witness: Witness
    logs: Sequence[Key]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        status, text, kind = await self._answer(scope, receive)
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(text.encode())).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})

    async def _answer(self, scope: Message, receive: Receive) -> tuple[int, str, str]:
        if scope["path"] != PATH:
            return 404, "There is nothing at this address.\n", TEXT_TYPE
        if scope["method"] != "POST":
            return 405, "Send POST.\n", TEXT_TYPE
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
            if len(body) > MAX_BODY:
                return 413, "The body is too long.\n", TEXT_TYPE
        return await asyncio.to_thread(self.add_checkpoint, body)

    def add_checkpoint(self, body: bytes) -> tuple[int, str, str]:
        """Return the status, text and content type: the signature line, or 409 with the size to begin from."""
        try:
            line = self.witness.cosign(parse_consistency(body.decode("utf-8")), self.logs, int(time.time()))
        except (NotANote, UnicodeDecodeError):
            return 400, "The body isn't an add-checkpoint request.\n", TEXT_TYPE
        except WitnessRefuses as refusal:
            if refusal.status == CONFLICT:
                size = 0 if refusal.earlier is None else refusal.earlier.head.size
                return CONFLICT, f"{size}\n", SIZE_TYPE
            return refusal.status, f"{refusal}\n", TEXT_TYPE
        return 200, line.line, TEXT_TYPE
