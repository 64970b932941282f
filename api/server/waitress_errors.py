"""What waitress answers by itself, before the application is asked, in the application's own way.

Whatever does not parse is 400, 413 or 431 as application/problem+json, with the headers of every answer and the
connection closed after it; nothing a client sends is a 5xx, drops a connection unanswered or is repeated to it.
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
"""How long a request may take to arrive, however it trickles."""

SLUGS: Mapping[int, tuple[str, str]] = {
    400: ("malformed", "this is no HTTP request as this server reads them"),
    413: ("too-large", "the body is longer than this server takes"),
    431: ("headers-too-large", "the headers are longer than this server takes"),
}


class StrictParser(HTTPRequestParser):
    """waitress's, where a coding that is not spoken here and a number or address that cannot be read are 400 too."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except (TransferEncodingNotImplemented, ValueError) as error:
            raise ParsingError("the header cannot be read") from error


class ProblemTask(ErrorTask):
    """The answer to what could not be read, or to what the application failed at without an answer of its own."""

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
    """A connection that is closed when a request takes too long to arrive."""

    error_task_class = ProblemTask
    parser_class = StrictParser

    begun = 0.0

    def received(self, data: bytes) -> bool:
        now = time.monotonic()
        if self.request is None:
            self.begun = now
        read: bool = super().received(data)
        if self.request is not None and now - self.begun > REQUEST_TIMEOUT_S:
            self.will_close = True
        return read


def install_channels(sockets: Mapping[int, object]) -> None:
    """Have the servers among waitress's sockets take connections as `Channel`."""
    for each in sockets.values():
        if isinstance(each, BaseWSGIServer):
            each.channel_class = TimedChannel
