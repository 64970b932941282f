"""The ASGI application that receives every request, bounds it, and passes it to a lane.

Nothing here waits for a database. A request that arrives slowly, a client that reads slowly and a lane that is full
delay only themselves.
"""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from flask import Flask, Response

from api.app import add_headers
from api.lines.routes import COMMANDS_ENDPOINT, lane_of_line
from api.server.cross_origin import CrossOrigin
from api.server.event_streams import EventStreamHub
from api.server.fair_queue import Client, LaneFull, ShareTaken
from api.server.process_lane import CLIENT_HEADER, CallLane, LaneFailed, ProcessLane
from api.server.sender import DateHeader, Pace, Receive, RefusalDelays, Send, Sender, SlowClient, TimeLimits
from api.server.wsgi_bridge import Header, HttpRequest, WsgiResponse, call_wsgi
from api.web.application import path_below, route_finder
from api.web.context import forwarded_address, network_of, sent_tokens
from api.web.problems import body_too_long, problem_response
from api.web.request_log import HEADER, NO_ROUTE, log_refusal
from api.web.route import Lane

LIVE_PATH = "/health/live"
REFUSAL_DELAY_S = 0.1
"""How much later a refusal comes that costs a client nothing; see `api.server.sender`."""
BODY_TIMEOUT_S = 10.0
"""The maximum time in which a body must arrive after its headers."""
MAX_HEADER_BYTES, MAX_HEADERS = 32 * 1024, 64
"""Each header takes time in the one loop that receives requests."""
CLOSE = {"Connection": "close"}
ASCII = "".join(map(chr, range(128)))
REQUEST_ID_HEADER = HEADER.lower().encode()
HOST = re.compile(rb"([\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(:\d*)?")
"""A host and perhaps a port (RFC 3986, 3.2.2), or nothing, which HTTP/1.0 may send."""
LANE_PROBLEMS: Mapping[type[Exception], tuple[str, str]] = {
    LaneFull: ("busy", "Too many requests wait for this kind of answer. Try again."),
    ShareTaken: ("too-many-requests", "Too many of your requests wait for this kind of answer. Wait for them first."),
    LaneFailed: ("busy", "This answer takes longer than the server allows, or the part that makes it has restarted."),
}
LOG = logging.getLogger("trickbook.lanes")


def _nobody(_token: str) -> None:
    """Return None: no token is known."""


def _forget_nobody(_: str) -> None:
    """Remember what is known."""


@dataclass(frozen=True)
class Lanes:
    """Where requests run (`api.web.route`); without one of the last four, its requests run in `light`."""

    light: CallLane
    login: CallLane | ProcessLane | None = None
    waiting: CallLane | ProcessLane | None = None
    heavy: ProcessLane | None = None
    export: ProcessLane | None = None
    player_of: Callable[[str], str | None] = _nobody
    """Returns whose token it is, if that is known without asking a database."""
    forget_player: Callable[[str], None] = _forget_nobody
    """Reads a player's tokens again: another process may have changed them, or the name."""

    def of(self, lane: Lane) -> CallLane | ProcessLane:
        by_name: Mapping[Lane, CallLane | ProcessLane | None] = {
            "light": self.light,
            "login": self.login,
            "waiting": self.waiting,
            "heavy": self.heavy,
            "export": self.export,
        }
        return by_name[lane] or self.light


class Front:
    """The ASGI application. With `trusts_client_header`, its only client is another process of this server."""

    def __init__(
        self,
        app: Flask,
        lanes: Lanes,
        streams: EventStreamHub | None = None,
        *,
        pace: Pace | None = None,
        proxies: int = 0,
        trusts_client_header: bool = False,
        refusal_delay_s: float = REFUSAL_DELAY_S,
        cross_origin: CrossOrigin | None = None,
    ) -> None:
        self._app = app
        self._lanes = lanes
        self._streams = streams
        self._cross_origin = cross_origin or CrossOrigin()
        self._trusts_client_header = trusts_client_header
        self._refusals = RefusalDelays(0.0 if trusts_client_header else refusal_delay_s)
        self._find_route = route_finder(app)
        self._body_limit = int(app.config["MAX_CONTENT_LENGTH"])
        self._pace = pace or Pace()
        self._date = DateHeader(app.extensions["trickbook"].clock.kept_us)
        self._proxies = proxies
        self._root = str(app.config["APPLICATION_ROOT"]).rstrip("/")
        self._limits = TimeLimits()
        self._answering: set[asyncio.Task[Any]] = set()
        self._gave_up = False

    def stop(self) -> None:
        """End the event streams; other requests are answered."""
        if self._streams is not None:
            self._streams.close()

    def give_up(self) -> None:
        """Refuse the requests that still wait for their answer."""
        self._gave_up = True
        for task in self._answering:
            task.cancel()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        scope = _below(self._root, scope)
        with suppress(SlowClient):  # without an end of the body, the server closes the connection
            send = self._cross_origin.send_to(scope, send)
            sender = Sender(send, receive, self._date, self._pace, self._refusals, self._limits)
            task = asyncio.current_task()
            if task is None:
                raise RuntimeError("only a task can answer")
            self._answering.add(task)
            try:
                await self._answer(scope, receive, sender)
            except asyncio.CancelledError:
                if not self._gave_up:
                    raise
                task.uncancel()
                await sender.refuse(_refusal("busy", "The server stops. Try again in a moment."))
            finally:
                self._answering.discard(task)

    async def _answer(self, scope: Mapping[str, Any], receive: Receive, sender: Sender) -> None:
        headers: tuple[Header, ...] = tuple(scope["headers"])
        if scope["path"] == LIVE_PATH and scope["method"] in ("GET", "HEAD"):
            await sender.problem_or_page(add_headers(Response('{"status":"live"}\n', content_type="application/json")))
            return
        if (allowed := self._cross_origin.preflight(scope)) is not None:
            await sender.whole(204, allowed, b"")
            return
        refusal = refuse_headers(headers, scope["http_version"], self._body_limit)
        if refusal is not None:
            await self._refuse_unread(self._to_request(scope, headers), refusal, sender)
            return
        body = await self._read_body(receive)
        if isinstance(body, Response):
            await self._refuse_unread(self._to_request(scope, headers), body, sender)
            return
        await self._dispatch(self._to_request(scope, headers, body), sender)

    def _to_request(self, scope: Mapping[str, Any], headers: tuple[Header, ...], body: bytes = b"") -> HttpRequest:
        client = _peer(scope)
        if told := [value for name, value in headers if name == CLIENT_HEADER]:
            client = told[0].decode() if self._trusts_client_header else client
            headers = tuple(pair for pair in headers if pair[0] != CLIENT_HEADER)
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        if not path.isascii():  # the other processes get it in a URL of RFC 3986
            path = quote(path, safe=ASCII).encode()
        return HttpRequest(
            method=scope["method"],
            path=path,
            query_string=scope["query_string"],
            headers=headers,
            body=body,
            client=client,
            server=tuple(scope["server"] or ("localhost", 80))[:2],
            scheme=scope["scheme"],
            route=self._find_route(scope["method"], path),
            root=self._root,
        )

    async def _dispatch(self, request: HttpRequest, sender: Sender) -> None:
        name = lane_of(request)
        lane, client = self._lanes.of(name), self._client(request.headers, request.client)
        sender.client = client
        try:
            if isinstance(lane, ProcessLane):
                async with lane.open(client, request) as response:
                    if client.player and request.method not in ("GET", "HEAD"):
                        self._lanes.forget_player(client.player)
                    await sender.stream(response.status, response.headers, response.chunks)
            else:
                answer = await lane.run(client, lambda: self._call(request, name))
                asked = answer.event_stream
                if self._streams is not None and asked is not None and asked.wait_s is not None:
                    # no thread waits meanwhile; the second call answers with what there is
                    await self._streams.wait(asked, sender.receive, client)
                    answer = await lane.run(client, lambda: self._call(request, name, waited=True))
                await self._send(answer, lane, client, sender)
        except (LaneFull, ShareTaken, LaneFailed) as error:
            slug, detail = LANE_PROBLEMS[type(error)]
            refusal = _refusal(slug, detail)
            _log_refusal(refusal, request, client, lane=name, reason=type(error).__name__)
            await sender.refuse(refusal)

    def _call(self, request: HttpRequest, lane: Lane, *, waited: bool = False) -> WsgiResponse:
        return call_wsgi(self._app.wsgi_app, request, lane, streams=self._streams is not None, waited=waited)

    async def _read_body(self, receive: Receive) -> bytes | Response:
        """Return the whole body, or the refusal of one that is too long, late or incomplete."""
        try:
            return await self._limits.limit(BODY_TIMEOUT_S, _receive_body(receive, self._body_limit))
        except TimeoutError:
            return _refusal("request-timeout", f"The body didn't arrive within {BODY_TIMEOUT_S:.0f} seconds.")

    def _client(self, headers: Sequence[Header], peer: str) -> Client:
        """Return the client that shares of lanes are counted for. A proxy may add a second X-Forwarded-For.

        The player is known if this process has seen their token lately; all others of an address count as one.
        """
        if self._proxies:
            forwarded = b",".join(value for name, value in headers if name == b"x-forwarded-for")
            peer = forwarded_address(forwarded.decode("latin-1"), peer, self._proxies)
        return Client(network_of(peer), next(filter(None, map(self._lanes.player_of, sent_tokens(headers))), ""))

    async def _refuse_unread(self, request: HttpRequest, response: Response, sender: Sender) -> None:
        """Refuse a request that no lane has read, and log that."""
        sender.client = client = self._client(request.headers, request.client)
        _log_refusal(response, request, client, lane=None, reason=response.status)
        await sender.problem_or_page(response)

    async def _send(self, answer: WsgiResponse, calls: CallLane, client: Client, sender: Sender) -> None:
        if answer.event_stream is not None and self._streams is not None:
            async with self._streams.open(answer.event_stream, sender.receive, client) as chunks:
                await sender.stream(answer.status, answer.headers, chunks, paced=False)
        elif answer.chunks is not None:
            try:
                await sender.stream(answer.status, answer.headers, _in_lane(calls, client, answer.chunks))
            finally:
                answer.close()
        else:
            await sender.whole(answer.status, answer.headers, answer.body)


def _log_refusal(response: Response, request: HttpRequest, client: Client, *, lane: Lane | None, reason: str) -> None:
    route = NO_ROUTE if request.route is None else request.route.rule.rule
    sent = next((value.decode("latin-1") for name, value in request.headers if name == REQUEST_ID_HEADER), None)
    address = client.address
    log_refusal(response, sent, LOG, lane=lane, reason=reason, route=route, method=request.method, address=address)


def lane_of(request: HttpRequest) -> Lane:
    """Return the lane that a request runs in."""
    if request.route is None or not request.query_string.isascii():  # refused, and no URL for another process
        return "light"
    if request.route.rule.endpoint == COMMANDS_ENDPOINT:
        return lane_of_line(request.body, has_token=bool(sent_tokens(request.headers)))
    if request.route.declared.is_always_light:
        return "light"
    accept = b",".join(value for name, value in request.headers if name == b"accept").decode("latin-1")
    return request.route.declared.choose_lane(request.query_string.decode("latin-1"), accept)


def _below(root: str, scope: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the scope of a request whose path doesn't begin with `root`, whether or not a proxy has taken that off."""
    if not root:
        return scope
    path, raw = scope["path"], scope.get("raw_path") or scope["path"].encode()
    return {**scope, "path": path_below(root, path, "/"), "raw_path": path_below(root.encode(), raw, b"/")}


def _peer(scope: Mapping[str, Any]) -> str:
    return str((scope.get("client") or ("unknown", 0))[0])


async def _in_lane(calls: CallLane, client: Client, chunks: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the chunks of a WSGI response; the lane makes each, and none waits until it is sent."""
    while (chunk := await calls.run(client, lambda: next(chunks, None))) is not None:
        yield chunk


def refuse_headers(headers: Sequence[Header], http_version: str, body_limit: int) -> Response | None:
    """Return the refusal of a request whose headers this server doesn't accept, or None (RFC 9112, 3 and 6)."""
    if len(headers) > MAX_HEADERS:
        return _refusal("headers-too-large", f"Send at most {MAX_HEADERS} headers.")
    size, hosts = 0, list[bytes]()
    length: bytes | None = None
    for name, value in headers:
        size += len(name) + len(value)
        if name == b"host":
            hosts.append(value)
        elif name == b"content-length":
            length = value if length is None else length
        elif name == b"transfer-encoding":
            return _refusal("length-required", "Send the body with a Content-Length, without a Transfer-Encoding.")
    if size > MAX_HEADER_BYTES:
        return _refusal("headers-too-large", f"Send at most {MAX_HEADER_BYTES} bytes of headers.")
    if len(hosts) > 1 or (http_version == "1.1" and not any(hosts)):  # granian adds an empty one if there's none
        return _refusal("malformed", "Send one Host header.")
    if not all(HOST.fullmatch(host) for host in hosts):
        return _refusal("malformed", "The Host header names no host.")
    if length is not None and int(length) > body_limit:
        return _refusal("too-large", body_too_long(body_limit))
    return None


def _refusal(slug: str, detail: str) -> Response:
    response = add_headers(problem_response(slug, detail))
    response.headers.update(CLOSE)
    return response


async def _receive_body(receive: Receive, limit: int) -> bytes | Response:
    """Return the whole body, or the refusal of one that is longer than `limit` bytes or incomplete."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":  # RFC 9112, 8
            return _refusal("malformed", "The connection was closed before the end of the body.")
        part: bytes = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > limit:
            return _refusal("too-large", body_too_long(limit))
        more = bool(message.get("more_body"))
    return b"".join(parts)
