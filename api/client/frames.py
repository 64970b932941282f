"""Streams of server-sent events that go on after a lost connection, and after a restart of the server."""

from collections.abc import Iterator

from httpx_sse import EventSource, ServerSentEvent, SSEError

from api.client.connection import AGAIN, Connection, Pauses
from api.client.problems import NoAnswer, Refusal, UnexpectedAnswer

EVENT_STREAM = "text/event-stream"
NOTHING_MORE = 204


def follow_frames(connection: Connection, path: str, last_id: str | None) -> Iterator[ServerSentEvent]:
    """Yield each frame once, those after `last_id` first, until the server says that nothing more will come.

    Raise NoAnswer if the server can't be reached for `patience_s`, and Refusal if the right to read is lost.
    """
    pauses, ask_again_s = Pauses(connection.patience_s), 0.0
    while True:
        opened = False
        try:
            with connection.stream(path, _headers(last_id)) as response:
                opened = True
                if response.status_code == NOTHING_MORE:
                    return
                for frame in EventSource(response).iter_sse():
                    ask_again_s = ask_again_s if frame.retry is None else frame.retry / 1000
                    if frame.data:
                        last_id = frame.id
                        yield frame
            lost: Exception = NoAnswer(f"{connection.url} ended the stream, and doesn't open it again.")
        except (NoAnswer, Refusal, SSEError) as error:
            lost = _lost_stream(connection, error)
        if opened:
            pauses.restart()
        if not pauses.take(min(ask_again_s, connection.patience_s / 2)):
            raise lost


def _headers(last_id: str | None) -> dict[str, str]:
    return {"Accept": EVENT_STREAM} | ({} if last_id is None else {"Last-Event-ID": last_id})


def _lost_stream(connection: Connection, error: Exception) -> Exception:
    """Return the error to raise if the stream can't be opened again; raise at once if asking again is of no use."""
    if isinstance(error, NoAnswer) or (isinstance(error, Refusal) and error.status in AGAIN):
        return error
    if isinstance(error, SSEError):
        raise UnexpectedAnswer(f"{connection.url} sends no stream of events: {error}") from None
    raise error
