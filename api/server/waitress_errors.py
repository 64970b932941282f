"""Problem responses for requests that waitress rejects before they reach the application.

A request that can't be parsed gets 400, 413 or 431 as application/problem+json, with the usual headers, and the
connection closes. No client input causes a 5xx, a dropped connection or a response that repeats the input.
"""

import time
from collections.abc import Mapping

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.server import BaseWSGIServer
from waitress.task import ErrorTask

from api.app import add_headers
from api.http.problems import problem_response

REQUEST_TIMEOUT_S = 30
"""The maximum time in which a request must arrive completely."""

SLUGS: Mapping[int, tuple[str, str]] = {
    400: ("malformed", "This isn't an HTTP request that this server can read."),
    413: ("too-large", "The body is longer than this server accepts."),
    431: ("headers-too-large", "The headers are longer than this server accepts."),
}


class StrictParser(HTTPRequestParser):
    """waitress's parser, with a 400 for unsupported transfer codings and invalid numbers or addresses too."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except (TransferEncodingNotImplemented, ValueError) as error:
            raise ParsingError("invalid header") from error


class ProblemTask(ErrorTask):
    """The response to a request that can't be parsed, or that the application failed to answer."""

    def execute(self) -> None:
        slug, detail = SLUGS.get(self.request.error.code, ("internal", ""))
        response = add_headers(problem_response(slug, detail))
        body = response.get_data()
        self.status = response.status
        self.response_headers.extend(response.headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class TimedChannel(HTTPChannel):
    """A connection that closes if a request takes too long to arrive."""

    error_task_class = ProblemTask
    parser_class = StrictParser

    started_at = 0.0

    def received(self, data: bytes) -> bool:
        now = time.monotonic()
        if self.request is None:
            self.started_at = now
        read: bool = super().received(data)
        if self.request is not None and now - self.started_at > REQUEST_TIMEOUT_S:
            self.will_close = True
        return read


def install_channels(sockets: Mapping[int, object]) -> None:
    """Make waitress's servers among `sockets` handle connections with `TimedChannel`."""
    for each in sockets.values():
        if isinstance(each, BaseWSGIServer):
            each.channel_class = TimedChannel
