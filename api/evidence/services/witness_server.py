"""A witness over HTTP, with the one request that c2sp.org/tlog-witness requires: add-checkpoint."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.clock.server_clock import KeptTime, steady_time
from api.config import Config
from api.evidence.services.witness import HeadsUnavailable, Witness, WitnessRefuses
from domain.protocols.signed_notes import Key, NotANote, parse_consistency
from domain.store.held_clock import machine_time

LOG = logging.getLogger("trickbook.witness")
MAX_BODY = 64 * 1024
"""The longest request that is read, in bytes."""
BODY_TIMEOUT_S = 10.0
RETRY_AFTER_S = 10
PATH = "/add-checkpoint"
TEXT_TYPE, SIZE_TYPE = "text/plain; charset=utf-8", "text/x.tlog.size"
CONFLICT = 409
JUMP_US = Config.clock_jump_s * 1_000_000
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class WitnessAnswer:
    """An answer to a request; `kind` is its content type, and `headers` are the others."""

    status: int
    text: str
    kind: str = TEXT_TYPE
    headers: Sequence[tuple[bytes, bytes]] = ()


@dataclass(frozen=True)
class WitnessServer:
    """An ASGI application that signs heads of logs. `logs` are the keys of the servers that keep them.

    After a jump of the machine's clock, the witness signs with the time that `clock` has kept, until it's restarted.
    """

    witness: Witness
    logs: Sequence[Key]
    clock: KeptTime = field(default_factory=lambda: KeptTime(JUMP_US, machine_time, steady_time))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        answer = await self._answer(scope, receive)
        body = answer.text.encode()
        headers = [(b"content-type", answer.kind.encode()), (b"content-length", b"%d" % len(body)), *answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Message, receive: Receive) -> WitnessAnswer:
        if scope["path"] != PATH:
            return WitnessAnswer(404, "There is nothing at this address.\n")
        if scope["method"] != "POST":
            return WitnessAnswer(405, "Send POST.\n", headers=[(b"allow", b"POST")])
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                body = await _read_body(receive)
        except TimeoutError:
            text = f"The body didn't arrive within {BODY_TIMEOUT_S:.0f} seconds. Send it again.\n"
            return WitnessAnswer(408, text, headers=[(b"connection", b"close")])
        if body is None:
            return WitnessAnswer(413, "The body is too long.\n", headers=[(b"connection", b"close")])
        return await asyncio.to_thread(self.add_checkpoint, body)

    def _now_s(self) -> int:
        doubted, now = self.clock.doubts, self.clock.now()
        if self.clock.doubts and not doubted:
            LOG.error("the machine's clock has jumped, and the witness signs with the time that goes on; restart it"
                      " once the clock is right")  # fmt: skip
        return now // 1_000_000

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Return the answer: the signature line, 409 with the size to begin from, or why there is no signature."""
        try:
            line = self.witness.cosign(parse_consistency(body.decode("utf-8")), self.logs, self._now_s())
        except (NotANote, UnicodeDecodeError):
            return WitnessAnswer(400, "The body isn't an add-checkpoint request.\n")
        except HeadsUnavailable as error:
            LOG.error("%s", error)  # noqa: TRY400 - the message says why and what to do
            text = "The witness can't sign at the moment. Try again later.\n"
            return WitnessAnswer(503, text, headers=[(b"retry-after", b"%d" % RETRY_AFTER_S)])
        except WitnessRefuses as refusal:
            if refusal.status == CONFLICT:
                size = 0 if refusal.earlier is None else refusal.earlier.head.size
                return WitnessAnswer(CONFLICT, f"{size}\n", SIZE_TYPE)
            return WitnessAnswer(refusal.status, f"{refusal}\n")
        return WitnessAnswer(200, line.line)


async def _read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if it's too long."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > MAX_BODY:
            return None
    return body
