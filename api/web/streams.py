"""Answers that the server sends after the request's view has returned: event streams, and answers that wait.

They hold no thread and no connection to a database meanwhile.
"""

from collections.abc import Callable

from flask import Response, request

from api.people.stored.tokens import token_sha256
from api.play.services.event_stream import ENVIRON_KEY, WAITED_KEY, AnyStream, StreamSlot
from api.web.context import client_address, current_services, sent_token
from api.web.responses import EVENT_STREAM


def can_stream() -> bool:
    """Return whether the server of this request sends event streams."""
    return ENVIRON_KEY in request.environ


def may_wait() -> bool:
    """Return whether this request can wait, and hasn't yet."""
    return can_stream() and request.method == "GET" and not request.environ[WAITED_KEY]


def stream_response(stream: Callable[[], AnyStream]) -> Response:
    """Return the headers of an event stream, and leave the stream to the server unless only headers are wanted."""
    response = Response(content_type=EVENT_STREAM, headers={"X-Accel-Buffering": "no"})
    response.automatically_set_content_length = False
    if request.method == "GET":
        request.environ[ENVIRON_KEY] = stream()
    return response


def leave_to_server(stream: AnyStream) -> Response:
    """Make the server wait for `stream`, and call the view again. This response isn't sent."""
    request.environ[ENVIRON_KEY] = stream
    return Response()


def take_slot(player: str | None) -> StreamSlot:
    """Take the slot of a stream. Raise StreamLimitReached or NoFreeStream if all are taken."""
    return current_services().stream_slots.take(client_address(request), player)


def sent_token_sha256() -> str | None:
    """Return the hash of the token that the request carries, if any."""
    token = sent_token()
    return None if token is None else token_sha256(token)
